import * as z from 'zod/mini'
import { Instant, InstantOrNull } from '../../../platform/time/instant-schema.ts'
import { TextOrNull } from '../../../platform/text-schema.ts'

/** A job as administrators see it: never its data, which may name people. */
export const JobForAdmin = z.object({
  id: z.string(),
  name: z.string(),
  words: z.string(),
  /** Waiting since it was queued, running since it was begun, failed since it was given up. */
  since: Instant,
  nextTryAt: InstantOrNull,
  attempts: z.int(),
  /** That of the last failure. */
  reason: TextOrNull,
})
export type JobForAdmin = z.infer<typeof JobForAdmin>

/** A part of the jobs of a state, newest first (GET /api/jobs). */
export const JobsForAdmin = z.object({
  jobs: z.array(JobForAdmin),
  counts: z.object({ waiting: z.int(), running: z.int(), failed: z.int() }),
  next: TextOrNull,
})
export type JobsForAdmin = z.infer<typeof JobsForAdmin>
