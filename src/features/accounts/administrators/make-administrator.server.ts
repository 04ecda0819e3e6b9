import { uuidv7 } from 'uuidv7'
import type { AccountsApp } from '../app.ts'
import { recordAuditEvent } from '../audit/record-audit-event.server.ts'
import { refuseCommonPassword } from '../passwords/common-password.server.ts'
import { foldEmail } from '../user/email.ts'
import { resumeBans } from '../user/kept-bans.server.ts'
import { checkNewPassword, checkPerson } from '../user/registration.ts'
import { assertValid } from '../user/assert-valid.server.ts'

export interface NewAdministrator {
  email: string
  name: string
  password: string
  /** `system` for the one that the settings name at the start. */
  by?: 'operator' | 'system'
}

/**
 * Makes an administrator, of a new account or of one that exists. Anybody may have registered with that address: the
 * account gets this password, and its sessions end. For the operator, at the start and on the command line.
 * @throws {AppError} `account.invalid`, 422, for a name, address or password that nobody may have
 */
export async function makeAdministrator(
  app: Pick<AccountsApp, 'config' | 'db' | 'clock' | 'passwords'>,
  { email, name, password, by = 'operator' }: NewAdministrator,
): Promise<'created' | 'promoted'> {
  assertValid(checkPerson({ name, email }))
  assertValid(checkNewPassword(password, { isAdmin: true }))
  refuseCommonPassword(app, password, { name, email })
  const now = new Date(app.clock.now())
  const role = { is_admin: true, password_hash: await app.passwords.hash(password), password_changed_at: now }
  const made = { id: uuidv7(), email: email.trim(), email_folded: foldEmail(email), name: name.trim() }
  return app.db.transaction().execute(async (trx) => {
    const { id } = await trx
      .insertInto('users')
      .values({ ...made, ...role, created_at: now })
      .onConflict((conflict) => conflict.column('email_folded').doUpdateSet(role))
      .returning('id')
      .executeTakeFirstOrThrow()
    const subject = { kind: 'member', id } as const
    if (id === made.id) await recordAuditEvent(trx, { action: 'account.created', by, subject })
    await recordAuditEvent(trx, { action: 'role.granted', by, subject })
    if (id === made.id) {
      await resumeBans(trx, made)
      return 'created'
    }
    await trx.deleteFrom('sessions').where('user_id', '=', id).execute()
    await trx.deleteFrom('password_resets').where('user_id', '=', id).execute()
    return 'promoted'
  })
}
