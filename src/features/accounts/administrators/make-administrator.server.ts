import { uuidv7 } from 'uuidv7'
import type { AccountsApp } from '../app.ts'
import { recordAuditEvent } from '../../office/audit/record-audit-event.server.ts'
import { type NamedSite, refuseCommonPassword } from '../passwords/common-password.server.ts'
import { foldEmail } from '../user/email.ts'
import { resumeBans } from '../user/kept-bans.server.ts'
import { clearFactors } from '../factors/second-factor.server.ts'
import { notifyAdministrators } from './notify-administrators.server.ts'
import { checkNewPassword, checkPerson } from '../user/registration.ts'
import { assertValid } from '../user/assert-valid.server.ts'
import { endAccess } from '../sign-in/end-access.server.ts'

export interface NewAdministrator {
  email: string
  name: string
  password: string
  /** `system` for the one that the settings name at the start. */
  by?: 'operator' | 'system'
}

/**
 * Makes an administrator, of a new account or of one that exists; the first is the safety officer as well. Anybody may
 * have registered with that address: the account gets this password, and sessions, devices and a member's factors go.
 * All administrators are notified. For operators.
 * @throws {AppError} `account.invalid`, 422, for a name, address or password that nobody may have
 */
export async function makeAdministrator(
  app: Pick<AccountsApp, 'db' | 'clock' | 'mail' | 'passwords'> & NamedSite,
  { email, name, password, by = 'operator' }: NewAdministrator,
): Promise<'created' | 'promoted'> {
  assertValid(checkPerson({ name, email }))
  assertValid(checkNewPassword(password, { isAdmin: true }))
  await refuseCommonPassword(app, password, { name, email })
  const now = new Date(app.clock.now())
  const passwordHash = await app.passwords.hash(password)
  // The operator vouches for the address.
  const role = { is_admin: true, password_hash: passwordHash, password_changed_at: now, email_confirmed_at: now }
  const made = { id: uuidv7(), email: email.trim(), email_folded: foldEmail(email), name: name.trim() }
  return app.db.transaction().execute(async (trx) => {
    const before = await trx
      .selectFrom('users')
      .select(['is_admin', 'is_safety_officer'])
      .where('email_folded', '=', made.email_folded)
      .forUpdate()
      .executeTakeFirst()
    const { id, is_safety_officer: isOfficer } = await trx
      .insertInto('users')
      .values({ ...made, ...role, created_at: now })
      .onConflict((conflict) => conflict.column('email_folded').doUpdateSet(role))
      .returning(['id', 'is_safety_officer'])
      .executeTakeFirstOrThrow()
    const subject = { kind: 'member', id } as const
    if (id === made.id) await recordAuditEvent(trx, { action: 'account.created', by, subject })
    await recordAuditEvent(trx, { action: 'role.granted', by, subject })
    if (isOfficer && before?.is_safety_officer !== true)
      await recordAuditEvent(trx, { action: 'role.safety_officer_named', by: 'system', subject })
    // A start that makes an account acts for the author of its settings.
    if (by === 'operator' || id !== made.id)
      await notifyAdministrators(app, trx, { action: 'role.granted', by, memberId: id })
    if (id === made.id) {
      await resumeBans(trx, made)
      return 'created'
    }
    await endAccess(trx, { userIds: [id] })
    // Those of the earlier holder; an administrator keeps theirs.
    if (before?.is_admin !== true) await clearFactors(trx, id)
    return 'promoted'
  })
}
