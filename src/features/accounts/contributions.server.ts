import type { AccountsApp } from './app.ts'
import { refuseUnclosable } from './account/close-account.server.ts'
import { exportAccount } from './account/export-account.server.ts'
import { readAuditProblems } from './audit/read-audit-problems.server.ts'
import { accountEmails } from './emails/account-emails.server.ts'
import type { FeatureContributions } from './feature-contributions.ts'
import { accountJobs } from './jobs.server.ts'
import { exportMemberNote } from './people/member-note.server.ts'
import { accountTexts, readBrandStep } from './texts/account-texts.ts'
import { listSessions } from './sessions/list-sessions.server.ts'

/** What the accounts add to what is composed of all features. */
export const accountContributions: FeatureContributions<AccountsApp> = {
  jobs: accountJobs,
  emails: accountEmails,
  dataExport: [
    { name: 'account', read: exportAccount },
    { name: 'sessions', read: listSessions },
    { name: 'note', read: exportMemberNote },
  ],
  accountDeletion: { check: refuseUnclosable },
  texts: () => Promise.resolve(accountTexts),
  adminHome: {
    firstSteps: [{ order: 10, read: (app) => Promise.resolve(readBrandStep(app)) }],
    problems: [readAuditProblems],
  },
}
