import type { AccountsApp } from '../app.ts'
import { digestOf, makeToken } from '../sessions/tokens.server.ts'

const resetMs = 30 * 60_000
/** An invitation is read when it is read. */
export const invitationMs = 7 * 86_400_000

/**
 * Makes the token of a reset link, good for one use within 30 minutes, or as long as it is told to. It takes the place of
 * an earlier one.
 * @returns the token, which is stored nowhere: the database keeps its digest
 */
export async function issuePasswordReset(
  app: Pick<AccountsApp, 'db' | 'clock'>,
  { userId, validForMs = resetMs }: { userId: string; validForMs?: number },
): Promise<{ token: string; expiresAt: Date }> {
  const token = makeToken()
  const expiresAt = new Date(app.clock.now() + validForMs)
  const reset = { token_hash: digestOf(token), expires_at: expiresAt }
  await app.db
    .insertInto('password_resets')
    .values({ user_id: userId, ...reset })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(reset))
    .execute()
  return { token, expiresAt }
}
