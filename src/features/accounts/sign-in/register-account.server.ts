import { uuidv7 } from 'uuidv7'
import { defineError } from '../../../platform/errors.ts'
import type { AccountsApp } from '../app.ts'
import { recordMemberEvent } from '../../office/audit/record-audit-event.server.ts'
import { limitPasswordLook, limitRegistration, limitRegistrationOf } from './account-limits.server.ts'
import { refuseCommonPassword } from '../passwords/common-password.server.ts'
import { foldEmail } from '../user/email.ts'
import { resumeBans } from '../user/kept-bans.server.ts'
import { checkRegistration } from '../user/registration.ts'
import { assertValid } from '../user/assert-valid.server.ts'
import { accountMails } from '../account-mails.ts'

/**
 * Opens an account; the caller signs in with the next call. The welcome email is queued when this resolves.
 * @throws {AppError} `account.invalid`, 422; `account.exists`, 409; `limit.exceeded`, 429
 */
export async function registerAccount(
  app: AccountsApp,
  { name, email, password, address }: { name: string; email: string; password: string; address: string },
): Promise<{ id: string }> {
  assertValid(checkRegistration({ name, email, password }))
  await limitPasswordLook(app, address)
  await refuseCommonPassword(app, password, { name, email })
  // Earlier refusals do not count: a person may need more than ten tries to find a password.
  await limitRegistration(app, address)
  const user = { id: uuidv7(), email: email.trim(), email_folded: foldEmail(email), name: name.trim() }
  // Saves a needless hash. The database decides a race.
  const holder = await app.db
    .selectFrom('users')
    .select('id')
    .where('email_folded', '=', user.email_folded)
    .executeTakeFirst()
  if (holder !== undefined) throw emailInUse()
  await limitRegistrationOf(app, user.email_folded)
  const passwordHash = await app.passwords.hash(password, { address })
  const now = new Date(app.clock.now())
  await app.db.transaction().execute(async (trx) => {
    // Its welcome email carries the first link that confirms the address.
    await trx
      .insertInto('users')
      .values({
        ...user,
        password_hash: passwordHash,
        password_changed_at: now,
        confirmation_asked_at: now,
        created_at: now,
      })
      .onConflict((conflict) => conflict.column('email_folded').doNothing())
      .returning('id')
      .executeTakeFirstOrThrow(() => emailInUse())
    await resumeBans(trx, user)
    await recordMemberEvent(trx, 'account.created', { of: user.id })
    await app.mail.queue(trx, accountMails.welcome, { userId: user.id, email: user.email, name: user.name })
  })
  return { id: user.id }
}

export const emailInUse = defineError({
  code: 'account.exists',
  status: 409,
  field: 'email',
  sentence: 'An account with this email already exists.',
  remedy: 'Sign in with this address, or ask for a new password.',
})
