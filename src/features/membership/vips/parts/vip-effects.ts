import type { AccessOfMember } from '../vip-schema.ts'

type Facts = Pick<AccessOfMember, 'isVip' | 'hasSubscription' | 'hasPayments' | 'hasPaid'>

/**
 * The effects of a disabling (docs/spec/membership.md#disabling), as sentences; the first continues after the member's
 * name. Only the member's own effects are listed, and until they are loaded the general ones.
 */
export function disablingEffects(facts: Facts | undefined): string[] {
  if (facts === undefined) return ['cannot be VIP, and cannot buy it, until VIP access is renewed here.']
  const { isVip, hasSubscription, hasPaid } = facts
  return [
    isVip
      ? 'loses VIP access at once, and cannot buy it again until it is renewed here.'
      : 'is not VIP now. They cannot buy VIP access until it is renewed here.',
    ...(hasSubscription ? ['Their subscription is cancelled at Stripe first; if that fails, nothing changes.'] : []),
    ...(hasPaid ? ['Their payments are not refunded, except a payment of the last minute.'] : []),
  ]
}

export function deletionEffects(facts: Facts | undefined): string[] {
  if (facts === undefined)
    return ['If they have a subscription, it is cancelled at Stripe first; if that fails, nothing is deleted.']
  return [
    ...(facts.hasSubscription
      ? ['Their subscription is cancelled at Stripe first; if that fails, nothing is deleted.']
      : []),
    ...(facts.hasPayments ? ['Their payments stay in the books, without saying whose they were.'] : []),
  ]
}
