import { closeAccount, refuseUnclosable } from '../accounts/close-account.server.ts'
import { memberOf, type Viewer } from '../accounts/viewer.ts'
import type { App } from '../../platform/app.ts'
import { AppError, isAppError } from '../../platform/errors.ts'
import { lockMember } from './lock-member.server.ts'
import { isMissing } from './payments.server.ts'
import { cancelSubscription, syncLocked } from './sync-customer.server.ts'

/**
 * Deletes the caller's own account. What he pays for is cancelled at Stripe first, and his customer, with name and
 * address, is deleted there; if that fails, nothing is deleted here. Payments stay, without saying whose they were.
 * @throws {AppError} `account.other`, 403; `account.last_admin`, 409; `account.subscription`, 503
 */
export async function deleteAccount(app: App, viewer: Viewer, { email }: { email: string }): Promise<void> {
  await refuseUnclosable(app, viewer, { email })
  const { id: userId } = memberOf(viewer)
  try {
    // Also who has no customer yet is locked: his first checkout may be making one at this moment.
    await lockMember(app, userId, async (lock) => {
      if (lock.stripeCustomerId !== null) await endAtStripe(app, lock.stripeCustomerId)
      await syncLocked(app, lock, 'event')
      await closeAccount(app, viewer, { email })
    })
  } catch (error) {
    if (!isAppError(error) || error.status !== 503) throw error
    throw new AppError({
      code: 'account.subscription',
      status: 503,
      message:
        'Your subscription could not be cancelled, because the payment service does not answer. Nothing was deleted. Please try again in a few minutes.',
      retryAfterSeconds: 60,
      cause: error,
    })
  }
}

/** Checkouts first: what is paid in between would be a subscription of nobody. */
async function endAtStripe(app: App, customer: string): Promise<void> {
  const { payments } = app
  const [open, subscriptions] = await payments.ask(async (stripe) => {
    try {
      return [
        await stripe.checkout.sessions.list({ customer, status: 'open', limit: 100 }).autoPagingToArray({ limit: 500 }),
        await stripe.subscriptions.list({ customer, limit: 100 }).autoPagingToArray({ limit: 500 }),
      ] as const
    } catch (error) {
      if (isMissing(error)) return [[], []] as const
      throw error
    }
  })
  for (const { id } of open) {
    await payments.ask(async (stripe) => {
      try {
        await stripe.checkout.sessions.expire(id)
      } catch (error) {
        // Over already; if it was paid meanwhile, deleting the customer ends what it gave.
        if ((error as { type?: unknown }).type !== 'StripeInvalidRequestError') throw error
      }
    })
  }
  for (const { id } of subscriptions) await cancelSubscription(app, id)
  await payments.ask(async (stripe) => {
    try {
      await stripe.customers.del(customer)
    } catch (error) {
      if (!isMissing(error)) throw error
    }
  })
}
