import * as z from 'zod/mini'
import { Instant, InstantOrNull } from '../../../platform/time/instant-schema.ts'
import { TextOrNull } from '../../../platform/text-schema.ts'

export const bulkOutcomes = ['planned', 'excluded', 'refused', 'changed', 'skipped', 'undone', 'left'] as const
export type BulkOutcome = (typeof bulkOutcomes)[number]

const Values = z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]))

export const BulkEditForAdmin = z.object({
  id: z.string(),
  /** In place of ids: how many items were `chosen` one by one. */
  filter: Values,
  changes: Values,
  state: z.enum(['previewing', 'ready', 'applying', 'done', 'undoing', 'undone', 'failed', 'cancelled']),
  selected: z.int(),
  /** Those of them that have the value already. */
  unchanged: z.int(),
  /** The others, by what is or was done with them. */
  counts: z.object({
    planned: z.int(),
    /** Switched off in the preview: they are not changed. */
    excluded: z.int(),
    refused: z.int(),
    changed: z.int(),
    skipped: z.int(),
    undone: z.int(),
    left: z.int(),
  }),
  /** Rises when items of the preview are switched on or off. */
  version: z.int(),
  /** How far the work under way is, from 0 to 1. */
  progress: z.nullable(z.number()),
  failure: TextOrNull,
  madeAt: Instant,
  appliedAt: InstantOrNull,
  /** Until when it can be undone; null where it cannot. */
  undoUntil: InstantOrNull,
})
export type BulkEditForAdmin = z.infer<typeof BulkEditForAdmin>

export const BulkEditsForAdmin = z.object({ edits: z.array(BulkEditForAdmin) })

export const BulkItems = z.object({
  items: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      slug: z.string(),
      outcome: z.enum(bulkOutcomes),
      difference: z.array(z.object({ field: z.string(), before: z.string(), after: z.string() })),
      reasons: z.array(z.string()),
    }),
  ),
  /** The beginning of the next page; null after the last. */
  next: z.nullable(z.int()),
})
export type BulkItems = z.infer<typeof BulkItems>
