import * as z from 'zod/mini'
import { Instant } from '../../../platform/time/instant-schema.ts'
import { statisticsRangeNames } from './statistics-range.ts'
import { TextOrNull } from '../../../platform/text-schema.ts'

/** The figures of the four cards (GET /api/stats). */
export const Statistics = z.object({
  totalUsers: z.int(),
  totalVIPs: z.int(),
  totalContentRecommendations: z.int(),
  /** Accounts that were made in the last 30 days. */
  usersLastMonth: z.int(),
  /** With one decimal. */
  vipPercentage: z.number(),
})
export type Statistics = z.infer<typeof Statistics>

/** Why the access of members ended, as billing knows it. */
export const churnReasons = {
  cancelled: 'Cancelled by the member',
  unpaid: 'The card was refused',
  refund: 'Refunded',
  dispute: 'Disputed at the bank',
  paused: 'Paused at Stripe',
  given: 'Time given by an administrator ran out',
  disabled: 'Disabled by an administrator',
  other: 'Not known',
} as const
export type ChurnReason = keyof typeof churnReasons
const churnReasonNames = Object.keys(churnReasons) as [ChurnReason, ...ChurnReason[]]

const ByTier = { free: z.int(), vip: z.int() }
export const MissedTexts = z.object({
  texts: z.array(z.object({ text: z.string(), searches: z.int() })),
  /** Searches beyond the texts that are listed. */
  others: z.int(),
})

/** Growth, VIPs, money, downloads and searches of a range (GET /api/stats/report). */
export const StatisticsReport = z.object({
  range: z.enum(statisticsRangeNames),
  /** The first day. */
  from: z.string(),
  unit: z.enum(['day', 'month']),
  computedAt: Instant,
  /** The figures of the four cards as they were 30 days before, without the accounts that were deleted since. */
  monthAgo: z.object({
    totalUsers: z.int(),
    totalVIPs: z.int(),
    totalContentRecommendations: z.int(),
    usersLastMonth: z.int(),
  }),
  /** Accounts that there still are, by the time they were made. */
  growth: z.array(z.object({ period: z.string(), joined: z.int(), total: z.int() })),
  /** Deleted accounts are in none of it, those of the past included. */
  vip: z.object({
    active: z.int(),
    trialing: z.int(),
    inGrace: z.int(),
    churned: z.int(),
    /** Those with members, the most frequent first. */
    reasons: z.array(z.object({ reason: z.enum(churnReasonNames), members: z.int() })),
    byPeriod: z.array(z.object({ period: z.string(), began: z.int(), ended: z.int(), total: z.int() })),
    plans: z.object({ monthly: z.int(), annual: z.int(), manual: z.int() }),
  }),
  /** The monthly revenue of the subscriptions that renew, by currency, in its smallest unit. */
  recurring: z.array(z.object({ currency: z.string(), subscriptions: z.int(), amount: z.int() })),
  /** Members who joined in the range, and those of them who became VIP and whose payments the site kept at least a part of. */
  funnel: z.object({ joined: z.int(), vips: z.int(), paid: z.int() }),
  revenue: z.array(
    z.object({
      month: z.string(),
      currency: z.string(),
      payments: z.int(),
      /** In the smallest unit of the currency. */
      paid: z.number(),
      returned: z.number(),
    }),
  ),
  downloads: z.object({
    byPeriod: z.array(z.object({ period: z.string(), ...ByTier })),
    byHost: z.array(z.object({ host: z.string(), ...ByTier })),
    /** The twenty with the most; the name is null where the entry is gone. */
    byItem: z.array(z.object({ id: z.string(), name: TextOrNull, to: TextOrNull, ...ByTier })),
  }),
  /** The twenty entries with the most purchases of a membership from their pages. */
  conversion: z.array(
    z.object({
      slug: z.string(),
      name: TextOrNull,
      to: TextOrNull,
      downloads: z.int(),
      checkouts: z.int(),
      purchases: z.int(),
    }),
  ),
  searches: z.object({ free: MissedTexts, vip: MissedTexts }),
})
export type StatisticsReport = z.infer<typeof StatisticsReport>
