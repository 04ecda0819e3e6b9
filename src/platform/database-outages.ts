import type { OutageReports, Outcome, SideWay } from '../db/open-database.ts'
import { reasonOf } from '../db/postgres/faults.ts'
import { type AppError, type DefinedError, defineError, tryLater } from './errors.ts'
import type { Log } from './log.ts'

/** How often faults of single requests are reported, each kind; the first says as much as the hundredth. */
const logEveryMs = 60_000

/**
 * Reports an outage of PostgreSQL: one line in the log at its begin and one at its end, and one error for every caller
 * meanwhile.
 */
export class DatabaseOutages implements OutageReports {
  readonly #log: Log
  #awaySince = 0
  #refusedAt = -Infinity
  readonly #reportedAt = new Map<string, number>()
  /** Ways to the database that are lost while that of `DATABASE_URL` is there. */
  readonly lostWays = new Set<SideWay>()

  constructor(log: Log) {
    this.#log = log
  }

  /** Whether the server has refused a write for want of room within the last minute. */
  get isDiskFull(): boolean {
    return performance.now() - this.#refusedAt < logEveryMs
  }

  waiting(reason: string): void {
    this.#log.warn({ reason }, 'The database cannot be reached yet: the start waits for it.')
  }

  away(reason: string): void {
    this.#awaySince = performance.now()
    this.#log.error({ reason }, 'The database does not answer. Until it does, nothing can be written.')
  }

  back(): void {
    const seconds = Math.round((performance.now() - this.#awaySince) / 1_000)
    this.#log.info({ seconds }, 'The database answers again.')
  }

  broken(reason: string): void {
    this.#report('warn', reason, 'A connection to the database was lost, or none was free. The database answers.')
  }

  lost(way: SideWay, reason: string): void {
    if (!this.lostWays.has(way)) this.#log.error({ reason }, lostWayWords[way])
    this.lostWays.add(way)
  }

  found(way: SideWay): void {
    if (this.lostWays.delete(way)) this.#log.info({ way }, 'This way to the database is there again.')
  }

  unavailable(cause: unknown, mayBeDone: boolean): AppError {
    return databaseUnavailable(cause, mayBeDone)
  }

  tooSlow(cause: unknown, outcome: Outcome): AppError {
    this.#report(
      'warn',
      reasonOf(cause),
      'The database took too long for a statement, or had it wait too long for a lock.',
    )
    return outcome === 'unknown'
      ? databaseTooSlow[outcome]({ details: { outcome }, cause })
      : databaseTooSlow[outcome]({ cause })
  }

  diskFull(cause: unknown): AppError {
    this.#refusedAt = performance.now()
    this.#report('error', reasonOf(cause), "The disk of the database's server is full: it refuses writes.")
    return diskFull({ cause })
  }

  #report(level: 'warn' | 'error', reason: string, line: string): void {
    const now = performance.now()
    if (now - (this.#reportedAt.get(line) ?? -Infinity) < logEveryMs) return
    this.#reportedAt.set(line, now)
    this.#log[level]({ reason }, line)
  }
}

const lostWayWords: Record<SideWay, string> = {
  direct:
    'No connection that listens to the database can be made (DATABASE_DIRECT_URL): changes of other instances are seen seconds late.',
  replica: 'The replica is not used (DATABASE_REPLICA_URL): DATABASE_URL answers in its place.',
}

const busy = { code: 'database.busy', status: 503, remedy: tryLater, retryAfterSeconds: 30 }
const databaseTooSlow: Record<Outcome, DefinedError<[]>> = {
  read: defineError({
    ...busy,
    isNothingDone: true,
    sentence: 'The database is too busy at the moment. Please try again in a minute.',
  }),
  'not-done': defineError({
    ...busy,
    isNothingDone: true,
    sentence: 'The database is too busy at the moment: this was not done. Please try again in a minute.',
  }),
  unknown: defineError({
    ...busy,
    sentence:
      'The database was too busy to finish this, and it may have been done. Please look in a minute before you try again.',
  }),
}

const unavailable = {
  code: 'database.unavailable',
  status: 503,
  remedy: 'Where the answer has "outcome": "unknown", look whether it was done. Otherwise send the request again.',
  retryAfterSeconds: 10,
}
const databaseAway = defineError({
  ...unavailable,
  isNothingDone: true,
  sentence: 'The database does not answer at the moment. Please try again in a minute.',
})
const databaseLost = defineError({
  ...unavailable,
  sentence:
    'The database stopped answering while this was under way, and it may have been done. Please look in a minute before you try again.',
})

/** The error while the database is away. */
export function databaseUnavailable(cause?: unknown, mayBeDone = false): AppError {
  return mayBeDone ? databaseLost({ details: { outcome: 'unknown' }, cause }) : databaseAway({ cause })
}

/** Whether an error, of this module or a copy of its members, says that the database is away. */
export function isDatabaseUnavailable(error: unknown): boolean {
  return (error as { code?: unknown } | null | undefined)?.code === unavailable.code
}

/** Whether an error has a cause that the log tells by a line of its own, however much else fails for it. */
export function isReportedOnce(error: unknown): boolean {
  return isDatabaseUnavailable(error) || (error as { code?: unknown } | null | undefined)?.code === full.code
}

const full = {
  code: 'disk.full',
  status: 503,
  remedy: 'The operator makes room; reading goes on.',
  retryAfterSeconds: 60,
  isCounted: true,
  isNothingDone: true,
}

/** The error of a write without room on the disk. */
export const diskFull = defineError({
  ...full,
  sentence: 'Nothing can be saved at the moment, because the disk of the site is full. Please try again later.',
})

/** The same in words for the operator. */
export const diskFullForOperator = defineError(full)

/** For a command: its reader is at the machine. */
export class CommandOutages implements OutageReports {
  /** A machine that is busy with the command itself accepts late, and what the command has done so far is worth the wait. */
  readonly awayAfterMs = 12_000

  waiting(): void {}
  away(): void {}
  back(): void {}
  broken(): void {}
  lost(): void {}
  found(): void {}

  unavailable(cause: unknown, mayBeDone: boolean): Error {
    const outcome = mayBeDone ? ' The last step may have been done.' : ''
    const reason = reasonOf(cause).replace(/\.$/, '')
    const advice = 'Start the command again once it does. An import goes on from its last batch.'
    return new Error(`The database does not answer any more: ${reason}.${outcome} ${advice}`)
  }

  tooSlow(cause: unknown): Error {
    return cause as Error
  }

  diskFull(cause: unknown): Error {
    return cause as Error
  }
}
