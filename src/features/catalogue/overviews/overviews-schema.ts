import * as z from 'zod/mini'
import { Instant } from '../../../platform/time/instant-schema.ts'
import { fields } from '../item/fields.ts'
import { itemStatuses } from '../editing/content-sections.ts'

export const Schedule = z.object({
  /** `2026-12` */
  month: z.string(),
  today: z.string(),
  days: z.array(
    z.object({
      day: z.string(),
      /** How many entries it has; the first of them follow. */
      total: z.int(),
      entries: z.array(z.object({ id: z.string(), name: z.string(), postDate: Instant, isAhead: z.boolean() })),
    }),
  ),
})
export type Schedule = z.infer<typeof Schedule>

/** Groups of entries that look like one work, or lead to one file. */
export const Duplicates = z.object({
  groups: z.array(
    z.object({
      same: z.enum(['title', 'file']),
      /** The title of the first of them, or the address. */
      text: z.string(),
      entries: z.array(
        z.object({
          id: z.string(),
          name: z.string(),
          slug: z.string(),
          creators: z.array(z.string()),
          category: z.string(),
          contentType: fields.contentType.kind.answer,
          status: z.enum(itemStatuses),
          postDate: Instant,
        }),
      ),
    }),
  ),
  isCut: z.boolean(),
})
export type Duplicates = z.infer<typeof Duplicates>
