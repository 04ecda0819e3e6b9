import * as z from 'zod/mini'
import { InstantOrNull } from '../../../platform/time/instant-schema.ts'
import { fields } from '../item/fields.ts'
import { linkSlots, linkStates } from '../item/link-slots.ts'
import { linkReasons } from './link-outcome.ts'

export const LinkForAdmin = z.object({
  /** Id of the check; entries with the same address share it. */
  id: z.int(),
  slot: z.enum(linkSlots),
  address: z.string(),
  host: z.string(),
  state: z.enum(linkStates),
  /** In a row. */
  failures: z.int(),
  /** How the last check ended; null before the first. */
  reason: z.nullable(z.enum(linkReasons)),
  status: z.nullable(z.int()),
  checkedAt: InstantOrNull,
  /** Since when a visitor's report waits to be checked. */
  reportedAt: InstantOrNull,
})
export type LinkForAdmin = z.infer<typeof LinkForAdmin>

export const LinkedEntry = z.object({
  id: z.string(),
  name: z.string(),
  slug: z.string(),
  category: z.string(),
  contentType: fields.contentType.kind.answer,
  hasLiveMirror: z.boolean(),
  links: z.array(LinkForAdmin),
})
export type LinkedEntry = z.infer<typeof LinkedEntry>

const StateCounts = z.object({ ok: z.int(), suspect: z.int(), dead: z.int(), unknown: z.int() })

export const LinksForAdmin = z.object({
  entries: z.array(LinkedEntry),
  total: z.int(),
  totalPages: z.int(),
  /** Links by their states, whatever is asked for. */
  counts: StateCounts,
  entriesWithoutLiveMirror: z.int(),
  checks: z.object({
    areOn: z.boolean(),
    haveBegun: z.boolean(),
    isRehearsal: z.boolean(),
    unreachableSince: InstantOrNull,
  }),
  /** All of them, without `www.`: those with the most broken links first, then those with the most links. */
  hosts: z.array(z.object({ host: z.string(), links: z.int(), broken: z.int() })),
})
export type LinksForAdmin = z.infer<typeof LinksForAdmin>
