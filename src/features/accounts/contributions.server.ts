import { appointFirstAdministrator } from './administrators/appoint-first-administrator.server.ts'
import { closeDemoAccounts } from './administrators/close-demo-accounts.server.ts'
import { administratorChecks } from './administrators/examine-administrators.server.ts'
import { queueMetrics, readingsOfQueue } from '../../platform/metrics/metric.ts'
import type { AccountsApp } from './app.ts'
import { refuseUnclosable } from './account/close-account.server.ts'
import { exportAccount } from './account/export-account.server.ts'
import { listAppPasswords } from './app-passwords/app-passwords.server.ts'
import { readAddressProblems } from './address/read-address-problems.server.ts'
import { exportDevices } from './devices/list-devices.server.ts'
import { accountEmails } from './emails/account-emails.server.ts'
import { accountActions, accountSubjects } from './audit-words.ts'
import type { FeatureContributions } from './feature-contributions.ts'
import { exportFactors } from './factors/list-factors.server.ts'
import { exportFeedToken } from './feed-tokens/feed-tokens.server.ts'
import { accountJobs } from './jobs.server.ts'
import { exportMemberNote } from './people/member-note.server.ts'
import { accountTexts, readBrandStep } from './account-texts.ts'
import { stopMetrics } from './sent-emails/stop-metrics.server.ts'
import { exportSentEmails } from './sent-emails/sent-emails.server.ts'
import { listSessions } from './sessions/list-sessions.server.ts'

export const accountContributions: FeatureContributions<AccountsApp> = {
  auditActions: accountActions,
  auditSubjects: accountSubjects,
  onStart: [appointFirstAdministrator, closeDemoAccounts],
  jobs: accountJobs,
  emails: accountEmails,
  doctorChecks: administratorChecks,
  dataExport: [
    { name: 'account', read: exportAccount },
    { name: 'sessions', read: listSessions },
    { name: 'devices', read: exportDevices },
    { name: 'appPasswords', read: listAppPasswords },
    { name: 'factors', read: exportFactors },
    { name: 'privateFeeds', read: exportFeedToken },
    { name: 'emails', read: exportSentEmails },
    { name: 'note', read: exportMemberNote },
  ],
  accountDeletion: { check: refuseUnclosable },
  metrics: [
    { metrics: queueMetrics, read: ({ passwords }) => readingsOfQueue('hashing', passwords.queue) },
    stopMetrics,
  ],
  texts: () => Promise.resolve(accountTexts),
  adminHome: {
    firstSteps: [{ order: 10, name: 'brand', read: (app) => Promise.resolve(readBrandStep(app)) }],
    problems: { addresses: readAddressProblems },
  },
}
