import * as z from 'zod/mini'
import { Instant, InstantOrNull } from '../../../platform/time/instant-schema.ts'
import { AccessReason, PlanName } from '../account/membership-schema.ts'
import { TextOrNull } from '../../../platform/text-schema.ts'

/* A member's billing as administrators see it, once as our tables have it and once as Stripe does. */

export const Revocation = z.enum(['refund', 'dispute', 'dispute_lost', 'unpaid', 'paused'])

export const SubscriptionForAdmin = z.object({
  stripeId: z.string(),
  planType: PlanName,
  status: z.enum([
    'active',
    'trialing',
    'past_due',
    'unpaid',
    'paused',
    'incomplete',
    'incomplete_expired',
    'canceled',
  ]),
  startedAt: Instant,
  periodStartsAt: Instant,
  periodEndsAt: Instant,
  cancelsAt: InstantOrNull,
  endedAt: InstantOrNull,
  pastDueSince: InstantOrNull,
  /** Its price, where the settings do not name it. */
  unknownPrice: TextOrNull,
})

export const GrantForAdmin = z.object({
  source: z.enum(['stripe', 'manual']),
  /** Null for access that was granted by hand. */
  subscriptionId: TextOrNull,
  planType: z.nullable(PlanName),
  basis: z.enum(['plan', 'grace', 'manual']),
  renews: z.boolean(),
  startsAt: Instant,
  endsAt: Instant,
  effectiveUntil: Instant,
  revokedReason: z.nullable(Revocation),
})
export type GrantForAdmin = z.infer<typeof GrantForAdmin>

/** Money is in the currency's smallest unit. */
export const PaymentForAdmin = z.object({
  invoiceId: z.string(),
  subscriptionId: z.string(),
  planType: PlanName,
  number: TextOrNull,
  status: z.enum(['draft', 'open', 'paid', 'uncollectible', 'void']),
  amountCents: z.number(),
  refundedCents: z.number(),
  currency: z.string(),
  periodStartsAt: Instant,
  periodEndsAt: Instant,
  invoicedAt: Instant,
  paidAt: InstantOrNull,
  failedAt: InstantOrNull,
  dispute: z.nullable(z.enum(['open', 'won', 'lost'])),
})
export type PaymentForAdmin = z.infer<typeof PaymentForAdmin>

/** One side of the comparison; of each kind the latest first. */
export const BillingSide = z.object({
  subscriptions: z.array(SubscriptionForAdmin),
  grants: z.array(GrantForAdmin),
  payments: z.array(PaymentForAdmin),
})
export type BillingSide = z.infer<typeof BillingSide>

export const BillingDifference = z.object({
  /** The subscription's or the invoice's at Stripe. */
  id: z.string(),
  /** In the words in which changes are recorded: `subscription.period_ends_at`; the kind alone where one side has nothing. */
  what: z.string(),
  local: TextOrNull,
  remote: TextOrNull,
})
export type BillingDifference = z.infer<typeof BillingDifference>

/** One event as it lies in the inbox. */
export const StripeEventForAdmin = z.object({
  id: z.string(),
  type: z.string(),
  createdAt: Instant,
  receivedAt: Instant,
  handledAt: InstantOrNull,
  outcome: TextOrNull,
})
export type StripeEventForAdmin = z.infer<typeof StripeEventForAdmin>

export const BillingChangeForAdmin = z.object({
  id: z.string(),
  subscriptionId: TextOrNull,
  cause: z.string(),
  isDrift: z.boolean(),
  what: z.string(),
  local: TextOrNull,
  remote: TextOrNull,
  changedAt: Instant,
})
export type BillingChangeForAdmin = z.infer<typeof BillingChangeForAdmin>

export const PaymentMode = z.object({
  isSandbox: z.boolean(),
  isLive: z.boolean(),
  isOff: z.exactOptional(z.boolean()),
})
export type PaymentMode = z.infer<typeof PaymentMode>

/** Stripe's side, as it was read for this answer. */
export const StripeSide = z.object({
  ...BillingSide.shape,
  isCustomerDeleted: z.boolean(),
  toCancel: z.array(
    z.object({
      subscriptionId: z.string(),
      why: z.enum(['refund', 'dispute_lost', 'second_subscription', 'disabled']),
    }),
  ),
})
export type StripeSide = z.infer<typeof StripeSide>

