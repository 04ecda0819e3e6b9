import type { App } from '../../platform/app.ts'
import { forgetExpired } from './forget-expired.server.ts'

/** Says what the accounts do by the clock: every hour, what is over is forgotten. */
export function registerAccountJobs(app: App): void {
  app.jobs.repeat('accounts.forget-expired', '17 * * * *', () => forgetExpired(app))
}
