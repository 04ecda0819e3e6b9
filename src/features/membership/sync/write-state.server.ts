import type { Insertable } from 'kysely'
import { uuidv7 } from 'uuidv7'
import { closeGaps } from '../access/grant-access.server.ts'
import { membershipMails } from '../membership-mails.ts'
import type { MembershipApp, MembershipDatabase, MembershipTransaction } from '../app.ts'
import { countPurchase } from '../plans/entry-conversions.server.ts'
import {
  type CustomerState,
  type GrantState,
  isLive,
  type PaymentState,
  type SubscriptionState,
} from '../stripe/stripe-state.ts'
import { changeText } from './change-text.ts'

/** The cause of a sync. A change found by a reconciliation is a drift: no event had reported it. */
export type ChangeCause = MembershipDatabase['billing_changes']['cause']

/** After this time nobody is notified by email any more that they have paid, or that a card was refused. */
const newsMs = 7 * 86_400_000

/** One thing that was otherwise in our tables. */
interface Change {
  subscriptionId: string | null
  what: string
  local: string | null
  remote: string | null
  /** Administrators have to see it, whatever the cause. */
  isDrift?: boolean
}

/**
 * Writes what Stripe knows into our tables, queues the emails about it, and records every difference.
 * @param trx the transaction of the member's lock
 * @returns how many differences there were
 */
export async function writeState(
  app: Pick<MembershipApp, 'clock' | 'config' | 'mail'>,
  trx: MembershipTransaction,
  {
    userId,
    state,
    isCustomerDeleted,
    cause,
  }: {
    userId: string
    state: CustomerState
    isCustomerDeleted: boolean
    cause: ChangeCause
  },
): Promise<number> {
  const now = new Date(app.clock.now())
  // Only the best of several live subscriptions is the member's; the database would refuse a second.
  const isOwn = ({ stripeId, status }: SubscriptionState): boolean =>
    !isLive({ status }) || stripeId === state.best?.stripeId
  const subscriptions = state.subscriptions.filter(isOwn)
  const own = new Set(subscriptions.map(({ stripeId }) => stripeId))
  // A subscription with an unknown price is not cancelled, so its access stays too.
  const unknown = new Set(state.subscriptions.filter(hasUnknownPrice).map(({ stripeId }) => stripeId))
  const grants = state.grants.filter(({ subscriptionId: id }) => own.has(id) || unknown.has(id))
  const listed = new Set([...state.subscriptions.map(({ stripeId }) => stripeId), ...state.others])
  // With its customer every subscription ends, whether or not Stripe still lists it.
  const isAnswered = (id: string | null): boolean => isCustomerDeleted || (id !== null && listed.has(id))
  const changes = [
    ...(await writeSubscriptions(trx, userId, subscriptions, now)),
    ...(await writeGrants(trx, userId, { states: grants, isAnswered }, now)),
    ...(await writePayments(app, trx, userId, state.payments)),
  ]
  if (!subscriptions.some(isLive)) await beginWhatWaited(trx, userId, now)
  await queueEmails(app, trx, userId, subscriptions, now)
  await trx
    .updateTable('billing_customers')
    .set({ synced_at: now, ...(isCustomerDeleted ? { stripe_customer_id: null } : {}) })
    .where('user_id', '=', userId)
    .execute()
  if (changes.length > 0) {
    const rows = changes.map(
      ({ subscriptionId, isDrift, ...change }): Insertable<MembershipDatabase['billing_changes']> => ({
        id: uuidv7(),
        user_id: userId,
        subscription_id: subscriptionId,
        cause,
        is_drift: isDrift ?? cause === 'reconciliation',
        ...change,
        changed_at: now,
      }),
    )
    await trx.insertInto('billing_changes').values(rows).execute()
  }
  return changes.length
}

/**
 * Manual access that follows a plan begins when no plan is paid any more, also after an early end. A disabled member's
 * days wait for the renewal that enables them.
 */
async function beginWhatWaited(trx: MembershipTransaction, userId: string, now: Date): Promise<void> {
  const user = await trx.selectFrom('users').select('vip_disabled').where('id', '=', userId).executeTakeFirst()
  if (user?.vip_disabled === false) await closeGaps(trx, { userId, now: now.getTime() })
}

