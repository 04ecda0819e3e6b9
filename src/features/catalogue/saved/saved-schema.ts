import * as z from 'zod/mini'
import { Instant, InstantOrNull } from '../../../platform/time/instant-schema.ts'
import { TextOrNull } from '../../../platform/text-schema.ts'

/** The facts that a list needs of its reader (POST /account/visit). */
export const ReadersMemory = z.object({
  /** When the visit before this one ended; null in the first one. */
  newSince: InstantOrNull,
  /** The slugs of entries that are new since then, the newest first, at most 300. */
  fresh: z.array(z.string()),
  /** Those of the saved entries. */
  saved: z.array(z.string()),
  keepsHistory: z.boolean(),
})
export type ReadersMemory = z.infer<typeof ReadersMemory>

/** An entry in a list of the reader's own; name and path are null while they may not see it. */
const RememberedEntry = z.object({
  slug: z.string(),
  at: Instant,
  name: TextOrNull,
  path: TextOrNull,
  /** The label of the host, of a download. */
  host: TextOrNull,
})
export type RememberedEntry = z.infer<typeof RememberedEntry>

/** A part of the saved entries, or of the downloads (GET /account/saved-entries, GET /account/downloads). */
export const RememberedEntries = z.object({
  entries: z.array(RememberedEntry),
  /** The parameter `after` of the next part; null at the end. */
  next: TextOrNull,
  keepsHistory: z.boolean(),
})
export type RememberedEntries = z.infer<typeof RememberedEntries>

export const DownloadOfMember = z.object({
  slug: z.string(),
  item: TextOrNull,
  host: z.string(),
  downloadedAt: Instant,
})
export type DownloadOfMember = z.infer<typeof DownloadOfMember>

/** The saved entries in a member's data export, and what else the library remembers of their reading. */
export const ReadingOfMember = z.object({
  saved: z.array(z.object({ slug: z.string(), item: TextOrNull, savedAt: Instant })),
  keepsHistory: z.boolean(),
  lastSeenAt: InstantOrNull,
})
export type ReadingOfMember = z.infer<typeof ReadingOfMember>
