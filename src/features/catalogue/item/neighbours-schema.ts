import * as z from 'zod/mini'

const NearEntry = z.object({ name: z.string(), path: z.string(), creators: z.optional(z.string()) })
export type NearEntry = z.infer<typeof NearEntry>

const NearEntries = z.object({
  entries: z.array(NearEntry),
  hasMore: z.boolean(),
})

export const Neighbours = z.object({
  /** The rows next to it in its list, newest first; absent at an end of the list. */
  previous: z.optional(NearEntry),
  next: z.optional(NearEntry),
  /** Its series in order, itself included: the first, the last and those near it; none where it is the only one. */
  volumes: z.array(
    z.object({
      name: z.string(),
      path: z.string(),
      number: z.optional(z.number()),
      /** Whether others lie between it and the one before. */
      isBehindGap: z.optional(z.boolean()),
    }),
  ),
  moreBy: z.optional(z.object({ creator: z.string(), ...NearEntries.shape })),
  sameDay: z.optional(NearEntries),
})
export type Neighbours = z.infer<typeof Neighbours>
