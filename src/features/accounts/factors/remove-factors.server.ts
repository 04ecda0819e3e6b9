import { sql } from 'kysely'
import { defineError } from '../../../platform/errors.ts'
import type { AccountsApp, AccountsTransaction } from '../app.ts'
import type { AuditAction, AuditActor } from '../../office/audit/audit-event.ts'
import { recordAuditEvent } from '../../office/audit/record-audit-event.server.ts'
import { noSuchAccount, unknownMember } from '../user/unknown-member.server.ts'
import { foldEmail } from '../user/email.ts'
import { requireMember, type Viewer } from '../../office/viewer/viewer.ts'
import { clearFactors } from './second-factor.server.ts'
import { accountMails } from '../account-mails.ts'

/**
 * Takes the second factor of a member who has lost it, and ends their sessions. They are notified by email.
 * @returns whether there was one
 * @throws {AppError} `member.unknown`, 404; `factor.of_administrator`, 409: only the operator takes theirs
 */
export async function removeFactorsOfMember(
  app: Pick<AccountsApp, 'db' | 'mail'>,
  viewer: Viewer,
  { id }: { id: string },
): Promise<boolean> {
  const by = { memberId: requireMember(viewer).id }
  const removed = await removeFactors(app, { where: { id }, by })
  if (removed === undefined) throw unknownMember()
  return removed
}

/**
 * The same for the operator, on the command line, also for an administrator.
 * @throws {AppError} `account.unknown`, 404
 */
export async function removeFactorsByOperator(
  app: Pick<AccountsApp, 'db' | 'mail'>,
  { email }: { email: string },
): Promise<boolean> {
  const removed = await removeFactors(app, { where: { email_folded: foldEmail(email) }, by: 'operator' })
  if (removed === undefined) {
    throw noSuchAccount(email)
  }
  return removed
}

/** For so many days after its loss the role may return with everything that it opens. */
const administratorForDays = 30

/**
 * Whether the role was taken from them a short time ago. Otherwise an administrator's session would take another one's role,
 * then the factor, and give the role back to an account that its password alone opens.
 */
async function wasAdministrator(trx: AccountsTransaction, id: string): Promise<boolean> {
  const withdrawn = await trx
    .selectFrom('audit_events')
    .select('id')
    .where('action', '=', 'role.withdrawn' satisfies AuditAction)
    .where('subject_id', '=', id)
    .where('recorded_at', '>', sql<Date>`now() - make_interval(days => ${administratorForDays}::int)`)
    .limit(1)
    .executeTakeFirst()
  return withdrawn !== undefined
}

/** @returns undefined where there is no such account */
async function removeFactors(
  app: Pick<AccountsApp, 'db' | 'mail'>,
  { where, by }: { where: { id: string } | { email_folded: string }; by: AuditActor },
): Promise<boolean | undefined> {
  return app.db.transaction().execute(async (trx) => {
    const user = await trx
      .selectFrom('users')
      .select(['id', 'email', 'name', 'is_admin', 'has_second_factor'])
      .where((is) => is.and(where))
      .forNoKeyUpdate()
      .executeTakeFirst()
    if (user === undefined) return undefined
    if (by !== 'operator' && (user.is_admin || (await wasAdministrator(trx, user.id)))) {
      throw factorOfAdministrator()
    }
    if (!user.has_second_factor) return false
    const details = await countFactors(trx, user.id)
    await clearFactors(trx, user.id)
    await trx.deleteFrom('sessions').where('user_id', '=', user.id).execute()
    await recordAuditEvent(trx, { action: 'factor.all_removed', by, subject: { kind: 'member', id: user.id }, details })
    const change = by === 'operator' ? 'removed-by-operator' : 'removed-by-administrator'
    await app.mail.queue(trx, accountMails.factorsChanged, { email: user.email, name: user.name, change })
    return true
  })
}

/** The member's factors, for the event of their removal. */
async function countFactors(trx: AccountsTransaction, userId: string): Promise<{ passkeys: number; totp: boolean }> {
  const { rows } = await sql<{ passkeys: number; totp: boolean }>`
    select (select count(*)::int from passkeys where user_id = ${userId}) as passkeys,
           exists (select from totp_factors where user_id = ${userId}) as totp`.execute(trx)
  const [held = { passkeys: 0, totp: false }] = rows
  return held
}

export const factorOfAdministrator = defineError({
  code: 'factor.of_administrator',
  status: 409,
  sentence:
    'The second factor of an administrator, or of who was one within 30 days, is removed on the command line alone: npm run daybook -- account remove-factors EMAIL',
  remedy: 'Ask the operator, or take the role of an administrator from the member first.',
})
