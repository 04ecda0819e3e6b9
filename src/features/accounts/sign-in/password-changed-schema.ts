import * as z from 'zod/mini'

/** The answer to a change of the password (POST /reset-password/account). */
export const PasswordChanged = z.object({
  message: z.string(),
  /** The session goes on under this token; the old one opens nothing. */
  token: z.string(),
})
export type PasswordChanged = z.infer<typeof PasswordChanged>
