import * as z from 'zod/mini'
import { Instant, InstantOrNull } from '../../../platform/time/instant-schema.ts'
import { TextOrNull } from '../../../platform/text-schema.ts'

export const inquiryStates = ['open', 'answered', 'closed'] as const
export type InquiryState = (typeof inquiryStates)[number]

/** In characters. */
export const maxReply = 10_000

export const InquiryReply = z.object({ message: z.string(), writtenAt: Instant })

/** An inquiry with the answers that were sent, as administrators see it. */
export const InquiryForAdmin = z.object({
  id: z.string(),
  name: z.string(),
  email: z.string(),
  message: z.string(),
  /** The account behind the session that sent it; null for a visitor. */
  account: z.nullable(
    z.object({
      id: z.string(),
      name: z.string(),
      email: z.string(),
      createdAt: Instant,
      /** To the hour; null if they have not been here since this is recorded. */
      lastSeenAt: InstantOrNull,
    }),
  ),
  /** Whether the typed address is another than that of the account. */
  hasOtherEmail: z.boolean(),
  /** Whether the account that sent it was VIP; an address that was typed makes nobody one. */
  isVip: z.boolean(),
  state: z.enum(inquiryStates),
  /** A change names the version that it was read with. */
  version: z.int(),
  createdAt: Instant,
  closedAt: InstantOrNull,
  replies: z.array(InquiryReply),
})
export type InquiryForAdmin = z.infer<typeof InquiryForAdmin>

/** A part of the inquiries (GET /api/inquiries). */
export const InquiriesForAdmin = z.object({
  inquiries: z.array(InquiryForAdmin),
  /** The parameter `after` of the next part; null at the end. */
  next: TextOrNull,
})
export type InquiriesForAdmin = z.infer<typeof InquiriesForAdmin>

/** How many inquiries one call closes. */
export const maxClosedAtOnce = 200

/** The result of closing several inquiries (POST /api/inquiries/close). */
export const ClosedInquiries = z.object({
  closed: z.array(InquiryForAdmin),
  /** Changed by somebody else since they were read, and left as they are. */
  overtaken: z.array(InquiryForAdmin),
  /** The ids of those that are not there any more. */
  gone: z.array(z.string()),
})
export type ClosedInquiries = z.infer<typeof ClosedInquiries>

/** An inquiry in the data export of the member who sent it. */
export const InquiryOfMember = z.object({
  createdAt: Instant,
  name: z.string(),
  email: z.string(),
  message: z.string(),
  state: z.string(),
  replies: z.array(InquiryReply),
})
export type InquiryOfMember = z.infer<typeof InquiryOfMember>
