import { Socket } from 'node:net'
import type { PostgresPoolClient, PostgresQueryResult } from 'kysely'
import pg from 'pg'
import type { DatabaseCall } from '../call.ts'
import type { OutageReports, Outcome } from '../open-database.ts'
import type { PostgresContact } from './contact.ts'
import { faultOf, isRefusal, mayHaveWritten, reasonOf } from './faults.ts'

/** A statement that has no answer for so long makes us ask whether anybody is there. */
const overdueMs = 3_000
const lookEveryMs = 500
/** The server gives a statement up by itself. After this time more, its answer is lost. */
const answerLostMs = 5_000

interface WatchedServer {
  readonly contact: PostgresContact
  readonly reports: OutageReports
}

/** Somebody who waits: for the answer to a statement, or as yet for a connection. */
interface PendingQuery {
  at: number
  client?: pg.PoolClient
}

/** A pool that tells an outage from an error of a statement, and lets nobody wait for an answer that cannot come. */
export class WatchedPool {
  readonly options: object
  readonly #server: WatchedServer
  readonly #pool: pg.Pool
  readonly #pending = new Set<PendingQuery>()
  readonly #statementTimeoutMs: number
  readonly #looking: NodeJS.Timeout
  #ended: Promise<void> | undefined

  constructor(server: WatchedServer, pool: pg.Pool) {
    this.options = pool.options
    this.#server = server
    this.#pool = pool
    this.#statementTimeoutMs = statementTimeoutOf(pool.options)
    this.#looking = setInterval(() => this.#look(), lookEveryMs)
    this.#looking.unref()
  }

  get figures(): { open: number; idle: number; waiting: number } {
    const { totalCount: open, idleCount: idle, waitingCount: waiting } = this.#pool
    return { open, idle, waiting }
  }

  /** @param call the call of the site that waits, if any; a connection that comes after its time goes back */
  async connect(call?: DatabaseCall): Promise<WatchedConnection> {
    const { contact, reports } = this.#server
    const isPartDone = call?.hasCommitted ?? false
    if (contact.isAway) throw reports.unavailable(new Error('The database is away.'), isPartDone)
    const requested = { at: performance.now() }
    this.#pending.add(requested)
    let expired: Error | undefined
    const begin = (): Promise<pg.PoolClient> => this.#pool.connect()
    const onExpired = (late: Promise<pg.PoolClient> | undefined): Error => {
      late?.then(
        (client) => client.release(),
        () => {},
      )
      expired = reports.tooSlow(timeIsOver(), isPartDone ? 'unknown' : 'not-done')
      return expired
    }
    try {
      const client = await (call === undefined ? begin() : call.wait(begin, onExpired))
      return new WatchedConnection(this.#server, client, { pending: this.#pending, call })
    } catch (error) {
      // A call after the end has met no outage.
      if (error === expired || this.#ended !== undefined) throw error
      contact.doubt(reasonOf(error))
      throw reports.unavailable(error, isPartDone)
    } finally {
      this.#pending.delete(requested)
    }
  }

  end(): Promise<void> {
    this.#ended ??= this.#pool.end().finally(() => clearInterval(this.#looking))
    return this.#ended
  }

  #look(): void {
    const now = performance.now()
    for (const { at, client } of this.#pending) {
      if (now - at > overdueMs) this.#server.contact.doubt()
      // Others may be answered while this one is not: what lies between has forgotten this connection alone.
      const isLost = this.#statementTimeoutMs > 0 && now - at > this.#statementTimeoutMs + answerLostMs
      if (isLost && client !== undefined) void endOf(client)
    }
  }
}

/** A connection from the pool to its return. */
export class WatchedConnection implements PostgresPoolClient {
  readonly #server: WatchedServer
  readonly #client: pg.PoolClient
  readonly #pending: Set<PendingQuery>
  readonly #call: DatabaseCall | undefined
  /** Whether the transaction under way has changed something. */
  #hasWritten = false
  #broken: Error | undefined

