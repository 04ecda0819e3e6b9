import { demoVip } from '../../accounts/demo/fill-demo-accounts.server.ts'
import { demoMembers } from '../../accounts/demo/demo-members.ts'
import type { PlanType } from '../plans/plans.ts'

/** A membership that was bought before now, as the sandbox is told of it. */
export interface PastPurchase {
  userId: string
  email: string
  name: string
  plan: PlanType
  /** Seconds. */
  boughtAt: number
  /** Seconds: cancelled then for the end of the first period. */
  cancelledAt?: number
  card?: 'good' | 'fails-later'
}

/** Lets memberships have been bought in the sandbox. @returns the customer of each member */
export type PlayPast = (purchases: readonly PastPurchase[]) => Promise<Record<string, string>>

type DemoPurchase = Omit<PastPurchase, 'userId' | 'name'>

const daySeconds = 86_400
const maxDay = 28

/** Every third member has bought one of these, soon after they joined. */
const plans: readonly PlanType[] = Array.from({ length: 18 }, (_empty, i) => (i % 3 === 1 ? 'annual' : 'monthly'))

/** Others, by their place in `demoMembers`: none is a third. */
export const demoDisabled = { everVip: 8, neverVip: 11 }
const expired = [5, 17] as const
const inGrace = 14
const ending = 20
export const demoGivenByHand = 23

/**
 * The demo's purchases by the members' addresses. They cover running monthly and annual plans, two ended ones, a card
 * refused two days ago, a cancelled plan, and one to disable.
 * @param now milliseconds
 */
export function demoPurchases(now: number): DemoPurchase[] {
  const today = Math.floor(now / 1_000)
  const ago = (days: number): number => today - days * daySeconds
  const emailAt = (place: number): string => memberAt(place).email
  return [
    { email: demoVip, plan: 'annual', boughtAt: ago(160) },
    ...plans.map((plan, i): DemoPurchase => {
      const { email, daysAgo } = memberAt(3 * i)
      return { email, plan, boughtAt: ago(Math.max(1, daysAgo - 2)) + 3_600 * (i % 9) }
    }),
    { email: emailAt(expired[0]), plan: 'monthly', boughtAt: ago(130), cancelledAt: ago(120) },
    { email: emailAt(expired[1]), plan: 'monthly', boughtAt: ago(43), cancelledAt: ago(30) },
    { email: emailAt(ending), plan: 'monthly', boughtAt: ago(12), cancelledAt: ago(4) },
    { email: emailAt(inGrace), plan: 'monthly', boughtAt: monthBefore(ago(2)), card: 'fails-later' },
    { email: emailAt(demoDisabled.everVip), plan: 'monthly', boughtAt: ago(75) },
  ]
}

export function memberAt(place: number): (typeof demoMembers)[number] {
  const member = demoMembers[place]
  if (member === undefined) throw new RangeError(`The demo has no member ${place}.`)
  return member
}

/** @param instant seconds */
function monthBefore(instant: number): number {
  const day = new Date(instant * 1_000)
  // Every month has this day.
  day.setUTCDate(Math.min(day.getUTCDate(), maxDay))
  day.setUTCMonth(day.getUTCMonth() - 1)
  return Math.floor(day.getTime() / 1_000)
}
