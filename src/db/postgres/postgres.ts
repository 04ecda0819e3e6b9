import { Socket } from 'node:net'
import { Kysely, PostgresDialect, type PostgresPoolClient } from 'kysely'
import pg from 'pg'
import { catalogueChannel, noReports, type OpenDatabase, type OutageReports } from '../open-database.ts'
import { PostgresContact } from './contact.ts'
import { reasonOf } from './faults.ts'
import { Replica } from './replica.ts'
import { clientOf, reachPostgres } from './start.ts'
import { WatchedPool } from './watched-pool.ts'
import type { DatabaseCall } from '../call.ts'
import type { Database } from '../database.ts'

/* docs/decisions/2026-11-22-postgresql-away.md says why the limits are what they are. */

const connectTimeoutMs = 5_000
/** How long statements under way are given at the end, and then their connections to say goodbye. */
const endTimeoutMs = 10_000
const closeTimeoutMs = 1_000

/** For jobs and administrators. The address itself (`?statement_timeout=…`) goes before these. */
const usualLimits = {
  statement_timeout: 30_000,
  lock_timeout: 10_000,
  idle_in_transaction_session_timeout: 30_000,
}
/** For visitors: the server gives a statement up just before their call's time is over, and the connection lives on. */
const visitorLimits = { ...usualLimits, statement_timeout: 4_800, lock_timeout: 2_000 }
/** For work whose end nobody can foretell; whatever the address or the role says. */
async function liftLimits(client: pg.ClientBase): Promise<void> {
  await client.query('set statement_timeout = 0; set lock_timeout = 0; set idle_in_transaction_session_timeout = 0')
}

interface Options {
  /**
   * The address past a pooler that lends its connections by the transaction. Listening, locks of sessions and statements without
   * a limit need it.
   */
  direct?: string | undefined
  /** The address of a standby that follows by streaming. */
  replica?: string | undefined
  reports: OutageReports
  waitMs: number
  callOf: () => DatabaseCall | undefined
}

/** @throws {DatabaseUnreachableError} */
export async function openPostgres(
  connectionString: string,
  { direct = connectionString, replica: replicaAddress, reports, waitMs, callOf }: Options,
): Promise<OpenDatabase> {
  const server = new PostgresServer(connectionString, direct, reports)
  const standby = replicaAddress === undefined ? undefined : openStandby(replicaAddress, reports)
  try {
    // Without its replica the site is served all the same.
    for (const address of new Set([connectionString, direct])) {
      const setting = address === connectionString ? 'DATABASE_URL' : 'DATABASE_DIRECT_URL'
      const waiting = (reason: string): void => reports.waiting(reason)
      await reachPostgres(() => server.newClient('daybook', { address, setting }), { setting, waitMs, waiting })
    }
  } catch (error) {
    await standby?.close()
    await server.hangUp()
    throw error
  }
  const visitors = server.openPool({ ...visitorLimits, max: 6 })
  const usual = server.openPool({ ...usualLimits, max: 6 })
  // The pool waits for what this returns, which its types do not know.
  const onConnect = liftLimits as (client: pg.ClientBase) => void
  const maintenance = server.openPool({ connectionString: direct, max: 5, onConnect })
  const replica = standby && new Replica(usual, standby, reports)
  const ofCall = (call = callOf()): ReturnType<WatchedPool['connect']> => {
    if (call === undefined || call.isAnswered) return usual.connect()
    return (call.isVisitors ? visitors : usual).connect(call)
  }
  const ofReplica = async (): Promise<PostgresPoolClient> => {
    const call = callOf()
    return replica === undefined || call === undefined || call.isAnswered ? ofCall(call) : replica.connectionFor(call)
  }
  const over = (connect: Pool['connect']): Kysely<Database> => {
    const pool: Pool = { options: usual.options, connect, end: () => usual.end() }
    return new Kysely<Database>({ dialect: new PostgresDialect({ pool }) })
  }
  const db = over(() => ofCall())
  const maintenanceDb = new Kysely<Database>({ dialect: new PostgresDialect({ pool: maintenance }) })
  return {
    db,
    maintenanceDb,
    ...(replica && { replicaDb: over(ofReplica) }),
    engine: 'postgresql',
    onCatalogueChange: (heard) => server.listen(catalogueChannel, heard, heard),
    listen: (channel, heard, missed) => server.listen(channel, heard, missed),
    // The only long statement of the jobs' library.
    run: (text, values = []) => runOn(/^\s*reindex\b/i.test(text) ? maintenance : { connect: ofCall }, text, values),
    pools: () => ({
      visitors: visitors.figures,
      usual: usual.figures,
      maintenance: maintenance.figures,
      ...(standby && { replica: standby.pool.figures }),
    }),
    replicaReads: replica?.reads,
    async close() {
      const pools = [visitors, usual, maintenance].map((pool) => pool.end())
      const ended = Promise.all([...pools, standby?.close(), db.destroy(), maintenanceDb.destroy()])
      await within(endTimeoutMs, ended)
      await server.hangUp()
      // Every caller that still waited has its answer.
      await ended
    },
    [Symbol.asyncDispose](this: OpenDatabase) {
      return this.close()
    },
  }
}