function hasUnknownPrice({ unknownPrice }: SubscriptionState): boolean {
  return unknownPrice !== null
}

async function writeSubscriptions(
  trx: MembershipTransaction,
  userId: string,
  states: SubscriptionState[],
  now: Date,
): Promise<Change[]> {
  const rows = await trx.selectFrom('subscriptions').selectAll().where('user_id', '=', userId).execute()
  const known = new Map(rows.map((row) => [row.stripe_id, row]))
  const changes: Change[] = []
  // One that buys nothing of ours any more, or belonged to a customer whom Stripe does not know: it prevents no purchase.
  const left = rows.filter((row) => isLive(row) && !states.some(({ stripeId }) => stripeId === row.stripe_id))
  for (const { stripe_id, status } of left) {
    await trx
      .updateTable('subscriptions')
      .set({ status: 'canceled', ended_at: now, cancels_at: null, past_due_since: null })
      .where('stripe_id', '=', stripe_id)
      .execute()
    changes.push({ subscriptionId: stripe_id, what: 'subscription.status', local: status, remote: null })
  }
  // Ended subscriptions are written first: the live one takes their place under the unique index.
  for (const state of states.toSorted((a, b) => Number(isLive(a)) - Number(isLive(b)))) {
    const fields = {
      user_id: userId,
      plan_type: state.planType,
      status: state.status,
      period_starts_at: new Date(state.periodStartsAt),
      period_ends_at: new Date(state.periodEndsAt),
      cancels_at: dateOf(state.cancelsAt),
      ended_at: dateOf(state.endedAt),
      past_due_since: dateOf(state.pastDueSince),
      started_at: new Date(state.startedAt),
    }
    const former = known.get(state.stripeId)
    changes.push(...differences('subscription', state.stripeId, former, fields))
    const { unknownPrice } = state
    if (unknownPrice !== null && unknownPrice !== former?.unknown_price) {
      const change = { subscriptionId: state.stripeId, what: 'price.unknown', local: null, remote: unknownPrice }
      changes.push({ ...change, isDrift: true })
    }
    const row = { stripe_id: state.stripeId, ...fields, unknown_price: unknownPrice }
    await trx
      .insertInto('subscriptions')
      .values(row)
      .onConflict((conflict) => conflict.column('stripe_id').doUpdateSet(row))
      .execute()
  }
  return changes
}

/** @param grants.isAnswered whether Stripe has listed a subscription, whatever it buys */
async function writeGrants(
  trx: MembershipTransaction,
  userId: string,
  { states, isAnswered }: { states: GrantState[]; isAnswered: (subscriptionId: string | null) => boolean },
  now: Date,
): Promise<Change[]> {
  const rows = await trx
    .selectFrom('access_grants')
    .selectAll()
    .where('user_id', '=', userId)
    .where('source', '=', 'stripe')
    .execute()
  const known = new Map(rows.map((row) => [row.subscription_id, row]))
  const changes: Change[] = []
  for (const state of states) {
    const former = known.get(state.subscriptionId)
    const fields = {
      plan_type: state.planType,
      basis: state.basis,
      renews: state.renews,
      starts_at: new Date(state.startsAt),
      ends_at: new Date(state.endsAt),
      effective_until: new Date(state.effectiveUntil),
      revoked_reason: state.revokedReason,
    }
    changes.push(...differences('access', state.subscriptionId, former, fields))
    const revokedAt =
      state.revokedReason === null ? null : former?.revoked_reason === state.revokedReason ? former.revoked_at : now
    await trx
      .insertInto('access_grants')
      .values({
        id: uuidv7(),
        user_id: userId,
        source: 'stripe',
        subscription_id: state.subscriptionId,
        ...fields,
        revoked_at: revokedAt,
        created_at: now,
      })
      .onConflict((conflict) => conflict.column('subscription_id').doUpdateSet({ ...fields, revoked_at: revokedAt }))
      .execute()
  }
  // A subscription that gives nothing any more, such as one without a first payment. Grants that Stripe does not list
  // belong to a customer of other keys, and end by their date.
  const gone = rows.filter(
    ({ subscription_id: id }) => isAnswered(id) && !states.some(({ subscriptionId }) => subscriptionId === id),
  )
  for (const { id, subscription_id, effective_until, revoked_at } of gone) {
    if (revoked_at !== null || effective_until <= now) continue
    await trx
      .updateTable('access_grants')
      .set({ ends_at: now, effective_until: now, renews: false })
      .where('id', '=', id)
      .execute()
    changes.push({
      subscriptionId: subscription_id,
      what: 'access.effective_until',
      local: changeText(effective_until),
      remote: null,
    })
  }
  return changes
}

