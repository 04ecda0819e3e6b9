import * as z from 'zod/mini'
import { Instant } from '../../../platform/time/instant-schema.ts'

export const requestStatuses = ['pending', 'approved', 'rejected'] as const

/** In characters. */
export const maxTitle = 120
export const maxDescription = 2_000

const shared = {
  id: z.string(),
  title: z.string(),
  description: z.string(),
  status: z.enum(requestStatuses),
  createdAt: Instant,
  /** How many members want it, its author among them. */
  votes: z.int(),
}

/** The item that fulfils a request. */
const FulfillingItem = z.object({ name: z.string(), path: z.string() })

/** The day on which a scheduled item opens, and is told of; null where that has come. */
const OpensAt = z.nullable(Instant)

/** A request as members see it. */
export const RequestForMember = z.object({
  ...shared,
  isOwn: z.boolean(),
  hasVoted: z.boolean(),
  /** Null while there is none, and for who may not see it. */
  item: z.nullable(FulfillingItem),
})
export type RequestForMember = z.infer<typeof RequestForMember>

/** A part of the open requests (GET /recommendations/open). */
export const OpenRequests = z.object({
  requests: z.array(RequestForMember),
  /** The parameter `after` of the next part; null at the end. */
  next: z.nullable(z.string()),
})
export type OpenRequests = z.infer<typeof OpenRequests>

/** The caller's own requests (GET /recommendations/mine), or those that are like a title. */
export const RequestsForMember = z.object({ requests: z.array(RequestForMember) })
export type RequestsForMember = z.infer<typeof RequestsForMember>

/** A request as administrators see it. It does not say whose it is. */
export const RequestForAdmin = z.object({
  ...shared,
  decidedAt: z.nullable(Instant),
  fulfilledAt: z.nullable(Instant),
  /** Null while there is none, and once it is no longer published. Its path leads to the form of a scheduled one. */
  item: z.nullable(z.extend(FulfillingItem, { opensAt: OpensAt })),
})
export type RequestForAdmin = z.infer<typeof RequestForAdmin>
export const RequestsForAdmin = z.array(RequestForAdmin)

/** Items that may fulfil a request, for an administrator to choose from. */
export const ItemChoices = z.object({
  items: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      path: z.string(),
      contentType: z.string(),
      opensAt: OpensAt,
    }),
  ),
})
export type ItemChoices = z.infer<typeof ItemChoices>

/** A member's requests and votes in their data export. */
export const RequestsOfMember = z.object({
  own: z.array(z.object(shared)),
  votes: z.array(z.object({ requestId: z.string(), title: z.string(), votedAt: Instant })),
})
export type RequestsOfMember = z.infer<typeof RequestsOfMember>
