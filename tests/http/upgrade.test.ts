import { cp, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { runCommand } from '../../src/cli.ts'
import { doneMigrations, migrate } from '../../src/db/migrate.ts'
import { migrations } from '../../src/db/migrations/index.ts'
import { openDatabase } from '../../src/db/open.ts'
import { addressOf, kill, startDaybook } from '../harness/processes.ts'
import { sendRequest } from '../harness/request.ts'

/* Upgrades (docs/spec/backups.md#upgrade), of a database that waits for the last migration. */

let waiting: string
let dataDir: string
const known = Object.keys(migrations)
const done = known.slice(0, -1)
const last = known.at(-1) ?? ''

const withDatabase = async <T>(
  work: (db: Awaited<ReturnType<typeof openDatabase>>['maintenanceDb']) => Promise<T>,
  at = dataDir,
) => {
  await using database = await openDatabase({ databaseUrl: undefined, dataDir: at, embeddedSync: false })
  return await work(database.maintenanceDb)
}

beforeAll(async () => {
  waiting = await mkdtemp(join(tmpdir(), 'daybook-upgrade-'))
  await withDatabase((db) => migrate(db, done.at(-1)), waiting)
})
afterAll(() => rm(waiting, { recursive: true, force: true }))

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'daybook-upgrade-'))
  await cp(join(waiting, 'postgres'), join(dataDir, 'postgres'), { recursive: true })
})
afterEach(() => rm(dataDir, { recursive: true, force: true }))

async function daybook(args: string[], env: Record<string, string> = {}) {
  let out = ''
  let err = ''
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => Boolean((out += String(text))))
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => Boolean((err += String(text))))
  try {
    return { code: await runCommand(args, { DATA_DIR: dataDir, EMBEDDED_SYNC: 'off', ...env }), out, err }
  } finally {
    vi.restoreAllMocks()
  }
}

test('is told of before, on a copy; a backup is made first, and what is up to date has nothing to change', async () => {
  const checked = await daybook(['upgrade', '--check'])
  expect(checked, checked.err).toMatchObject({ code: 0 })
  expect(checked.out).toMatch(
    new RegExp(`^1 migration: ${last}\\.\\nTime: [\\d.]+ s on a copy\\.\\nRoom: at most \\d+ MB .* MB are free`),
  )
  expect(await withDatabase(doneMigrations)).toEqual(done)
  expect((await readdir(dataDir)).filter((name) => /^(upgrade|backups)/.test(name))).toEqual([])

  expect(await daybook(['migrate'])).toMatchObject({ code: 0, out: `Done: ${last}.\n` })
  const [backup = ''] = await readdir(join(dataDir, 'backups'))
  expect(backup).toMatch(/^daybook-\d{8}-\d{6}-before-\d+\.\d+\.\d+\.backup$/)
  const { out } = await daybook(['backup', '--show', join(dataDir, 'backups', backup)])
  expect((JSON.parse(out) as { migrations: string[] }).migrations).toEqual(done)

  expect(await daybook(['upgrade', '--check'])).toMatchObject({ code: 0, out: 'There is nothing to change.\n' })
  // The way back of an older backup leads through the same migrations.
  const target = join(dataDir, 'restored')
  expect(await daybook(['restore', join(dataDir, 'backups', backup)], { DATA_DIR: target })).toMatchObject({ code: 0 })
})

test('that fails in its middle leaves what was there, and the version before starts again', async () => {
  await withDatabase((db) => migrate(db))
  migrations['9999-failing'] = {
    async up(db) {
      await sql`alter table users drop column name`.execute(db)
      await sql`create table half (id integer)`.execute(db)
      await sql`select 1 / 0`.execute(db)
    },
  }
  const failed = await daybook(['migrate']).finally(() => delete migrations['9999-failing'])
  expect(failed).toMatchObject({ code: 1, out: '' })
  expect(failed.err).toContain('The database could not be migrated (9999-failing). Nothing was changed.')
  expect(await readdir(join(dataDir, 'backups'))).toHaveLength(1)
  expect(await withDatabase(doneMigrations)).toEqual(known)

  const former = startDaybook([], { DATA_DIR: dataDir, EMBEDDED_SYNC: 'off', DEMO: '0', PORT: '0' })
  // Its folder is removed when the test has ended.
  try {
    const url = await addressOf(former)
    const body = JSON.stringify({ name: 'Jane', email: 'jane@readers.example', password: 'a quiet reading room' })
    const headers = { 'content-type': 'application/json' }
    expect((await sendRequest(`${url}/auth/register`, { method: 'POST', headers, body })).status).toBe(201)
  } finally {
    await kill(former)
  }
})

test('does not begin where the backup cannot be made', async () => {
  await writeFile(join(dataDir, 'no-folder'), '')
  const ended = await daybook(['migrate'], { BACKUP_TO: join(dataDir, 'no-folder') })
  expect(ended).toMatchObject({ code: 1, out: '' })
  expect(ended.err).toContain('the backup before could not be made')
  expect(await withDatabase(doneMigrations)).toEqual(done)
})
