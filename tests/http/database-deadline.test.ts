import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import { DatabaseCall, visitorLimitMs } from '../../src/db/call.ts'
import { openDatabase } from '../../src/db/open.ts'
import { runForRequest } from '../../src/platform/current-request.ts'
import { CommandOutages } from '../../src/platform/database-outages.ts'
import { openLog } from '../../src/platform/log.ts'
import { type DatabaseProxy, openDatabaseProxy } from '../harness/database-proxy.ts'
import { aMember, post, signIn } from '../harness/members.ts'
import { openTestServer, type TestServer } from '../harness/test-server.ts'

/* A visitor's call waits for PostgreSQL five seconds in all (docs/spec/operations.md#database-limits). */

const prepared = inject('preparedDatabase')
const notDone = 'The database is too busy at the moment: this was not done. Please try again in a minute.'
const mayBeDone =
  'The database was too busy to finish this, and it may have been done. Please look in a minute before you try again.'

let proxy: DatabaseProxy
let server: TestServer
let directUrl = ''

/** Runs the work as a call of the site. */
function inCall<T>(work: () => Promise<T>, { limitMs, isWrite = true }: { limitMs?: number; isWrite?: boolean } = {}) {
  const database = new DatabaseCall({ limitMs, isWrite })
  return { database, done: runForRequest({ requestId: 'test', address: '127.0.0.1', database }, work) }
}

/** Shorter than a visitor's, for the same rules. */
const limitMs = 1_500
const asVisitor = <T>(work: () => Promise<T>, isWrite = true) => inCall(work, { limitMs, isWrite }).done

async function timed(work: () => Promise<unknown>): Promise<{ ms: number; error: unknown }> {
  const startedAt = performance.now()
  const error = await work().then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  return { ms: performance.now() - startedAt, error }
}

const addCategory = (db: typeof server.app.db, name: string) =>
  sql`insert into categories (name, name_folded) values (${name}, ${name})`.execute(db)

/** Has every pool begin with new connections. */
async function cutStalled(): Promise<void> {
  proxy.cut()
  await expect.poll(() => sql`select 1`.execute(server.app.db).then(() => true)).toBe(true)
}

/** Asks past the proxy: what goes through it may be stalled. */
async function categories(prefix: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: directUrl })
  await client.connect()
  try {
    const { rows } = await client.query<{ name: string }>('select name from categories where name like $1', [
      `${prefix}%`,
    ])
    return rows.map(({ name }) => name)
  } finally {
    await client.end()
  }
}

