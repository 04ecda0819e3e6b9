import type { Kysely } from 'kysely'
import type { Database } from '../db/schema.ts'
import type { Answers } from './answers.ts'
import type { Clock } from './clock.ts'
import type { Config } from './config.ts'
import type { Jobs } from './jobs.ts'
import type { Log } from './log.ts'
import type { Mail } from './mail.ts'
import type { RateLimits } from './rate-limits.ts'

/**
 * What is handed down to every use case: made once by `openApp`, closed once at the end of the process.
 *
 * A feature that keeps something in memory adds it here by declaration merging, beside its own code, so that nothing
 * lives at the top of a module (a module exists twice: for Node and inside the page bundle).
 */
export interface App {
  config: Config
  db: Kysely<Database>
  log: Log
  clock: Clock
  /** Finished answers and pages. */
  answers: Answers
  /** How often what may be done. */
  limits: RateLimits
  /** What is done later, also by another process. */
  jobs: Jobs
  /** The letters of the site. */
  mail: Mail
}
