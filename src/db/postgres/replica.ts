import { setTimeout as wait } from 'node:timers/promises'
import { CompiledQuery, type PostgresPoolClient, type PostgresQueryResult } from 'kysely'
import type { DatabaseCall } from '../call.ts'
import type { ReplicaReads } from '../open-database.ts'
import type { PostgresContact } from './contact.ts'
import type { SqlRunner } from '../queryable.ts'
import { isRead } from './faults.ts'
import type { WatchedConnection, WatchedPool } from './watched-pool.ts'

/* docs/decisions/2026-11-30-reads-from-a-replica.md says why a read waits for a position. */

/** The pauses between the looks whether the standby has arrived; then the primary answers. */
const pausesMs = [0, 20, 60, 120]
/** A standby that did not arrive is not waited for by every call. */
const askAgainMs = 1_000

/** All that is acknowledged lies before the position; the place names the installation and its database. */
interface Position {
  position: string
  place: string
}

interface Standby {
  isStandby: boolean
  place: string
  bytesBehind: number
}

const positionOfPrimary = `
  select pg_current_wal_flush_lsn()::text as position, system_identifier || '/' || current_database() as place
    from pg_control_system()`
const stateOfStandby = `
  select pg_is_in_recovery() as "isStandby", system_identifier || '/' || current_database() as place,
         coalesce(pg_wal_lsn_diff($1::pg_lsn, pg_last_wal_replay_lsn()), 0)::float8 as "bytesBehind"
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
  #isBehindUntil = -Infinity

  constructor(primary: WatchedPool, pool: WatchedPool, contact: PostgresContact) {
    this.#primary = primary
    this.#pool = pool
    this.#contact = contact
  }

  /** A connection that asks the standby for reads outside of transactions, and the primary for everything else. */
  connectionFor(call: DatabaseCall): PostgresPoolClient {
    let primary: WatchedConnection | undefined
    const query = async <R>(text = '', values: readonly unknown[] = []): Promise<PostgresQueryResult<R>> => {
      const found = primary === undefined && isRead(text) ? await this.#read(call, text, values) : undefined
      if (found !== undefined) return found as PostgresQueryResult<R>
      primary ??= await this.#primary.connect(call)
      // It may write: what the call reads next has to follow it.
      call.position = undefined
      return primary.query<R>(text, values)
    }
    return { query: query as PostgresPoolClient['query'], release: () => primary?.release() }
  }

  /** @returns undefined where the primary has to answer */
  async #read(call: DatabaseCall, text: string, values: readonly unknown[]) {
    if (this.#contact.isAway) return this.#count('away')
    if (performance.now() < this.#isBehindUntil) return this.#count('behind')
    let connection: WatchedConnection | undefined
    try {
      const position = await (call.position ??= this.#readPosition(call))
      // The position is compared on the connection that reads: behind one address there may be several standbys.
      connection = await this.#pool.connect(call)
      if (!(await arrives(connection, position))) {
        this.#isBehindUntil = performance.now() + askAgainMs
        return this.#count('behind')
      }
      const result = await connection.query(text, values)
      this.#count('replica')
      return result
    } catch {
      // Perhaps the primary has cleared its rows away. It answers, or says what is wrong.
      return this.#count(this.#contact.isAway ? 'away' : 'failed')
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

  #count(outcome: keyof ReplicaReads): undefined {
    this.reads[outcome] += 1
  }
}

async function arrives(connection: WatchedConnection, { position, place }: Position): Promise<boolean> {
  for (const pause of pausesMs) {
    if (pause > 0) await wait(pause)
    const { rows } = await connection.query<Standby>(stateOfStandby, [position])
    const { isStandby, bytesBehind, place: itsPlace } = rows[0] as Standby
    // Another installation has positions of its own.
    if (!isStandby || itsPlace !== place) return false
    if (bytesBehind <= 0) return true
  }
  return false
}
