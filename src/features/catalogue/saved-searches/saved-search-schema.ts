import * as z from 'zod/mini'
import { Instant, InstantOrNull } from '../../../platform/time/instant-schema.ts'
import { contentTypes } from '../item/content-type.ts'
import { digestRhythms } from './next-digest.ts'

/** In characters. */
export const longestSearchName = 120

export const SavedSearch = z.object({
  id: z.string(),
  name: z.string(),
  /** The list that it searches, by the first part of its address. */
  list: z.enum(contentTypes),
  /** The query part of that address, with its question mark; empty for the whole list. */
  query: z.string(),
  path: z.string(),
  words: z.string(),
  createdAt: Instant,
  digest: z.enum(digestRhythms),
  /** When the digest comes, by the clock of the time zone. */
  hour: z.int(),
  timeZone: z.string(),
  nextDigestAt: InstantOrNull,
  hasFeed: z.boolean(),
})
export type SavedSearch = z.infer<typeof SavedSearch>

export const SavedSearches = z.object({
  searches: z.array(SavedSearch),
  /** Whether emails about news go to the caller's address: once it is confirmed. */
  isConfirmed: z.boolean(),
})
export type SavedSearches = z.infer<typeof SavedSearches>
