import { rehearsalOn } from '../office/rehearsal.server.ts'
import { z } from 'zod'
import type { Viewer } from '../office/viewer/viewer.ts'
import type { MembershipApp } from './app.ts'
import { jsonReply } from '../../http/reply.ts'
import { declareRoutes, type Route } from '../../http/route.ts'
import { defineError } from '../../platform/errors.ts'
import { textField } from '../../http/body-fields.ts'
import { idParams } from '../../http/parameters.ts'
import { asCaller } from './access/find-member.server.ts'
import { billingAdminRoutes } from './admin/routes.server.ts'
import { MembershipForMember } from './account/membership-schema.ts'
import { CheckoutForMember } from './checkout/checkout-schema.ts'
import { nothingToManage, openPortal } from './checkout/open-portal.server.ts'
import { isCheckoutId, readCheckout, unknownCheckout } from './checkout/read-checkout.server.ts'
import { readMembership } from './account/read-membership.server.ts'
import { badSignature, notAnEvent, receiveEvent } from './sync/receive-event.server.ts'
import { membersFileRoutes } from './transfer/routes.server.ts'
import { vipRoutes } from './vips/routes.server.ts'
import {
  checkoutBlocked,
  checkoutDisputed,
  checkoutSubscribed,
  disabledForPurchases,
  noSuchPlan,
  otherAccount,
  payingAlready,
  startCheckout,
} from './checkout/start-checkout.server.ts'
import { paymentsOff, pricesMisset, pricesUntried, stripeErrors } from './stripe/payments.server.ts'
import { stillPending } from './checkout/checkouts.server.ts'
import { busy } from './access/lock-member.server.ts'

const route = declareRoutes<MembershipApp, Viewer>()

/** As much as these calls ever need. */
const maxBodyBytes = 16 * 1024

const invalidCheckout = defineError({
  code: 'checkout.invalid',
  status: 422,
  remedy: 'Send the field that the answer names as a text.',
})

/** While the payment service is away, or is not in use. */
const paymentErrors = [rehearsalOn, paymentsOff, pricesUntried, pricesMisset, ...stripeErrors]

/** A page of the payment service, to be opened by the caller's browser. */
const PaymentPage = z.object({ url: z.string() })

/** The membership's part of the HTTP interface (docs/spec/billing.md). */
export const membershipRoutes: Route<MembershipApp, Viewer>[] = [
  route({
    access: 'member',
    method: 'POST',
    path: '/pay/vip-payment',
    caching: 'never',
    rateLimit: 'checkout',
    maxBodyBytes,
    summary: 'Opens a checkout for a plan, and answers the address where it is paid.',
    body: z
      .object({
        email: textField('email', "The caller's own address, so that nobody buys for another account than they mean."),
        planType: textField('planType', 'monthly or annual.'),
        entry: z
          .unknown()
          .optional()
          .meta({ description: 'The slug of the entry whose page led to the plans. Anything else is passed over.' }),
      })
      .meta({ required: ['email', 'planType'] }),
    invalid: invalidCheckout,
    answers: { 200: PaymentPage },
    errors: [
      noSuchPlan,
      otherAccount,
      disabledForPurchases,
      checkoutBlocked,
      checkoutDisputed,
      checkoutSubscribed,
      payingAlready,
      stillPending,
      busy,
      ...paymentErrors,
    ],
    handle: async (app, { viewer, body, address, siteUrl }) =>
      jsonReply(
        await asCaller(
          startCheckout(app, viewer, {
            email: body.email,
            planType: body.planType,
            entry: body.entry,
            address,
            siteUrl,
          }),
        ),
      ),
  }),
  route({
    access: 'member',
    method: 'GET',
    path: '/pay/session/:id',
    caching: 'never',
    rateLimit: 'checkout-state',
    summary: "Says what has become of one of the caller's checkouts.",
    params: idParams(
      'The id of the checkout, as the payment service puts it into the address of the success page.',
      unknownCheckout,
      isCheckoutId,
    ),
    answers: { 200: CheckoutForMember },
    errors: [unknownCheckout, busy, ...paymentErrors],
    handle: async (app, { viewer, params }) =>
      jsonReply(await asCaller(readCheckout(app, viewer, { sessionId: params.id }))),
  }),
  route({
    access: 'member',
    method: 'GET',
    path: '/pay/membership',
    caching: 'never',
    summary: 'Says what the caller has, why, and until when, with their payments.',
    answers: { 200: MembershipForMember },
    handle: async (app, { viewer }) => jsonReply(await readMembership(app, viewer)),
  }),
  route({
    access: 'member',
    method: 'POST',
    path: '/stripe-portal/create-portal-session',
    caching: 'never',
    rateLimit: 'portal',
    maxBodyBytes,
    summary: 'Opens the billing portal for the caller, and answers its address.',
    answers: { 200: PaymentPage },
    errors: [nothingToManage, ...paymentErrors],
    handle: async (app, { viewer, siteUrl }) => jsonReply(await openPortal(app, viewer, { siteUrl })),
  }),
  route({
    access: 'anyone',
    method: 'POST',
    path: '/webhooks/stripe',
    bodyKind: 'raw',
    caching: 'never',
    summary:
      'Takes an event of Stripe. Its signature, in the header stripe-signature, is checked over the bytes of the body.',
    described: { body: z.looseObject({ id: z.string(), type: z.string() }) },
    answers: { 200: z.object({ received: z.literal(true) }) },
    errors: [badSignature, notAnEvent, rehearsalOn, paymentsOff],
    handle: async (app, { rawBody, header }) => {
      await receiveEvent(app, { payload: rawBody, signature: header('stripe-signature') })
      return jsonReply({ received: true })
    },
  }),
  ...billingAdminRoutes,
  ...vipRoutes,
  ...membersFileRoutes,
]
