import type { BillingDifference } from '../billing-differences.ts'
import type { MemberBilling } from '../read-member-billing.server.ts'
import { recordedName } from './billing-words.ts'

export type Fact = string | number | boolean | null

/** One fact as we have it and as Stripe does. */
export interface FactBeside {
  /** As changes are recorded: `period_ends_at`. */
  name: string
  ours: Fact
  stripes: Fact
  differs: boolean
}

/** One subscription, or the access that it gives, once of each side. */
export interface ThingBeside {
  key: string
  kind: 'Subscription' | 'Access'
  /** At Stripe; null for access that was given by hand. */
  id: string | null
  facts: FactBeside[]
  /** Set where one side has nothing of it. */
  onlyAt: 'us' | 'Stripe' | undefined
  differs: boolean
}

/** What names a thing, or is the same by its nature, is no fact to compare. */
const namesThings = new Set(['stripeId', 'subscriptionId', 'source'])

/**
 * Subscriptions and the access that they give, each of ours with Stripe's. What Stripe has alone comes first: it is news.
 * @param stripes undefined where Stripe has nothing, or could not be read
 */
export function thingsBeside(
  ours: Pick<MemberBilling['ours'], 'subscriptions' | 'grants'>,
  stripes: Pick<MemberBilling['ours'], 'subscriptions' | 'grants'> | undefined,
  differences: readonly BillingDifference[],
): ThingBeside[] {
  const subscriptions = paired(ours.subscriptions, stripes?.subscriptions ?? [], ({ stripeId }) => stripeId)
  const grants = paired(
    ours.grants.filter(({ source }) => source === 'stripe'),
    stripes?.grants ?? [],
    ({ subscriptionId }) => subscriptionId ?? '',
  )
  const thing = (
    kind: ThingBeside['kind'],
    id: string | null,
    own: object | undefined,
    other: object | undefined,
    number = 0,
  ): ThingBeside => {
    const word = kind.toLowerCase()
    const mine = differences.filter((one) => one.id === id && one.what.split('.', 1)[0] === word)
    const differing = new Set(mine.map(({ what }) => what))
    const names = Object.keys(other ?? own ?? {}).filter((name) => !namesThings.has(name))
    const facts = names.map((name): FactBeside => {
      const recorded = recordedName(name)
      return {
        name: recorded,
        ours: factOf(own, name),
        stripes: factOf(other, name),
        differs: differing.has(`${word}.${recorded}`),
      }
    })
    return {
      key: `${word} ${id ?? number}`,
      kind,
      id,
      // What neither side has is not worth a line.
      facts: facts.filter((fact) => fact.ours !== null || fact.stripes !== null),
      onlyAt:
        own === undefined ? 'Stripe' : other === undefined && stripes !== undefined && id !== null ? 'us' : undefined,
      differs: differing.size > 0,
    }
  }
  const bySubscription = new Map(grants.map(({ id, own, other }) => [id, thing('Access', id, own, other)]))
  const manual = ours.grants.filter(({ source }) => source === 'manual')
  return [
    ...subscriptions.flatMap(({ id, own, other }) => {
      const access = bySubscription.get(id)
      return [thing('Subscription', id, own, other), ...(access === undefined ? [] : [access])]
    }),
    ...grants
      .filter(({ id }) => !subscriptions.some((subscription) => subscription.id === id))
      .map(({ id, own, other }) => thing('Access', id, own, other)),
    ...manual.map((grant, number) => thing('Access', null, grant, undefined, number)),
  ]
}

interface Pair<T> {
  id: string
  own: T | undefined
  other: T | undefined
}

/** Each thing of ours with Stripe's of the same id, and before them those that only Stripe has. */
export function paired<T>(ours: readonly T[], stripes: readonly T[], idOf: (one: T) => string): Pair<T>[] {
  const known = new Set(ours.map(idOf))
  const there = new Map(stripes.map((one) => [idOf(one), one]))
  return [
    ...stripes.flatMap((one) => (known.has(idOf(one)) ? [] : [{ id: idOf(one), own: undefined, other: one }])),
    ...ours.map((own) => ({ id: idOf(own), own, other: there.get(idOf(own)) })),
  ]
}

function factOf(thing: object | undefined, name: string): Fact {
  return (thing as Record<string, Fact> | undefined)?.[name] ?? null
}
