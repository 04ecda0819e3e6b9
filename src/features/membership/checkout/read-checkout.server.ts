import type { Stripe } from 'stripe'
import type { MembershipApp } from '../app.ts'
import { requireMember, type Viewer } from '../../office/viewer/viewer.ts'
import { defineError } from '../../../platform/errors.ts'
import { limitCheckoutQuery } from './checkout-limits.server.ts'
import { isBusy } from '../access/lock-member.server.ts'
import type { CheckoutForMember } from './checkout-schema.ts'
import { isMissing, paymentsFailure } from '../stripe/payments.server.ts'
import { readAccessStatus } from '../access/read-access-status.server.ts'
import { idOf, isLive } from '../stripe/stripe-state.ts'
import { syncMember } from '../sync/sync-customer.server.ts'

/**
 * The state of the caller's own checkout. Coming back from it proves nothing (docs/spec/billing.md#success-page):
 * active is only what our own tables say after they were made equal to Stripe's, also when no event ever comes.
 * @param input.sessionId one that `isCheckoutId`
 * @throws {AppError} `checkout.unknown`, 404, for nobody's and for somebody else's; `limit.exceeded`, 429
 */
export async function readCheckout(
  app: MembershipApp,
  viewer: Viewer,
  { sessionId }: { sessionId: string },
): Promise<CheckoutForMember> {
  const { id: userId, isVipDisabled } = requireMember(viewer)
  await limitCheckoutQuery(app, userId)
  const row = await app.db
    .selectFrom('billing_customers')
    .select('stripe_customer_id')
    .where('user_id', '=', userId)
    .executeTakeFirst()
  if (row?.stripe_customer_id == null) throw unknownCheckout()
  try {
    const session = await app.payments.request((stripe) => retrieveSession(stripe, sessionId))
    if (idOf(session.customer) !== row.stripe_customer_id) throw unknownCheckout()
    if (session.status === 'expired') return { state: 'failed' }
    const subscriptionId = idOf(session.subscription)
    if (session.status !== 'complete' || subscriptionId === undefined) return { state: 'confirming' }
    const { state } = await syncMember(app, { userId, cause: 'success' })
    const subscription = state?.subscriptions.find(({ stripeId }) => stripeId === subscriptionId)
    if (subscription === undefined || subscription.status === 'incomplete') return { state: 'confirming' }
    const { isVip } = await readAccessStatus(app, { userId, isDisabled: isVipDisabled })
    return { state: isVip && isLive(subscription) ? 'active' : 'failed' }
  } catch (error) {
    // Nothing is known as long as Stripe does not answer, or somebody else is at work on it: the page asks again.
    if (paymentsFailure(error) !== undefined || isBusy(error)) return { state: 'confirming' }
    throw error
  }
}

async function retrieveSession(stripe: Stripe, sessionId: string): Promise<Stripe.Checkout.Session> {
  try {
    return await stripe.checkout.sessions.retrieve(sessionId)
  } catch (error) {
    throw isMissing(error) ? unknownCheckout() : error
  }
}

/** Whether Stripe may have given this id to a checkout. */
export function isCheckoutId(text: string): boolean {
  return /^cs_\w{8,200}$/.test(text)
}

export const unknownCheckout = defineError({
  code: 'checkout.unknown',
  status: 404,
  sentence: 'This payment was not found in your account.',
  remedy: 'Sign in with the account that paid.',
})
