import { randomBytes } from 'node:crypto'
import type { AccountsApp } from '../app.ts'
import { readDemoLogins } from '../demo/fill-demo-accounts.server.ts'
import { endAccess } from '../sign-in/end-access.server.ts'
import { lockAdministrators } from '../user/last-administrator.server.ts'
import { nameSafetyOfficer } from './safety-officer.server.ts'
import { withdrawRole } from './withdraw-role.server.ts'

/**
 * On a public site, closes accounts that still have a password of the demo: they get one that nobody knows, and their
 * sessions end. An administrator's role goes if there is another one, who is notified, and who is the safety officer
 * from then on if nobody else is. Does nothing elsewhere.
 */
export async function closeDemoAccounts(
  app: Pick<AccountsApp, 'config' | 'db' | 'clock' | 'mail' | 'passwords' | 'log'>,
): Promise<void> {
  if (!app.config.isPublic) return
  const logins = await readDemoLogins(app)
  const open = logins.filter(({ password }) => password !== undefined).map(({ email }) => email)
  if (open.length === 0) return
  const nobodys = await app.passwords.hash(randomBytes(32).toString('base64url'))
  const keepRole = await app.db.transaction().execute(async (trx) => {
    await lockAdministrators(trx)
    const closed = await trx
      .updateTable('users')
      .set({ password_hash: nobodys, password_changed_at: new Date(app.clock.now()) })
      .where('email_folded', 'in', open)
      .returning(['id', 'email', 'is_admin'])
      .execute()
    const ids = closed.map(({ id }) => id)
    if (ids.length === 0) return []
    await endAccess(trx, { userIds: ids })
    const other = await trx
      .selectFrom('users')
      .select('id')
      .where('is_admin', '=', true)
      .where('id', 'not in', ids)
      .orderBy('is_safety_officer', 'desc')
      .orderBy('created_at')
      .orderBy('id')
      .limit(1)
      .executeTakeFirst()
    if (other === undefined) return closed.filter((one) => one.is_admin).map(({ email }) => email)
    await nameSafetyOfficer(app, trx, { memberId: other.id, by: 'system' })
    for (const id of ids) await withdrawRole(app, trx, { memberId: id, by: 'system' })
    return []
  })
  app.log.warn({ accounts: open }, 'This site is public: the logins of the demo are closed.')
  if (keepRole.length > 0) {
    app.log.warn(
      { accounts: keepRole },
      'There is no other administrator, so these accounts of the demo keep the role, and nobody can sign in to them: run the commands admin create and admin safety-officer with your address, then admin demote with each of theirs.',
    )
  }
}
