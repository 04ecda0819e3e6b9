import * as z from 'zod/mini'
import { Instant, InstantOrNull } from '../../../platform/time/instant-schema.ts'
import { planTypes } from '../plans/plans.ts'
import { TextOrNull } from '../../../platform/text-schema.ts'

export const PlanName = z.enum(planTypes)

/** One invoice, as its payer sees it. Money is cents of the currency. */
export const PaymentForMember = z.object({
  number: TextOrNull,
  planType: PlanName,
  amountCents: z.number(),
  refundedCents: z.number(),
  currency: z.string(),
  status: z.enum(['open', 'paid', 'uncollectible', 'void']),
  invoicedAt: Instant,
  paidAt: InstantOrNull,
})
export type PaymentForMember = z.infer<typeof PaymentForMember>

/** Why somebody is a VIP, or is not; `AccessReason` says what each of them means. */
export const AccessReason = z.enum([
  'plan',
  'plan_ending',
  'grace',
  'manual',
  'disabled',
  'refund',
  'dispute',
  'dispute_lost',
  'unpaid',
  'paused',
  'ended',
  'never',
])
export type AccessReason = z.infer<typeof AccessReason>

/** The caller's access, its reason and its end (GET /pay/membership). */
export const MembershipForMember = z.object({
  isVip: z.boolean(),
  reason: AccessReason,
  sentence: z.string(),
  planType: z.nullable(PlanName),
  endsAt: InstantOrNull,
  /** When the plan is charged again; access by hand may reach beyond that. */
  renewsAt: InstantOrNull,
  /** Whether the billing portal opens for them and is of use: for members who have or had a subscription, and for VIPs. */
  canManage: z.boolean(),
  /** Whether a subscription lives that charges them, or would again. */
  hasLiveSubscription: z.boolean(),
  /** The last payment failed: until then the card can be updated without a break. */
  pastDueUntil: InstantOrNull,
  /** Their bans; a deletion leaves a keyed hash of the address behind for them. */
  bans: z.object({ vipDisabled: z.boolean(), purchasesBlocked: z.boolean() }),
  payments: z.array(PaymentForMember),
})
export type MembershipForMember = z.infer<typeof MembershipForMember>
