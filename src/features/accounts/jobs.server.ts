import type { AccountsApp } from './app.ts'
import type { JobContribution } from '../../platform/jobs/job-contribution.ts'
import { mailManyGraveActs } from './administrators/notify-administrators.server.ts'
import { sendInvitations } from './emails/send-invitations.server.ts'
import { deleteExpired } from './sign-in/delete-expired.server.ts'
import { notifyOfUnfinished } from './sign-in/unfinished-sign-ins.server.ts'

/**
 * Every hour expired rows are deleted. Every minute invitations are sent, and administrators are notified of floods of grave
 * acts, members of unfinished sign-ins.
 */
export const accountJobs: readonly JobContribution<AccountsApp>[] = [
  { name: 'accounts.delete-expired', cron: '17 * * * *', work: (app) => deleteExpired(app) },
  { name: 'accounts.send-invitations', cron: '* * * * *', work: (app) => sendInvitations(app) },
  { name: 'accounts.mail-many-grave-acts', cron: '* * * * *', work: mailManyGraveActs },
  { name: 'accounts.notify-of-unfinished-sign-ins', cron: '* * * * *', work: (app) => notifyOfUnfinished(app) },
]
