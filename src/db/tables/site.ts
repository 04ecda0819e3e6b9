import type { ColumnType, Generated, JSONColumnType } from 'kysely'
import type { Timestamp, TimestampByDefault } from './columns.ts'

/** The tables that site owns: no other room writes them. The migrations document each column. */
export interface SiteTables {
  job_failures: JobFailuresTable
  invariant_checks: InvariantChecksTable
  demo: DemoTable
  backup_schedule: BackupScheduleTable
  skipped_steps: SkippedStepsTable
  brand_marks: BrandMarksTable
}

interface SkippedStepsTable {
  name: string
  note: string
}

interface JobFailuresTable {
  name: string
  failures: number
  failed_at: Timestamp
  reason: string
}

/** Written by the nightly check, one row for each invariant. */
interface InvariantChecksTable {
  name: string
  checked_at: Timestamp
  broken: number
  ids: JSONColumnType<string[]>
}

/** There is a row where the database holds the demo. */
interface DemoTable {
  only_row: Generated<boolean>
  began_at: TimestampByDefault
  filled: ColumnType<string[], string[] | undefined, string[]>
}

/** Uploaded marks of the site: the one in the header, and those that nobody has saved yet. */
interface BrandMarksTable {
  hash: string
  picture: Uint8Array
  stored_at: Timestamp
}

/** How the backups of the clock stand. */
interface BackupScheduleTable {
  only_row: Generated<boolean>
  since: Timestamp
  claimed_until: Timestamp | null
  made_at: Timestamp | null
  name: string | null
  byte_size: ColumnType<string | null, number, number>
  failed_at: Timestamp | null
  failure: string | null
}
