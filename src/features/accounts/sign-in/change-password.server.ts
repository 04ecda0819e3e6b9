import { defineError } from '../../../platform/errors.ts'
import type { AccountsApp } from '../app.ts'
import { findKnownDevice } from '../devices/known-devices.server.ts'
import { recordMemberEvent } from '../../office/audit/record-audit-event.server.ts'
import { limitPasswordChange } from './account-limits.server.ts'
import { endAccess } from './end-access.server.ts'
import { refuseCommonPassword } from '../passwords/common-password.server.ts'
import { invalidSession } from '../sessions/recognise-session.server.ts'
import { digestOf, makeToken } from '../sessions/tokens.server.ts'
import { checkNewPassword } from '../user/registration.ts'
import { foldEmail } from '../user/email.ts'
import { assertValid } from '../user/assert-valid.server.ts'
import { requireMember, type Viewer } from '../../office/viewer/viewer.ts'
import { accountMails } from '../account-mails.ts'

/**
 * Gives the caller a new password and notifies them. Other sessions, a reset and a change of address under way end;
 * other devices are forgotten. Their session goes on under a new token, so other holders of the old one are out.
 * @param input.token must be the one in `Authorization`
 * @throws {AppError} `account.invalid`, 422; `session.other`, 403; `session.invalid`, 401; `limit.exceeded`, 429
 */
export async function changePassword(
  app: AccountsApp,
  viewer: Viewer,
  { token, password, deviceSecrets = [] }: { token: string; password: string; deviceSecrets?: readonly string[] },
): Promise<{ token: string }> {
  const member = requireMember(viewer)
  if (token !== member.token) {
    throw otherSession()
  }
  assertValid(checkNewPassword(password, { isAdmin: member.isAdmin }))
  await limitPasswordChange(app, member.id)
  const { name } =
    (await app.db.selectFrom('users').select('name').where('id', '=', member.id).executeTakeFirst()) ?? {}
  if (name === undefined) throw invalidSession()
  await refuseCommonPassword(app, password, { name, email: member.email })
  const device = await findKnownDevice(app.db, {
    emailFolded: foldEmail(member.email),
    secrets: deviceSecrets,
    now: app.clock.now(),
  })
  const passwordHash = await app.passwords.hash(password, { account: member.id, device })
  const now = new Date(app.clock.now())
  const newToken = makeToken()
  await app.db.transaction().execute(async (trx) => {
    const user = await trx
      .updateTable('users')
      .set({ password_hash: passwordHash, password_changed_at: now })
      .where('id', '=', member.id)
      .returning(['name', 'email'])
      .executeTakeFirst()
    // While the password was hashed, this session may have been ended elsewhere, or got another token.
    const session = await trx
      .updateTable('sessions')
      .set({ token_hash: digestOf(newToken) })
      .where('id', '=', member.sessionId)
      .where('token_hash', '=', digestOf(token))
      .returning('id')
      .executeTakeFirst()
    if (user === undefined || session === undefined) throw invalidSession()
    await endAccess(trx, { userIds: [member.id] }, { session: member.sessionId, deviceSecrets })
    await recordMemberEvent(trx, 'password.changed', { of: member.id })
    await app.mail.queue(trx, accountMails.passwordChanged, { email: user.email, name: user.name })
  })
  return { token: newToken }
}

export const otherSession = defineError({
  code: 'session.other',
  status: 403,
  field: 'token',
  sentence: 'The token in the request is not the one of your session. Please sign in again.',
  remedy: 'Put the token of the header authorization into the body.',
})
