import { uuidv7 } from 'uuidv7'
import type { App } from '../../platform/app.ts'
import { AppError } from '../../platform/errors.ts'
import { limitRegistration, limitRegistrationOf } from './account-limits.server.ts'
import { refuseCommonPassword } from './common-password.server.ts'
import { foldEmail } from './email.ts'
import { checkRegistration } from './registration.ts'
import { refuseProblem } from './refuse-problem.server.ts'
import type { Viewer } from './viewer.ts'

/**
 * Opens an account; whoever asked signs in with the next call. The welcome is in line when this resolves.
 * @throws {AppError} `account.invalid`, 422; `account.exists`, 409; `limit.exceeded`, 429
 */
export async function registerAccount(
  app: App,
  _viewer: Viewer,
  { name, email, password, address }: { name: string; email: string; password: string; address: string },
): Promise<{ id: string }> {
  refuseProblem(checkRegistration({ name, email, password }))
  refuseCommonPassword(app, password)
  await limitRegistration(app, address)
  const user = { id: uuidv7(), email: email.trim(), email_folded: foldEmail(email), name: name.trim() }
  // Before a password is hashed for nothing. Who wins a race is decided by the database.
  const holder = await app.db
    .selectFrom('users')
    .select('id')
    .where('email_folded', '=', user.email_folded)
    .executeTakeFirst()
  if (holder !== undefined) throw emailInUse()
  await limitRegistrationOf(app, user.email_folded)
  const passwordHash = await app.passwords.hash(password)
  const now = new Date(app.clock.now())
  await app.db.transaction().execute(async (trx) => {
    const made = await trx
      .insertInto('users')
      .values({ ...user, password_hash: passwordHash, password_changed_at: now, created_at: now })
      .onConflict((conflict) => conflict.column('email_folded').doNothing())
      .returning('id')
      .executeTakeFirst()
    if (made === undefined) throw emailInUse()
    await app.mail.queue(trx, 'accounts.welcome', { email: user.email, name: user.name })
  })
  return { id: user.id }
}

function emailInUse(): AppError {
  return new AppError({
    code: 'account.exists',
    status: 409,
    message: 'An account with this email already exists.',
    field: 'email',
  })
}
