import { type JobContribution, queuedJob } from '../../platform/jobs/job-contribution.ts'
import type { RequestsApp } from './app.ts'
import { notifyVotersJob } from './content-requests/decide-request.server.ts'
import { notifyVoters } from './content-requests/notify-voters.server.ts'
import { deleteOldInquiries, forwardWaitingInquiries } from './support/forward-inquiry.server.ts'
import { mailManyInquiries } from './support/notify-operator.server.ts'

/**
 * Every ten minutes voters are notified who can see an item only now (a scheduled item, a new VIP). Every minute
 * inquiries are forwarded again and floods of them reported, every day old ones are deleted.
 */
export const requestJobs: readonly JobContribution<RequestsApp>[] = [
  queuedJob(notifyVotersJob, notifyVoters),
  { name: 'requests.notify-waiting-voters', cron: '*/10 * * * *', work: (app) => notifyVoters(app) },
  { name: 'requests.forward-inquiries', cron: '* * * * *', work: forwardWaitingInquiries },
  { name: 'requests.mail-many-inquiries', cron: '* * * * *', work: mailManyInquiries },
  { name: 'requests.delete-old-inquiries', cron: '23 4 * * *', work: deleteOldInquiries },
]
