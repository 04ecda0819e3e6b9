import type { JobContribution } from '../../platform/jobs/job-contribution.ts'
import type { RequestsApp } from './app.ts'
import { tellVotersJob } from './content-requests/decide-request.server.ts'
import { tellVoters } from './content-requests/tell-voters.server.ts'
import { deleteOldInquiries, forwardWaitingInquiries } from './support/forward-inquiry.server.ts'
import { mailManyInquiries } from './support/tell-operator.server.ts'

/**
 * What the requests do later, and by the clock: every ten minutes those are told who can see only now what they asked
 * for (a scheduled item, a new VIP), every minute the form service is asked again and the operator is mailed about a flood of inquiries, every day old inquiries go.
 */
export const requestJobs: readonly JobContribution<RequestsApp>[] = [
  { name: tellVotersJob, work: (app, { requestId }) => tellVoters(app, { requestId: String(requestId) }) },
  { name: 'requests.tell-waiting-voters', cron: '*/10 * * * *', work: (app) => tellVoters(app) },
  { name: 'requests.forward-inquiries', cron: '* * * * *', work: forwardWaitingInquiries },
  { name: 'requests.mail-many-inquiries', cron: '* * * * *', work: mailManyInquiries },
  { name: 'requests.delete-old-inquiries', cron: '23 4 * * *', work: deleteOldInquiries },
]
