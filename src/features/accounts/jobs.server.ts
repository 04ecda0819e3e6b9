import type { AccountsApp } from './app.ts'
import type { JobContribution } from '../../platform/jobs/job-contribution.ts'
import { sendInvitations } from './emails/send-invitations.server.ts'
import { deleteExpired } from './sign-in/delete-expired.server.ts'

/** What the accounts do by the clock: what is over is deleted, and invitations go out some at a time. */
export const accountJobs: readonly JobContribution<AccountsApp>[] = [
  { name: 'accounts.delete-expired', cron: '17 * * * *', work: (app) => deleteExpired(app) },
  { name: 'accounts.send-invitations', cron: '* * * * *', work: (app) => sendInvitations(app) },
]