/**
 * A pool of its own on another server, whose outages are told apart.
 * @throws {DatabaseUnreachableError} when the address cannot be read
 */
function openStandby(address: string, reports: OutageReports) {
  clientOf({ connectionString: address }, 'DATABASE_REPLICA_URL')
  const server = new PostgresServer(address, address, {
    ...noReports,
    away: (reason) => reports.lost('replica', reason),
    back: () => reports.found('replica'),
  })
  const pool = server.openPool({ ...usualLimits, max: 4 })
  const close = async (): Promise<void> => {
    await within(endTimeoutMs, pool.end())
    await server.hangUp()
  }
  return { pool, contact: server.contact, close }
}

/** Connections for the query builder. */
type Pool = Pick<WatchedPool, 'options' | 'end'> & { connect(): Promise<PostgresPoolClient> }

async function runOn(pool: Pick<WatchedPool, 'connect'>, text: string, values: readonly unknown[]): Promise<unknown[]> {
  const connection = await pool.connect()
  try {
    // Several statements answer with several results, which the types do not know.
    const results = (await connection.query(text, values)) as unknown as pg.QueryResult | pg.QueryResult[]
    connection.release()
    return (Array.isArray(results) ? results : [results]).flatMap(({ rows }) => rows as unknown[])
  } catch (error) {
    // It may stand in the middle of a transaction: nobody gets this connection again.
    connection.release(true)
    throw error
  }
}

/** All connections of this process to one PostgreSQL. */
class PostgresServer {
  readonly contact: PostgresContact
  readonly reports: OutageReports
  readonly #config: pg.ClientConfig
  readonly #direct: string
  readonly #sockets = new Set<Socket>()
  /** That of a connection that is tried, which nobody waits for at the end. */
  #tried: Socket | undefined