  constructor(
    server: WatchedServer,
    client: pg.PoolClient,
    { pending, call }: { pending: Set<PendingQuery>; call: DatabaseCall | undefined },
  ) {
    this.#server = server
    this.#client = client
    this.#pending = pending
    this.#call = call
  }

  query<R>(text: string, values: readonly unknown[]): Promise<PostgresQueryResult<R>>
  query(): never
  async query<R>(text = '', values: readonly unknown[] = []): Promise<PostgresQueryResult<R>> {
    // The first to meet the fault knows whether something may have been done; a rollback after it does not.
    if (this.#broken !== undefined) throw this.#broken
    const { contact, reports } = this.#server
    const requested = { at: performance.now(), client: this.#client }
    const isInTransaction = this.#client.getTransactionStatus() === 'T'
    const begin = (): Promise<pg.QueryResult> => this.#client.query(text, values.length > 0 ? [...values] : undefined)
    let givenUp: Error | undefined
    this.#pending.add(requested)
    try {
      const call = this.#call
      const result = await (call === undefined
        ? begin()
        : call.wait(begin, (sent) => (givenUp = this.#giveUp(text, isInTransaction, sent !== undefined))))
      this.#recordWrite(text, isInTransaction)
      return result as unknown as PostgresQueryResult<R>
    } catch (error) {
      if (error === givenUp) throw error
      const fault = faultOf(error)
      if (fault === undefined) throw error
      if (fault === 'too-slow')
        throw reports.tooSlow(error, this.#outcome(isInTransaction || mayHaveWritten(text, false)))
      if (fault === 'disk-full') throw reports.diskFull(error)
      contact.doubt(reasonOf(error))
      const mayBeDone = !isRefusal(error) && mayHaveWritten(text, isInTransaction)
      this.#broken = reports.unavailable(error, mayBeDone || this.#isPartDone)
      throw this.#broken
    } finally {
      this.#pending.delete(requested)
    }
  }

  release(discard = false): void {
    this.#client.release(discard || this.#broken !== undefined)
  }

  get #isPartDone(): boolean {
    return this.#call?.hasCommitted ?? false
  }

  #outcome(isWrite: boolean): Outcome {
    if (this.#isPartDone) return 'unknown'
    return isWrite ? 'not-done' : 'read'
  }

  /**
   * The call's time is over: nobody waits for the statement any more, so the connection is broken, and with it a
   * transaction that has not been committed.
   * @param isSent whether the server may have got the statement
   */
  #giveUp(text: string, isInTransaction: boolean, isSent: boolean): Error {
    const outcome =
      isSent && mayHaveWritten(text, isInTransaction)
        ? 'unknown'
        : this.#outcome(isInTransaction || mayHaveWritten(text, false))
    this.#broken = this.#server.reports.tooSlow(timeIsOver(), outcome)
    // The answer to what is under way, if any, is nobody's.
    if (isSent) void endOf(this.#client)
    return this.#broken
  }

  #recordWrite(text: string, isInTransaction: boolean): void {
    if (this.#call === undefined || this.#call.hasCommitted) return
    if (!isInTransaction) {
      if (mayHaveWritten(text, false)) this.#call.committed()
    } else if (mayHaveWritten(text, true)) {
      if (this.#hasWritten) this.#call.committed()
      this.#hasWritten = false
    } else this.#hasWritten ||= mayHaveWritten(text, false)
  }
}

function timeIsOver(): Error {
  return new Error('the time of the call is over')
}

/** The driver breaks a connection at once whose statement is still under way. */
function endOf(client: pg.PoolClient): Promise<void> {
  return (client as unknown as pg.Client).end()
}

/** The limits that a connection sets on the server, also those in the address; 0 for no limit. */
function statementTimeoutOf(options: pg.PoolOptions): number {
  const { connectionParameters } = new pg.Client({ ...options, stream: () => new Socket() }) as unknown as {
    connectionParameters: { statement_timeout: unknown }
  }
  return Number(connectionParameters.statement_timeout)
}
