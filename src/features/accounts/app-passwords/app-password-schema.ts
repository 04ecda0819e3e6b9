import * as z from 'zod/mini'
import { Instant, InstantOrNull } from '../../../platform/time/instant-schema.ts'

/** An app password: nothing in it opens anything. */
const AppPassword = z.object({
  id: z.string(),
  name: z.string(),
  createdAt: Instant,
  /** To the hour; null until it was used. */
  lastUsedAt: InstantOrNull,
})
export type AppPassword = z.infer<typeof AppPassword>

/** The app passwords of a member, the newest first (GET /account/app-passwords, GET /api/people/:id). */
export const AppPasswords = z.array(AppPassword)

/** A new one: the password is nowhere else. */
export const NewAppPassword = z.object({ id: z.string(), name: z.string(), password: z.string() })
export type NewAppPassword = z.infer<typeof NewAppPassword>
