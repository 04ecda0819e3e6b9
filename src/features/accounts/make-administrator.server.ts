import { uuidv7 } from 'uuidv7'
import type { App } from '../../platform/app.ts'
import { AppError } from '../../platform/errors.ts'
import { refuseCommonPassword } from './common-password.server.ts'
import { foldEmail } from './email.ts'
import { checkNewPassword, checkRegistration } from './registration.ts'
import { refuseProblem } from './refuse-problem.server.ts'

export interface NewAdministrator {
  email: string
  name: string
  /** Undefined: whoever has the account keeps his own. */
  password: string | undefined
}

/**
 * Makes an administrator, of a new account or of one that exists; that one's sessions end when it gets a new password.
 * For the operator, at the start and on the command line.
 * @throws {AppError} `account.invalid`, 422, for a name, address or password that nobody may have; `account.not_found`,
 * 404, for a new account without a password
 */
export async function makeAdministrator(
  app: Pick<App, 'db' | 'clock' | 'passwords'>,
  { email, name, password }: NewAdministrator,
): Promise<'created' | 'promoted'> {
  const emailFolded = foldEmail(email)
  if (password !== undefined) {
    refuseProblem(checkRegistration({ name, email, password }))
    refuseProblem(checkNewPassword(password))
    refuseCommonPassword(app, password)
  }
  const hashed =
    password === undefined
      ? {}
      : { password_hash: await app.passwords.hash(password), password_changed_at: new Date(app.clock.now()) }
  return app.db.transaction().execute(async (trx) => {
    const promoted = await trx
      .updateTable('users')
      .set({ is_admin: true, ...hashed })
      .where('email_folded', '=', emailFolded)
      .returning('id')
      .executeTakeFirst()
    if (promoted !== undefined) {
      if (password !== undefined) {
        await trx.deleteFrom('sessions').where('user_id', '=', promoted.id).execute()
        await trx.deleteFrom('password_resets').where('user_id', '=', promoted.id).execute()
      }
      return 'promoted'
    }
    if (hashed.password_hash === undefined) {
      throw new AppError({ code: 'account.not_found', status: 404, message: `Nobody has the address ${email}.` })
    }
    const now = new Date(app.clock.now())
    const made = { id: uuidv7(), email: email.trim(), email_folded: emailFolded, name: name.trim() }
    const created = await trx
      .insertInto('users')
      .values({ ...made, ...hashed, is_admin: true, created_at: now })
      // Another process may be starting with the same configuration. Or somebody has just registered the address: an
      // administrator's password is the operator's, never his.
      .onConflict((conflict) => conflict.column('email_folded').doUpdateSet({ is_admin: true, ...hashed }))
      .returning('id')
      .executeTakeFirstOrThrow()
    return created.id === made.id ? 'created' : 'promoted'
  })
}
