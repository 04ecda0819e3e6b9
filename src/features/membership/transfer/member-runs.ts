import type { RunQueue } from '../../office/runs/run-queue.ts'
import { defineJob } from '../../../platform/jobs/job.ts'

/** The long work of administrators on members (docs/spec/catalogue.md#long-work). */
export const memberRuns = {
  job: defineJob<{ subjectId: string }>('membership.work-on-run'),
  takeUpJob: 'membership.take-up-runs',
  kinds: ['member_import'],
} as const satisfies RunQueue
