import type { Attempt, JobData, JobOptions } from './job.ts'
import type { Jobs } from './jobs.ts'

/** A job that a feature contributes: done when it is put in line, or by the clock. */
export type JobContribution<App> =
  | {
      name: string
      cron?: undefined
      work: (app: App, data: JobData, attempt: Attempt) => Promise<void>
      options?: JobOptions
    }
  | {
      name: string
      /** Five fields, in UTC. */
      cron: string
      work: (app: App) => Promise<void>
    }

/** Tells the jobs what the features contribute to them; before `prepare`. */
export function registerJobs<App extends { jobs: Jobs }>(app: App, jobs: readonly JobContribution<App>[]): void {
  for (const job of jobs) {
    if (job.cron !== undefined) app.jobs.repeat(job.name, job.cron, () => job.work(app))
    else app.jobs.define(job.name, (data, attempt) => job.work(app, data, attempt), job.options)
  }
}
