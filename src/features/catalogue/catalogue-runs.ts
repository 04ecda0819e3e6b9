import type { RunQueue } from '../office/runs/run-queue.ts'
import { defineJob } from '../../platform/jobs/job.ts'

/** The long work of administrators on the catalogue (docs/spec/catalogue.md#long-work). */
export const catalogueRuns = {
  job: defineJob<{ subjectId: string }>('catalogue.work-on-run'),
  takeUpJob: 'catalogue.take-up-runs',
  kinds: ['import_check', 'import', 'bulk_preview', 'bulk_apply', 'bulk_undo', 'merge'],
} as const satisfies RunQueue
