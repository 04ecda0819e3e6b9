import * as z from 'zod/mini'
import { TextOrNull } from '../../../platform/text-schema.ts'
import { Instant, InstantOrNull } from '../../../platform/time/instant-schema.ts'
import { AppPasswords } from '../app-passwords/app-password-schema.ts'
import { MemberNote } from '../account/account-schema.ts'
import { FactorsForAdmin } from '../factors/factor-schema.ts'
import { FeedToken } from '../feed-tokens/feed-token-schema.ts'
import { KnownDevice } from '../devices/device-schema.ts'
import { emailFates, EmailStop } from '../sent-emails/sent-email-schema.ts'
import { SessionForMember } from '../sessions/session-schema.ts'

export const peopleRoles = ['all', 'admin', 'member'] as const
export type PeopleRole = (typeof peopleRoles)[number]

export const peopleStates = ['all', 'unconfirmed', 'invited'] as const
export type PeopleState = (typeof peopleStates)[number]

export const peopleOrders = ['joined', 'seen'] as const
export type PeopleOrder = (typeof peopleOrders)[number]

export const PersonInList = z.object({
  id: z.string(),
  name: z.string(),
  email: z.string(),
  createdAt: Instant,
  /** To the hour; null if they have not been here since this is recorded. */
  lastSeenAt: InstantOrNull,
  isAdmin: z.boolean(),
  isSafetyOfficer: z.boolean(),
  /** False for an imported member without a password. */
  hasPassword: z.boolean(),
  /** Whether somebody has used a link that was sent to the address. */
  isEmailConfirmed: z.boolean(),
})
export type PersonInList = z.infer<typeof PersonInList>

/** A page of the list (GET /api/people). */
export const People = z.object({
  people: z.array(PersonInList),
  total: z.int(),
  totalPages: z.int(),
})

/** The events of the audit log that tell how somebody has tried to sign in. */
export const signInTries = ['session.opened', 'session.refused', 'factor.refused', 'factor.unfinished'] as const

/** The fate of an email to a member; `at` is when it was sent, or was to be. */
const EmailFate = z.object({ fate: z.enum(emailFates), answer: TextOrNull, at: Instant })

export const SignInOfPerson = z.object({
  /** Until when passwords are refused on devices that are not known. */
  lockedUntil: InstantOrNull,
  /** The same of second factors. */
  factorLockedUntil: InstantOrNull,
  /** The known devices on which either is refused. */
  lockedDevices: z.array(
    z.object({ device: z.string(), lockedUntil: InstantOrNull, factorLockedUntil: InstantOrNull }),
  ),
  /** Whether the site asks them for a second factor before they administer it, and they have none. */
  lacksFactor: z.boolean(),
  confirmedAt: InstantOrNull,
  /** The latest first; those that were refused are counted together, at the time of the last. */
  tries: z.array(
    z.object({
      action: z.enum(signInTries),
      words: z.string(),
      at: Instant,
      times: z.int(),
    }),
  ),
  /** The newest email about the account that waits, is being sent or was given up. */
  unsentEmail: z.nullable(
    z.object({
      /** 'Reset link' */
      words: z.string(),
      state: z.enum(['waiting', 'running', 'failed']),
      since: Instant,
      reason: z.nullable(z.string()),
    }),
  ),
  /** The last email of the log that went to them, or was to. */
  lastEmail: z.nullable(z.object({ words: z.string(), ...EmailFate.shape })),
  /** Why their address gets no more emails of some kinds. */
  emailStop: z.nullable(EmailStop),
  /** The last link to set a password that is not used yet; with the fate of its email, where it is known. */
  link: z.nullable(z.object({ writtenAt: Instant, endsAt: Instant, email: z.nullable(EmailFate) })),
})
export type SignInOfPerson = z.infer<typeof SignInOfPerson>

export const maxNoteLength = 10_000

/** Everything about one member that the accounts know (GET /api/people/:id). */
export const Person = z.object({
  ...PersonInList.shape,
  passwordChangedAt: InstantOrNull,
  isInvitationWaiting: z.boolean(),
  isSelf: z.boolean(),
  /** Whether the caller may name them as a safety officer, or is one and may give the mark up. */
  canChangeMark: z.boolean(),
  note: MemberNote,
  sessions: z.array(SessionForMember),
  devices: z.array(KnownDevice),
  appPasswords: AppPasswords,
  /** Null without one. */
  privateFeed: z.nullable(FeedToken),
  factors: FactorsForAdmin,
  signIn: SignInOfPerson,
})
export type Person = z.infer<typeof Person>
