import { sql } from 'kysely'
import { Writable } from 'node:stream'
import { afterAll, afterEach, beforeAll, describe, expect, inject, test } from 'vitest'
import { visitorLimitMs } from '../../src/db/call.ts'
import { openLog } from '../../src/platform/log.ts'
import type { TestResponse } from '../harness/request.ts'
import { type DatabaseProxy, openDatabaseProxy } from '../harness/database-proxy.ts'
import { anItem } from '../harness/items.ts'
import { aMember, bearer, post, signIn } from '../harness/members.ts'
import { onServer } from '../harness/prepare-database.ts'
import { openTestServer, type TestServer } from '../harness/test-server.ts'

/*
 * The database is away (docs/spec/operations.md#database-away). The embedded engine is part of the process and cannot
 * go away.
 */

const prepared = inject('preparedDatabase')
const serveSeconds = 5
const sentence = 'The database does not answer at the moment. Please try again in a minute.'

let proxy: DatabaseProxy
let server: TestServer
let databaseName = ''
const lines: { level: number; msg?: string; reason?: string; path?: string; status?: number }[] = []

const output = new Writable({
  write(line: Buffer, _encoding, done) {
    lines.push(JSON.parse(line.toString()) as (typeof lines)[number])
    done()
  },
})

const infoLevel = 30
/** The lines for an operator with default settings, without the requests that were merely slow. */
const reported = () =>
  lines.filter(({ level, status = 500 }) => level >= infoLevel && status >= 500).map(({ msg, path }) => msg ?? path)
const goes = 'The database does not answer. Until it does, nothing can be written.'
const tookTooLong = 'The database took too long for a statement, or had it wait too long for a lock.'
const isBack = 'The database answers again.'

async function say(words: string): Promise<void> {
  await expect.poll(reported, { timeout: 20_000, interval: 50 }).toContain(words)
}

/** Ends every connection to the test's database but the one that ends them. */
async function terminateAll(): Promise<void> {
  if (prepared.engine === 'embedded') return
  await onServer(
    prepared.serverUrl,
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${databaseName}'`,
  )
}

/** How many commits the server is at work on in the test's database. */
async function commits(): Promise<number> {
  if (prepared.engine === 'embedded') return 0
  const rows = await onServer(
    prepared.serverUrl,
    `select pid from pg_stat_activity where datname = '${databaseName}' and state = 'active' and query ilike 'commit%'`,
  )
  return rows.length
}

async function bringBack(): Promise<void> {
  proxy.state = 'open'
  proxy.cut()
  await expect.poll(async () => (await server.request('/readyz')).status, { timeout: 20_000, interval: 100 }).toBe(200)
  // The listing has heard of the database again.
  await expect.poll(() => server.app.listing.isCurrent, { timeout: 30_000 }).toBe(true)
}

function expectAway(answer: TestResponse): void {
  expect(answer.status, answer.text).toBe(503)
  expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0)
  if (String(answer.headers['content-type']).startsWith('text/html')) {
    expect(answer.text).toContain('Back in a moment')
    expect(answer.text).toContain(sentence)
    expect(answer.headers['cache-control']).toBe('no-store')
  } else {
    expect(answer.json()).toMatchObject({ code: 'database.unavailable', message: sentence })
  }
}

