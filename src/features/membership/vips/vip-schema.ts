import * as z from 'zod/mini'
import { Instant, InstantOrNull } from '../../../platform/time/instant-schema.ts'

/** Replaces a date for a member without a grant. */
export const notDefined = 'Not defined'

export const VipUser = z.object({
  id: z.string(),
  name: z.string(),
  email: z.string(),
  /** The end of the access that holds now, else of the last. */
  vipExpirationDate: z.union([Instant, z.literal(notDefined)]),
  vipDisabled: z.boolean(),
})
export type VipUser = z.infer<typeof VipUser>

/** GET /auth/vip-users and GET /auth/vip-disabled-users. */
export const VipUsers = z.array(VipUser)

export const vipFilters = ['all', 'active', 'expired'] as const
export type VipFilter = (typeof vipFilters)[number]

export const disabledOrders = ['date', 'name'] as const
export type DisabledOrder = (typeof disabledOrders)[number]

/** Why somebody is VIP or is not, for administrators (GET /api/people/:id/access). */
export const AccessOfMember = z.object({
  isVip: z.boolean(),
  isDisabled: z.boolean(),
  /** 'VIP through a paid plan that renews on March 5, 2024.' */
  sentence: z.string(),
  endsAt: InstantOrNull,
  /** Whether disabling or deleting has something to cancel at Stripe. */
  hasSubscription: z.boolean(),
  hasPayments: z.boolean(),
  /** Whether they have paid money that was not refunded. */
  hasPaid: z.boolean(),
})
export type AccessOfMember = z.infer<typeof AccessOfMember>