export const AccessStatus = z.object({
  isVip: z.boolean(),
  reason: AccessReason,
  sentence: z.string(),
  endsAt: InstantOrNull,
  planType: z.nullable(PlanName),
})

export const RecordedBilling = z.object({
  ...BillingSide.shape,
  stripeCustomer: TextOrNull,
  /** When our state was last made equal to Stripe's. */
  syncedAt: InstantOrNull,
  payments: z.array(z.object({ ...PaymentForAdmin.shape, disputeReviewedAt: InstantOrNull })),
})

/**
 * Everything about one member's money: what they have and why, our state beside Stripe's, and how it came to be so
 * (GET /api/billing/members/:id).
 */
export const MemberBilling = z.object({
  member: z.object({ id: z.string(), name: z.string(), email: z.string(), createdAt: Instant }),
  accessStatus: AccessStatus,
  local: RecordedBilling,
  /** Null without a customer there. */
  remote: z.nullable(z.union([StripeSide, z.object({ unavailable: z.string() })])),
  /** Empty also where Stripe could not be read. */
  differences: z.array(BillingDifference),
  events: z.array(StripeEventForAdmin),
  changes: z.array(BillingChangeForAdmin),
  /** After a lost dispute that nobody has reviewed, also of an earlier account with that address, they cannot buy. */
  isBlocked: z.boolean(),
  payments: PaymentMode,
})
export type MemberBilling = z.infer<typeof MemberBilling>

/** The same after a sync, with how many differences there were (POST /api/billing/members/:id/sync). */
export const SyncedMemberBilling = z.object({ ...MemberBilling.shape, changed: z.number() })
export type SyncedMemberBilling = z.infer<typeof SyncedMemberBilling>

export const BillingMemberForAdmin = z.object({
  id: z.string(),
  name: z.string(),
  email: z.string(),
  isVip: z.boolean(),
  sentence: z.string(),
  planType: z.nullable(PlanName),
})
export type BillingMemberForAdmin = z.infer<typeof BillingMemberForAdmin>

/** Members by a part of their name or address (GET /api/billing/members). */
export const BillingMembersForAdmin = z.array(BillingMemberForAdmin)
export type BillingMembersForAdmin = z.infer<typeof BillingMembersForAdmin>

export const BillingRunForAdmin = z.object({
  id: z.string(),
  scope: z.enum(['due', 'all']),
  /** `broken_off`: its process died, or was stopped. */
  state: z.enum(['under_way', 'finished', 'broken_off']),
  startedAt: Instant,
  finishedAt: InstantOrNull,
  checked: z.number(),
  drifts: z.number(),
  failed: z.number(),
  failure: TextOrNull,
})
export type BillingRunForAdmin = z.infer<typeof BillingRunForAdmin>

export const DriftForAdmin = z.object({
  id: z.string(),
  /** Null for a deleted account, and for what belongs to nobody. */
  member: z.nullable(z.object({ id: z.string(), name: z.string(), email: z.string() })),
  subscriptionId: TextOrNull,
  what: z.string(),
  local: TextOrNull,
  remote: TextOrNull,
  /** False for what only a person can put right, such as a price that differs. */
  isHealed: z.boolean(),
  changedAt: Instant,
})
export type DriftForAdmin = z.infer<typeof DriftForAdmin>

/** How equal our tables are to Stripe (GET /api/billing/drift). */
export const DriftReport = z.object({
  runs: z.array(BillingRunForAdmin),
  drifts: z.array(DriftForAdmin),
  /** How much was corrected, and how much of the last week is left to a person. */
  counts: z.object({ last24h: z.number(), last30d: z.number(), unhealed: z.number() }),
  waitingEvents: z.object({ count: z.number(), oldestReceivedAt: InstantOrNull }),
  /** Events of the last 30 days that were none of ours, by why. */
  ignored: z.array(z.object({ outcome: z.string(), count: z.number() })),
  /** How many differences in 24 hours is normal. */
  threshold: z.number(),
  isAboveThreshold: z.boolean(),
  /** Prices of living subscriptions that the settings do not name, and how many have each. */
  unknownPrices: z.array(z.object({ price: z.string(), count: z.number() })),
  /** Stripe's fault with the settings; nothing is sold meanwhile. */
  settingsFault: TextOrNull,
  payments: PaymentMode,
})
export type DriftReport = z.infer<typeof DriftReport>
