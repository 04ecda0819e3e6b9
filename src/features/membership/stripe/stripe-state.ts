import type Stripe from 'stripe'
import type { PlanType } from '../plans/plans.ts'
import type { Grant, Revocation } from '../access/access-status.ts'

/*
 * Our meaning of Stripe's objects (docs/spec/billing.md#states). Pure: the same objects always give the same
 * answer, so the order in which anybody told us of them makes no difference. Instants are milliseconds since 1970.
 */

/** Everything that Stripe knows of one customer of ours, as it was read. */
export interface StripeSnapshot {
  isCustomerDeleted: boolean
  subscriptions: Stripe.Subscription[]
  /** With `payments`. */
  invoices: Stripe.Invoice[]
  charges: Stripe.Charge[]
  disputes: Stripe.Dispute[]
}

/** Which plan a price buys; undefined for what is no product of ours. */
export type PlanOfPrice = (priceId: string) => PlanType | undefined

/*
 * The states that this version of Stripe's interface knows. Live ones from the one that is worth most.
 */
const liveStatuses = ['active', 'trialing', 'past_due', 'unpaid', 'paused'] as const
const overStatuses = ['incomplete', 'incomplete_expired', 'canceled'] as const
const subscriptionStatuses = [...liveStatuses, ...overStatuses] as const
export type SubscriptionStatus = (typeof subscriptionStatuses)[number]

const invoiceStatuses = ['draft', 'open', 'paid', 'uncollectible', 'void'] as const
export type InvoiceStatus = (typeof invoiceStatuses)[number]

export interface SubscriptionState {
  stripeId: string
  planType: PlanType
  status: SubscriptionStatus
  periodStartsAt: number
  periodEndsAt: number
  cancelsAt: number | null
  endedAt: number | null
  pastDueSince: number | null
  startedAt: number
  /** Its price, where it was bought here and the settings do not name that price (any more). */
  unknownPrice: string | null
}

export interface PaymentState {
  invoiceId: string
  subscriptionId: string
  planType: PlanType
  number: string | null
  status: InvoiceStatus
  amountCents: number
  refundedCents: number
  currency: string
  periodStartsAt: number
  periodEndsAt: number
  invoicedAt: number
  paidAt: number | null
  failedAt: number | null
  dispute: 'open' | 'won' | 'lost' | null
}

export interface GrantState extends Omit<Grant, 'revokedAt'> {
  basis: 'plan' | 'grace'
  planType: PlanType
  subscriptionId: string
}

/** The state that our tables should hold for a customer, and the subscriptions to end at Stripe first. */
export interface CustomerState {
  subscriptions: SubscriptionState[]
  /** The ids of this customer's subscriptions that buy nothing of ours, or no longer do. */
  others: string[]
  payments: PaymentState[]
  grants: GrantState[]
  /** The subscription that counts; of several live ones the best. */
  best: SubscriptionState | undefined
  toCancel: { subscriptionId: string; why: 'refund' | 'dispute_lost' | 'second_subscription' | 'disabled' }[]
  /** Payments of a disabled member, to be refunded first. */
  toRefund: { invoiceId: string; chargeId: string }[]
}

/** Whether a subscription stands in the way of another purchase (docs/spec/billing.md#checkout-live-subscription). */
export function isLive({ status }: { status: SubscriptionStatus }): boolean {
  return liveStatuses.some((live) => live === status)
}

/** Whether something is left of a subscription that could still be charged: also a first payment that hangs. */
export function isCancellable({ status }: { status: SubscriptionStatus }): boolean {
  return isLive({ status }) || status === 'incomplete'
}

/** How long a period goes on while its renewal is under way (docs/spec/billing.md#states). */
const renewalSlackMs = 6 * 3_600_000
const dayMs = 86_400_000

/** Our own facts that decide the meaning of Stripe's objects. */
export interface StateContext {
  planOf: PlanOfPrice
  graceDays: number
  /** Those whose lost dispute an administrator has reviewed: it no longer ends anything. */
  reviewedInvoices: ReadonlySet<string>
  /** The member: our checkout writes it into what it sells. */
  userId: string
  /** The ids of the subscriptions that were theirs and ours when they were last looked at. */
  formerSubscriptions: ReadonlySet<string>
  /** Since when an administrator has disabled the membership; null while it is not disabled. */
  disabledSince: number | null
}

