import * as z from 'zod/mini'
import { Instant, InstantOrNull } from '../../../platform/time/instant-schema.ts'
import { FactorsOfMember } from '../factors/factor-schema.ts'
import { KnownDevice } from '../devices/device-schema.ts'
import { SessionForMember } from '../sessions/session-schema.ts'

/** The operator's note about a member. Version 0: there is none yet. */
export const MemberNote = z.object({
  text: z.string(),
  version: z.int(),
  changedAt: InstantOrNull,
})
export type MemberNote = z.infer<typeof MemberNote>

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
  /** As in GET /auth/status. */
  needsSecondFactor: z.boolean(),
  name: z.string(),
  email: z.string(),
  /** Whether somebody has used a link that was sent to the address. */
  isEmailConfirmed: z.boolean(),
  /** The address that they have asked for in place of it and not confirmed yet. */
  requestedEmail: z.nullable(z.string()),
  profileImage: z.nullable(z.string()),
  createdAt: Instant,
  /** The end of the membership, also of one that is over; null without one. */
  vipExpirationDate: InstantOrNull,
  /** For VIPs by a plan alone. */
  planType: z.exactOptional(z.string()),
  /** For administrators alone. */
  adminKey: z.exactOptional(z.string()),
})
export type AccountForMember = z.infer<typeof AccountForMember>

/** The account in the file in which members take their data along, without anything that would let somebody sign in. */
export const AccountExport = z.object({
  ...z.omit(AccountForMember, { adminKey: true, needsSecondFactor: true }).shape,
  /** Whether they are a safety officer of the site. */
  isSafetyOfficer: z.boolean(),
  /** Null while none is set. */
  passwordChangedAt: InstantOrNull,
})
export type AccountExport = z.infer<typeof AccountExport>

/** The whole file (GET /auth/export). Other features add parts of their own. */
export const ExportWithAccount = z.looseObject({
  exportedAt: Instant,
  account: AccountExport,
  sessions: z.array(SessionForMember),
  devices: z.array(KnownDevice),
  /** Names and dates. */
  factors: FactorsOfMember,
  /** The operator's note about the member. */
  note: MemberNote,
})
export type ExportWithAccount = z.infer<typeof ExportWithAccount>
