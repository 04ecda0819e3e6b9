import { z } from 'zod'
import type { MembershipApp } from '../app.ts'
import type { Viewer } from '../../office/viewer/viewer.ts'
import { unknownMember } from '../../accounts/user/unknown-member.server.ts'
import { jsonReply } from '../../../http/reply.ts'
import { declareRoutes, type Route } from '../../../http/route.ts'
import { MessageAnswer } from '../../../http/message-schema.ts'
import { badParameter, idParams, textParameter } from '../../../http/parameters.ts'
import { BillingMembersForAdmin, DriftReport, MemberBilling, SyncedMemberBilling } from './billing-schema.ts'
import { paymentsOff, stripeErrors } from '../stripe/payments.server.ts'
import { findBillingMembers } from './find-billing-members.server.ts'
import { orderReconciliation } from './request-reconciliation.server.ts'
import { readDriftReport } from './read-drift-report.server.ts'
import { readMemberBilling } from './read-member-billing.server.ts'
import { resyncMember } from './resync-member.server.ts'
import { noDispute, reviewDisputes } from './review-disputes.server.ts'
import { busy } from '../access/lock-member.server.ts'

/** None of these calls needs a body. */
const route = declareRoutes<MembershipApp, Viewer>({ access: 'admin', caching: 'never', maxBodyBytes: 16 * 1024 })

const memberParams = idParams('The id of the member.', unknownMember)

const searchQuery = z.object({
  search: textParameter('search', 200, 'A part of a name or an address, of at most 200 characters.'),
})

/** Billing for administrators (docs/spec/billing.md#administration). */
export const billingAdminRoutes: Route<MembershipApp, Viewer>[] = [
  route({
    method: 'GET',
    path: '/api/billing/members',
    readsReplica: true,
    summary: 'Members by a part of their name or address.',
    query: searchQuery,
    invalid: badParameter,
    answers: { 200: BillingMembersForAdmin },
    handle: async (app, { query }) => jsonReply(await findBillingMembers(app, { search: query.search })),
  }),

  route({
    method: 'GET',
    path: '/api/billing/members/:id',
    summary: "Everything about one member's money: our state beside Stripe's.",
    params: memberParams,
    answers: { 200: MemberBilling },
    errors: [unknownMember],
    handle: async (app, { params }) => jsonReply(await readMemberBilling(app, { id: params.id })),
  }),

  route({
    method: 'POST',
    path: '/api/billing/members/:id/sync',
    summary: "Makes our state of a member equal to Stripe's, and says how many differences there were.",
    params: memberParams,
    answers: { 200: SyncedMemberBilling },
    errors: [unknownMember, busy, paymentsOff, ...stripeErrors],
    handle: async (app, { params }) => jsonReply(await resyncMember(app, { id: params.id })),
  }),

  route({
    method: 'POST',
    path: '/api/billing/members/:id/review',
    summary: 'Lets a member buy again after a lost dispute.',
    params: memberParams,
    answers: { 200: MemberBilling },
    errors: [unknownMember, noDispute, busy],
    handle: async (app, { viewer, params }) => jsonReply(await reviewDisputes(app, viewer, { id: params.id })),
  }),

  route({
    method: 'GET',
    path: '/api/billing/drift',
    summary: 'How equal our tables are to Stripe.',
    answers: { 200: DriftReport },
    handle: async (app) => jsonReply(await readDriftReport(app)),
  }),

  route({
    method: 'POST',
    path: '/api/billing/reconcile',
    rateLimit: 'reconcile',
    summary: 'Puts a reconciliation of all members queued.',
    answers: { 202: MessageAnswer },
    errors: [paymentsOff],
    handle: async (app) => {
      await orderReconciliation(app)
      return jsonReply({ message: 'The reconciliation is queued.' }, { status: 202 })
    },
  }),
]
