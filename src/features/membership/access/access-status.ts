import type { PlanType } from '../plans/plans.ts'

/** Why paid access was taken back before its end. */
export type Revocation = 'refund' | 'dispute' | 'dispute_lost' | 'unpaid' | 'paused'

/** Access for a time, as a rule sees it. Instants are milliseconds since 1970. */
export interface Grant {
  basis: 'plan' | 'grace' | 'manual'
  planType: PlanType | null
  /** Whether Stripe goes on by itself at the end. */
  renews: boolean
  startsAt: number
  /** The end that the member sees. */
  endsAt: number
  /** The instant that access checks use: the end, or some hours more while a renewal is under way. */
  effectiveUntil: number
  /** When it was taken back: access ended then. */
  revokedAt: number | null
  revokedReason: Revocation | null
}

export type AccessReason =
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

export interface AccessStatus {
  isVip: boolean
  reason: AccessReason
  /** The end as the member sees it: ahead while they are VIP (but for the hours of a renewal), else the last one. */
  endsAt: number | null
  /** The plan that gives access now, or that gave it last. */
  planType: PlanType | null
  /**
   * The event at the end of a paid plan, which manual access does not move: the next charge, or, in grace, the last day
   * for the card. Absent without a plan.
   */
  plan?: { endsAt: number; does: 'renew' | 'end' | 'wait_for_card' }
}

/**
 * The one answer to "are they VIP, and why": guards, dashboard, status, account page and administrators all have it from
 * here. Access is a fact bounded by time in our own database (docs/spec/membership.md#access): VIP holds while the end
 * of a grant lies ahead; grants overlap without shortening each other.
 */
export function accessStatusOf(
  grants: readonly Grant[],
  { isDisabled }: { isDisabled: boolean },
  now: number,
): AccessStatus {
  const begun = grants.filter(({ startsAt }) => startsAt <= now).toSorted((a, b) => b.effectiveUntil - a.effectiveUntil)
  const inForce = begun.filter(({ effectiveUntil, revokedReason }) => revokedReason === null && now < effectiveUntil)
  const [best] = inForce
  const endsAt = currentEndOf(grants, now)
  if (best === undefined || isDisabled) {
    const [last] = begun
    const reason = isDisabled ? 'disabled' : last === undefined ? 'never' : (last.revokedReason ?? 'ended')
    return { isVip: false, reason, endsAt, planType: last?.planType ?? null }
  }
  return {
    isVip: true,
    reason: reasonOf(best),
    endsAt,
    planType: best.planType ?? inForce.find(({ planType }) => planType !== null)?.planType ?? null,
    ...planOf(inForce),
  }
}

function planOf(inForce: readonly Grant[]): Pick<AccessStatus, 'plan'> {
  const paid = inForce.find(({ basis }) => basis !== 'manual')
  if (paid === undefined) return {}
  const does = paid.basis === 'grace' ? 'wait_for_card' : paid.renews ? 'renew' : 'end'
  return { plan: { endsAt: paid.endsAt, does } }
}

function reasonOf({ basis, renews }: Grant): AccessReason {
  if (basis !== 'plan') return basis
  return renews ? 'plan' : 'plan_ending'
}

/**
 * The end of the unbroken access that holds now, which may go over from one grant to the next; where none holds, the end of
 * what was there last. The database keeps the same for its lists (`member_access`).
 */
function currentEndOf(grants: readonly Grant[], now: number): number | null {
  let end: number | null = null
  let reached = now
  for (const { startsAt, endsAt, effectiveUntil, revokedAt } of grants.toSorted((a, b) => a.startsAt - b.startsAt)) {
    if (startsAt > reached) break
    const until = Math.min(endsAt, revokedAt ?? endsAt)
    end = Math.max(end ?? until, until)
    reached = Math.max(reached, Math.min(effectiveUntil, revokedAt ?? effectiveUntil))
  }
  return end
}

function planBeside(plan: AccessStatus['plan'], day: string): string {
  switch (plan?.does) {
    case undefined:
      return ''
    case 'renew':
      return ` A paid plan renews on ${day}.`
    case 'end':
      return ` A paid plan was cancelled and ends on ${day}.`
    case 'wait_for_card':
      return ` The last payment of a plan failed: the card can be updated until ${day}.`
  }
}

/**
 * The sentence why access is given or refused, for the member and for administrators.
 * @param day formats an instant, for example 'March 5, 2024'
 */
export function sentenceOf({ reason, endsAt, plan }: AccessStatus, day: (instant: number) => string): string {
  const end = endsAt === null ? '' : day(endsAt)
  const planEnd = plan === undefined ? end : day(plan.endsAt)
  const beyond = planEnd === end ? '' : ` Access given by an administrator goes on until ${end}.`
  switch (reason) {
    case 'plan':
      return `VIP through a paid plan that renews on ${planEnd}.${beyond}`
    case 'plan_ending':
      return `VIP through a paid plan that was cancelled and ends on ${planEnd}.${beyond}`
    case 'grace':
      return `VIP until ${planEnd}: the last payment failed. It stays if the card is updated by then.${beyond}`
    case 'manual':
      return `VIP until ${end}, given by an administrator.${planBeside(plan, planEnd)}`
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
      return 'Not VIP: no membership yet.'
  }
}
