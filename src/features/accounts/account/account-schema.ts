import * as z from 'zod/mini'
import { Instant, InstantOrNull } from '../../../platform/time/instant-schema.ts'
import { AccountForMember } from '../../office/viewer/viewer-schema.ts'
import { FactorsOfMember } from '../factors/factor-schema.ts'
import { FeedToken } from '../feed-tokens/feed-token-schema.ts'
import { AppPasswords } from '../app-passwords/app-password-schema.ts'
import { KnownDevice } from '../devices/device-schema.ts'
import { SentEmailExport } from '../sent-emails/sent-email-schema.ts'
import { SessionForMember } from '../sessions/session-schema.ts'

/** The operator's note about a member. Version 0: there is none yet. */
export const MemberNote = z.object({
  text: z.string(),
  version: z.int(),
  changedAt: InstantOrNull,
})
export type MemberNote = z.infer<typeof MemberNote>

/** The account in the file in which members take their data along, without anything that would let somebody sign in. */
export const AccountExport = z.object({
  ...z.omit(AccountForMember, { adminKey: true, needsSecondFactor: true, hasPrivateFeed: true }).shape,
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
  /** At most one: when it was made and last read. */
  privateFeeds: z.array(FeedToken),
  appPasswords: AppPasswords,
  /** Names and dates. */
  factors: FactorsOfMember,
  /** The emails of the last 30 days, by kind. */
  emails: z.array(SentEmailExport),
  /** The operator's note about the member. */
  note: MemberNote,
})
export type ExportWithAccount = z.infer<typeof ExportWithAccount>
