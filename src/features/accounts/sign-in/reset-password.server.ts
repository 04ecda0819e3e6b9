import { type AppError, defineError } from '../../../platform/errors.ts'
import type { AccountsApp } from '../app.ts'
import { clearFactors } from '../factors/second-factor.server.ts'
import { findKnownDevice } from '../devices/known-devices.server.ts'
import { recordAuditEvent, recordMemberEvent } from '../../office/audit/record-audit-event.server.ts'
import { limitPasswordReset, limitWrongLinks } from './account-limits.server.ts'
import { forgiveSignIns } from './sign-in-limits.server.ts'
import { endAccess } from './end-access.server.ts'
import { refuseCommonPassword } from '../passwords/common-password.server.ts'
import { checkNewPassword } from '../user/registration.ts'
import { foldEmail } from '../user/email.ts'
import { assertValid } from '../user/assert-valid.server.ts'
import { digestOf, looksLikeToken } from '../sessions/tokens.server.ts'
import { accountMails } from '../account-mails.ts'

/**
 * Sets a new password by a reset link, once. Sessions, other links and a change of address end, other devices are
 * forgotten, limits cleared. The link confirms the address of the account.
 * @throws {AppError} `reset.invalid`, 400, for a link that is used, too old, ended or made up; `account.invalid`, 422,
 * which leaves the link good; `limit.exceeded`, 429
 */
export async function resetPassword(
  app: AccountsApp,
  {
    token,
    password,
    address,
    deviceSecrets = [],
  }: { token: string; password: string; address: string; deviceSecrets?: readonly string[] },
): Promise<void> {
  assertValid(checkNewPassword(password, { isAdmin: false }))
  if (!looksLikeToken(token)) throw await wrongLink(app, address)
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
  if (known === undefined) throw await wrongLink(app, address)
  await limitPasswordReset(app, known.user_id)
  assertValid(checkNewPassword(password, { isAdmin: known.is_admin }))
  await refuseCommonPassword(app, password, known)
  const emailFolded = foldEmail(known.email)
  const device = await findKnownDevice(app.db, { emailFolded, secrets: deviceSecrets, now: now.getTime() })
  const passwordHash = await app.passwords.hash(password, { address, device })
  const user = await app.db.transaction().execute(async (trx) => {
    // The account first, as every change of a password does: two at once wait for each other, and neither is stuck.
    const before = await trx
      .selectFrom('users')
      .select(['email_confirmed_at', 'has_second_factor'])
      .where('id', '=', known.user_id)
      .forUpdate()
      .executeTakeFirst()
    const taken = await trx
      .deleteFrom('password_resets')
      .where('token_hash', '=', digest)
      .where('expires_at', '>', now)
      .returning('user_id')
      .executeTakeFirstOrThrow(() => invalidLink())
    const changed = await trx
      .updateTable('users')
      .set((set) => ({
        password_hash: passwordHash,
        password_changed_at: now,
        // For other instances, which count for themselves without Redis.
        unlocked_at: now,
        email_confirmed_at: set.fn.coalesce('email_confirmed_at', set.val(now)),
      }))
      .where('id', '=', taken.user_id)
      .returning(['name', 'email', 'email_folded'])
      .executeTakeFirstOrThrow()
    await endAccess(trx, { userIds: [taken.user_id] }, { deviceSecrets })
    // Nobody has confirmed the address before: a second factor belongs to the stranger who registered with it.
    if (before?.email_confirmed_at === null && before.has_second_factor) {
      const subject = { kind: 'member', id: taken.user_id } as const
      await clearFactors(trx, taken.user_id)
      await recordAuditEvent(trx, { action: 'factor.all_removed', by: { memberId: taken.user_id }, subject })
    }
    await recordMemberEvent(trx, 'password.reset', { of: taken.user_id })
    await app.mail.queue(trx, accountMails.passwordChanged, { email: changed.email, name: changed.name })
    return changed
  })
  await forgiveSignIns(app, { emailFolded: user.email_folded, unlockedAt: now })
}

/**
 * Counts attempts at guessing a link.
 * @throws {AppError} `limit.exceeded`, 429
 */
async function wrongLink(app: Pick<AccountsApp, 'limits'>, address: string): Promise<AppError> {
  await limitWrongLinks(app, address)
  return invalidLink()
}

export const invalidLink = defineError({
  code: 'reset.invalid',
  status: 400,
  field: 'token',
  sentence: 'This link is not valid any more. Please ask for a new one.',
  remedy: 'Ask for a new link: each works once, for a limited time, and a new one ends those before it.',
})
