import { recordMemberEvent } from '../../office/audit/record-audit-event.server.ts'
import { setVipDisabled } from '../../accounts/user/disable-vip.server.ts'
import { lockUser } from '../../accounts/user/lock-user.server.ts'
import { unknownMember } from '../../accounts/user/unknown-member.server.ts'
import { requireMember, type Viewer } from '../../office/viewer/viewer.ts'
import { defineError } from '../../../platform/errors.ts'
import { lockMember, type MemberLock } from '../access/lock-member.server.ts'
import type { MembershipApp } from '../app.ts'
import { expireSession, openSessionsOf } from '../checkout/open-sessions.server.ts'
import { paymentsFailure } from '../stripe/payments.server.ts'
import { isCancellable, isLive } from '../stripe/stripe-state.ts'
import { cancelSubscription, syncLocked } from '../sync/sync-customer.server.ts'
import { findVip } from './find-vip.server.ts'

/**
 * Disables the membership of a member (docs/spec/membership.md#disabling). First their checkouts are closed and their
 * subscriptions are cancelled at Stripe; if that fails, nothing changes. Every sync cancels and refunds later payments.
 * @throws {AppError} `member.unknown`, 404; `vip.subscription`, `billing.busy`, 503, with nothing changed here
 */
export async function disableVip(app: MembershipApp, viewer: Viewer, { email }: { email: string }): Promise<void> {
  const by = requireMember(viewer).id
  const { id: userId } = await findVip(app, { email })
  // Before Stripe is asked: a payment during the call is refunded.
  const since = new Date(app.clock.now())
  // Also members without a customer are locked: their first checkout may be making one at this moment.
  await lockMember(app, userId, async (lock) => {
    if (app.payments.config.isOff) await refusePaying(app, userId)
    else await endPayments(app, lock)
    await app.db.transaction().execute(async (trx) => {
      // The account first and then its customer, as deleting an account locks them.
      const user = await lockUser(trx, userId)
      if (user === undefined) throw unknownMember()
      await lock.assertHeld(trx)
      if (user.isVipDisabled) return
      await setVipDisabled(trx, { userId, since })
      await recordMemberEvent(trx, 'vip.disabled', { of: userId, by })
    })
    if (!app.payments.config.isOff) await takeUp(app, lock)
  })
}

/** @throws {AppError} `vip.subscription`, 503, when Stripe does not do it, or does not say that it has */
async function endPayments(app: MembershipApp, lock: MemberLock): Promise<void> {
  if (lock.stripeCustomerId === null) return
  const progress = { hasBegun: false }
  try {
    for (const { id } of await openSessionsOf(app, lock.stripeCustomerId)) await expireSession(app, id)
    await cancelPaying(app, lock, progress).catch((error: unknown) => {
      if (!progress.hasBegun || paymentsFailure(error) === undefined) throw error
      // Only its answer may be lost.
      return cancelPaying(app, lock, progress)
    })
  } catch (error) {
    const failure = paymentsFailure(error)
    if (failure === undefined) throw error
    const message = progress.hasBegun
      ? `It is not known whether the member's subscription was cancelled, because ${failure.reason}. The membership was not disabled.`
      : `The member's subscription could not be cancelled, because ${failure.reason}. Nothing was changed.`
    throw uncancelled(message, failure.later, { retryAfterSeconds: failure.retryAfterSeconds, cause: error })
  }
}

/** @param progress takes down that a cancellation was asked for */
async function cancelPaying(app: MembershipApp, lock: MemberLock, progress: { hasBegun: boolean }): Promise<void> {
  const { state } = await syncLocked(app, lock, 'administrator')
  const paying = (state?.subscriptions ?? []).filter(isCancellable)
  for (const { stripeId } of paying) {
    progress.hasBegun = true
    await cancelSubscription(app, stripeId)
  }
}

/**
 * Without sales Stripe is not called: only members without a subscription can be disabled.
 * @throws {AppError} `vip.subscription`, 503, for members who would go on paying
 */
async function refusePaying({ db }: Pick<MembershipApp, 'db'>, userId: string): Promise<void> {
  const subscriptions = await db.selectFrom('subscriptions').select('status').where('user_id', '=', userId).execute()
  if (!subscriptions.some(isLive)) return
  throw noneIsCancelled()
}

/** Reads what has become of the subscriptions. The membership is disabled already: if Stripe fails now, an event tells later. */
async function takeUp(app: MembershipApp, lock: MemberLock): Promise<void> {
  try {
    await syncLocked(app, lock, 'administrator')
  } catch (error) {
    if (paymentsFailure(error) === undefined) throw error
    app.log.warn({ err: error, userId: lock.userId }, 'The result of a cancelled subscription is read later.')
  }
}

const unended = {
  code: 'vip.subscription',
  status: 503,
  remedy: 'Send the request again once the payment service answers.',
}

export const uncancelled = defineError({
  ...unended,
  sentence: (message: string, later: string) => `${message} Please try again ${later}.`,
})

const noneIsCancelled = defineError({
  ...unended,
  sentence:
    "The member's subscription cannot be cancelled while payments are switched off here. Nothing was changed. Cancel it at Stripe, or switch payments on.",
})
