import { setTimeout as wait } from 'node:timers/promises'
import { CompiledQuery, type PostgresPoolClient, type PostgresQueryResult } from 'kysely'
import type { DatabaseCall } from '../call.ts'
import type { OutageReports, ReplicaReads } from '../open-database.ts'
import type { PostgresContact } from './contact.ts'
import type { SqlRunner } from '../queryable.ts'
import { isRead, reasonOf } from './faults.ts'
import type { WatchedConnection, WatchedPool } from './watched-pool.ts'

/* docs/decisions/2026-11-30-reads-from-a-replica.md says why a read waits for a position. */

/** The pauses between the looks whether the standby has arrived; then the primary answers. */
const pausesMs = [0, 20, 60, 120]
/** A standby that did not arrive, or that failed, is left alone for so long; twice as long with each failure after another. */
const restMs = 2_000
const maxRestMs = 60_000
/** A lag that lasts so long is told: it does not end by itself. */
const lagIsToldAfterMs = 60_000
/** The primary has cleared away rows that the standby was reading: the next read may succeed. */
const conflictState = '40001'

/** Everything acknowledged lies before the position; the place names the installation, its database and the timeline of its log. */
interface Position {
  position: string
  place: string
}

interface Standby {
  isStandby: boolean
  place: string
  bytesBehind: number
}

// A standby that has gone on from where another primary took over has another timeline.
const positionOfPrimary = `
  select pg_current_wal_flush_lsn()::text as position,
         concat_ws('/', system_identifier, current_database(),
                   ('x' || left(pg_walfile_name(pg_current_wal_flush_lsn()), 8))::bit(32)::int) as place
    from pg_control_system()`
const stateOfStandby = `
  select pg_is_in_recovery() as "isStandby",
         concat_ws('/', system_identifier, current_database(), (select timeline_id from pg_control_checkpoint())) as place,
         coalesce(pg_wal_lsn_diff($1::pg_lsn, pg_last_wal_replay_lsn()), 'Infinity')::float8 as "bytesBehind"
    from pg_control_system()`

/** Compares a standby with the primary as it is now. */
export async function compareStandby(
  primary: SqlRunner,
  standby: SqlRunner,
): Promise<Omit<Standby, 'place'> & { isSamePlace: boolean }> {
  const { rows: positions } = await primary.executeQuery<Position>(CompiledQuery.raw(positionOfPrimary))
  const { position, place } = positions[0] as Position
  const { rows } = await standby.executeQuery<Standby>(CompiledQuery.raw(stateOfStandby, [position]))
  const { place: placeOfStandby, ...state } = rows[0] as Standby
  return { ...state, isSamePlace: placeOfStandby === place }
}

/** A streaming standby, which answers reads that are as new on it as on the primary. */
export class Replica {
  /** How many reads it has answered, and why the primary answered the others. */
  readonly reads: ReplicaReads = { replica: 0, behind: 0, away: 0, failed: 0 }
  readonly #primary: WatchedPool
  readonly #pool: WatchedPool
  readonly #contact: PostgresContact
  readonly #reports: Pick<OutageReports, 'lost' | 'found'>
  #rest: { until: number; outcome: 'behind' | 'failed' } = { until: -Infinity, outcome: 'behind' }
  #failures = 0
  #behindSince: number | undefined

  constructor(
    primary: WatchedPool,
    { pool, contact }: { pool: WatchedPool; contact: PostgresContact },
    reports: Pick<OutageReports, 'lost' | 'found'>,
  ) {
    this.#primary = primary
    this.#pool = pool
    this.#contact = contact
    this.#reports = reports
  }

  /** A connection that asks the standby for reads outside of transactions, and the primary for everything else. */
  connectionFor(call: DatabaseCall): PostgresPoolClient {
    let primary: WatchedConnection | undefined
    const query = async <R>(text = '', values: readonly unknown[] = []): Promise<PostgresQueryResult<R>> => {
      const found = primary === undefined && isRead(text) ? await this.#read(call, text, values) : undefined
      if (found !== undefined) return found as PostgresQueryResult<R>
      primary ??= await this.#primary.connect(call)
      try {
        return await primary.query<R>(text, values)
      } finally {
        // It may have written: what the call reads next has to follow it.
        call.position = undefined
      }
    }
    return { query: query as PostgresPoolClient['query'], release: () => primary?.release() }
  }

  /** @returns undefined where the primary has to answer */
  async #read(call: DatabaseCall, text: string, values: readonly unknown[]) {
    if (this.#contact.isAway) return this.#count('away')
    if (this.#isResting) return this.#count(this.#rest.outcome)
    const position = await (call.position ??= this.#readPosition(call))
    let connection: WatchedConnection | undefined
    try {
      // The position is compared on the connection that reads: behind one address there may be several standbys.
      connection = await this.#pool.connect(call)
      // Another read may have found out meanwhile.
      if (this.#isResting) return this.#count(this.#rest.outcome)
      const standby = await stateAt(connection, position)
      const fault = faultOfStandby(standby, position)
      if (fault !== undefined) return this.#fail(fault)
      if (standby.bytesBehind > 0) return this.#lag(standby)
      const result = await connection.query(text, values)
      this.#behindSince = undefined
      this.#failures = 0
      this.#reports.found('replica')
      this.#count('replica')
      return result
    } catch (error) {
      if (this.#contact.isAway) return this.#count('away')
      if ((error as { code?: unknown }).code === conflictState) return this.#count('failed')
      return this.#fail(reasonOf(error))
    } finally {
      connection?.release()
    }
  }

  async #readPosition(call: DatabaseCall): Promise<Position> {
    const connection = await this.#primary.connect(call)
    try {
      const { rows } = await connection.query<Position>(positionOfPrimary, [])
      return rows[0] as Position
    } finally {
      connection.release()
    }
  }

  get #isResting(): boolean {
    return performance.now() < this.#rest.until
  }

  #lag({ bytesBehind }: Standby): undefined {
    const now = performance.now()
    this.#behindSince ??= now
    if (now - this.#behindSince > lagIsToldAfterMs)
      this.#reports.lost('replica', `For a minute it has been behind, now by ${bytesBehind} bytes.`)
    return this.#leaveAlone('behind', restMs)
  }

  #fail(reason: string): undefined {
    this.#reports.lost('replica', reason)
    const ms = Math.min(restMs * 2 ** this.#failures, maxRestMs)
    this.#failures += 1
    return this.#leaveAlone('failed', ms)
  }

  #leaveAlone(outcome: 'behind' | 'failed', ms: number): undefined {
    this.#rest = { until: performance.now() + ms, outcome }
    return this.#count(outcome)
  }

  #count(outcome: keyof ReplicaReads): undefined {
    this.reads[outcome] += 1
  }
}

/** The state of a standby once it has arrived at a position, or when it has not in time. */
async function stateAt(connection: WatchedConnection, { position, place }: Position): Promise<Standby> {
  let standby: Standby | undefined
  for (const pause of pausesMs) {
    if (pause > 0) await wait(pause)
    const { rows } = await connection.query<Standby>(stateOfStandby, [position])
    standby = rows[0] as Standby
    if (standby.bytesBehind <= 0 || faultOfStandby(standby, { position, place }) !== undefined) break
  }
  return standby as Standby
}

function faultOfStandby({ isStandby, place }: Standby, primary: Position): string | undefined {
  if (!isStandby) return 'It is no standby.'
  return place === primary.place ? undefined : 'It follows another database, or another line of its log.'
}