describe.skipIf(prepared.engine === 'embedded')('while PostgreSQL is away', () => {
  beforeAll(async () => {
    if (prepared.engine === 'embedded') return
    proxy = await openDatabaseProxy(prepared.serverUrl)
    server = await openTestServer({
      env: { SERVE_WITHOUT_DATABASE_SECONDS: String(serveSeconds), METRICS_TOKEN: 'a-token-of-a-test' },
      log: openLog('info', output),
      through: (url) => proxy.through(url),
      jobs: true,
    })
    const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(server.app.db)
    databaseName = rows[0]?.name ?? ''
    await anItem(server.app, { name: 'Kept in memory', contentType: 'western' })
    await anItem(server.app, { name: 'Removed elsewhere', contentType: 'western' })
    await server.app.listing.catchUp()
  })
  afterAll(async () => {
    await server.close()
    await proxy.close()
  })
  afterEach(async () => {
    await bringBack()
    lines.length = 0
  })

  test('connections that are ended in mid-transaction end neither the process nor what comes after', async () => {
    const { db } = server.app
    const write = (n: number): Promise<unknown> =>
      db.transaction().execute(async (trx) => {
        await sql`insert into categories (name, name_folded) values (${`category ${n}`}, ${`category ${n}`})`.execute(
          trx,
        )
        // At work, and waiting for nothing at this moment: nobody listens but the connection itself.
        await new Promise((wake) => setTimeout(wake, 5 + (n % 7) * 10))
        await trx.deleteFrom('categories').where('name', '=', `category ${n}`).execute()
      })
    let refused = 0
    for (let round = 0; round < 12; round += 1) {
      const writes = Promise.allSettled(Array.from({ length: 8 }, (_, n) => write(round * 8 + n)))
      await new Promise((wake) => setTimeout(wake, 30))
      await terminateAll()
      for (const result of await writes) {
        if (result.status === 'fulfilled') continue
        refused += 1
        expect(result.reason).toMatchObject({ code: 'database.unavailable', status: 503 })
      }
      await sql`select 1`.execute(db).catch((error: unknown) => {
        expect(error).toMatchObject({ code: 'database.unavailable' })
      })
    }
    expect(refused).toBeGreaterThan(0)
    expect(await db.selectFrom('categories').select('name').where('name', 'like', 'category %').execute()).toEqual([])
    // A lost connection is no outage, and many of them are one line.
    expect(reported().filter((line) => line === goes)).toEqual([])
    expect(reported().filter((line) => line?.startsWith('A connection to the database was lost')).length).toBe(1)
  })

  test('a commit without an answer is told as what it is', async () => {
    const { db } = server.app
    const commit = db.transaction().execute(async (trx) => {
      await sql`create temporary table late (id int primary key deferrable initially deferred)`.execute(trx)
      await sql`create function pg_temp.wait() returns trigger language plpgsql as 'begin perform pg_sleep(2); return null; end'`.execute(
        trx,
      )
      await sql`create constraint trigger waits after insert on late deferrable initially deferred
        for each row execute function pg_temp.wait()`.execute(trx)
      await sql`insert into late values (1)`.execute(trx)
    })
    commit.catch(() => {})
    await expect.poll(commits, { interval: 50 }).toBe(1)
    await terminateAll()
    await expect(commit).rejects.toMatchObject({
      code: 'database.unavailable',
      details: { outcome: 'unknown' },
      message: expect.stringContaining('may have been done') as string,
    })
  })

  test('everything answers 503 and says so, one line tells it, and memory answers only for its time', async () => {
    const member = await aMember(server.app)
    const token = await signIn(server, member)
    const inMemory = ['/', '/western', '/western/kept-in-memory']
    for (const path of inMemory) expect((await server.request(path)).status, path).toBe(200)
    const kept = '/universal-search/search?contentType=western&page=1'
    expect((await server.call(kept)).status).toBe(200)
    const before = performance.now()
    proxy.state = 'closed'
    proxy.cut()
    await say(goes)
    // Answers in memory are still sent.
    for (const path of inMemory) expect((await server.request(path)).status, path).toBe(200)
    expect((await server.call(kept)).status).toBe(200)
    expect(performance.now() - before, 'the machine is too busy for this test').toBeLessThan(serveSeconds * 1_000)
    // Answers of the database alone are not.
    expectAway(await server.request('/western/not-read-before'))
    expectAway(await server.call('/westerncontent/not-read-before'))
    expectAway(await server.request('/auth/status', { headers: { authorization: `Bearer ${token}` } }))
    expectAway(await post(server, '/auth/login', { email: member.email, password: member.password }))
    const ready = await server.request('/readyz')
    expect([ready.status, ready.text]).toEqual([503, 'the database does not answer'])
    expect((await server.request('/healthz')).status).toBe(200)

    // Another process takes something out of the catalogue, and this one cannot hear of it.
    if (prepared.engine === 'postgresql') {
      const url = new URL(prepared.serverUrl)
      url.pathname = `/${databaseName}`
      await onServer(url.href, `update items set status = 'removed' where slug = 'removed-elsewhere'`)
    }
    await expect.poll(async () => (await server.request('/western')).status, { timeout: 10_000 }).toBe(503)
    expect(performance.now() - before).toBeLessThan(serveSeconds * 1_000 + 3_000)
    for (const path of [...inMemory, '/western/removed-elsewhere', '/login', '/plans']) {
      expectAway(await server.request(path))
    }
    const data = await server.request('/western.data')
    expect([data.status, data.text.includes('removed-elsewhere')]).toEqual([503, false])
    expectAway(await server.call(kept))
    expect((await server.request('/favicon.svg')).status).toBe(200)
    // The jobs look after their queue, the listing after the catalogue: none of them adds to it.
    await new Promise((wake) => setTimeout(wake, 6_000))
    expect(reported().filter((line) => line !== goes)).toEqual([])
    expect(lines.filter(({ msg }) => msg === goes)).toEqual([
      expect.objectContaining({ level: 50, reason: expect.stringMatching(/ECONN|terminated/) as string }),
    ])

    await bringBack()
    await say(isBack)
    expect((await server.request('/western')).text).not.toContain('Removed elsewhere')
    expect((await server.call(kept)).status).toBe(200)
    expect(reported().filter((line) => line === isBack)).toHaveLength(1)
    expect(reported().filter((line) => line !== isBack && line !== goes)).toEqual([])
    // Somebody who was signed in still is, and what was put in line is done.
    expect((await server.request('/auth/status', { headers: { authorization: `Bearer ${token}` } })).status).toBe(200)
  })

  test('a page that met a lock says so, with its time to wait, and the log says why', async () => {
    const { maintenanceDb } = server.app
    let release = () => {}
    const isHeld = new Promise<void>((held, failed) => {
      const holding = maintenanceDb.transaction().execute(async (trx) => {
        await sql`lock table items in access exclusive mode`.execute(trx)
        held()
        await new Promise<void>((done) => (release = done))
      })
      holding.catch(failed)
    })
    await isHeld
    try {
      const [page, data] = await Promise.all([
        server.request('/western/locked'),
        server.request('/western/locked-too.data'),
      ])
      for (const { status, headers } of [page, data]) {
        expect([status, headers['retry-after'], headers['cache-control']]).toEqual([503, '30', 'no-store'])
      }
      expect(page.text).toContain('The database is too busy at the moment. Please try again in a minute.')
      expect(data.text).toContain('database.busy')
    } finally {
      release()
    }
    // The line that tells it once a minute comes before any other test has met it.
    await expect.poll(reported).toContain('/western/:slug')
    expect(lines.filter(({ msg }) => msg === tookTooLong)).toEqual([
      expect.objectContaining({ level: 40, reason: 'canceling statement due to lock timeout' }),
    ])
  }, 30_000)

  test('a network that swallows everything keeps nobody waiting', async () => {
    await server.search('contentType=western&page=1')
    proxy.state = 'silent'
    const startedAt = performance.now()
    const scraped = server.request('/metrics', { headers: bearer('a-token-of-a-test') })
    const answers = await Promise.all([
      ...Array.from({ length: 20 }, (_, n) => server.call(`/westerncontent/swallowed-${n}`)),
      server.request('/western/swallowed'),
      post(server, '/auth/login', { email: 'jane@readers.example', password: 'a quiet reading room' }),
    ])
    const waited = performance.now() - startedAt
    for (const { status, headers, text } of answers) {
      expect([status, Number(headers['retry-after']) > 0], text).toEqual([503, true])
    }
    expect(waited).toBeLessThan(visitorLimitMs + 3_000)
    // The process tells of itself all the same.
    const { status, text } = await scraped
    expect(status).toBe(200)
    expect(text).toMatch(/^process_cpu_seconds_total /m)
    expect(Number(/^daybook_scrape_unread_parts (\d+)$/m.exec(text)?.[1])).toBeGreaterThan(10)
    // Once it is clear that nobody is there, nobody waits at all.
    await say(goes)
    const again = performance.now()
    expectAway(await server.call('/westerncontent/swallowed-again'))
    expect(performance.now() - again).toBeLessThan(2_000)
    await bringBack()
    await say(isBack)
    expect(reported().filter((line) => line === goes)).toHaveLength(1)
    await server.search('contentType=western&page=1')
  })

  test('a statement that takes too long ends with a sentence, and maintenance may take its time', async () => {
    const { db, maintenanceDb } = server.app
    const limitOf = async (one: typeof db) =>
      (await sql<{ ms: string }>`show statement_timeout`.execute(one)).rows[0] as unknown
    expect(await limitOf(db)).toEqual({ statement_timeout: '30s' })
    expect(await limitOf(maintenanceDb)).toEqual({ statement_timeout: '0' })
    const tooLong = db.transaction().execute(async (trx) => {
      await sql`set local statement_timeout = 200`.execute(trx)
      await sql`select pg_sleep(5)`.execute(trx)
    })
    await expect(tooLong).rejects.toMatchObject({ code: 'database.busy', status: 503, retryAfterSeconds: 30 })
  })

  test('a full disk of the server is told as that, for what was not done, and the connection is kept', async () => {
    const { db } = server.app
    await sql`create function fill_disk() returns trigger language plpgsql as
      'begin raise exception ''could not extend file'' using errcode = new.name; end'`.execute(db)
    await sql`create trigger fills before insert on categories for each row execute function fill_disk()`.execute(db)
    const write = (code: string) =>
      sql`insert into categories (name, name_folded) values (${code}, ${code})`.execute(db).then(
        () => undefined,
        (error: unknown) => error,
      )
    const pids = async () =>
      (
        await sql<{ pid: number }>`select pid from pg_stat_activity where datname = current_database()
        and application_name = 'daybook' order by pid`.execute(server.app.maintenanceDb)
      ).rows
    try {
      const before = await pids()
      for (let n = 0; n < 3; n += 1) {
        expect(await write('53100')).toMatchObject({ code: 'disk.full', status: 503, retryAfterSeconds: 60 })
      }
      const ready = await server.request('/readyz')
      expect([ready.status, ready.text]).toEqual([
        200,
        "ready: writes: refused. The disk of the database's server is full. Make room there; what is stored stays readable.",
      ])
      // Another may have been opened beside them.
      expect(await pids()).toEqual(expect.arrayContaining(before))
      const full = lines.filter(({ msg }) => msg?.startsWith("The disk of the database's server is full"))
      expect(full).toEqual([expect.objectContaining({ level: 50, reason: 'could not extend file' })])
      expect(reported()).toHaveLength(1)
      for (const code of ['25006', '53200', '53400']) {
        const refused = await write(code)
        expect(refused, code).toMatchObject({ code: 'database.unavailable', message: sentence })
        expect((refused as { details?: unknown }).details, code).toBeUndefined()
      }
    } finally {
      await sql`drop trigger fills on categories`.execute(db)
      await sql`drop function fill_disk()`.execute(db)
    }
  })
})

describe.skipIf(prepared.engine === 'embedded')('a stop', () => {
  test('does not wait for a PostgreSQL that nothing is heard of', async () => {
    if (prepared.engine === 'embedded') return
    const other = await openDatabaseProxy(prepared.serverUrl)
    const stopped = await openTestServer({ log: openLog('silent'), through: (url) => other.through(url), jobs: true })
    other.state = 'silent'
    const requested = Promise.allSettled([stopped.call('/westerncontent/a'), stopped.call('/westerncontent/b')])
    await new Promise((wake) => setTimeout(wake, 300))
    const startedAt = performance.now()
    await stopped.close()
    expect(performance.now() - startedAt).toBeLessThan(25_000)
    await requested
    await other.close()
  })
})