export function stateOf(snapshot: StripeSnapshot, context: StateContext): CustomerState {
  const { planOf, graceDays, reviewedInvoices, disabledSince } = context
  const local = snapshot.subscriptions.flatMap((subscription) => {
    const found = ourItemOf(subscription, context)
    return found === undefined ? [] : [{ subscription, ...found }]
  })
  const ids = new Map(local.map(({ subscription, planType }) => [subscription.id, planType]))
  const others = snapshot.subscriptions.map(({ id }) => id).filter((id) => !ids.has(id))
  const payments = snapshot.invoices.flatMap((invoice) => {
    const subscriptionId = subscriptionIdOf(invoice)
    const planType = subscriptionId === undefined ? undefined : ids.get(subscriptionId)
    if (subscriptionId === undefined || planType === undefined || invoice.status === null) return []
    return [paymentOf(invoice, subscriptionId, planType, snapshot, planOf)]
  })
  const isDisputed = payments.some(({ dispute }) => dispute === 'open')
  const isLost = payments.some(({ dispute, invoiceId }) => dispute === 'lost' && !reviewedInvoices.has(invoiceId))

  const subscriptions: SubscriptionState[] = []
  const grants: GrantState[] = []
  const toCancel: CustomerState['toCancel'] = []
  for (const { subscription, ...bought } of local) {
    const own = payments.filter(({ subscriptionId }) => subscriptionId === subscription.id)
    const state = subscriptionOf(subscription, bought, own)
    subscriptions.push(state)
    const isRefunded = isPeriodRefunded(state, own)
    const revokedReason = revocationOf(state, { isRefunded, isDisputed, isLost, own })
    const grant = grantOf(state, { revokedReason, graceDays, unpaidSince: unpaidSince(state, own) })
    if (grant !== undefined) grants.push(grant)
    // A disabled member is never charged: also a first payment that hangs must not be made any more.
    if (disabledSince !== null && isCancellable(state))
      toCancel.push({ subscriptionId: state.stripeId, why: 'disabled' })
    else if (isLive(state) && isLost) toCancel.push({ subscriptionId: state.stripeId, why: 'dispute_lost' })
    else if (isLive(state) && isRefunded) toCancel.push({ subscriptionId: state.stripeId, why: 'refund' })
  }
  // One that ends anyway must not push out another that is paid for.
  const isEnding = ({ stripeId }: SubscriptionState): boolean =>
    toCancel.some(({ subscriptionId }) => subscriptionId === stripeId)
  const [best, ...worse] = subscriptions.filter((one) => isLive(one) && !isEnding(one)).toSorted(byWorth)
  // Two live ones charge twice, which no member intends. A subscription with an unknown price is never cancelled by us.
  const seconds = worse.filter(({ unknownPrice }) => unknownPrice === null)
  toCancel.push(...seconds.map(({ stripeId }) => ({ subscriptionId: stripeId, why: 'second_subscription' as const })))
  const toRefund = disabledSince === null ? [] : paidSince(disabledSince, payments, snapshot)
  return { subscriptions, others, payments, grants, best, toCancel, toRefund }
}

/**
 * The charges of what was paid although the membership was disabled. Stripe's clock is not ours: what was paid within the
 * minute before counts as well.
 */
function paidSince(
  since: number,
  payments: readonly PaymentState[],
  { invoices, charges }: StripeSnapshot,
): CustomerState['toRefund'] {
  const late = payments.filter(
    ({ paidAt, amountCents, refundedCents, dispute }) =>
      paidAt !== null && paidAt >= since - 60_000 && refundedCents < amountCents && dispute === null,
  )
  return late.flatMap(({ invoiceId }) => {
    const invoice = invoices.find(({ id }) => id === invoiceId)
    const own = invoice === undefined ? [] : chargesOf(invoice, charges)
    return own.filter(({ paid, refunded }) => paid && !refunded).map(({ id: chargeId }) => ({ invoiceId, chargeId }))
  })
}

interface Bought {
  item: Stripe.SubscriptionItem
  planType: PlanType
  unknownPrice: string | null
}

/**
 * The plan that a subscription buys. A subscription that was bought here stays ours when the settings do not name its
 * price: a mistake in them takes nothing from anybody, and lets nobody buy twice.
 */
function ourItemOf(
  { id, items, metadata }: Stripe.Subscription,
  { planOf, userId, formerSubscriptions }: StateContext,
): Bought | undefined {
  for (const item of items.data) {
    const planType = planOf(item.price.id)
    if (planType !== undefined) return { item, planType, unknownPrice: null }
  }
  const [item] = items.data
  const wasBoughtHere = metadata['user_id'] === userId || formerSubscriptions.has(id)
  if (item === undefined || !wasBoughtHere) return undefined
  const { recurring } = item.price
  const isAnnual = recurring === null ? metadata['plan_type'] === 'annual' : recurring.interval === 'year'
  return { item, planType: isAnnual ? 'annual' : 'monthly', unknownPrice: item.price.id }
}

