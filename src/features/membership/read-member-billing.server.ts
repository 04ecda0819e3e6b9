import type { Viewer } from '../accounts/viewer.ts'
import type { App } from '../../platform/app.ts'
import { isAppError } from '../../platform/errors.ts'
import {
  type BillingDifference,
  type BillingSide,
  differencesBetween,
  type PaymentForAdmin,
} from './billing-differences.ts'
import { dayInWords } from './day-in-words.ts'
import { findMember, type MemberForAdmin } from './find-member.server.ts'
import type { PlanType } from './plans.ts'
import { readSnapshot } from './read-snapshot.server.ts'
import { readStanding } from './read-standing.server.ts'
import { sentenceOf, type StandingReason } from './standing.ts'
import { type CustomerState, stateOf } from './stripe-state.ts'
import type { ChangeCause } from './write-state.server.ts'

/** One event as it lies in the inbox. */
export interface StripeEventForAdmin {
  id: string
  type: string
  createdAt: string
  receivedAt: string
  handledAt: string | null
  outcome: string | null
}

/** One change of what we believed, and why we looked. */
export interface BillingChangeForAdmin {
  id: string
  subscriptionId: string | null
  cause: ChangeCause
  isDrift: boolean
  what: string
  ours: string | null
  stripes: string | null
  changedAt: string
}

/** Everything about one member's money: what he has and why, our state beside Stripe's, and how it came to be so. */
export interface MemberBilling {
  member: MemberForAdmin
  standing: {
    isVip: boolean
    reason: StandingReason
    /** Why access is given or refused. */
    sentence: string
    endsAt: string | null
    planType: PlanType | null
  }
  ours: Omit<BillingSide, 'payments'> & {
    stripeCustomer: string | null
    /** When our state was last made equal to Stripe's. */
    syncedAt: string | null
    payments: (PaymentForAdmin & { disputeReviewedAt: string | null })[]
  }
  /** Read at this moment; null for who has no customer there. */
  stripes: StripesSide | { unavailable: string } | null
  /** Empty also where Stripe could not be read. */
  differences: BillingDifference[]
  events: StripeEventForAdmin[]
  changes: BillingChangeForAdmin[]
  /** After a lost dispute that nobody has reviewed he cannot buy. */
  isBlocked: boolean
  payments: { isSandbox: boolean; isLive: boolean }
}

interface StripesSide extends BillingSide {
  isCustomerDeleted: boolean
  /** What a sync would end there, and why. */
  toCancel: CustomerState['toCancel']
}

const mostEvents = 20
const mostChanges = 30
/** Of each kind; more than anybody has. */
const mostRows = 500
/** Stripe may take so long before our own side is shown alone. */
const patienceMs = 10_000

/**
 * One member's billing, for administrators. Nothing changes by looking, neither here nor at Stripe.
 * @throws {AppError} `member.unknown`, 404
 */
export async function readMemberBilling(app: App, _viewer: Viewer, { id }: { id: string }): Promise<MemberBilling> {
  const { isDisabled, ...member } = await findMember(app, { id })
  const [standing, ours, changes] = await Promise.all([
    readStanding(app, { userId: member.id, isDisabled }),
    readOurs(app, member.id),
    readChanges(app, member.id),
  ])
  const { stripeCustomer } = ours
  const [stripes, events] =
    stripeCustomer === null
      ? [null, []]
      : await Promise.all([readStripes(app, stripeCustomer, ours), readEvents(app, stripeCustomer)])
  const { isSandbox, isLive } = app.payments.config
  return {
    member,
    standing: {
      isVip: standing.isVip,
      reason: standing.reason,
      sentence: sentenceOf(standing, (instant) => dayInWords(instant, app.config.timeZone)),
      endsAt: isoOf(standing.endsAt),
      planType: standing.planType,
    },
    ours,
    stripes,
    differences: stripes === null || 'unavailable' in stripes ? [] : differencesOf(ours, stripes, app.clock.now()),
    events,
    changes,
    isBlocked: ours.payments.some(({ dispute, disputeReviewedAt }) => dispute === 'lost' && disputeReviewedAt === null),
    payments: { isSandbox, isLive },
  }
}

