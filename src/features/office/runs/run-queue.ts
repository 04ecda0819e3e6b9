import type { JobKind } from '../../../platform/jobs/job.ts'

export interface RunQueue<Kind extends string = string> {
  /** Works on a run. It is queued in the transaction that begins the run. */
  job: JobKind<{ subjectId: string }>
  /** The job that puts runs in line anew that nobody works on. */
  takeUpJob: string
  kinds: readonly Kind[]
}
