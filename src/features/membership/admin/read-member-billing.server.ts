import { setTimeout } from 'node:timers/promises'
import type { MembershipApp } from '../app.ts'
import { differencesBetween } from './billing-differences.ts'
import type {
  BillingChangeForAdmin,
  BillingDifference,
  BillingSide,
  MemberBilling,
  StripeEventForAdmin,
  StripeSide,
} from './billing-schema.ts'
import { dayInWords } from '../plans/format-day.ts'
import { findMember } from '../access/find-member.server.ts'
import { readPurchaseBlock } from '../checkout/purchase-block.server.ts'
import { paymentsFailure } from '../stripe/payments.server.ts'
import { readSnapshot } from '../stripe/read-snapshot.server.ts'
import { readAccessStatus } from '../access/read-access-status.server.ts'
import { sentenceOf } from '../access/access-status.ts'
import { type CustomerState, stateOf } from '../stripe/stripe-state.ts'
import { isoOf } from '../../../platform/time/iso-of.ts'

const maxEvents = 20
const maxChanges = 30
/** Rows of each kind; more than anybody has. */
const maxRows = 500
/** Stripe may take so long before our own side is shown alone. */
export const stripeTimeoutMs = 10_000

/**
 * One member's billing, for administrators. Nothing changes by looking, neither here nor at Stripe.
 * @throws {AppError} `member.unknown`, 404
 */
export async function readMemberBilling(
  app: MembershipApp,
  { id, timeoutMs = stripeTimeoutMs }: { id: string; timeoutMs?: number },
): Promise<MemberBilling> {
  const { isDisabled, disabledSince, ...member } = await findMember(app, { id })
  const [accessStatus, local, changes, block] = await Promise.all([
    readAccessStatus(app, { userId: member.id, isDisabled }),
    readLocal(app, member.id),
    readChanges(app, member.id),
    readPurchaseBlock(app.db, member.id),
  ])
  const { stripeCustomer } = local
  const [remote, events] =
    stripeCustomer === null
      ? [null, []]
      : await Promise.all([
          readRemote(app, { userId: member.id, stripeCustomer, disabledSince, timeoutMs }, local),
          readEvents(app, stripeCustomer),
        ])
  const { isSandbox, isLive, isOff } = app.payments.config
  return {
    member,
    accessStatus: {
      isVip: accessStatus.isVip,
      reason: accessStatus.reason,
      sentence: sentenceOf(accessStatus, (instant) => dayInWords(instant, app.config.timeZone)),
      endsAt: isoOf(accessStatus.endsAt),
      planType: accessStatus.planType,
    },
    local,
    remote,
    differences: remote === null || 'unavailable' in remote ? [] : differencesOf(local, remote, app.clock.now()),
    events,
    changes,
    isBlocked: block !== undefined,
    payments: { isSandbox, isLive, ...(isOff ? { isOff } : {}) },
  }
}

function differencesOf(local: MemberBilling['local'], remote: StripeSide, now: number): BillingDifference[] {
  const { stripeCustomer } = local
  return [
    ...(remote.isCustomerDeleted && stripeCustomer !== null
      ? [{ id: stripeCustomer, what: 'customer', local: stripeCustomer, remote: null }]
      : []),
    ...differencesBetween(local, remote, now),
  ]
}

async function readLocal({ db }: Pick<MembershipApp, 'db'>, userId: string): Promise<MemberBilling['local']> {
  const [customer, subscriptions, grants, payments] = await Promise.all([
    db
      .selectFrom('billing_customers')
      .select(['stripe_customer_id', 'synced_at'])
      .where('user_id', '=', userId)
      .executeTakeFirst(),
    db
      .selectFrom('subscriptions')
      .selectAll()
      .where('user_id', '=', userId)
      .orderBy('started_at', 'desc')
      .limit(maxRows)
      .execute(),
    db
      .selectFrom('access_grants')
      .selectAll()
      .where('user_id', '=', userId)
      .orderBy('effective_until', 'desc')
      .limit(maxRows)
      .execute(),
    db
      .selectFrom('payments')
      .selectAll()
      .where('user_id', '=', userId)
      .orderBy('invoiced_at', 'desc')
      .limit(maxRows)
      .execute(),
  ])
  return {
    stripeCustomer: customer?.stripe_customer_id ?? null,
    syncedAt: isoOf(customer?.synced_at),
    subscriptions: subscriptions.map((row) => ({
      stripeId: row.stripe_id,
      planType: row.plan_type,
      status: row.status,
      startedAt: row.started_at.toISOString(),
      periodStartsAt: row.period_starts_at.toISOString(),
      periodEndsAt: row.period_ends_at.toISOString(),
      cancelsAt: isoOf(row.cancels_at),
      endedAt: isoOf(row.ended_at),
      pastDueSince: isoOf(row.past_due_since),
      unknownPrice: row.unknown_price,
    })),
    grants: grants.map((row) => ({
      source: row.source,
      subscriptionId: row.subscription_id,
      planType: row.plan_type,
      basis: row.basis,
      renews: row.renews,
      startsAt: row.starts_at.toISOString(),
      endsAt: row.ends_at.toISOString(),
      effectiveUntil: row.effective_until.toISOString(),
      revokedReason: row.revoked_reason,
    })),
    payments: payments.map((row) => ({
      invoiceId: row.invoice_id,
      subscriptionId: row.subscription_id,
      planType: row.plan_type,
      number: row.number,
      status: row.status,
      amountCents: row.amount_cents,
      refundedCents: row.refunded_cents,
      currency: row.currency,
      periodStartsAt: row.period_starts_at.toISOString(),
      periodEndsAt: row.period_ends_at.toISOString(),
      invoicedAt: row.invoiced_at.toISOString(),
      paidAt: isoOf(row.paid_at),
      failedAt: isoOf(row.failed_at),
      dispute: row.dispute,
      disputeReviewedAt: isoOf(row.dispute_reviewed_at),
    })),
  }
}

