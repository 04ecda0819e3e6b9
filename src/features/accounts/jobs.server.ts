import type { AccountsApp } from './app.ts'
import type { JobContribution } from '../../platform/jobs/job-contribution.ts'
import { deleteExpired } from './sign-in/delete-expired.server.ts'

/** What the accounts do by the clock: every hour, what is over is deleted. */
export const accountJobs: readonly JobContribution<AccountsApp>[] = [
  { name: 'accounts.delete-expired', cron: '17 * * * *', work: (app) => deleteExpired(app) },
]
