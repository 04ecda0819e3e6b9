import type { BillingDifference } from '../billing-schema.ts'
import type { MemberBilling } from '../billing-schema.ts'
import { recordedName } from '../../sync/change-text.ts'

export type Fact = string | number | boolean | null

export interface FactBeside {
  /** As changes are recorded: `period_ends_at`. */
  name: string
  local: Fact
  remote: Fact
  differs: boolean
}

/** One subscription, or the access that it gives, once of each side. */
export interface ThingBeside {
  key: string
  kind: 'Subscription' | 'Access'
  /** At Stripe; null for access that was granted by hand. */
  id: string | null
  facts: FactBeside[]
  /** Set where one side has nothing of it. */
  onlyAt: 'us' | 'Stripe' | undefined
  differs: boolean
}

/** Names, and facts that are always equal, are not compared. */
const namesThings = new Set(['stripeId', 'subscriptionId', 'source'])

/**
 * Subscriptions and the access that they give, each of ours beside Stripe's. Rows of Stripe alone come first: they are
 * news.
 * @param remote undefined where Stripe has nothing, or could not be read
 */
export function thingsBeside(
  local: Pick<MemberBilling['local'], 'subscriptions' | 'grants'>,
  remote: Pick<MemberBilling['local'], 'subscriptions' | 'grants'> | undefined,
  differences: readonly BillingDifference[],
): ThingBeside[] {
  const subscriptions = paired(local.subscriptions, remote?.subscriptions ?? [], ({ stripeId }) => stripeId)
  const grants = paired(
    local.grants.filter(({ source }) => source === 'stripe'),
    remote?.grants ?? [],
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
        local: factOf(own, name),
        remote: factOf(other, name),
        differs: differing.has(`${word}.${recorded}`),
      }
    })
    return {
      key: `${word} ${id ?? number}`,
      kind,
      id,
      // A fact that neither side has gets no line.
      facts: facts.filter((fact) => fact.local !== null || fact.remote !== null),
      onlyAt:
        own === undefined ? 'Stripe' : other === undefined && remote !== undefined && id !== null ? 'us' : undefined,
      differs: differing.size > 0,
    }
  }
  const bySubscription = new Map(grants.map(({ id, own, other }) => [id, thing('Access', id, own, other)]))
  const manual = local.grants.filter(({ source }) => source === 'manual')
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
export function paired<T>(local: readonly T[], remote: readonly T[], idOf: (one: T) => string): Pair<T>[] {
  const known = new Set(local.map(idOf))
  const there = new Map(remote.map((one) => [idOf(one), one]))
  return [
    ...remote.flatMap((one) => (known.has(idOf(one)) ? [] : [{ id: idOf(one), own: undefined, other: one }])),
    ...local.map((own) => ({ id: idOf(own), own, other: there.get(idOf(own)) })),
  ]
}

function factOf(thing: object | undefined, name: string): Fact {
  return (thing as Record<string, Fact> | undefined)?.[name] ?? null
}
