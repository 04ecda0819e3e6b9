import type { AccessOfMember } from '../vip-schema.ts'

type Facts = Pick<AccessOfMember, 'isVip' | 'hasSubscription' | 'hasPayments' | 'hasPaid'>

/**
 * What disabling does to a member (docs/spec/membership.md#disabling), in sentences of which the first goes on after their
 * name. Only what is true of them is said; before they are known, what is true of everybody.
 */
export function disablingEffects(facts: Facts | undefined): string[] {
  if (facts === undefined) return ['cannot be VIP, and cannot buy it, until VIP access is renewed here.']
  const { isVip, hasSubscription, hasPaid } = facts
  return [
    isVip
      ? 'loses VIP access at once, and cannot buy it again until it is renewed here.'
      : 'is not VIP now. They cannot buy VIP access until it is renewed here.',
    ...(hasSubscription ? ['Their subscription is cancelled at Stripe first; if that fails, nothing changes.'] : []),
    ...(hasPaid ? ['What they paid is not refunded, but for a payment of the last minute.'] : []),
  ]
}

/** What deleting an account does to what they paid for. */
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
