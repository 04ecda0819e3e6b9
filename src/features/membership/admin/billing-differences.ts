import { changeText, recordedName } from '../sync/change-text.ts'
import { isLive } from '../stripe/stripe-state.ts'
import type { BillingDifference, BillingSide, GrantForAdmin } from './billing-schema.ts'

type Kind = 'subscription' | 'access' | 'payment'
type Facts = Record<string, string | number | boolean | null>

/**
 * The changes that a sync would make, by the same rules. Ended things that Stripe no longer lists, such as purchases of
 * an earlier customer, are history and no difference.
 * @param now milliseconds since 1970
 */
export function differencesBetween(local: BillingSide, remote: BillingSide, now: number): BillingDifference[] {
  const paid = ({ grants }: BillingSide): GrantForAdmin[] => grants.filter(({ source }) => source === 'stripe')
  const isInForce = ({ revokedReason, effectiveUntil }: GrantForAdmin): boolean =>
    revokedReason === null && Date.parse(effectiveUntil) > now
  return [
    ...compare('subscription', local.subscriptions, remote.subscriptions, {
      idOf: ({ stripeId }) => stripeId,
      wordOf: ({ status }) => status,
      mattersAlone: isLive,
    }),
    ...compare('access', paid(local), paid(remote), {
      idOf: ({ subscriptionId }) => subscriptionId ?? '',
      wordOf: ({ effectiveUntil }) => effectiveUntil,
      mattersAlone: isInForce,
    }),
    ...compare('payment', local.payments, remote.payments, {
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
  local: readonly T[],
  remote: readonly T[],
  { idOf, wordOf, mattersAlone }: Reading<T>,
): BillingDifference[] {
  const known = new Map(local.map((one) => [idOf(one), one]))
  const listed = new Set(remote.map(idOf))
  const alone = local.filter((one) => !listed.has(idOf(one)) && mattersAlone(one))
  return [
    ...remote.flatMap((one): BillingDifference[] => {
      const id = idOf(one)
      const own = known.get(id)
      if (own === undefined) return [{ id, what: kind, local: null, remote: wordOf(one) }]
      return Object.entries(one as Facts).flatMap(([name, value]) => {
        const [said, read] = [changeText((own as Facts)[name]), changeText(value)]
        return said === read ? [] : [{ id, what: `${kind}.${recordedName(name)}`, local: said, remote: read }]
      })
    }),
    ...alone.map((one) => ({ id: idOf(one), what: kind, local: wordOf(one), remote: null })),
  ]
}
