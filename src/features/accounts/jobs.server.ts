import type { AccountsApp } from './app.ts'
import { anchorAuditLog } from './audit/audit-anchors.server.ts'
import { checkAuditLog } from './audit/check-audit-log.server.ts'
import { deleteOldAuditEvents } from './audit/delete-old-events.server.ts'
import type { JobContribution } from '../../platform/jobs/job-contribution.ts'
import { mailManyGraveActs } from './administrators/notify-administrators.server.ts'
import { sendInvitations } from './emails/send-invitations.server.ts'
import { deleteExpired } from './sign-in/delete-expired.server.ts'
import { notifyOfUnfinished } from './sign-in/unfinished-sign-ins.server.ts'

/**
 * Every hour expired rows are deleted. Every minute invitations are sent, the audit log is anchored, administrators are
 * notified of floods of grave acts, and members of unfinished sign-ins. Every night old events are deleted and all
 * others checked.
 */
export const accountJobs: readonly JobContribution<AccountsApp>[] = [
  { name: 'accounts.delete-expired', cron: '17 * * * *', work: (app) => deleteExpired(app) },
  { name: 'accounts.send-invitations', cron: '* * * * *', work: (app) => sendInvitations(app) },
  { name: 'accounts.anchor-audit-log', cron: '* * * * *', work: anchorAuditLog },
  { name: 'accounts.mail-many-grave-acts', cron: '* * * * *', work: mailManyGraveActs },
  { name: 'accounts.tell-unfinished-sign-ins', cron: '* * * * *', work: (app) => notifyOfUnfinished(app) },
  {
    name: 'accounts.delete-old-audit-events',
    cron: '27 4 * * *',
    work: async (app) => void (await deleteOldAuditEvents(app)),
  },
  { name: 'accounts.check-audit-log', cron: '41 4 * * *', work: checkAuditLog },
]
