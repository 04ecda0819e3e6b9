import type { App } from '../../platform/app.ts'
import { lockMember, longPatienceMs, type MemberLock } from './lock-member.server.ts'
import { isMissing } from './payments.server.ts'
import { readSnapshot } from './read-snapshot.server.ts'
import { type CustomerState, stateOf, type StripeSnapshot } from './stripe-state.ts'
import { type ChangeCause, writeState } from './write-state.server.ts'

type Needs = Pick<App, 'config' | 'db' | 'clock' | 'log' | 'mail' | 'payments'>

/** What a sync has found. */
export interface Synced {
  userId: string
  /** Undefined for a member who has no customer at Stripe, or one that Stripe does not know. */
  state: CustomerState | undefined
  /** How many of our rows had to be changed. */
  changed: number
}

/**
 * Makes our state of a customer equal to Stripe's, whatever has happened since (BILLING.md, "Webhook", 3): every event,
 * every doubt and every reconciliation leads here, so no order of events matters.
 * @returns undefined when the customer is none of ours
 * @throws {AppError} `payments.unavailable`, `billing.busy`, 503: nothing has changed
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
  return row === undefined ? undefined : syncMember(app, { userId: row.user_id, cause })
}

/** The same, by the member. */
export async function syncMember(
  app: Needs,
  { userId, cause }: { userId: string; cause: ChangeCause },
): Promise<Synced> {
  // A reconciliation comes again only in an hour; whatever else calls is asked to come again at once.
  const waitMs = cause === 'reconciliation' ? longPatienceMs : undefined
  return lockMember(app, userId, (lock) => syncLocked(app, lock, cause), waitMs)
}

/** The same for whoever holds the member's lock already. */
export async function syncLocked(app: Needs, lock: MemberLock, cause: ChangeCause): Promise<Synced> {
  const { userId, stripeCustomerId } = lock
  if (stripeCustomerId === null) return { userId, state: undefined, changed: 0 }
  const reviewedInvoices = await reviewedInvoicesOf(app, userId)
  const read = async (): Promise<{ snapshot: StripeSnapshot; state: CustomerState } | undefined> => {
    const snapshot = await readSnapshot(app, stripeCustomerId)
    if (snapshot === undefined) return undefined
    const { graceDays } = app.config
    return { snapshot, state: stateOf(snapshot, { planOf: app.payments.planOf, graceDays, reviewedInvoices }) }
  }
  let found = await read()
  if (found === undefined) {
    // The keys of another account, or the end of a sandbox: nothing that was paid is taken away for that. Access ends by
    // its date, as it would without any word from Stripe.
    app.log.warn(
      { userId, stripeCustomerId },
      'Stripe does not know this customer: what the member has is left as it is.',
    )
    await lock.commit((trx) =>
      trx
        .updateTable('billing_customers')
        .set({ synced_at: new Date(app.clock.now()) })
        .where('user_id', '=', userId)
        .execute(),
    )
    return { userId, state: undefined, changed: 0 }
  }
  if (found.state.toCancel.length > 0) {
    for (const { subscriptionId, why } of found.state.toCancel) {
      // What a second one has cost is given back by nobody but an administrator: he has to hear of it.
      const level = why === 'second_subscription' ? 'error' : 'warn'
      app.log[level]({ userId, subscriptionId, why }, 'A subscription is cancelled at Stripe.')
      await cancelSubscription(app, subscriptionId)
    }
    found = (await read()) ?? found
  }
  const { snapshot, state } = found
  const changed = await lock.commit((trx) =>
    writeState(app, trx, { userId, state, isCustomerDeleted: snapshot.isCustomerDeleted, cause }),
  )
  if (snapshot.isCustomerDeleted) lock.stripeCustomerId = null
  return { userId, state, changed }
}

/** Ends a subscription at once, without a further invoice; one that is over already stays so. */
export async function cancelSubscription({ payments }: Pick<App, 'payments'>, subscriptionId: string): Promise<void> {
  await payments.ask(async (stripe) => {
    try {
      await stripe.subscriptions.cancel(subscriptionId, { invoice_now: false, prorate: false })
    } catch (error) {
      if (!isMissing(error)) throw error
    }
  })
}

async function reviewedInvoicesOf({ db }: Pick<App, 'db'>, userId: string): Promise<ReadonlySet<string>> {
  const rows = await db
    .selectFrom('payments')
    .select('invoice_id')
    .where('user_id', '=', userId)
    .where('dispute_reviewed_at', 'is not', null)
    .execute()
  return new Set(rows.map(({ invoice_id }) => invoice_id))
}
