import { sql } from 'kysely'
import fs, { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { prepareDataDir } from '../../../tests/harness/data-dir.ts'
import { type Cut, ForgetfulDisk } from '../../../tests/harness/forgetful-disk.ts'
import { openApp } from '../../app/open-app.ts'
import { registerAccount } from '../../features/accounts/sign-in/register-account.server.ts'
import { openImportFile } from '../../features/catalogue/transfer/import-file.server.ts'
import { importItems } from '../../features/catalogue/transfer/import-items.server.ts'
import { readConfig } from '../../app/config.ts'
import { openLog } from '../../platform/log.ts'
import { openEmbedded } from './embedded.ts'

/** The rows acknowledged by a moment. */
interface Acknowledged {
  after: number
  what: string
  items: number
  emails: string[]
}

const batchRows = 1_000
const rowCount = 3 * batchRows

let directory: string
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'daybook-cut-'))
  const rows = Array.from({ length: rowCount }, (_, i) =>
    [`Work ${i}`, 'Film', 'western', `https://mega.nz/${i}`, `id-${i}`, 'public_domain', 'Published in 1890.'].join(
      ',',
    ),
  )
  const header = 'name,category,contentType,link,externalId,rightsBasis,evidence,permitsDownload,people'
  writeFileSync(join(directory, 'catalogue.csv'), [header, ...rows.map((row) => `${row},true,none`), ''].join('\n'))
})
afterAll(() => rmSync(directory, { recursive: true, force: true }))

/**
 * A first start, sign-ups, an import, a checkpoint, more sign-ups, a stop and another start, over a disk that forgets.
 * @param options.until ends it right after this
 */
async function live(
  root: string,
  { sync, until }: { sync: boolean; until?: string },
): Promise<{ disk: ForgetfulDisk; moments: Acknowledged[] }> {
  const disk = new ForgetfulDisk(root)
  const moments: Acknowledged[] = []
  let items = 0
  const emails: string[] = []
  const reported = (what: string): void =>
    void moments.push({ after: disk.steps.length, what, items, emails: [...emails] })
  const config = readConfig({ DEMO: '0', LOG_LEVEL: 'error', DATA_DIR: root, EMBEDDED_SYNC: sync ? 'on' : 'off' })
  const open = () => openApp(config, openLog('silent'))

  const signUp = async (app: Parameters<typeof registerAccount>[0]): Promise<void> => {
    const email = `reader-${emails.length}@readers.example`
    const address = `192.0.2.${emails.length}`
    await registerAccount(app, { name: 'Jane', email, password: 'a quiet reading room', address })
    emails.push(email)
    reported(`sign-up ${emails.length}`)
  }

  try {
    reported('nothing')
    let { app, database, close } = await open()
    reported('first start')
    for (let i = 0; i < 4; i += 1) await signUp(app)
    await importItems(
      app,
      await openImportFile(join(directory, 'catalogue.csv')),
      { publish: true, createCategories: true, dryRun: false },
      {
        onProgress({ tally }) {
          items = tally.created
          reported(`batch up to ${items}`)
        },
      },
    )
    reported('import')
    await database.run('checkpoint')
    reported('checkpoint')
    for (let i = 0; i < 4; i += 1) {
      await signUp(app)
      if (moments.at(-1)?.what === until) {
        await close()
        return { disk, moments }
      }
    }
    await close()
    reported('stop')
    ;({ app, database, close } = await open())
    reported('second start')
    await signUp(app)
    await close()
    disk.check((path) => path.startsWith('postgres/'))
  } finally {
    disk.release()
  }
  return { disk, moments }
}

/** Opens what a cut has left. @returns what is missing of the acknowledged, or why it does not open */
async function missingIn(folder: string, { items, emails }: Acknowledged): Promise<string[]> {
  let database: Awaited<ReturnType<typeof openEmbedded>>
  try {
    database = await openEmbedded(folder, { sync: false })
  } catch (error) {
    return [`it does not open: ${String((error as Error).cause)}`]
  }
  try {
    const { rows: tables } = await sql<{ name: string }>`
      select tablename as name from pg_tables where schemaname = 'public'`.execute(database.db)
    // Every page of every table is read: a torn one fails its checksum.
    for (const { name } of tables) await sql`select count(t::text) from ${sql.table(name)} t`.execute(database.db)
    const has = (name: string) => tables.some((table) => table.name === name)
    const there = has('items') ? await database.db.selectFrom('items').select('external_id').execute() : []
    const ids = new Set(there.map(({ external_id: id }) => id))
    const users = has('users') ? await database.db.selectFrom('users').select('email').execute() : []
    const known = new Set(users.map(({ email }) => email))
    const missing = emails.filter((email) => !known.has(email))
    for (let i = 0; i < items; i += 1) if (!ids.has(`id-${i}`)) missing.push(`item ${i}`)
    if (ids.size % batchRows !== 0) missing.push(`a part of a batch: ${ids.size} items are there`)
    return missing
  } catch (error) {
    return [`it does not answer: ${String(error)}`]
  } finally {
    await database.close()
  }
}