function differencesOf(ours: MemberBilling['ours'], stripes: StripesSide, now: number): BillingDifference[] {
  const { stripeCustomer } = ours
  return [
    ...(stripes.isCustomerDeleted && stripeCustomer !== null
      ? [{ id: stripeCustomer, what: 'customer', ours: stripeCustomer, stripes: null }]
      : []),
    ...differencesBetween(ours, stripes, now),
  ]
}

async function readOurs({ db }: Pick<App, 'db'>, userId: string): Promise<MemberBilling['ours']> {
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
      .limit(mostRows)
      .execute(),
    db
      .selectFrom('access_grants')
      .selectAll()
      .where('user_id', '=', userId)
      .orderBy('held_until', 'desc')
      .limit(mostRows)
      .execute(),
    db
      .selectFrom('payments')
      .selectAll()
      .where('user_id', '=', userId)
      .orderBy('invoiced_at', 'desc')
      .limit(mostRows)
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
    })),
    grants: grants.map((row) => ({
      source: row.source,
      subscriptionId: row.subscription_id,
      planType: row.plan_type,
      basis: row.basis,
      renews: row.renews,
      startsAt: row.starts_at.toISOString(),
      endsAt: row.ends_at.toISOString(),
      heldUntil: row.held_until.toISOString(),
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
 * What Stripe says at this moment, in the shape of our own side. This page is where one looks when something is wrong:
 * whatever keeps Stripe from being read is told beside our own state, and hides nothing of it.
 */
async function readStripes(
  app: App,
  stripeCustomer: string,
  { payments }: MemberBilling['ours'],
): Promise<StripesSide | { unavailable: string }> {
  const impatience = new AbortController()
  try {
    const reading = readSnapshot(app, stripeCustomer)
    const snapshot = await Promise.race([reading, lapse(impatience.signal)])
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
    const state = stateOf(snapshot, { planOf: app.payments.planOf, graceDays, reviewedInvoices })
    return { ...sideOf(state), isCustomerDeleted: snapshot.isCustomerDeleted, toCancel: state.toCancel }
  } catch (error) {
    if (isAppError(error) && error.status === 503) {
      return { unavailable: 'Stripe does not answer, or refuses our key. This is our own state alone.' }
    }
    app.log.error({ err: error, stripeCustomer }, 'What Stripe says of a customer could not be read.')
    return { unavailable: 'What Stripe answers could not be read; the log says why. This is our own state alone.' }
  } finally {
    impatience.abort()
  }
}

function lapse(signal: AbortSignal): Promise<'late'> {
  return new Promise((late) => {
    const timer = setTimeout(late, patienceMs, 'late')
    signal.addEventListener('abort', () => clearTimeout(timer))
  })
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
      })),
    grants: grants
      .toSorted((a, b) => b.heldUntil - a.heldUntil)
      .map((state) => ({
        source: 'stripe',
        subscriptionId: state.subscriptionId,
        planType: state.planType,
        basis: state.basis,
        renews: state.renews,
        startsAt: isoOf(state.startsAt),
        endsAt: isoOf(state.endsAt),
        heldUntil: isoOf(state.heldUntil),
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

async function readEvents({ db }: Pick<App, 'db'>, stripeCustomer: string): Promise<StripeEventForAdmin[]> {
  const rows = await db
    .selectFrom('stripe_events')
    .select(['id', 'type', 'created_at', 'received_at', 'handled_at', 'outcome'])
    .where('stripe_customer_id', '=', stripeCustomer)
    .orderBy('received_at', 'desc')
    .orderBy('id', 'desc')
    .limit(mostEvents)
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

async function readChanges({ db }: Pick<App, 'db'>, userId: string): Promise<BillingChangeForAdmin[]> {
  const rows = await db
    .selectFrom('billing_changes')
    .selectAll()
    .where('user_id', '=', userId)
    .orderBy('changed_at', 'desc')
    .orderBy('id', 'desc')
    .limit(mostChanges)
    .execute()
  return rows.map(({ id, subscription_id, cause, is_drift, what, ours, stripes, changed_at }) => ({
    id,
    subscriptionId: subscription_id,
    cause,
    isDrift: is_drift,
    what,
    ours,
    stripes,
    changedAt: changed_at.toISOString(),
  }))
}

function isoOf(instant: number): string
function isoOf(instant: Date | number | null | undefined): string | null
function isoOf(instant: Date | number | null | undefined): string | null {
  return instant === null || instant === undefined ? null : new Date(instant).toISOString()
}