/**
 * Which of several live subscriptions stays: one whose price is known, then one that works, then the one that is paid for
 * longest, then the oldest.
 */
function byWorth(a: SubscriptionState, b: SubscriptionState): number {
  return (
    Number(a.unknownPrice !== null) - Number(b.unknownPrice !== null) ||
    subscriptionStatuses.indexOf(a.status) - subscriptionStatuses.indexOf(b.status) ||
    b.periodEndsAt - a.periodEndsAt ||
    a.startedAt - b.startedAt ||
    (a.stripeId < b.stripeId ? -1 : 1)
  )
}

/** Since the API version 2025-03-31.basil the period stands on the item. */
function subscriptionOf(
  subscription: Stripe.Subscription,
  { item, planType, unknownPrice }: Bought,
  own: PaymentState[],
): SubscriptionState {
  const { id, start_date, cancel_at, cancel_at_period_end, ended_at } = subscription
  const status = known(subscriptionStatuses, subscription.status)
  const periodEndsAt = item.current_period_end * 1_000
  return {
    stripeId: id,
    planType,
    status,
    periodStartsAt: item.current_period_start * 1_000,
    periodEndsAt,
    cancelsAt: cancel_at === null ? (cancel_at_period_end ? periodEndsAt : null) : cancel_at * 1_000,
    endedAt: ended_at === null ? null : ended_at * 1_000,
    pastDueSince: status === 'past_due' ? firstFailureOf(own, item.current_period_start * 1_000) : null,
    startedAt: start_date * 1_000,
    unknownPrice,
  }
}

/** When the card was first refused for what is still owed; where Stripe has no charge for it, when it fell due. */
function firstFailureOf(own: PaymentState[], periodStartsAt: number): number {
  const owed = own.filter(({ status }) => status === 'open')
  const failures = owed.map(({ failedAt, invoicedAt }) => failedAt ?? invoicedAt)
  return failures.length === 0 ? periodStartsAt : Math.min(...failures)
}

/** When the card was first refused for a current period that was never paid. */
function unpaidSince({ periodStartsAt }: SubscriptionState, own: PaymentState[]): number | undefined {
  const failures = own
    .filter(({ status, periodEndsAt }) => status !== 'paid' && periodEndsAt > periodStartsAt)
    .flatMap(({ failedAt }) => (failedAt === null ? [] : [failedAt]))
  return failures.length === 0 ? undefined : Math.min(...failures)
}

/** Whether everything that was paid for the current period was refunded. */
function isPeriodRefunded({ periodStartsAt, periodEndsAt }: SubscriptionState, own: PaymentState[]): boolean {
  const paid = own.filter(
    (payment) => payment.status === 'paid' && payment.amountCents > 0 && payment.periodEndsAt > periodStartsAt,
  )
  // A change of plan breaks a period off, whose payment still reaches into the new one: it does not pay for that.
  const paidToItsEnd = paid.filter((payment) => payment.periodEndsAt >= periodEndsAt)
  const counted = paidToItsEnd.length > 0 ? paidToItsEnd : paid
  return counted.length > 0 && counted.every(({ amountCents, refundedCents }) => refundedCents >= amountCents)
}

function revocationOf(
  { status }: SubscriptionState,
  facts: { isRefunded: boolean; isDisputed: boolean; isLost: boolean; own: PaymentState[] },
): Revocation | null {
  // Access that a lost dispute ended keeps that reason, also after the review.
  const wasLost = facts.own.some(({ dispute }) => dispute === 'lost')
  if (facts.isLost || (status === 'canceled' && wasLost)) return 'dispute_lost'
  if (facts.isDisputed) return 'dispute'
  if (facts.isRefunded) return 'refund'
  return status === 'unpaid' || status === 'paused' ? status : null
}