  constructor(connectionString: string, direct: string, reports: OutageReports) {
    this.reports = reports
    this.#direct = direct
    this.#config = {
      connectionString,
      connectionTimeoutMillis: reports.awayAfterMs ?? connectTimeoutMs,
      keepAlive: true,
      keepAliveInitialDelayMillis: 10_000,
    }
    this.contact = new PostgresContact(
      () => this.#tryConnection(),
      () => this.#cut(new Error('Connection terminated: the database does not answer')),
      reports,
    )
  }

  /** @throws {DatabaseUnreachableError} when the address cannot be read */
  newClient(name: string, { address, setting }: { address: string; setting: string }): pg.Client {
    const config = {
      ...this.#config,
      connectionString: address,
      application_name: name,
      query_timeout: connectTimeoutMs,
      stream: () => this.#newSocket(),
    }
    return clientOf(config, setting)
  }

  openPool(config: pg.PoolConfig): WatchedPool {
    const pool = new pg.Pool({
      ...this.#config,
      ...config,
      idleTimeoutMillis: 30_000,
      application_name: 'daybook',
      stream: () => this.#newSocket(),
    })
    // Without a listener, a connection that breaks would end the process: while it is idle, the pool tells of it, and
    // while it is at work, but waits for nothing at the moment, only itself.
    pool.on('error', (error) => this.contact.doubt(reasonOf(error)))
    pool.on('connect', (client) => client.on('error', () => {}))
    return new WatchedPool(this, pool)
  }

  /** Lets connections that are being closed say goodbye, and breaks those that do not come to an end. */
  async hangUp(): Promise<void> {
    this.contact.close()
    this.#tried?.destroy()
    await within(closeTimeoutMs, Promise.all([...this.#sockets].map(closed)))
    this.#cut(new Error('Connection terminated'))
  }

  #newSocket(): Socket {
    const socket = new Socket()
    this.#sockets.add(socket)
    // The driver listens once it connects.
    socket.on('error', () => {})
    socket.once('close', () => this.#sockets.delete(socket))
    // While the server is away, a queued caller need not wait for each attempt to fail.
    if (this.contact.isAway) process.nextTick(() => socket.destroy(new Error('Connection terminated')))
    return socket
  }

  #cut(error: Error): void {
    for (const socket of this.#sockets) socket.destroy(error)
  }

  /** Where the database itself is away, that alone is told. */
  async #tellOfDirect(reason: string): Promise<void> {
    if (this.#direct === this.#config.connectionString || this.contact.isAway) return
    try {
      await this.#tryConnection()
    } catch {
      return
    }
    this.reports.lost('direct', reason)
  }

  async #tryConnection(): Promise<void> {
    const socket = (this.#tried = new Socket())
    const client = new pg.Client({ ...this.#config, application_name: 'daybook probe', stream: () => socket })
    client.on('error', () => {})
    try {
      await client.connect()
      await within(closeTimeoutMs, client.end())
    } finally {
      socket.destroy()
    }
  }

  /**
   * Keeps one connection that hears notifications; when it breaks, it comes back, and reports at once that it may have
   * missed some.
   */
  async listen(channel: string, heard: (text: string) => void, missed: () => void): Promise<() => Promise<void>> {
    let stopped = false
    let client: pg.Client | undefined
    let again: NodeJS.Timeout | undefined

    const connect = async (): Promise<void> => {
      const next = this.newClient('daybook listener', { address: this.#direct, setting: 'DATABASE_DIRECT_URL' })
      next.on('error', () => {})
      try {
        await next.connect()
        await next.query(`listen ${pg.escapeIdentifier(channel)}`)
      } catch (error) {
        void next.end()
        throw error
      }
      // Only an established connection can break: a failed attempt is reported by its rejection, once.
      next.on('notification', ({ payload = '' }) => heard(payload))
      // Nobody else tells that a way of its own swallows everything.
      const ask = (): void => void next.query('select 1').catch(() => next.end())
      const asking = setInterval(ask, askListenerMs).unref()
      next.on('end', () => {
        clearInterval(asking)
        retry()
      })
      this.reports.found('direct')
      client = next
      if (stopped) void next.end()
    }

    const retry = (): void => {
      client = undefined
      if (stopped) return
      clearTimeout(again)
      again = setTimeout(() => (this.contact.isAway ? retry() : void connect().then(missed, fail)), listenAgainMs)
    }

    const fail = (error: unknown): void => {
      if (!stopped) void this.#tellOfDirect(reasonOf(error))
      retry()
    }

    await connect()
    return async () => {
      stopped = true
      clearTimeout(again)
      if (client !== undefined) await within(closeTimeoutMs, client.end())
    }
  }
}

/** Waits after a failed attempt to hear again; one attempt at a time. */
const listenAgainMs = 1_000
/** Between questions on a connection that listens. */
const askListenerMs = 10_000

function closed(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    if (socket.closed) resolve()
    else socket.once('close', () => resolve())
  })
}

/** Resolves with the work, or when the time is over. */
async function within(ms: number, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const over = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms)
  })
  await Promise.race([work, over]).finally(() => clearTimeout(timer))
}
