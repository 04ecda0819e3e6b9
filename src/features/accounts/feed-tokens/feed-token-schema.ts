import * as z from 'zod/mini'
import { Instant, InstantOrNull } from '../../../platform/time/instant-schema.ts'

/** The caller's private feed: nothing in it opens it (GET /account/feed-token). */
export const FeedToken = z.object({
  createdAt: Instant,
  /** To the hour; null before the first use. */
  lastUsedAt: InstantOrNull,
})
export type FeedToken = z.infer<typeof FeedToken>

/** A new one, this once (POST /account/feed-token). */
export const NewFeedToken = z.object({
  token: z.string(),
  rss: z.string(),
  json: z.string(),
})
export type NewFeedToken = z.infer<typeof NewFeedToken>