describe.skipIf(prepared.engine === 'embedded')("a visitor's call", () => {
  beforeAll(async () => {
    if (prepared.engine === 'embedded') return
    proxy = await openDatabaseProxy(prepared.serverUrl)
    const through = (url: string): string => proxy.through((directUrl = url))
    server = await openTestServer({ log: openLog('silent'), through, jobs: true })
  })
  afterAll(async () => {
    proxy.cut()
    await server.close()
    await proxy.close()
  })

  beforeEach(cutStalled)

  test('has the short limits, and jobs and administrators have theirs', async () => {
    const { db } = server.app
    const limits = async () =>
      (
        await sql<{ statement: string; lock: string }>`
          select current_setting('statement_timeout') as statement, current_setting('lock_timeout') as lock`.execute(db)
      ).rows[0]
    expect(await asVisitor(limits)).toEqual({ statement: '4800ms', lock: '2s' })
    expect(await inCall(limits).done).toEqual({ statement: '30s', lock: '10s' })
    expect(await limits()).toEqual({ statement: '30s', lock: '10s' })
    // Work that goes on after the answer has nobody who waits.
    const { database } = inCall(async () => {}, { limitMs: visitorLimitMs })
    database.answered()
    const after = runForRequest({ requestId: 'test', address: '127.0.0.1', database }, limits)
    expect(await after).toEqual({ statement: '30s', lock: '10s' })
  })

  test('that writes meets a table lock for two seconds, and was not done', async () => {
    const token = await signIn(server, await aMember(server.app))
    let release = () => {}
    const isHeld = new Promise<void>((held, failed) => {
      server.app.maintenanceDb
        .transaction()
        .execute(async (trx) => {
          await sql`lock table content_requests in access exclusive mode`.execute(trx)
          held()
          await new Promise<void>((done) => (release = done))
        })
        .catch(failed)
    })
    await isHeld
    try {
      const startedAt = performance.now()
      const answer = await post(
        server,
        '/recommendations',
        { title: 'The Republic' },
        { authorization: `Bearer ${token}` },
      )
      expect(performance.now() - startedAt).toBeLessThan(4_500)
      expect([answer.status, answer.headers['retry-after']], answer.text).toEqual([503, '30'])
      expect(answer.json()).toMatchObject({ code: 'database.busy' })
    } finally {
      release()
    }
  })

  test('has one time for all its statements', async () => {
    const { db } = server.app
    const { ms, error } = await timed(() =>
      asVisitor(async () => {
        await sql`select pg_sleep(0.6)`.execute(db)
        // At the same time: counted once.
        await Promise.all([sql`select pg_sleep(0.5)`.execute(db), sql`select pg_sleep(0.5)`.execute(db)])
        await sql`select pg_sleep(4)`.execute(db)
      }, false),
    )
    expect(error).toMatchObject({ code: 'database.busy', status: 503, retryAfterSeconds: 30 })
    expect(ms).toBeGreaterThan(limitMs - 100)
    expect(ms).toBeLessThan(limitMs + 1_000)
  })

  test('waits for a connection no longer than that, takes none from the jobs, and the late one goes back', async () => {
    const { db } = server.app
    let isOneFree = false
    const sleepers = Array.from({ length: 6 }, () =>
      inCall(() => sql`select pg_sleep(3)`.execute(db), { limitMs: visitorLimitMs }).done.then(
        () => (isOneFree = true),
      ),
    )
    const waiting = timed(() => inCall(() => addCategory(db, 'late connection'), { limitMs: 500 }).done)
    await sql`select 1`.execute(db)
    expect((await waiting).error).toMatchObject({ code: 'database.busy', message: notDone })
    expect(isOneFree).toBe(false)
    await Promise.all(sleepers)
    expect(await categories('late')).toEqual([])
    expect(await Promise.all(Array.from({ length: 6 }, () => asVisitor(() => sql`select 1`.execute(db))))).toHaveLength(
      6,
    )
  })

  test('says of each write that nobody answers whether it may have been done', async () => {
    const { db } = server.app
    // Each in turn has its connection stopped at another moment.
    const inTransaction = timed(() =>
      asVisitor(() =>
        db.transaction().execute(async (trx) => {
          await addCategory(trx, 'stopped before its commit')
          proxy.stall()
          await sql`select 1`.execute(trx)
        }),
      ),
    )
    expect((await inTransaction).error).toMatchObject({ code: 'database.busy', message: notDone })
    expect((await inTransaction).ms).toBeLessThan(visitorLimitMs - 500)
    expect(await categories('stopped')).toEqual([])

    await cutStalled()
    const single = await timed(() =>
      asVisitor(async () => {
        await sql`select 1`.execute(db)
        proxy.stall()
        await addCategory(db, 'single')
      }),
    )
    expect(single.error).toMatchObject({ code: 'database.busy', message: mayBeDone, details: { outcome: 'unknown' } })
    expect(single.ms).toBeLessThan(visitorLimitMs - 500)

    await cutStalled()
    const atCommit = await timed(() =>
      asVisitor(() =>
        db.transaction().execute(async (trx) => {
          await addCategory(trx, 'stopped at its commit')
          proxy.stall()
        }),
      ),
    )
    expect(atCommit.error).toMatchObject({ code: 'database.busy', details: { outcome: 'unknown' } })
  })

  test('that has committed something does not say that nothing was done', async () => {
    const { db } = server.app
    const slow = sql`insert into categories (name, name_folded) select 'b', 'b' from pg_sleep(3)`
    const twice = async () => {
      await addCategory(db, 'first of two')
      await slow.execute(db)
    }
    const { error } = await timed(() => asVisitor(twice))
    expect(error).toMatchObject({ code: 'database.busy', message: mayBeDone, details: { outcome: 'unknown' } })
    expect(await categories('first')).toEqual(['first of two'])
    // A transaction that only read has committed nothing.
    const readFirst = async () => {
      await db.transaction().execute((trx) => sql`select 1`.execute(trx))
      await db.transaction().execute((trx) => slow.execute(trx))
    }
    expect((await timed(() => asVisitor(readFirst))).error).toMatchObject({ message: notDone })
    // An administrator's call has no such time, but the same truth.
    const cancelled = async () => {
      await addCategory(db, 'second of two')
      await db.transaction().execute(async (trx) => {
        await sql`set local statement_timeout = 100`.execute(trx)
        await slow.execute(trx)
      })
    }
    expect((await timed(() => inCall(cancelled).done)).error).toMatchObject({ details: { outcome: 'unknown' } })
  })

  test('stands before stopped backends for five seconds, and the next is served', async () => {
    const token = await signIn(server, await aMember(server.app))
    const authorization = { authorization: `Bearer ${token}` }
    proxy.stall()
    const startedAt = performance.now()
    const answer = await post(server, '/recommendations', { title: 'Plays' }, authorization)
    expect(performance.now() - startedAt).toBeLessThan(visitorLimitMs + 3_000)
    expect([answer.status, answer.headers['retry-after']], answer.text).toEqual([503, '30'])
    const next = await post(server, '/recommendations', { title: 'Plays' }, authorization)
    expect(next.status, next.text).toBe(201)
  }, 30_000)
})

test.skipIf(prepared.engine === 'embedded')(
  'a command outlasts a server that takes long to accept a connection',
  async () => {
    if (prepared.engine === 'embedded') return
    const busy = await openDatabaseProxy(prepared.serverUrl)
    const at = { databaseUrl: busy.through(prepared.serverUrl), dataDir: '' }
    const { maintenanceDb, close } = await openDatabase(at, { reports: new CommandOutages() })
    try {
      await maintenanceDb.transaction().execute(async (trx) => {
        await sql`select 1`.execute(trx)
        busy.delayMs = 7_000
        // Slow enough that a new connection is tried, and is not there before the statement is done.
        await sql`select pg_sleep(9)`.execute(trx)
      })
    } finally {
      await close()
      await busy.close()
    }
  },
  30_000,
)
