import * as z from 'zod/mini'
import { Instant } from '../../../platform/time/instant-schema.ts'
import { MemberNote } from '../account/account-schema.ts'
import { SessionForMember } from '../sessions/session-schema.ts'

export const peopleRoles = ['all', 'admin', 'member', 'invited'] as const
export type PeopleRole = (typeof peopleRoles)[number]

export const peopleOrders = ['joined', 'seen'] as const
export type PeopleOrder = (typeof peopleOrders)[number]

/** A member in the list of all. */
export const PersonInList = z.object({
  id: z.string(),
  name: z.string(),
  email: z.string(),
  createdAt: Instant,
  /** To the hour; null for who has not been here since that is noted. */
  lastSeenAt: z.nullable(Instant),
  isAdmin: z.boolean(),
  /** False for who was imported and has not set a password yet. */
  hasPassword: z.boolean(),
})
export type PersonInList = z.infer<typeof PersonInList>

/** A page of the list (GET /api/people). */
export const People = z.object({
  people: z.array(PersonInList),
  total: z.int(),
  totalPages: z.int(),
})

export const maxNoteLength = 10_000

/** Everything about one member that the accounts know (GET /api/people/:id). */
export const Person = z.object({
  ...PersonInList.shape,
  passwordChangedAt: z.nullable(Instant),
  /** Whether an invitation waits to be sent. */
  isInvitationWaiting: z.boolean(),
  /** Whether it is the caller. */
  isSelf: z.boolean(),
  note: MemberNote,
  sessions: z.array(SessionForMember),
})
export type Person = z.infer<typeof Person>

/** A line of the audit log about a member, or by them. */
export const TrailEvent = z.object({
  id: z.string(),
  at: Instant,
  action: z.string(),
  by: z.object({
    kind: z.enum(['member', 'operator', 'system']),
    id: z.nullable(z.string()),
    /** Null for who has no account any more, and for whatever is no person. */
    name: z.nullable(z.string()),
  }),
  subject: z.nullable(z.object({ kind: z.string(), id: z.string(), name: z.nullable(z.string()) })),
  details: z.record(z.string(), z.unknown()),
})
export type TrailEvent = z.infer<typeof TrailEvent>

/** A part of a member's trail, the latest first (GET /api/people/:id/trail). */
export const Trail = z.object({ events: z.array(TrailEvent), hasMore: z.boolean() })