/** The grant of a subscription (docs/spec/billing.md#states). */
function grantOf(
  subscription: SubscriptionState,
  {
    revokedReason,
    graceDays,
    unpaidSince,
  }: { revokedReason: Revocation | null; graceDays: number; unpaidSince: number | undefined },
): GrantState | undefined {
  const { stripeId, planType, status, periodEndsAt, cancelsAt, endedAt, pastDueSince, startedAt } = subscription
  const grant = (endsAt: number, more: Partial<GrantState> = {}): GrantState => ({
    subscriptionId: stripeId,
    planType,
    basis: 'plan',
    renews: false,
    startsAt: Math.min(startedAt, endsAt),
    endsAt,
    effectiveUntil: endsAt,
    revokedReason,
    ...more,
  })
  switch (status) {
    case 'active':
    case 'trialing':
      return cancelsAt === null
        ? grant(periodEndsAt, { effectiveUntil: periodEndsAt + renewalSlackMs, renews: true })
        : grant(Math.min(periodEndsAt, cancelsAt))
    case 'past_due': {
      const end = (pastDueSince ?? periodEndsAt) + graceDays * dayMs
      return grant(cancelsAt === null ? end : Math.min(end, cancelsAt), { basis: 'grace' })
    }
    case 'unpaid':
    case 'paused':
      return grant(periodEndsAt)
    case 'canceled':
      // If Stripe gives up only after the days of grace, access ended with those days.
      return endedAt === null
        ? undefined
        : grant(Math.min(endedAt, unpaidSince === undefined ? endedAt : unpaidSince + graceDays * dayMs))
    case 'incomplete':
    case 'incomplete_expired':
      return undefined
  }
}

/** Since the API version 2025-03-31.basil an invoice names its subscription there. */
function subscriptionIdOf({ parent }: Stripe.Invoice): string | undefined {
  return idOf(parent?.subscription_details?.subscription)
}

function paymentOf(
  invoice: Stripe.Invoice,
  subscriptionId: string,
  subscribedPlan: PlanType,
  { charges, disputes }: StripeSnapshot,
  planOf: PlanOfPrice,
): PaymentState {
  const own = chargesOf(invoice, charges)
  const failures = own.filter(({ status }) => status === 'failed').map(({ created }) => created * 1_000)
  const isPaid = invoice.status === 'paid'
  const amountCents = isPaid ? invoice.amount_paid : invoice.amount_due
  const refunded = own.reduce((sum, { amount_refunded }) => sum + amount_refunded, 0)
  const ids = new Set(own.map(({ id }) => id))
  const priced = invoice.lines.data.map(({ pricing }) => planOf(idOf(pricing?.price_details?.price) ?? ''))
  const { finalized_at, paid_at } = invoice.status_transitions
  return {
    invoiceId: invoice.id,
    subscriptionId,
    // A change of plan leaves earlier invoices with the plan that they were for.
    planType: priced.findLast((plan) => plan !== undefined) ?? subscribedPlan,
    number: invoice.number,
    status: known(invoiceStatuses, invoice.status ?? ''),
    amountCents,
    refundedCents: Math.min(refunded, amountCents),
    currency: invoice.currency,
    periodStartsAt: Math.min(...invoice.lines.data.map(({ period }) => period.start), invoice.period_end) * 1_000,
    periodEndsAt: Math.max(...invoice.lines.data.map(({ period }) => period.end), invoice.period_end) * 1_000,
    invoicedAt: (finalized_at ?? invoice.created) * 1_000,
    paidAt: isPaid ? (paid_at ?? invoice.created) * 1_000 : null,
    failedAt: failures.length === 0 ? null : Math.min(...failures),
    dispute: disputeOf(disputes.filter(({ charge }) => ids.has(idOf(charge) ?? ''))),
  }
}

/** The charges of an invoice, those that failed among them. */
function chargesOf(invoice: Stripe.Invoice, charges: readonly Stripe.Charge[]): Stripe.Charge[] {
  const intents = new Set((invoice.payments?.data ?? []).map(({ payment }) => idOf(payment.payment_intent)))
  const direct = new Set((invoice.payments?.data ?? []).map(({ payment }) => idOf(payment.charge)))
  return charges.filter((charge) => {
    const intent = idOf(charge.payment_intent)
    return direct.has(charge.id) || (intent !== undefined && intents.has(intent))
  })
}

/**
 * The gravest of an invoice's disputes; an inquiry that may become one counts as open. One that was prevented never came
 * to a decision because the bank has given the money back at once: that is lost.
 */
function disputeOf(disputes: Stripe.Dispute[]): PaymentState['dispute'] {
  const statuses = disputes.map(({ status }) => status)
  if (statuses.some((status) => status === 'lost' || status === 'prevented')) return 'lost'
  if (statuses.some((status) => /(^|_)(needs_response|under_review)$/.test(status))) return 'open'
  return statuses.length === 0 ? null : 'won'
}

/** @throws {Error} for a word that this version of Stripe's interface does not have: guessing could give or take access */
function known<T extends string>(words: readonly T[], word: string): T {
  const found = words.find((one) => one === word)
  if (found === undefined) throw new Error(`Stripe answers with a state that is not known here: ${word}.`)
  return found
}

/** Stripe gives an object where it was asked to expand it, else the object's id. */
export function idOf(value: string | { id: string } | null | undefined): string | undefined {
  return typeof value === 'string' ? value : value?.id
}
