import type { AccountsApp } from '../app.ts'
import { digestOf, makeToken } from '../sessions/tokens.server.ts'
import { lockUser } from '../user/lock-user.server.ts'

/** How long a link works, by who has it sent. An invitation is read when it is read. */
const validForMs = { forgotten: 30 * 60_000, administrator: 30 * 60_000, invitation: 7 * 86_400_000 } as const
/** The shortest time between two emails because somebody has typed an address. */
const forgottenEveryMs = 10 * 60_000

export type ResetKind = keyof typeof validForMs

/**
 * Makes the token of a reset link, good for one use (docs/spec/accounts.md#forgotten-passwords). Other links stay good:
 * the requester may be a stranger. An invitation replaces the one before.
 * @param emailId the email with the link; written again, it has a new token
 * @returns the token, never stored; undefined without an account, or where a link was sent within 10 minutes
 */
export async function issuePasswordReset(
  app: Pick<AccountsApp, 'db' | 'clock'>,
  { userId, kind, emailId }: { userId: string; kind: ResetKind; emailId: string },
): Promise<string | undefined> {
  const now = app.clock.now()
  const token = makeToken()
  const reset = {
    token_hash: digestOf(token),
    issued_at: new Date(now),
    expires_at: new Date(now + validForMs[kind]),
  }
  return app.db.transaction().execute(async (trx) => {
    // Two that come at once are one after the other.
    if ((await lockUser(trx, userId)) === undefined) return undefined
    const others = trx
      .selectFrom('password_resets')
      .select('id')
      .where('user_id', '=', userId)
      .where('kind', '=', kind)
      .where('id', '<>', emailId)
    if (kind === 'forgotten') {
      const isRecent = others.where('issued_at', '>', new Date(now - forgottenEveryMs))
      if ((await isRecent.executeTakeFirst()) !== undefined) return undefined
    }
    if (kind === 'invitation') await trx.deleteFrom('password_resets').where('id', 'in', others).execute()
    await trx
      .insertInto('password_resets')
      .values({ id: emailId, user_id: userId, kind, ...reset })
      .onConflict((conflict) => conflict.column('id').doUpdateSet(reset))
      .execute()
    return token
  })
}
