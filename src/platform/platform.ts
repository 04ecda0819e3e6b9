import type { SqlDatabase } from '../db/queryable.ts'
import type { Clock } from './time/clock.ts'
import type { PlatformConfig } from './config/platform-config.ts'
import type { DatabaseOutages } from './database-outages.ts'
import type { DiskSpace } from './disk-space.ts'
import type { Jobs } from './jobs/jobs.ts'
import type { Log } from './log.ts'
import type { Mail } from './email/mail.ts'
import type { RateLimits } from './rate-limit/rate-limits.ts'

/**
 * The first step of what is handed down to every use case. `src/http` and each feature extend it by one step with their
 * services and tables; `src/app` makes the whole object once. A function names the smallest step that it needs, so the
 * compiler refuses whatever stands further to the right.
 */
export interface Platform {
  /** The settings, which never change while the process runs. */
  config: Readonly<PlatformConfig>
  /** Without tables: each feature's step adds its own. */
  db: SqlDatabase
  /** The same database, for what may take as long as it needs. */
  maintenanceDb: SqlDatabase
  log: Log
  clock: Clock
  diskSpace: DiskSpace
  outages: Pick<DatabaseOutages, 'lostWays'>
  /** How often what may be done. */
  limits: RateLimits
  /** Later work, also of another process. */
  jobs: Jobs
  mail: Mail
}
