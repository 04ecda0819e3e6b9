import type { App } from '../../platform/app.ts'
import { AppError } from '../../platform/errors.ts'
import { limitPasswordChange } from './account-limits.server.ts'
import { refuseCommonPassword } from './common-password.server.ts'
import { invalidSession } from './recognise-session.server.ts'
import { checkNewPassword } from './registration.ts'
import { refuseProblem } from './refuse-problem.server.ts'
import { memberOf, type Viewer } from './viewer.ts'

/**
 * Gives the caller a new password, ends all his other sessions and any reset under way, and lets him know by mail.
 * @param input.token the stored token, once more (PRODUCT.md, section 7): it must be the one that he asks with
 * @throws {AppError} `account.invalid`, 422; `session.other`, 403; `session.invalid`, 401; `limit.exceeded`, 429
 */
export async function changePassword(
  app: App,
  viewer: Viewer,
  { token, password }: { token: string; password: string },
): Promise<void> {
  const member = memberOf(viewer)
  if (token !== member.token) {
    throw new AppError({
      code: 'session.other',
      status: 403,
      message: 'The token in the request is not the one of your session. Please sign in again.',
      field: 'token',
    })
  }
  refuseProblem(checkNewPassword(password))
  refuseCommonPassword(app, password)
  await limitPasswordChange(app, member.id)
  const passwordHash = await app.passwords.hash(password)
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
    await app.mail.queue(trx, 'accounts.password-changed', { email: user.email, name: user.name })
  })
}
