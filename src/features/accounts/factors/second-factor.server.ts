import { sql } from 'kysely'
import { defineError } from '../../../platform/errors.ts'
import type { AccountsApp, AccountsTransaction } from '../app.ts'
import { recordAuditEvent } from '../../office/audit/record-audit-event.server.ts'
import type { AuditAction } from '../../office/audit/audit-event.ts'
import { invalidSession } from '../sessions/recognise-session.server.ts'
import type { SignedInMember } from '../../office/viewer/viewer.ts'
import type { FactorChange } from './factor-change.ts'
import { makeRecoveryCodes } from './make-recovery-codes.server.ts'
import { accountMails } from '../account-mails.ts'

interface Locked {
  id: string
  email: string
  name: string
  hadSecondFactor: boolean
}

/**
 * Locks an account before its factors change, so that two changes at once, and a sign-in that is under way, see each other.
 * @throws {AppError} `session.invalid`, 401, for an account that is gone
 */
export async function lockFactors(trx: AccountsTransaction, userId: string): Promise<Locked> {
  const user = await trx
    .selectFrom('users')
    .select(['id', 'email', 'name', 'has_second_factor as hadSecondFactor'])
    .where('id', '=', userId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow(() => invalidSession())
  return user
}

/**
 * After a factor was written: the first one ends the member's other sessions, which have shown none, and brings the recovery
 * codes.
 * @returns those codes, which are nowhere else; null where the member has theirs already
 */
export async function recordAddedFactor(
  app: Pick<AccountsApp, 'mail'>,
  trx: AccountsTransaction,
  { member, user, kind }: { member: SignedInMember; user: Locked; kind: 'passkey' | 'totp' },
): Promise<string[] | null> {
  const codes = user.hadSecondFactor ? null : await makeRecoveryCodes(trx, user.id)
  if (!user.hadSecondFactor) {
    await trx.updateTable('users').set({ has_second_factor: true }).where('id', '=', user.id).execute()
    await trx.deleteFrom('sessions').where('user_id', '=', user.id).where('id', '<>', member.sessionId).execute()
  }
  await noteChange(app, trx, user, { action: 'factor.added', change: `${kind}-added`, details: { kind } })
  return codes
}

/**
 * After a factor was deleted: with the last one the recovery codes go.
 * @throws {AppError} `factor.last`, 409, where the site asks its administrators for one
 */
export async function recordRemovedFactor(
  app: Pick<AccountsApp, 'config' | 'mail'>,
  trx: AccountsTransaction,
  { member, user, kind }: { member: SignedInMember; user: Locked; kind: 'passkey' | 'totp' },
): Promise<void> {
  const { rows } = await sql<{ has: boolean }>`
    select exists (select from passkeys where user_id = ${user.id})
        or exists (select from totp_factors where user_id = ${user.id}) as has`.execute(trx)
  if (rows[0]?.has !== true) {
    if (member.isAdmin && app.config.requiresAdminSecondFactor) {
      throw lastFactor()
    }
    await clearFactors(trx, user.id)
  }
  await noteChange(app, trx, user, { action: 'factor.removed', change: `${kind}-removed`, details: { kind } })
}

/** Takes everything of a member's second factor. */
export async function clearFactors(trx: AccountsTransaction, userId: string): Promise<void> {
  await trx.deleteFrom('passkeys').where('user_id', '=', userId).execute()
  await trx.deleteFrom('totp_factors').where('user_id', '=', userId).execute()
  await trx.deleteFrom('totp_setups').where('user_id', '=', userId).execute()
  await trx.deleteFrom('recovery_codes').where('user_id', '=', userId).execute()
  await trx.deleteFrom('factor_challenges').where('user_id', '=', userId).execute()
  await trx.updateTable('users').set({ has_second_factor: false }).where('id', '=', userId).execute()
}

/** Records a change that members make of their own factors, and tells them by email. */
export async function noteChange(
  app: Pick<AccountsApp, 'mail'>,
  trx: AccountsTransaction,
  { id, email, name }: Pick<Locked, 'id' | 'email' | 'name'>,
  { action, change, details }: { action: AuditAction; change: FactorChange; details?: Record<string, unknown> },
): Promise<void> {
  await recordAuditEvent(trx, {
    action,
    by: { memberId: id },
    subject: { kind: 'member', id },
    ...(details === undefined ? {} : { details }),
  })
  await app.mail.queue(trx, accountMails.factorsChanged, { email, name, change })
}

export const lastFactor = defineError({
  code: 'factor.last',
  status: 409,
  sentence: 'This is your last second factor, and administrators of this site need one. Add another one first.',
  remedy: 'Add another passkey or an authenticator app, then remove this one.',
})
