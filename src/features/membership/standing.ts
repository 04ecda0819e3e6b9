import type { PlanType } from './plans.ts'

/** Why paid access was taken back before its end. */
export type Revocation = 'refund' | 'dispute' | 'dispute_lost' | 'unpaid' | 'paused'

/** Access for a time, as a rule sees it. Instants are milliseconds since 1970. */
export interface Grant {
  basis: 'plan' | 'grace' | 'manual'
  planType: PlanType | null
  /** Whether Stripe goes on by itself at the end. */
  renews: boolean
  startsAt: number
  /** What the member is told. */
  endsAt: number
  /** What the doors go by: the end, or some hours more while a renewal is under way. */
  heldUntil: number
  revokedReason: Revocation | null
}

export type StandingReason =
  /** VIP: a paid period that goes on by itself. */
  | 'plan'
  /** VIP: a paid period that ends, because it was cancelled. */
  | 'plan_ending'
  /** VIP: the card was refused, and the days of grace run. */
  | 'grace'
  /** VIP: given by an administrator. */
  | 'manual'
  /** No VIP: an administrator has disabled the membership. */
  | 'disabled'
  /** No VIP: what was paid was taken back, for this reason. */
  | Revocation
  /** No VIP: it is over. */
  | 'ended'
  /** No VIP: there never was anything. */
  | 'never'

/** Whether a member is VIP at an instant, and why. */
export interface Standing {
  isVip: boolean
  reason: StandingReason
  /** The end that the member is told: ahead while he is VIP (but for the hours of a renewal), else the last one. */
  endsAt: number | null
  /** The plan that gives access now, or that gave it last. */
  planType: PlanType | null
}

/**
 * The one answer to "is he VIP, and why": doors, dashboard, status, account page and administrators all have it from
 * here. Access is a fact bounded by time in our own database (BILLING.md, "Objects"): VIP holds while the end of a grant
 * lies ahead; grants overlap without shortening each other.
 */
export function standingOf(grants: readonly Grant[], { isDisabled }: { isDisabled: boolean }, now: number): Standing {
  const begun = grants.filter(({ startsAt }) => startsAt <= now).toSorted((a, b) => b.heldUntil - a.heldUntil)
  const inForce = begun.filter(({ heldUntil, revokedReason }) => revokedReason === null && now < heldUntil)
  const [best] = inForce
  if (best === undefined || isDisabled) {
    const [last] = begun
    const reason = isDisabled ? 'disabled' : last === undefined ? 'never' : (last.revokedReason ?? 'ended')
    return { isVip: false, reason, endsAt: last?.endsAt ?? null, planType: last?.planType ?? null }
  }
  return {
    isVip: true,
    reason: reasonOf(best),
    endsAt: endOfChain(best.endsAt, grants),
    planType: best.planType ?? inForce.find(({ planType }) => planType !== null)?.planType ?? null,
  }
}

function reasonOf({ basis, renews }: Grant): StandingReason {
  if (basis !== 'plan') return basis
  return renews ? 'plan' : 'plan_ending'
}

/** Where access ends that goes over from one grant to the next without a gap. */
function endOfChain(from: number, grants: readonly Grant[]): number {
  let end = from
  for (const { startsAt, endsAt, revokedReason } of grants.toSorted((a, b) => a.startsAt - b.startsAt)) {
    if (revokedReason === null && startsAt <= end && endsAt > end) end = endsAt
  }
  return end
}

/**
 * The sentence why access is given or refused, for the member and for administrators.
 * @param day how an instant is told, for example 'March 05, 2024'
 */
export function sentenceOf({ reason, endsAt }: Standing, day: (instant: number) => string): string {
  const end = endsAt === null ? '' : day(endsAt)
  switch (reason) {
    case 'plan':
      return `VIP by a paid plan that renews on ${end}.`
    case 'plan_ending':
      return `VIP by a paid plan that was cancelled and ends on ${end}.`
    case 'grace':
      return `VIP until ${end} although the last payment failed: until then the card can be updated.`
    case 'manual':
      return `VIP until ${end}, given by an administrator.`
    case 'disabled':
      return 'Not VIP: an administrator has disabled the membership.'
    case 'refund':
      return 'Not VIP: the current period was refunded in full, which ended it.'
    case 'dispute':
      return 'Not VIP: a payment is disputed; access is suspended until the bank has decided.'
    case 'dispute_lost':
      return 'Not VIP: a disputed payment was decided against the library, which ended the membership.'
    case 'unpaid':
      return 'Not VIP: the renewal was never paid.'
    case 'paused':
      return 'Not VIP: the subscription is paused.'
    case 'ended':
      return `Not VIP: the membership ended on ${end}.`
    case 'never':
      return 'Not VIP: there has never been a membership.'
  }
}
