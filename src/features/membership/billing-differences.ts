import type { PlanType } from './plans.ts'
import type { Revocation } from './standing.ts'
import { type InvoiceStatus, isLive, type PaymentState, type SubscriptionStatus } from './stripe-state.ts'

/* A member's billing as administrators see it, once as our tables have it and once as Stripe does. Instants are ISO texts. */

export interface SubscriptionForAdmin {
  stripeId: string
  planType: PlanType
  status: SubscriptionStatus
  startedAt: string
  periodStartsAt: string
  periodEndsAt: string
  cancelsAt: string | null
  endedAt: string | null
  pastDueSince: string | null
}

export interface GrantForAdmin {
  source: 'stripe' | 'manual'
  /** Null for one that was given by hand. */
  subscriptionId: string | null
  planType: PlanType | null
  basis: 'plan' | 'grace' | 'manual'
  renews: boolean
  startsAt: string
  endsAt: string
  heldUntil: string
  revokedReason: Revocation | null
}

/** Money is in the currency's smallest unit. */
export interface PaymentForAdmin {
  invoiceId: string
  subscriptionId: string
  planType: PlanType
  number: string | null
  status: InvoiceStatus
  amountCents: number
  refundedCents: number
  currency: string
  periodStartsAt: string
  periodEndsAt: string
  invoicedAt: string
  paidAt: string | null
  failedAt: string | null
  dispute: PaymentState['dispute']
}

/** One side of the comparison; of each kind the latest first. */
export interface BillingSide {
  subscriptions: SubscriptionForAdmin[]
  grants: GrantForAdmin[]
  payments: PaymentForAdmin[]
}

/** One thing that our tables and Stripe say differently. */
export interface BillingDifference {
  /** The subscription's or the invoice's at Stripe. */
  id: string
  /** In the words in which changes are recorded: `subscription.period_ends_at`; the kind alone where one side has nothing. */
  what: string
  ours: string | null
  stripes: string | null
}

type Kind = 'subscription' | 'access' | 'payment'
type Facts = Record<string, string | number | boolean | null>

/**
 * What a sync would change, by the same rules. What is over with us and what Stripe no longer lists, such as the
 * purchases of an earlier customer, is history and no difference.
 * @param now milliseconds since 1970
 */
export function differencesBetween(ours: BillingSide, stripes: BillingSide, now: number): BillingDifference[] {
  const paid = ({ grants }: BillingSide): GrantForAdmin[] => grants.filter(({ source }) => source === 'stripe')
  const isInForce = ({ revokedReason, heldUntil }: GrantForAdmin): boolean =>
    revokedReason === null && Date.parse(heldUntil) > now
  return [
    ...compare('subscription', ours.subscriptions, stripes.subscriptions, {
      idOf: ({ stripeId }) => stripeId,
      wordOf: ({ status }) => status,
      mattersAlone: isLive,
    }),
    ...compare('access', paid(ours), paid(stripes), {
      idOf: ({ subscriptionId }) => subscriptionId ?? '',
      wordOf: ({ heldUntil }) => heldUntil,
      mattersAlone: isInForce,
    }),
    ...compare('payment', ours.payments, stripes.payments, {
      idOf: ({ invoiceId }) => invoiceId,
      wordOf: ({ status }) => status,
      mattersAlone: () => false,
    }),
  ]
}

interface Reading<T> {
  idOf: (one: T) => string
  /** The whole of it in a word, for when the other side has nothing. */
  wordOf: (one: T) => string
  /** Whether it is a difference that only we have it. */
  mattersAlone: (one: T) => boolean
}

function compare<T extends object>(
  kind: Kind,
  ours: readonly T[],
  stripes: readonly T[],
  { idOf, wordOf, mattersAlone }: Reading<T>,
): BillingDifference[] {
  const known = new Map(ours.map((one) => [idOf(one), one]))
  const listed = new Set(stripes.map(idOf))
  const alone = ours.filter((one) => !listed.has(idOf(one)) && mattersAlone(one))
  return [
    ...stripes.flatMap((one): BillingDifference[] => {
      const id = idOf(one)
      const own = known.get(id)
      if (own === undefined) return [{ id, what: kind, ours: null, stripes: wordOf(one) }]
      return Object.entries(one as Facts).flatMap(([name, value]) => {
        const [said, read] = [textOf((own as Facts)[name]), textOf(value)]
        return said === read ? [] : [{ id, what: `${kind}.${columnOf(name)}`, ours: said, stripes: read }]
      })
    }),
    ...alone.map((one) => ({ id: idOf(one), what: kind, ours: wordOf(one), stripes: null })),
  ]
}

function textOf(value: Facts[string] | undefined): string | null {
  return value === null || value === undefined ? null : String(value)
}

/** `periodEndsAt` is `period_ends_at` in the record of changes. */
function columnOf(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}
