import { requestActions, requestSubjects } from './audit-words.ts'
import type { FeatureContributions } from '../accounts/feature-contributions.ts'
import type { RequestsApp } from './app.ts'
import { readWaitingRequests } from './content-requests/requests-home.server.ts'
import { exportRequests, releaseRequests } from './content-requests/requests-of-member.server.ts'
import { voteInvariants } from './content-requests/vote-invariants.server.ts'
import { requestEmails } from './emails/request-emails.server.ts'
import { requestJobs } from './jobs.server.ts'
import { exportInquiries } from './support/answer-inquiry.server.ts'
import { readRefusedInquiries, readStuckInquiries, readWaitingInquiries } from './support/support-home.server.ts'

export const requestsContributions: FeatureContributions<RequestsApp> = {
  auditActions: requestActions,
  auditSubjects: requestSubjects,
  jobs: requestJobs,
  invariants: voteInvariants,
  emails: requestEmails,
  dataExport: [
    { name: 'requests', read: exportRequests },
    { name: 'inquiries', read: exportInquiries },
  ],
  accountDeletion: { around: releaseRequests },
  adminHome: {
    waiting: [readWaitingRequests, readWaitingInquiries],
    problems: { 'inquiries-stuck': readStuckInquiries, 'inquiries-refused': readRefusedInquiries },
  },
}
