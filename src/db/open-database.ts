import type { Kysely } from 'kysely'
import type { Database } from './database.ts'

/** A database, apart from the queries on its tables. */
export interface DatabaseEngine {
  /** Which engine answers; rules never depend on it, only maintenance does. */
  engine: 'embedded' | 'postgresql'
  /** Calls back at every commit that changed the catalogue, also one of another process. Returns how to stop. */
  onCatalogueChange(heard: () => void): Promise<() => Promise<void>>
  /**
   * Calls back at every notification in a channel, with its text, and `missed` whenever some may have gone unheard.
   * Returns how to stop.
   */
  listen(channel: string, heard: (text: string) => void, missed: () => void): Promise<() => Promise<void>>
  /**
   * Runs SQL that another library wrote, never inside a transaction of ours. Without values it may be several statements,
   * with a transaction of their own; if one fails, nothing of that transaction is left, and none stays open.
   * @returns the rows of all statements
   */
  run(text: string, values?: readonly unknown[]): Promise<unknown[]>
  /**
   * Has the embedded engine write what its log has gathered into its tables, when that has become much. It never does so
   * by itself: the log would only grow, and the next opening after a kill take ever longer.
   */
  shortenLog?(): Promise<void>
  /**
   * Copies the embedded engine's files as they are at one instant, with all that is committed: whoever opens the copy
   * finds what a kill would have left. Calls of the site wait meanwhile.
   * @param folder must be there; it becomes a data directory of its own
   */
  copyTo?(folder: string): Promise<void>
  /** The connections to PostgreSQL by pool: how many there are, how many of them rest, and how many callers wait. */
  pools?(): Record<string, { open: number; idle: number; waiting: number }>
  /** Reads that may come from a replica, by the reason of who answered them; undefined without one. */
  replicaReads?: ReplicaReads | undefined
  /** Resolves when the embedded engine has given up: it answers nothing any more, and its process has to end. */
  stopped?: Promise<Error>
  close(): Promise<void>
}

export interface OpenDatabase extends DatabaseEngine {
  db: Kysely<Database>
  /**
   * The same database for work that may take as long as it needs: migrations, the whole catalogue at once, the command
   * line. Its statements have no time limit; those of `db` have one on PostgreSQL.
   */
  maintenanceDb: Kysely<Database>
  /** `db`, but reads outside of transactions may come from the replica, as new as on the primary; undefined without one. */
  replicaDb?: Kysely<Database>
  /** `await using` closes it. */
  [Symbol.asyncDispose](): Promise<void>
}

/** The primary answers while the replica is behind or away, and what has failed on it. */
export type ReplicaReads = Record<'replica' | 'behind' | 'away' | 'failed', number>

/** Another way to PostgreSQL beside that of `DATABASE_URL`, which may be lost alone. */
export type SideWay = 'direct' | 'replica'

/** The channel that the triggers of the catalogue notify. */
export const catalogueChannel = 'daybook_catalogue'

/** The effect of a failed call: it only read; it did nothing; or it may have done some of its work. */
export type Outcome = 'read' | 'not-done' | 'unknown'

/** Hears what becomes of the connection to a PostgreSQL, and says what callers are thrown. */
export interface OutageReports {
  /** How long a new connection may take before the database is away; without a word as long as a visitor waits. */
  readonly awayAfterMs?: number
  /** The first attempt at the start did not succeed; others follow. */
  waiting(reason: string): void
  /** Nothing is asked of the database until it is back. */
  away(reason: string): void
  back(): void
  /** A connection broke, or none was free in time, while the database answers others. */
  broken(reason: string): void
  /** Connections beside those of `DATABASE_URL` cannot be made any more, while that answers. */
  lost(way: SideWay, reason: string): void
  found(way: SideWay): void
  /**
   * The error for a caller whose connection broke, or that could get none.
   * @param mayBeDone the answer is missing, not the act: it may have been carried out
   */
  unavailable(cause: unknown, mayBeDone: boolean): Error
  /**
   * The error for a statement that took too long, or waited too long for others, or whose call has no time left.
   */
  tooSlow(cause: unknown, outcome: Outcome): Error
  /** The error for a statement that the server's disk has no room for. Nothing of it was done. */
  diskFull(cause: unknown): Error
}

/** For callers that can use the driver's own errors. */
export const noReports: OutageReports = {
  waiting() {},
  away() {},
  back() {},
  broken() {},
  lost() {},
  found() {},
  unavailable: (cause) => cause as Error,
  tooSlow: (cause) => cause as Error,
  diskFull: (cause) => cause as Error,
}
