import { memberOf, type Viewer } from '../accounts/viewer.ts'
import type { App } from '../../platform/app.ts'
import { AppError, isAppError } from '../../platform/errors.ts'
import { limitCheckoutQuestion } from './checkout-limits.server.ts'
import { isMissing } from './payments.server.ts'
import { readStanding } from './read-standing.server.ts'
import { idOf, isLive } from './stripe-state.ts'
import { syncMember } from './sync-customer.server.ts'

/** What has become of a checkout (PRODUCT.md, section 12, "Billing"). */
export type CheckoutState = 'confirming' | 'active' | 'failed'

/**
 * What has become of the caller's own checkout. Coming back from it proves nothing (BILLING.md, "Checkout", 4): active is
 * only what our own tables say after they were made equal to Stripe's, also when no event ever comes.
 * @throws {AppError} `checkout.unknown`, 404, for nobody's and for somebody else's; `limit.exceeded`, 429
 */
export async function readCheckout(
  app: App,
  viewer: Viewer,
  { sessionId }: { sessionId: string },
): Promise<{ state: CheckoutState }> {
  const { id: userId, isVipDisabled } = memberOf(viewer)
  await limitCheckoutQuestion(app, userId)
  const row = await app.db
    .selectFrom('billing_customers')
    .select('stripe_customer_id')
    .where('user_id', '=', userId)
    .executeTakeFirst()
  if (!/^cs_\w{8,200}$/.test(sessionId) || row?.stripe_customer_id == null) throw unknownCheckout()
  try {
    const session = await app.payments.ask((stripe) => stripe.checkout.sessions.retrieve(sessionId))
    if (idOf(session.customer) !== row.stripe_customer_id) throw unknownCheckout()
    if (session.status === 'expired') return { state: 'failed' }
    const subscriptionId = idOf(session.subscription)
    if (session.status !== 'complete' || subscriptionId === undefined) return { state: 'confirming' }
    const { state } = await syncMember(app, { userId, cause: 'success' })
    const subscription = state?.subscriptions.find(({ stripeId }) => stripeId === subscriptionId)
    if (subscription === undefined || subscription.status === 'incomplete') return { state: 'confirming' }
    const { isVip } = await readStanding(app, { userId, isDisabled: isVipDisabled })
    return { state: isVip && isLive(subscription) ? 'active' : 'failed' }
  } catch (error) {
    if (isMissing(error)) throw unknownCheckout()
    // Nothing is known as long as Stripe does not answer: the page asks again.
    if (isAppError(error) && error.status === 503) return { state: 'confirming' }
    throw error
  }
}

function unknownCheckout(): AppError {
  return new AppError({
    code: 'checkout.unknown',
    status: 404,
    message: 'This payment was not found in your account.',
  })
}
