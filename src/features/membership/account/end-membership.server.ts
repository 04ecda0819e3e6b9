import { sql } from 'kysely'
import type { MembershipApp } from '../app.ts'
import type { InDeletion } from '../../accounts/account/account-parts.ts'
import { requireMember, type Viewer } from '../../office/viewer/viewer.ts'
import { defineError } from '../../../platform/errors.ts'
import { lockMember, type MemberLock } from '../access/lock-member.server.ts'
import { isMissing, paymentsFailure } from '../stripe/payments.server.ts'
import { hasOpenDispute, readPurchaseBlock } from '../checkout/purchase-block.server.ts'
import { isLive } from '../stripe/stripe-state.ts'
import { cancelSubscription, syncLocked } from '../sync/sync-customer.server.ts'

/**
 * Ends what a member pays for, around the deletion of their account: subscriptions are cancelled and the customer is
 * deleted at Stripe first. The member's lock is held until the account is gone. Payments and a block stay without the
 * person.
 * @param proceed deletes the account
 * @throws {AppError} `account.subscription`, 503, and 409 where payments are off; `billing.busy`, 503;
 * `member.unknown`, 404
 */
export async function endMembership(
  app: MembershipApp,
  viewer: Viewer,
  proceed: (inDeletion?: InDeletion) => Promise<void>,
): Promise<void> {
  const { id: userId } = requireMember(viewer)
  // Also members without a customer are locked: their first checkout may be making one at this moment.
  await lockMember(app, userId, async (lock) => {
    if (app.payments.config.isOff) await leaveAtStripe(app, lock)
    else await endAtStripe(app, lock)
    await proceed(async (trx) => {
      await lock.assertHeld(trx)
      // A file of members that they stood in keeps neither their name nor their address.
      await sql`
        delete from member_import_rows using users
         where users.id = ${userId} and member_import_rows.email_folded = users.email_folded`.execute(trx)
      // After the deletion nobody would hear how an open dispute ends.
      const isBlocked = (await readPurchaseBlock(trx, userId)) !== undefined
      return { purchasesBlocked: isBlocked || (await hasOpenDispute(trx, userId)) }
    })
  })
}

/** @throws {AppError} `account.subscription`, 503, when Stripe does not do it */
async function endAtStripe(app: MembershipApp, lock: MemberLock): Promise<void> {
  try {
    if (lock.stripeCustomerId !== null) await endCustomer(app, lock.stripeCustomerId)
    await syncLocked(app, lock, 'deletion')
  } catch (error) {
    // Any other obstacle has its own error.
    const failure = paymentsFailure(error)
    if (failure === undefined) throw error
    throw subscriptionUnended(failure.reason, failure.later, {
      retryAfterSeconds: failure.retryAfterSeconds,
      cause: error,
    })
  }
}

/**
 * Without sales Stripe is not called: members without a subscription may go.
 * @throws {AppError} `account.subscription`, 409, for members who would go on paying
 */
async function leaveAtStripe(
  { db, texts, log }: MembershipApp,
  { userId, stripeCustomerId }: MemberLock,
): Promise<void> {
  if (stripeCustomerId === null) return
  const subscriptions = await db.selectFrom('subscriptions').select('status').where('user_id', '=', userId).execute()
  if (subscriptions.some(isLive)) {
    throw subscriptionStays(texts.inForce.contactEmail)
  }
  log.warn({ stripeCustomerId }, 'An account is deleted while payments are off: delete its customer at Stripe by hand.')
}

/** Checkouts first: what is paid in between would be a subscription of nobody. */
async function endCustomer(app: MembershipApp, customer: string): Promise<void> {
  const { payments } = app
  const [open, subscriptions] = await payments.request(async (stripe) => {
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
    await payments.request(async (stripe) => {
      try {
        await stripe.checkout.sessions.expire(id)
      } catch (error) {
        // Over already; if it was paid meanwhile, deleting the customer ends what it gave.
        if ((error as { type?: unknown }).type !== 'StripeInvalidRequestError') throw error
      }
    })
  }
  for (const { id } of subscriptions) await cancelSubscription(app, id)
  await payments.request(async (stripe) => {
    try {
      await stripe.customers.del(customer)
    } catch (error) {
      if (!isMissing(error)) throw error
    }
  })
}

const unended = {
  code: 'account.subscription',
  remedy: 'With status 503, send the request again later. With 409, write to the operator.',
}

export const subscriptionUnended = defineError({
  ...unended,
  status: 503,
  sentence: (reason: string, later: string) =>
    `Your subscription could not be cancelled, because ${reason}. Nothing was deleted. Please try again ${later}.`,
})

const subscriptionStays = defineError({
  ...unended,
  status: 409,
  sentence: (contactEmail: string) =>
    `Your subscription cannot be cancelled while payments are switched off here. Nothing was deleted. Write to ${contactEmail}.`,
})