const kinds: Cut[] = ['nothing', 'names', 'some']

/** Right after each acknowledgement, and in between, where the next write is on its way. */
function momentsOf(moments: Acknowledged[], last: number): number[] {
  const started = (moments.find(({ what }) => what === 'first start') as Acknowledged).after
  const within = (from: number, to: number, count: number): number[] =>
    Array.from({ length: count }, (_, i) => Math.floor(from + ((to - from) * (i + 0.5)) / count))
  return [...moments.map(({ after }) => after), ...within(0, started, 2), ...within(started, last, 12)].sort(
    (a, b) => a - b,
  )
}

/** @returns what is missing after each cut at these moments, a sentence for each that misses anything */
async function cutThrough(
  { disk, moments }: Awaited<ReturnType<typeof live>>,
  afters: number[],
): Promise<{ lost: string[]; count: number }> {
  const cuts = afters.map((after, place) => ({ after, cut: kinds[place % kinds.length] as Cut }))
  const lost: string[] = []
  let count = 0
  for (const folder of disk.cutAfter(cuts, (place) => join(directory, `cut-${place}`))) {
    const { after, cut } = cuts[count] as (typeof cuts)[number]
    const known = moments.findLast((moment) => moment.after <= after) as Acknowledged
    const missing = await missingIn(folder, known)
    const where = `step ${after} of ${disk.steps.length}, after '${known.what}', keeping ${cut}`
    if (missing.length > 0) lost.push(`${where}: ${missing.slice(0, 3).join(', ')} (${missing.length})`)
    rmSync(folder, { recursive: true })
    count += 1
  }
  return { lost, count }
}

describe('A power cut', () => {
  it(
    'at any moment leaves an embedded database that opens and has every acknowledged write',
    { timeout: 600_000 },
    async () => {
      const lived = await live(join(directory, 'synced'), { sync: true })
      const afters = momentsOf(lived.moments, lived.disk.steps.length)
      expect(await cutThrough(lived, afters)).toEqual({ lost: [], count: afters.length })
    },
  )

  it(
    'loses acknowledged writes with EMBEDDED_SYNC=off: the disk of this test does forget',
    { timeout: 300_000 },
    async () => {
      const what = 'sign-up 5'
      const lived = await live(join(directory, 'unsynced'), { sync: false, until: what })
      const { after } = lived.moments.find((moment) => moment.what === what) as Acknowledged
      const { lost } = await cutThrough(lived, [after, after, after])
      expect(lost).toHaveLength(3)
    },
  )
})

it('opens a database whose postmaster.pid a power cut has left empty', async () => {
  const folder = join(directory, 'empty-mark')
  await prepareDataDir(folder)
  writeFileSync(join(folder, 'postgres', 'postmaster.pid'), '')
  const database = await openEmbedded(folder, { sync: false })
  expect(await database.run('select 1 as one')).toEqual([{ one: 1 }])
  await database.close()
})

it('gives everybody else a turn between the queries of a job', async () => {
  await prepareDataDir(join(directory, 'turns'))
  await using database = await openEmbedded(join(directory, 'turns'), { sync: false })
  let turns = 0
  const timer = setInterval(() => (turns += 1), 0)
  for (const until = Date.now() + 200; Date.now() < until;) await sql`select 1`.execute(database.db)
  clearInterval(timer)
  expect(turns).toBeGreaterThan(10)
})

describe('An engine that cannot write its log', () => {
  it('acknowledges nothing more, hangs nobody, and says that it has stopped', async () => {
    await prepareDataDir(join(directory, 'full'))
    const database = await openEmbedded(join(directory, 'full'), { sync: true })
    await sql`create table letters (text text)`.execute(database.db)
    const { openSync, writeSync } = fs
    const logs = new Set<number>()
    fs.openSync = (path, ...rest) => {
      const fd = openSync(path, ...rest)
      if (String(path).includes('/pg_wal/')) logs.add(fd)
      else logs.delete(fd)
      return fd
    }
    fs.writeSync = ((fd: number, ...rest: [Uint8Array]) => {
      if (logs.has(fd)) throw Object.assign(new Error('no space'), { code: 'ENOSPC' })
      return writeSync(fd, ...rest)
    }) as typeof writeSync
    try {
      const filled = database.db
        .transaction()
        .execute((trx) => sql`insert into letters select repeat('a', 1000) from generate_series(1, 40000)`.execute(trx))
      await expect(filled).rejects.toThrow()
      await expect(sql`select 1`.execute(database.db)).rejects.toThrow('has stopped')
      expect((await database.stopped)?.message).toContain('has stopped')
    } finally {
      Object.assign(fs, { openSync, writeSync })
      await database.close()
    }
    const again = await openEmbedded(join(directory, 'full'), { sync: true })
    expect(await again.run('select 1 as one')).toEqual([{ one: 1 }])
    await again.close()
  })
})
