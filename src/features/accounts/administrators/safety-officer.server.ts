import { defineError } from '../../../platform/errors.ts'
import type { AccountsApp, AccountsTransaction } from '../app.ts'
import type { AuditActor } from '../../office/audit/audit-event.ts'
import { recordAuditEvent } from '../../office/audit/record-audit-event.server.ts'
import { foldEmail } from '../user/email.ts'
import { lockAdministrators, refuseLastOne } from '../user/last-administrator.server.ts'
import { notifyAdministrators } from './notify-administrators.server.ts'

type Notifying = Pick<AccountsApp, 'mail' | 'clock'>

/**
 * Refuses a member who takes mark, role or account from a safety officer: of two, one would then decide alone. Officers give
 * these up themselves, and the operator takes them (docs/spec/accounts.md#safety-officer).
 * @throws {AppError} `safety.officer`, 403
 */
export function requireOwnMark({ memberId, by }: { memberId: string; by: AuditActor }): void {
  if (typeof by === 'string' || by.memberId === memberId) return
  throw notByThem(
    'Safety officers give up mark, role and account themselves. For them, the operator does: admin safety-officer EMAIL --remove.',
  )
}

/**
 * Refuses a member who may not name a safety officer: safety officers alone do, and the operator; nobody names themselves. The
 * caller holds the lock of the administrators (`lockAdministrators`).
 * @throws {AppError} `safety.officer`, 403
 */
async function requireNaming(
  trx: AccountsTransaction,
  { memberId, by }: { memberId: string; by: AuditActor },
): Promise<void> {
  if (typeof by === 'string') return
  if (by.memberId === memberId) {
    throw notByThem(
      'Nobody names themselves as a safety officer. Another safety officer does, or the command admin safety-officer.',
    )
  }
  const actor = await trx
    .selectFrom('users')
    .select('id')
    .where('id', '=', by.memberId)
    .where('is_safety_officer', '=', true)
    .executeTakeFirst()
  if (actor !== undefined) return
  throw notByThem('Only a safety officer names another. The command admin safety-officer does, too.')
}

export const notByThem = defineError({
  code: 'safety.officer',
  status: 403,
  remedy: 'Ask the safety officer, or run the command `admin safety-officer`.',
})

/**
 * Gives an administrator the mark of a safety officer, from their next request on. They and every administrator are
 * notified by email. Does nothing for a safety officer.
 * @returns false where nobody administers the site under this id
 * @throws {AppError} `safety.officer`, 403
 */
export async function nameSafetyOfficer(
  app: Notifying,
  trx: AccountsTransaction,
  { memberId, by }: { memberId: string; by: AuditActor },
): Promise<boolean> {
  await lockAdministrators(trx)
  await requireNaming(trx, { memberId, by })
  const named = await trx
    .updateTable('users')
    .set({ is_safety_officer: true })
    .where('id', '=', memberId)
    .where('is_admin', '=', true)
    .where('is_safety_officer', '=', false)
    .returning('id')
    .executeTakeFirst()
  if (named === undefined) {
    const one = await trx.selectFrom('users').select('is_safety_officer').where('id', '=', memberId).executeTakeFirst()
    return one?.is_safety_officer === true
  }
  await notifyAdministrators(app, trx, { action: 'role.safety_officer_named', by, memberId })
  await recordAuditEvent(trx, {
    action: 'role.safety_officer_named',
    by,
    subject: { kind: 'member', id: memberId },
  })
  return true
}

/**
 * Takes the mark away again, from their next request on; they stay an administrator. They and every administrator are told by
 * email. The database refuses it for the last one (`refuseLastOne`).
 * @returns whether they had it
 * @throws {AppError} `safety.officer`, 403
 */
export async function withdrawSafetyOfficer(
  app: Notifying,
  trx: AccountsTransaction,
  { memberId, by }: { memberId: string; by: AuditActor },
): Promise<boolean> {
  await lockAdministrators(trx)
  requireOwnMark({ memberId, by })
  const one = await trx
    .updateTable('users')
    .set({ is_safety_officer: false })
    .where('id', '=', memberId)
    .where('is_safety_officer', '=', true)
    .returning('id')
    .executeTakeFirst()
  if (one === undefined) return false
  await notifyAdministrators(app, trx, { action: 'role.safety_officer_withdrawn', by, memberId })
  await recordAuditEvent(trx, {
    action: 'role.safety_officer_withdrawn',
    by,
    subject: { kind: 'member', id: memberId },
  })
  return true
}

/**
 * Names a safety officer, or takes the mark away, for the operator.
 * @throws {AppError} `account.not_found`, 404; `account.last_safety_officer`, 409
 */
export function setSafetyOfficerByOperator(
  app: ByOperator,
  { email, isOfficer }: { email: string; isOfficer: boolean },
): Promise<void> {
  const set = isOfficer ? nameSafetyOfficer : withdrawSafetyOfficer
  const role = isOfficer ? 'administrator' : 'safety officer'
  return changeByOperator(app, { email, role }, (trx, member) => set(app, trx, member))
}

type ByOperator = Notifying & Pick<AccountsApp, 'db'>

/**
 * Changes what the member with an address may do, for the operator.
 * @param role whom the change is for
 * @param change false for a member without that role
 * @throws {AppError} `account.not_found`, 404; `account.last_admin` and `account.last_safety_officer`, 409
 */
export async function changeByOperator(
  app: ByOperator,
  { email, role }: { email: string; role: 'administrator' | 'safety officer' },
  change: (trx: AccountsTransaction, member: { memberId: string; by: 'operator' }) => Promise<boolean>,
): Promise<void> {
  const isChanged = await refuseLastOne(
    () =>
      app.db.transaction().execute(async (trx) => {
        const user = await trx
          .selectFrom('users')
          .select('id')
          .where('email_folded', '=', foldEmail(email))
          .executeTakeFirst()
        return user !== undefined && change(trx, { memberId: user.id, by: 'operator' })
      }),
    `${email} is`,
  )
  if (!isChanged) throw nobodyWithRole(role, email)
}

const nobodyWithRole = defineError({
  code: 'account.not_found',
  status: 404,
  sentence: (role: string, email: string) => `No ${role} has the address ${email}.`,
  remedy: 'Compare the address with the list of the command.',
  isOfCommand: true,
})
