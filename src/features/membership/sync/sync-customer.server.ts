import type { MembershipApp } from '../app.ts'
import { isUnknownMember } from '../../accounts/user/unknown-member.server.ts'
import { lockMember, longTimeoutMs, type MemberLock } from '../access/lock-member.server.ts'
import { isMissing } from '../stripe/payments.server.ts'
import { readSnapshot } from '../stripe/read-snapshot.server.ts'
import { type CustomerState, isLive, type StateContext, stateOf, type StripeSnapshot } from '../stripe/stripe-state.ts'
import { type ChangeCause, writeState } from './write-state.server.ts'

type Needs = Pick<MembershipApp, 'config' | 'db' | 'clock' | 'log' | 'mail' | 'payments'>

export interface Synced {
  userId: string
  /** Undefined for a member who has no customer at Stripe, or one that Stripe does not know. */
  state: CustomerState | undefined
  changed: number
}

/**
 * Makes our state of a customer equal to Stripe's, whatever has happened since (docs/spec/billing.md#webhook-sync):
 * every event, every doubt and every reconciliation leads here, so no order of events matters.
 * @returns undefined when the customer is none of ours
 * @throws {AppError} `billing.busy`, or why Stripe fails, 503: nothing has changed
 */
export async function syncCustomer(
  app: Needs,
  { stripeCustomerId, cause }: { stripeCustomerId: string; cause: ChangeCause },
): Promise<Synced | undefined> {
  const row = await app.db
    .selectFrom('billing_customers')
    .select('user_id')
    .where('stripe_customer_id', '=', stripeCustomerId)
    .executeTakeFirst()
  if (row === undefined) return undefined
  try {
    return await syncMember(app, { userId: row.user_id, cause })
  } catch (error) {
    // Their account was deleted meanwhile, and the customer with it.
    if (isUnknownMember(error)) return undefined
    throw error
  }
}

/** The same, by the member. @throws also {AppError} `member.unknown`, 404 */
export async function syncMember(
  app: Needs,
  { userId, cause }: { userId: string; cause: ChangeCause },
): Promise<Synced> {
  // A reconciliation comes again only in an hour; whatever else calls is asked to come again at once.
  const options = cause === 'reconciliation' ? { waitMs: longTimeoutMs } : {}
  return lockMember(app, userId, (lock) => syncLocked(app, lock, cause), options)
}

/** The same for the holder of the member's lock. */
export async function syncLocked(app: Needs, lock: MemberLock, cause: ChangeCause): Promise<Synced> {
  const { userId, stripeCustomerId } = lock
  if (stripeCustomerId === null) return { userId, state: undefined, changed: 0 }
  const context = await contextOf(app, userId)
  const read = async (): Promise<{ snapshot: StripeSnapshot; state: CustomerState } | undefined> => {
    const snapshot = await readSnapshot(app, stripeCustomerId)
    if (snapshot === undefined) return undefined
    return { snapshot, state: stateOf(snapshot, context) }
  }
  let found = await read()
  if (found === undefined) {
    // The keys of another account, or the end of a sandbox: nothing that was paid is taken away for that. Access ends by
    // its date, as it would without any word from Stripe.
    app.log.warn({ userId, stripeCustomerId }, 'Stripe does not know this customer: the member keeps their access.')
    await lock.commit((trx) =>
      trx
        .updateTable('billing_customers')
        .set({ synced_at: new Date(app.clock.now()) })
        .where('user_id', '=', userId)
        .execute(),
    )
    return { userId, state: undefined, changed: 0 }
  }
  const { toRefund, toCancel } = found.state
  for (const { invoiceId, chargeId } of toRefund) {
    app.log.warn({ userId, invoiceId }, 'A payment of a disabled member is refunded.')
    await refundCharge(app, chargeId)
  }
  if (toRefund.length + toCancel.length > 0) {
    for (const { subscriptionId, why } of toCancel) {
      // Only an administrator gives back what a second one has cost: they have to hear of it.
      const level = why === 'second_subscription' ? 'error' : 'warn'
      app.log[level]({ userId, subscriptionId, why }, 'A subscription is cancelled at Stripe.')
      await cancelSubscription(app, subscriptionId)
    }
    found = (await read()) ?? found
  }
  const { snapshot, state } = found
  for (const { stripeId: subscriptionId, status, unknownPrice } of state.subscriptions) {
    if (unknownPrice === null || !isLive({ status }) || !app.payments.isFirstSightOf(unknownPrice)) continue
    app.log.error(
      { userId, subscriptionId, price: unknownPrice },
      'A subscription that was bought here has a price that neither STRIPE_PRICE_MONTHLY nor STRIPE_PRICE_ANNUAL names: it stays unchanged.',
    )
  }
  const changed = await lock.commit((trx) =>
    writeState(app, trx, { userId, state, isCustomerDeleted: snapshot.isCustomerDeleted, cause }),
  )
  if (snapshot.isCustomerDeleted) lock.stripeCustomerId = null
  return { userId, state, changed }
}

/** Ends a subscription at once, without a further invoice; one that is over already stays so. */
export async function cancelSubscription(
  { payments }: Pick<MembershipApp, 'payments'>,
  subscriptionId: string,
): Promise<void> {
  await payments.request(async (stripe) => {
    try {
      await stripe.subscriptions.cancel(subscriptionId, { invoice_now: false, prorate: false })
    } catch (error) {
      if (!isMissing(error)) throw error
    }
  })
}

/** Refunds the rest of a charge; earlier refunds stay. */
async function refundCharge({ payments }: Pick<MembershipApp, 'payments'>, charge: string): Promise<void> {
  await payments.request(async (stripe) => {
    try {
      await stripe.refunds.create({ charge }, { idempotencyKey: `daybook-refund-${charge}` })
    } catch (error) {
      if ((error as { code?: unknown }).code !== 'charge_already_refunded') throw error
    }
  })
}

async function contextOf({ config, db, payments }: Needs, userId: string): Promise<StateContext> {
  const [user, reviewed, former] = await Promise.all([
    db.selectFrom('users').select('vip_disabled_at').where('id', '=', userId).executeTakeFirst(),
    db
      .selectFrom('payments')
      .select('invoice_id')
      .where('user_id', '=', userId)
      .where('dispute_reviewed_at', 'is not', null)
      .execute(),
    db.selectFrom('subscriptions').select('stripe_id').where('user_id', '=', userId).execute(),
  ])
  return {
    planOf: payments.planOf,
    graceDays: config.graceDays,
    reviewedInvoices: new Set(reviewed.map(({ invoice_id }) => invoice_id)),
    userId,
    formerSubscriptions: new Set(former.map(({ stripe_id }) => stripe_id)),
    disabledSince: user?.vip_disabled_at?.getTime() ?? null,
  }
}
