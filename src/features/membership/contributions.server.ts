import { releaseLocks } from './access/lock-member.server.ts'
import type { MembershipApp } from './app.ts'
import { membershipActions, membershipSubjects } from './audit-words.ts'
import type { FeatureContributions } from '../accounts/feature-contributions.ts'
import { accessInvariants } from './access/access-invariants.server.ts'
import { vipRole } from './access/vip-role.server.ts'
import { declareLegalTexts, readLegalStep } from './account/legal-texts.server.ts'
import { planTexts } from './plans/plan-texts.ts'
import { endMembership } from './account/end-membership.server.ts'
import { updateStripeEmail } from './account/update-stripe-email.server.ts'
import { exportMembership } from './account/export-membership.server.ts'
import {
  billingMetrics,
  readPaymentProblems,
  readPaymentsStep,
  readStripeStanding,
  readUnhealedDrift,
} from './admin/billing-home.server.ts'
import { membershipEmails } from './emails/membership-emails.server.ts'
import { membershipJobs } from './jobs.server.ts'
import { paymentsCheck } from './stripe/examine-payments.server.ts'

export const membershipContributions: FeatureContributions<MembershipApp> = {
  auditActions: membershipActions,
  auditSubjects: membershipSubjects,
  // Nobody else holds a lock in the database of this process alone.
  onStart: [async (app) => (app.config.databaseUrl === undefined ? releaseLocks(app) : undefined)],
  roles: [vipRole],
  jobs: membershipJobs,
  invariants: accessInvariants,
  doctorChecks: { settings: [paymentsCheck] },
  emails: membershipEmails,
  dataExport: [{ name: 'membership', read: exportMembership }],
  adminHome: {
    firstSteps: [
      { order: 40, name: 'payments', read: readPaymentsStep },
      { order: 50, name: 'legal', read: (app) => Promise.resolve(readLegalStep(app)) },
    ],
    waiting: [readUnhealedDrift],
    problems: { payments: readPaymentProblems },
    standings: [readStripeStanding],
  },
  metrics: [billingMetrics],
  accountDeletion: { around: endMembership },
  emailChanged: updateStripeEmail,
  texts: async (config) => [...planTexts, ...(await declareLegalTexts(config))],
}
