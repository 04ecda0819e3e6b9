import type { Attempt, JobData, JobKind, JobOptions } from './job.ts'
import type { Jobs } from './jobs.ts'

/** A job that a feature contributes: done when it is queued (`queuedJob`), or by the clock. */
export type JobContribution<App> =
  | {
      kind: JobKind
      cron?: undefined
      work: (app: App, data: JobData, attempt: Attempt) => Promise<void>
      options: JobOptions
    }
  | {
      name: string
      /** Five fields, in UTC. */
      cron: string
      work: (app: App) => Promise<void>
    }

export function queuedJob<App, Data extends object>(
  kind: JobKind<Data>,
  work: (app: App, data: Data, attempt: Attempt) => Promise<void>,
  options: JobOptions = {},
): JobContribution<App> {
  return { kind, work: (app, data, attempt) => work(app, data as Data, attempt), options }
}

/** Registers what the features contribute to the jobs; before `prepare`. */
export function registerJobs<App extends { jobs: Jobs }>(app: App, jobs: readonly JobContribution<App>[]): void {
  for (const job of jobs) {
    if (job.cron !== undefined) app.jobs.repeat(job.name, job.cron, () => job.work(app))
    else app.jobs.define(job.kind, (data, attempt) => job.work(app, data as JobData, attempt), job.options)
  }
}
