import type { Kysely, Transaction } from 'kysely'

/**
 * A database, or a transaction on it, that has at least these tables. (A `Transaction` of more tables is assignable to a
 * `Transaction` of fewer, but not to a `Kysely` of fewer.)
 */
export type Queryable<Tables> = Kysely<Tables> | Transaction<Tables>

/** A database, or a transaction on it, of which no table is known: it runs what another library or `sql` has written. */
export type SqlRunner = Pick<Kysely<unknown>, 'executeQuery' | 'getExecutor'>

/** A database of which no table is known. */
export interface SqlDatabase extends SqlRunner {
  transaction(): { execute<T>(work: (trx: SqlRunner) => Promise<T>): Promise<T> }
  connection(): { execute<T>(work: (connection: SqlRunner) => Promise<T>): Promise<T> }
}