async function writePayments(
  app: Pick<MembershipApp, 'clock' | 'config'>,
  trx: MembershipTransaction,
  userId: string,
  states: PaymentState[],
): Promise<Change[]> {
  const rows = await trx.selectFrom('payments').selectAll().where('user_id', '=', userId).execute()
  const known = new Map(rows.map((row) => [row.invoice_id, row]))
  const changes: Change[] = []
  for (const state of states) {
    const former = known.get(state.invoiceId)
    const fields = {
      user_id: userId,
      subscription_id: state.subscriptionId,
      plan_type: state.planType,
      number: state.number,
      status: state.status,
      amount_cents: state.amountCents,
      refunded_cents: state.refundedCents,
      currency: state.currency,
      period_starts_at: new Date(state.periodStartsAt),
      period_ends_at: new Date(state.periodEndsAt),
      invoiced_at: new Date(state.invoicedAt),
      paid_at: dateOf(state.paidAt),
      failed_at: dateOf(state.failedAt),
      dispute: state.dispute,
    }
    const reported = differences('payment', state.invoiceId, former, fields)
    if (reported.length === 0) continue
    changes.push(...reported.map((change) => ({ ...change, subscriptionId: state.subscriptionId })))
    await trx
      .insertInto('payments')
      .values({ id: uuidv7(), invoice_id: state.invoiceId, ...fields })
      .onConflict((conflict) => conflict.column('invoice_id').doUpdateSet(fields))
      .execute()
    if (state.status === 'paid' && state.amountCents > 0 && former?.status !== 'paid')
      await countPurchase(app, trx, userId)
  }
  return changes
}

/** Each email once: queueing it is recorded in the same transaction. */
async function queueEmails(
  app: Pick<MembershipApp, 'mail'>,
  trx: MembershipTransaction,
  userId: string,
  subscriptions: SubscriptionState[],
  now: Date,
): Promise<void> {
  const recently = new Date(now.getTime() - newsMs)
  const paid = await trx
    .updateTable('payments')
    .set({ receipt_queued_at: now })
    .where('user_id', '=', userId)
    .where('status', '=', 'paid')
    .where('amount_cents', '>', 0)
    .where('paid_at', '>', recently)
    .where('receipt_queued_at', 'is', null)
    .returning('invoice_id')
    .execute()
  for (const { invoice_id } of paid) await app.mail.queue(trx, membershipMails.receipt, { invoiceId: invoice_id })

  const owing = subscriptions.filter(({ status }) => status === 'past_due').map(({ stripeId }) => stripeId)
  if (owing.length === 0) return
  const failed = await trx
    .updateTable('payments')
    .set({ failure_queued_at: now })
    .where('user_id', '=', userId)
    .where('subscription_id', 'in', owing)
    .where('status', '=', 'open')
    .where('invoiced_at', '>', recently)
    .where('failure_queued_at', 'is', null)
    .returning('invoice_id')
    .execute()
  for (const { invoice_id } of failed)
    await app.mail.queue(trx, membershipMails.paymentFailed, { invoiceId: invoice_id })
}

type Value = string | number | boolean | Date | null
type Row = Readonly<Record<string, Value>>

/** The differences between a row of ours and Stripe; a missing row is one difference. */
function differences(kind: string, id: string, row: Row | undefined, fields: Row): Change[] {
  if (row === undefined) {
    return [
      {
        subscriptionId: id,
        what: kind,
        local: null,
        remote: changeText(fields['status'] ?? fields['effective_until']),
      },
    ]
  }
  return Object.entries(fields).flatMap(([name, value]) => {
    const local = changeText(row[name])
    const remote = changeText(value)
    return local === remote ? [] : [{ subscriptionId: id, what: `${kind}.${name}`, local, remote }]
  })
}

function dateOf(instant: number | null): Date | null {
  return instant === null ? null : new Date(instant)
}
