import * as z from 'zod/mini'
import { Instant, InstantOrNull } from '../../../platform/time/instant-schema.ts'
import { TextOrNull } from '../../../platform/text-schema.ts'

/** The areas that the caller may enter (GET /auth/status). */
export const AccessForMember = z.object({
  isAdmin: z.boolean(),
  isVip: z.boolean(),
  /** Whether they administer the site once they have set up a second factor, and not before. */
  needsSecondFactor: z.boolean(),
})
export type AccessForMember = z.infer<typeof AccessForMember>

/** The caller's own account (GET /auth/dashboard). */
export const AccountForMember = z.object({
  isAdmin: z.boolean(),
  isVip: z.boolean(),
  needsSecondFactor: z.boolean(),
  name: z.string(),
  email: z.string(),
  /** Whether somebody has used a link that was sent to the address. */
  isEmailConfirmed: z.boolean(),
  /** The address that they have asked for in place of it and not confirmed yet. */
  requestedEmail: TextOrNull,
  /** Why their address gets no more emails of some kinds; null while it does (docs/spec/email.md#stops). */
  emailStop: z.nullable(z.enum(['bounce', 'complaint'])),
  /** Whether they have made a private feed (GET /account/feed-token). */
  hasPrivateFeed: z.boolean(),
  profileImage: TextOrNull,
  createdAt: Instant,
  /** The end of the membership, also of one that is over; null without one. */
  vipExpirationDate: InstantOrNull,
  /** For VIPs by a plan alone. */
  planType: z.exactOptional(z.string()),
  /** For administrators alone. */
  adminKey: z.exactOptional(z.string()),
})
export type AccountForMember = z.infer<typeof AccountForMember>
