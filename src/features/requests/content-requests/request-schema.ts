import * as z from 'zod/mini'
import { Instant, InstantOrNull } from '../../../platform/time/instant-schema.ts'
import { TextOrNull } from '../../../platform/text-schema.ts'
import { contentTypes } from '../../catalogue/item/content-type.ts'

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
  /** How many members want it, its author among them; those whose address is confirmed. */
  votes: z.int(),
}

export const FulfillingItem = z.object({ name: z.string(), path: z.string() })

/** The day on which a scheduled item opens; null once it has come. */
export const OpensAt = InstantOrNull

export const RequestForMember = z.object({
  ...shared,
  isOwn: z.boolean(),
  hasVoted: z.boolean(),
  /** Whether a vote of the caller counts: once they have confirmed their address. */
  counts: z.boolean(),
  /** Null without one, and for a reader who may not see it. */
  item: z.nullable(FulfillingItem),
})
export type RequestForMember = z.infer<typeof RequestForMember>

/** A part of the open requests (GET /recommendations/open). */
export const OpenRequests = z.object({
  requests: z.array(RequestForMember),
  /** The parameter `after` of the next part; null at the end. */
  next: TextOrNull,
})
export type OpenRequests = z.infer<typeof OpenRequests>

/** The caller's own requests (GET /recommendations/mine). */
export const RequestsForMember = z.object({ requests: z.array(RequestForMember) })
export type RequestsForMember = z.infer<typeof RequestsForMember>

/** The open requests that are like a title, and what is there already (GET /recommendations/similar). */
export const SimilarToTitle = z.object({
  requests: z.array(RequestForMember),
  /** The best answers of the search, at most three. */
  items: z.array(z.object({ name: z.string(), path: z.string(), creators: z.optional(z.string()) })),
})
export type SimilarToTitle = z.infer<typeof SimilarToTitle>

export const RequestForAdmin = z.object({
  ...shared,
  /** Null once the account is deleted. */
  author: z.nullable(z.object({ id: z.string(), name: z.string() })),
  decidedAt: InstantOrNull,
  fulfilledAt: InstantOrNull,
  /** When it was taken down: no member sees it any more. */
  removedAt: InstantOrNull,
  /** Null while there is none, and once it is no longer published. Its path leads to the form of a scheduled one. */
  item: z.nullable(z.extend(FulfillingItem, { opensAt: OpensAt })),
})
export type RequestForAdmin = z.infer<typeof RequestForAdmin>
export const RequestsForAdmin = z.array(RequestForAdmin)

/** For so long the screen offers to take a decision back. */
export const undoSeconds = 10

/** How many requests one call takes down, or rejects. */
export const maxChosen = 200

/** The result of taking several requests down (POST /recommendations/remove). */
export const RemovedRequests = z.object({
  /** Those that no member sees any more, also where somebody else was first. */
  removed: z.array(RequestForAdmin),
  /** The ids of those that are not there. */
  gone: z.array(z.string()),
})
export type RemovedRequests = z.infer<typeof RemovedRequests>

/** The result of rejecting several requests (POST /recommendations/reject). */
export const RejectedRequests = z.object({
  /** Those that are rejected, also where somebody else was first. */
  rejected: z.array(RequestForAdmin),
  /** Those that somebody else has approved or taken down. */
  left: z.array(RequestForAdmin),
  /** The ids of those that are not there. */
  gone: z.array(z.string()),
})
export type RejectedRequests = z.infer<typeof RejectedRequests>

export const ItemChoice = z.object({
  id: z.string(),
  name: z.string(),
  path: z.string(),
  contentType: z.enum(contentTypes),
  opensAt: OpensAt,
})
export type ItemChoice = z.infer<typeof ItemChoice>

/** Items that may fulfil a request, for an administrator to choose from. */
export const ItemChoices = z.object({
  /** Those whose names match, the most alike first. */
  items: z.array(ItemChoice),
  /** Without a match, the items with the most similar names. */
  nearest: z.array(ItemChoice),
})
export type ItemChoices = z.infer<typeof ItemChoices>

/** A member's requests and votes in their data export. */
export const RequestsOfMember = z.object({
  own: z.array(z.object(shared)),
  votes: z.array(z.object({ requestId: z.string(), title: z.string(), votedAt: Instant })),
})
export type RequestsOfMember = z.infer<typeof RequestsOfMember>
