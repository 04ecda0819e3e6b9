import { AppError } from '../../../platform/errors.ts'
import type { AccountsApp } from '../app.ts'
import { recordAuditEvent } from '../audit/record-audit-event.server.ts'
import { forgiveSignIns, limitPasswordReset } from './account-limits.server.ts'
import { refuseCommonPassword } from '../passwords/common-password.server.ts'
import { checkNewPassword } from '../user/registration.ts'
import { assertValid } from '../user/assert-valid.server.ts'
import { digestOf, looksLikeToken } from '../sessions/tokens.server.ts'

/**
 * Sets the new password of an account by its reset link, once, and ends all its sessions.
 * @throws {AppError} `reset.invalid`, 400, for a link that is used, too old, replaced or made up; `account.invalid`,
 * 422, which leaves the link good; `limit.exceeded`, 429
 */
export async function resetPassword(
  app: AccountsApp,
  { token, password, address }: { token: string; password: string; address: string },
): Promise<void> {
  assertValid(checkNewPassword(password, { isAdmin: false }))
  await limitPasswordReset(app, address)
  if (!looksLikeToken(token)) throw invalidLink()
  const now = new Date(app.clock.now())
  const digest = digestOf(token)
  // Before a password is hashed for nothing; the link is taken below, where only one can.
  const known = await app.db
    .selectFrom('password_resets')
    .innerJoin('users', 'users.id', 'password_resets.user_id')
    .select(['users.id as user_id', 'users.name', 'users.email', 'users.is_admin'])
    .where('token_hash', '=', digest)
    .where('expires_at', '>', now)
    .executeTakeFirst()
  if (known === undefined) throw invalidLink()
  assertValid(checkNewPassword(password, { isAdmin: known.is_admin }))
  refuseCommonPassword(app, password, known)
  const passwordHash = await app.passwords.hash(password, { address })
  const user = await app.db.transaction().execute(async (trx) => {
    // The account first, as every change of a password does: two at once wait for each other, and neither is stuck.
    await trx.selectFrom('users').select('id').where('id', '=', known.user_id).forUpdate().execute()
    const taken = await trx
      .deleteFrom('password_resets')
      .where('token_hash', '=', digest)
      .where('expires_at', '>', now)
      .returning('user_id')
      .executeTakeFirst()
    if (taken === undefined) throw invalidLink()
    const changed = await trx
      .updateTable('users')
      .set({ password_hash: passwordHash, password_changed_at: now })
      .where('id', '=', taken.user_id)
      .returning(['name', 'email', 'email_folded'])
      .executeTakeFirstOrThrow()
    await trx.deleteFrom('sessions').where('user_id', '=', taken.user_id).execute()
    await recordAuditEvent(trx, {
      action: 'password.reset',
      by: { memberId: taken.user_id },
      subject: { kind: 'member', id: taken.user_id },
    })
    await app.mail.queue(trx, 'accounts.password-changed', { email: changed.email, name: changed.name })
    return changed
  })
  await forgiveSignIns(app, user.email_folded)
}

function invalidLink(): AppError {
  return new AppError({
    code: 'reset.invalid',
    status: 400,
    message: 'This link is not valid any more. Please ask for a new one.',
    field: 'token',
  })
}
