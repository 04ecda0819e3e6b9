import * as z from 'zod/mini'
import { Instant } from '../../../platform/time/instant-schema.ts'

/** A session as its own member sees it: nothing in it opens anything. */
export const SessionForMember = z.object({
  id: z.string(),
  /** 'Firefox on Linux' */
  device: z.string(),
  createdAt: Instant,
  /** To the minute. */
  lastSeenAt: Instant,
  /** When it ends at the latest. */
  expiresAt: Instant,
  isRemembered: z.boolean(),
  /** The one that this request came with. */
  isCurrent: z.boolean(),
})
export type SessionForMember = z.infer<typeof SessionForMember>

/** The caller's sessions, the one in use first (GET /auth/sessions). */
export const SessionsForMember = z.object({ sessions: z.array(SessionForMember) })
export type SessionsForMember = z.infer<typeof SessionsForMember>
