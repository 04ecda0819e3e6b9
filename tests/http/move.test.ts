import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, inject, test, vi } from 'vitest'
import { runCommand } from '../../src/cli.ts'
import { openDatabase } from '../../src/db/open.ts'
import { defineJob } from '../../src/platform/jobs/job.ts'
import { Jobs } from '../../src/platform/jobs/jobs.ts'
import { openLog } from '../../src/platform/log.ts'
import { prepareDataDir } from '../harness/data-dir.ts'
import { databaseUrl, onServer } from '../harness/prepare-database.ts'

const prepared = inject('preparedDatabase')
const serverUrl = prepared.engine === 'embedded' ? '' : prepared.serverUrl
const name = `daybook_move_${randomUUID().slice(0, 8)}`

describe.skipIf(prepared.engine === 'embedded')('a site is moved', () => {
  let folder: string
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'daybook-move-'))
    await onServer(serverUrl, `create database ${name}`)
  })
  afterEach(async () => {
    await onServer(serverUrl, `drop database ${name} with (force)`)
    await rm(folder, { recursive: true, force: true })
  })

  async function daybook(args: string[], env: Record<string, string>) {
    let out = ''
    let err = ''
    vi.spyOn(process.stdout, 'write').mockImplementation((text) => Boolean((out += String(text))))
    vi.spyOn(process.stderr, 'write').mockImplementation((text) => Boolean((err += String(text))))
    try {
      return { code: await runCommand(args, { EMBEDDED_SYNC: 'off', ...env }), out, err }
    } finally {
      vi.restoreAllMocks()
    }
  }

  const read = async (location: { databaseUrl: string | undefined; dataDir: string }) => {
    await using database = await openDatabase({ ...location, embeddedSync: false })
    const db = database.maintenanceDb
    return {
      users: await db.selectFrom('users').selectAll().execute(),
      sessions: await db
        .selectFrom('sessions')
        .select(['id', 'user_id', 'expires_at', sql`encode(token_hash, 'hex')`.as('token')])
        .execute(),
      categories: await db.selectFrom('categories').selectAll().orderBy('id').execute(),
      isRehearsal: (await db.selectFrom('rehearsal').selectAll().execute()).length > 0,
      mails: await database.run(`select data, priority from pgboss.job where name = 'mail'`, []),
    }
  }

  test('to PostgreSQL and back, with sessions and emails that wait; where it was is in rehearsal, and what is not empty is refused', async () => {
    const dataDir = join(folder, 'one')
    const embedded = { databaseUrl: undefined, dataDir }
    await prepareDataDir(dataDir)
    const database = await openDatabase({ ...embedded, embeddedSync: false })
    const user = randomUUID()
    await sql`
      insert into users (id, email, email_folded, name, created_at)
      values (${user}, 'jane@readers.example', 'jane@readers.example', 'Jane', now())`.execute(database.maintenanceDb)
    await sql`
      insert into sessions (id, user_id, token_hash, is_remembered, user_agent, created_at, last_seen_at, expires_at, proved_at)
      values (${randomUUID()}, ${user}, sha256('a'), true, '', now(), now(), now() + interval '1 day', now())`.execute(
      database.maintenanceDb,
    )
    const jobs = new Jobs(database, openLog('silent'))
    const mail = defineJob<{ kind: string }>('mail')
    jobs.define(mail, () => Promise.resolve())
    await jobs.prepare()
    await jobs.addMany(database.db, mail, [{ kind: 'a' }], { priority: 3 })
    await jobs.stop()
    await database.close()
    const before = await read(embedded)
    expect(before).toMatchObject({ isRehearsal: false, mails: [{ data: { kind: 'a' }, priority: 3 }] })

    const url = databaseUrl(serverUrl, name)
    const moved = await daybook(['move', '--to', url], { DATA_DIR: dataDir })
    expect(moved, moved.err).toMatchObject({ code: 0 })
    expect(moved.out).toMatch(/^Moved: [\d,]+ rows and 1 job, from the embedded database in /)
    const there = { databaseUrl: url, dataDir }
    expect(await read(there)).toEqual(before)
    expect(await read(embedded)).toEqual({ ...before, isRehearsal: true })

    const left = await daybook(['move', '--to', url], { DATA_DIR: dataDir })
    expect(left).toMatchObject({
      code: 1,
      out: '',
      err: expect.stringContaining('The server last used the database') as string,
    })
    const full = await daybook(['--database', 'move', '--to', url], { DATA_DIR: dataDir })
    expect(full).toMatchObject({
      code: 1,
      out: '',
      err: expect.stringContaining('into an empty database only') as string,
    })
    const back = await daybook(['move', '--to', 'embedded'], { DATA_DIR: join(folder, 'two'), DATABASE_URL: url })
    expect(back, back.err).toMatchObject({ code: 0 })
    expect(await read({ databaseUrl: undefined, dataDir: join(folder, 'two') })).toEqual(before)
  })
})
