import { AppError } from '../../../platform/errors.ts'
import type { AccountsApp } from '../app.ts'
import { recordAuditEvent } from '../audit/record-audit-event.server.ts'
import { limitPasswordChange } from './account-limits.server.ts'
import { refuseCommonPassword } from '../passwords/common-password.server.ts'
import { invalidSession } from '../sessions/recognise-session.server.ts'
import { checkNewPassword } from '../user/registration.ts'
import { assertValid } from '../user/assert-valid.server.ts'
import { hasRole, requireMember, type Viewer } from '../user/viewer.ts'

/**
 * Gives the caller a new password, ends all their other sessions and any reset under way, and tells them by email.
 * @param input.token the stored token, once more (docs/spec/http.md#routes): it must be the one in `Authorization`
 * @throws {AppError} `account.invalid`, 422; `session.other`, 403; `session.invalid`, 401; `limit.exceeded`, 429
 */
export async function changePassword(
  app: AccountsApp,
  viewer: Viewer,
  { token, password }: { token: string; password: string },
): Promise<void> {
  const member = requireMember(viewer)
  if (token !== member.token) {
    throw new AppError({
      code: 'session.other',
      status: 403,
      message: 'The token in the request is not the one of your session. Please sign in again.',
      field: 'token',
    })
  }
  assertValid(checkNewPassword(password, { isAdmin: hasRole(viewer, 'admin') }))
  await limitPasswordChange(app, member.id)
  const { name } =
    (await app.db.selectFrom('users').select('name').where('id', '=', member.id).executeTakeFirst()) ?? {}
  if (name === undefined) throw invalidSession()
  refuseCommonPassword(app, password, { name, email: member.email })
  const passwordHash = await app.passwords.hash(password, { account: member.id })
  const now = new Date(app.clock.now())
  await app.db.transaction().execute(async (trx) => {
    const user = await trx
      .updateTable('users')
      .set({ password_hash: passwordHash, password_changed_at: now })
      .where('id', '=', member.id)
      .returning(['name', 'email'])
      .executeTakeFirst()
    // While the password was hashed, this session may have been ended by the account's owner elsewhere.
    const session = await trx.selectFrom('sessions').select('id').where('id', '=', member.sessionId).executeTakeFirst()
    if (user === undefined || session === undefined) throw invalidSession()
    await trx.deleteFrom('sessions').where('user_id', '=', member.id).where('id', '<>', member.sessionId).execute()
    await trx.deleteFrom('password_resets').where('user_id', '=', member.id).execute()
    await recordAuditEvent(trx, {
      action: 'password.changed',
      by: { memberId: member.id },
      subject: { kind: 'member', id: member.id },
    })
    await app.mail.queue(trx, 'accounts.password-changed', { email: user.email, name: user.name })
  })
}
