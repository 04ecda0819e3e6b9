import type { Timestamp } from './columns.ts'

/** The tables that site owns: no other room writes them. What each column means and forbids stands in the migrations. */
export interface SiteTables {
  job_failures: JobFailuresTable
}

interface JobFailuresTable {
  name: string
  failures: number
  failed_at: Timestamp
  reason: string
}
