import * as z from 'zod/mini'
import { Instant } from '../../../platform/time/instant-schema.ts'
import { fields } from '../item/fields.ts'
import { TextOrNull } from '../../../platform/text-schema.ts'

export const rightsLists = ['lapsing', 'lapsed'] as const
export type RightsList = (typeof rightsLists)[number]

export const lapseDays = 30

export const RightsEntry = z.object({
  id: z.string(),
  name: z.string(),
  slug: z.string(),
  category: z.string(),
  contentType: fields.contentType.kind.answer,
  /** When it ends; of what has lapsed, when it was taken off the site. */
  at: Instant,
  cause: z.enum(['rights', 'consent', 'gate']),
  /** The people whose consent ends; for a lapsed entry, the reasons against publishing it, in sentences. */
  details: z.array(z.string()),
})
export type RightsEntry = z.infer<typeof RightsEntry>

/** A part of the entries whose rights end or have ended (GET /api/rights). */
export const RightsForAdmin = z.object({
  entries: z.array(RightsEntry),
  next: TextOrNull,
  counts: z.object({ lapsing: z.int(), lapsed: z.int() }),
})
export type RightsForAdmin = z.infer<typeof RightsForAdmin>
