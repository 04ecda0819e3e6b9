import * as z from 'zod/mini'
import { Instant, InstantOrNull } from '../../../platform/time/instant-schema.ts'
import { fields } from '../item/fields.ts'
import { linkSlots, linkStates } from '../item/link-slots.ts'
import { linkReasons } from './link-outcome.ts'

/** A link in a slot of an item, and how its checks went. */
export const LinkForAdmin = z.object({
  /** Id of the check; items with the same address share it. */
  id: z.int(),
  item: z.object({
    name: z.string(),
    slug: z.string(),
    category: z.string(),
    contentType: fields.contentType.kind.answer,
    /** Whether one of its mirrors is not dead. */
    hasLiveMirror: z.boolean(),
  }),
  slot: z.enum(linkSlots),
  address: z.string(),
  host: z.string(),
  state: z.enum(linkStates),
  /** In a row. */
  failures: z.int(),
  /** How the last check ended; null before the first. */
  reason: z.nullable(z.enum(linkReasons)),
  /** Status of the last answer, where one came. */
  status: z.nullable(z.int()),
  checkedAt: InstantOrNull,
  nextCheckAt: Instant,
  /** Since when it waits to be checked before all others. */
  inFrontSince: InstantOrNull,
  /** Since when a visitor's report waits for that. */
  reportedAt: InstantOrNull,
})
export type LinkForAdmin = z.infer<typeof LinkForAdmin>

export const LinksForAdmin = z.object({
  links: z.array(LinkForAdmin),
  total: z.int(),
  totalPages: z.int(),
  /** Slots by the state of their links, whatever is asked for. */
  counts: z.object({ ok: z.int(), suspect: z.int(), dead: z.int(), unknown: z.int(), itemsWithoutLiveMirror: z.int() }),
  checks: z.object({
    /** Whether links are checked by the clock. */
    areOn: z.boolean(),
    /** Since when no check reaches any host. */
    unreachableSince: InstantOrNull,
  }),
})
export type LinksForAdmin = z.infer<typeof LinksForAdmin>
