import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { readConfig } from '../../src/app/config.ts'
import { openApp } from '../../src/app/open-app.ts'
import { queueDigests } from '../../src/features/catalogue/saved-searches/digests.server.ts'
import { changeSearch, saveSearch } from '../../src/features/catalogue/saved-searches/saved-searches.server.ts'
import { openLog } from '../../src/platform/log.ts'
import { prepareDataDir } from '../harness/data-dir.ts'
import { readEmails } from '../harness/emails.ts'
import { type CountingServer, startTcp } from '../harness/hostile-server.ts'
import { someItems } from '../harness/items.ts'
import { aMember, viewerOf } from '../harness/members.ts'
import { addressOf, kill, type Started, startDaybook } from '../harness/processes.ts'

/* A digest arrives once, also when processes die around it (docs/spec/readers-memory.md#digest). */

let dataDir: string
const started: Started[] = []
const servers: CountingServer[] = []

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'daybook-digest-'))
  await prepareDataDir(dataDir)
})
afterEach(async () => {
  await Promise.all(started.splice(0).map(kill))
  for (const server of servers.splice(0)) await server.close()
  await rm(dataDir, { recursive: true, force: true })
})

const environment = () => ({ DEMO: '0', PORT: '0', DATA_DIR: dataDir, EMBEDDED_SYNC: 'off', PAYMENTS: 'off' })

function start(env: Record<string, string> = {}): Started {
  const one = startDaybook([], { NODE_ENV: 'production', ...environment(), ...env })
  started.push(one)
  return one
}

async function withApp<T>(clockAt: number, work: (app: Awaited<ReturnType<typeof openApp>>['app']) => Promise<T>) {
  const log = openLog('error', { write: () => true })
  const opened = await openApp(readConfig({ ...environment(), LOG_LEVEL: 'error' }), log, {
    clock: { now: () => clockAt },
    hasClockwork: false,
  })
  try {
    return await work(opened.app)
  } finally {
    await opened.close()
  }
}

test(
  'a process that is killed while it hands the email over is followed by one that sends it, once',
  { timeout: 300_000 },
  async () => {
    const dayMs = 86_400_000
    const now = Date.now()
    const id = await withApp(now - dayMs, async (app) => {
      const reader = await aMember(app, { email: 'jane@readers.example' })
      const viewer = viewerOf(reader)
      const { search } = await saveSearch(app, viewer, { list: 'western', query: '', name: 'Western' })
      await changeSearch(app, viewer, search.id, { digest: 'daily', hour: 0 })
      return search.id
    })
    await withApp(now - dayMs / 2, async (app) => {
      await someItems(app, [{ name: 'News', postDate: new Date(now - dayMs / 2).toISOString().slice(0, 10) }])
    })
    await withApp(now, async (app) => {
      await queueDigests(app)
      const row = await app.db
        .selectFrom('saved_searches')
        .select(['next_digest_at', 'digested_until'])
        .where('id', '=', id)
        .executeTakeFirstOrThrow()
      expect(row.next_digest_at?.getTime()).toBeGreaterThan(now)
      expect(row.digested_until?.getTime()).toBeGreaterThan(now - dayMs / 2)
    })

    // It accepts connections and says nothing.
    const silent = await startTcp(() => undefined)
    servers.push(silent)
    const first = start({ SMTP_URL: `smtp://${silent.place}` })
    await addressOf(first)
    await expect.poll(() => silent.connections, { timeout: 60_000 }).toBeGreaterThan(0)
    await kill(first)
    expect(await readdir(join(dataDir, 'mail')).catch(() => [])).toEqual([])

    const second = start()
    await addressOf(second)
    const digests = async () =>
      (await readEmails({ config: { dataDir } as never })).filter(({ subject }) => subject === '1 new entry: Western')
    await expect.poll(async () => (await digests()).length, { timeout: 60_000 }).toBe(1)
    await kill(second)

    // Nothing is left of it, and nothing is told again.
    await withApp(now + 60_000, async (app) => {
      await queueDigests(app)
      await app.jobs.drain()
    })
    expect(await digests()).toHaveLength(1)
  },
)
