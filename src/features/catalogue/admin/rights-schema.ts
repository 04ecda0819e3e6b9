import * as z from 'zod/mini'
import { Instant } from '../../../platform/time/instant-schema.ts'
import { contentTypes } from '../item/content-type.ts'

/** What the list shows: what ends within 30 days, or what the site has taken off by itself. */
export const rightsLists = ['lapsing', 'lapsed'] as const
export type RightsList = (typeof rightsLists)[number]

/** How far ahead administrators are told of an end. */
export const lapseDays = 30

export const RightsEntry = z.object({
  id: z.string(),
  name: z.string(),
  slug: z.string(),
  category: z.string(),
  contentType: z.enum(contentTypes),
  /** When it ends; of what has lapsed, when it was taken off the site. */
  at: Instant,
  /** What ends, or why it was taken off. */
  cause: z.enum(['rights', 'consent', 'gate']),
  /** Whose consent ends; of what has lapsed, what keeps it from being published, in sentences. */
  details: z.array(z.string()),
})
export type RightsEntry = z.infer<typeof RightsEntry>

/** A part of the entries whose rights end or have ended (GET /api/rights). */
export const RightsForAdmin = z.object({
  entries: z.array(RightsEntry),
  /** What the next part is asked with. */
  next: z.nullable(z.string()),
  counts: z.object({ lapsing: z.int(), lapsed: z.int() }),
})
export type RightsForAdmin = z.infer<typeof RightsForAdmin>
