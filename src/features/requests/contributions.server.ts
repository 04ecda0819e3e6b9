import { requestActions, requestSubjects } from './audit-words.ts'
import type { FeatureContributions } from '../accounts/feature-contributions.ts'
import type { RequestsApp } from './app.ts'
import { countPending } from './content-requests/read-requests.server.ts'
import { exportRequests, releaseRequests } from './content-requests/requests-of-member.server.ts'
import { voteInvariants } from './content-requests/vote-invariants.server.ts'
import { requestEmails } from './emails/request-emails.server.ts'
import { requestJobs } from './jobs.server.ts'
import {
  countOpenInquiries,
  exportInquiries,
  findRefusedInquiry,
  findStuckInquiries,
} from './support/answer-inquiry.server.ts'

/** The lists that the requests contribute to. */
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
    waiting: [
      async (app) => {
        const count = await countPending(app)
        const sentence = count === 1 ? '1 request to decide' : `${numberOf(count)} requests to decide`
        return count === 0 ? undefined : { sentence, count, to: '/admin/requests?status=pending' }
      },
      async (app) => {
        const { all, ofVips } = await countOpenInquiries(app)
        const vips = ofVips === 0 ? '' : `, ${numberOf(ofVips)} of VIPs`
        const sentence = `${all === 1 ? '1 inquiry' : `${numberOf(all)} inquiries`} to answer${vips}`
        return all === 0 ? undefined : { sentence, count: all, to: '/admin/support' }
      },
    ],
    problems: {
      'inquiries-stuck': async (app) => {
        const stuck = await findStuckInquiries(app)
        if (stuck === undefined) return []
        const what = stuck.count === 1 ? '1 inquiry' : `${numberOf(stuck.count)} inquiries`
        return [
          { sentence: `${what} could not be given to the form service of SUPPORT_FORM_URL yet.`, at: stuck.since },
        ]
      },
      'inquiries-refused': async (app) => {
        const refused = await findRefusedInquiry(app)
        if (refused === undefined) return []
        return [
          {
            sentence: `The form service refuses inquiries (${refused.status}).`,
            at: refused.since,
            to: '/admin/support',
          },
        ]
      },
    },
  },
}

/** Beyond a thousand nobody counts. */
function numberOf(count: number): string {
  return count > 1_000 ? 'more than 1,000' : count.toLocaleString('en-US')
}