/**
 * Stripe's present state, in the shape of our own side. Administrators open this page when something is wrong:
 * whatever keeps Stripe from being read is told beside our own state, and hides nothing of it.
 */
async function readRemote(
  app: MembershipApp,
  {
    userId,
    stripeCustomer,
    disabledSince,
    timeoutMs,
  }: { userId: string; stripeCustomer: string; disabledSince: number | null; timeoutMs: number },
  { payments, subscriptions }: MemberBilling['local'],
): Promise<StripeSide | { unavailable: string }> {
  if (app.payments.config.isOff) {
    return { unavailable: 'Payments are switched off here, so Stripe is not asked. This is our own state alone.' }
  }
  const timeout = new AbortController()
  try {
    const snapshot = await Promise.race([
      readSnapshot(app, stripeCustomer),
      setTimeout(timeoutMs, 'late' as const, { signal: timeout.signal }),
    ])
    if (snapshot === 'late') return { unavailable: 'Stripe takes too long to answer. This is our own state alone.' }
    if (snapshot === undefined) {
      return {
        unavailable: `Stripe does not know the customer ${stripeCustomer}: are these the keys of another account?`,
      }
    }
    const reviewedInvoices = new Set(
      payments.flatMap(({ invoiceId, disputeReviewedAt }) => (disputeReviewedAt === null ? [] : [invoiceId])),
    )
    const { graceDays } = app.config
    const state = stateOf(snapshot, {
      planOf: app.payments.planOf,
      graceDays,
      reviewedInvoices,
      userId,
      formerSubscriptions: new Set(subscriptions.map(({ stripeId }) => stripeId)),
      disabledSince,
    })
    return { ...sideOf(state), isCustomerDeleted: snapshot.isCustomerDeleted, toCancel: state.toCancel }
  } catch (error) {
    const failure = paymentsFailure(error)
    if (failure !== undefined) return { unavailable: `${failure.forAdmin} This is our own state alone.` }
    app.log.error({ err: error, stripeCustomer }, 'The state of a customer at Stripe could not be read.')
    return { unavailable: 'The state at Stripe could not be read; the log says why. This is only our own state.' }
  } finally {
    timeout.abort()
  }
}

function sideOf({ subscriptions, grants, payments }: CustomerState): BillingSide {
  return {
    subscriptions: subscriptions
      .toSorted((a, b) => b.startedAt - a.startedAt)
      .map((state) => ({
        stripeId: state.stripeId,
        planType: state.planType,
        status: state.status,
        startedAt: isoOf(state.startedAt),
        periodStartsAt: isoOf(state.periodStartsAt),
        periodEndsAt: isoOf(state.periodEndsAt),
        cancelsAt: isoOf(state.cancelsAt),
        endedAt: isoOf(state.endedAt),
        pastDueSince: isoOf(state.pastDueSince),
        unknownPrice: state.unknownPrice,
      })),
    grants: grants
      .toSorted((a, b) => b.effectiveUntil - a.effectiveUntil)
      .map((state) => ({
        source: 'stripe',
        subscriptionId: state.subscriptionId,
        planType: state.planType,
        basis: state.basis,
        renews: state.renews,
        startsAt: isoOf(state.startsAt),
        endsAt: isoOf(state.endsAt),
        effectiveUntil: isoOf(state.effectiveUntil),
        revokedReason: state.revokedReason,
      })),
    payments: payments
      .toSorted((a, b) => b.invoicedAt - a.invoicedAt)
      .map((state) => ({
        ...state,
        periodStartsAt: isoOf(state.periodStartsAt),
        periodEndsAt: isoOf(state.periodEndsAt),
        invoicedAt: isoOf(state.invoicedAt),
        paidAt: isoOf(state.paidAt),
        failedAt: isoOf(state.failedAt),
      })),
  }
}

async function readEvents({ db }: Pick<MembershipApp, 'db'>, stripeCustomer: string): Promise<StripeEventForAdmin[]> {
  const rows = await db
    .selectFrom('stripe_events')
    .select(['id', 'type', 'created_at', 'received_at', 'handled_at', 'outcome'])
    .where('stripe_customer_id', '=', stripeCustomer)
    .orderBy('received_at', 'desc')
    .orderBy('id', 'desc')
    .limit(maxEvents)
    .execute()
  return rows.map(({ id, type, outcome, ...at }) => ({
    id,
    type,
    createdAt: at.created_at.toISOString(),
    receivedAt: at.received_at.toISOString(),
    handledAt: isoOf(at.handled_at),
    outcome,
  }))
}

async function readChanges({ db }: Pick<MembershipApp, 'db'>, userId: string): Promise<BillingChangeForAdmin[]> {
  const rows = await db
    .selectFrom('billing_changes')
    .selectAll()
    .where('user_id', '=', userId)
    .orderBy('changed_at', 'desc')
    .orderBy('id', 'desc')
    .limit(maxChanges)
    .execute()
  return rows.map(({ id, subscription_id, cause, is_drift, what, local, remote, changed_at }) => ({
    id,
    subscriptionId: subscription_id,
    cause,
    isDrift: is_drift,
    what,
    local,
    remote,
    changedAt: changed_at.toISOString(),
  }))
}
