import * as z from 'zod/mini'

/** An entry that a page of details leads to. */
const NearEntry = z.object({ name: z.string(), path: z.string(), creators: z.optional(z.string()) })
export type NearEntry = z.infer<typeof NearEntry>

const NearEntries = z.object({
  entries: z.array(NearEntry),
  /** Whether there are others. */
  hasMore: z.boolean(),
})

/** The surroundings of an entry in the catalogue. */
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
  /** Others by one of its creators, the newest first. */
  moreBy: z.optional(z.object({ creator: z.string(), ...NearEntries.shape })),
  /** Others of its list that were entered on its day. */
  sameDay: z.optional(NearEntries),
})
export type Neighbours = z.infer<typeof Neighbours>
