import type { AccountsApp, AccountsTransaction } from '../app.ts'
import type { AuditActor } from '../../office/audit/audit-event.ts'
import { recordAuditEvent } from '../../office/audit/record-audit-event.server.ts'
import { lockAdministrators } from '../user/last-administrator.server.ts'
import { notifyAdministrators } from './notify-administrators.server.ts'
import { requireOwnMark } from './safety-officer.server.ts'

/**
 * Takes the role of an administrator from a member, with the mark of a safety officer, from their next request on. They
 * and every administrator are notified. The database refuses it for the last administrator or safety officer
 * (`refuseLastOne`).
 * @returns whether they had it
 * @throws {AppError} `safety.officer`, 403, where another member takes it from a safety officer
 */
export async function withdrawRole(
  app: Pick<AccountsApp, 'mail' | 'clock'>,
  trx: AccountsTransaction,
  { memberId, by }: { memberId: string; by: AuditActor },
): Promise<boolean> {
  await lockAdministrators(trx)
  const before = await trx.selectFrom('users').select('is_safety_officer').where('id', '=', memberId).executeTakeFirst()
  if (before?.is_safety_officer === true) requireOwnMark({ memberId, by })
  const one = await trx
    .updateTable('users')
    .set({ is_admin: false })
    .where('id', '=', memberId)
    .where('is_admin', '=', true)
    .returning('id')
    .executeTakeFirst()
  if (one === undefined) return false
  await notifyAdministrators(app, trx, { action: 'role.withdrawn', by, memberId })
  await recordAuditEvent(trx, {
    action: 'role.withdrawn',
    by,
    subject: { kind: 'member', id: memberId },
    details: { role: 'admin' },
  })
  if (before?.is_safety_officer === true) {
    await recordAuditEvent(trx, {
      action: 'role.safety_officer_withdrawn',
      by,
      subject: { kind: 'member', id: memberId },
    })
  }
  return true
}
