import { randomBytes } from 'node:crypto'
import type { AccountsApp } from '../app.ts'
import { recordAuditEvent } from '../audit/record-audit-event.server.ts'
import { readDemoLogins } from './fill-demo-accounts.server.ts'
import { lockAdministrators } from '../user/last-administrator.server.ts'

/**
 * On a public site nobody signs in with a password that the demo has made: such an account, from the time when this was a
 * trial, gets one that nobody knows, its sessions end, and its role goes as soon as there is another administrator. One
 * whose password was changed is somebody's, and stays. Does nothing elsewhere.
 */
export async function closeDemoAccounts(
  app: Pick<AccountsApp, 'config' | 'db' | 'clock' | 'passwords' | 'log'>,
): Promise<void> {
  if (!app.config.isPublic) return
  const logins = await readDemoLogins(app)
  const open = logins.filter(({ password }) => password !== undefined).map(({ email }) => email)
  if (open.length === 0) return
  const nobodys = await app.passwords.hash(randomBytes(32).toString('base64url'))
  await app.db.transaction().execute(async (trx) => {
    await lockAdministrators(trx)
    const closed = await trx
      .updateTable('users')
      .set({ password_hash: nobodys, password_changed_at: new Date(app.clock.now()) })
      .where('email_folded', 'in', open)
      .returning('id')
      .execute()
    const ids = closed.map(({ id }) => id)
    if (ids.length === 0) return
    await trx.deleteFrom('sessions').where('user_id', 'in', ids).execute()
    await trx.deleteFrom('password_resets').where('user_id', 'in', ids).execute()
    const other = await trx
      .selectFrom('users')
      .select('id')
      .where('is_admin', '=', true)
      .where('id', 'not in', ids)
      .limit(1)
      .executeTakeFirst()
    if (other === undefined) return
    const demoted = await trx
      .updateTable('users')
      .set({ is_admin: false })
      .where('id', 'in', ids)
      .where('is_admin', '=', true)
      .returning('id')
      .execute()
    for (const { id } of demoted)
      await recordAuditEvent(trx, { action: 'role.withdrawn', by: 'system', subject: { kind: 'member', id } })
  })
  app.log.warn({ accounts: open }, 'This site is public: the logins of the demo are closed.')
}
