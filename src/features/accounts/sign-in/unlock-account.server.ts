import type { AccountsApp } from '../app.ts'
import type { AuditActor } from '../../office/audit/audit-event.ts'
import { recordAuditEvent } from '../../office/audit/record-audit-event.server.ts'
import { requireMember, type Viewer } from '../../office/viewer/viewer.ts'
import { foldEmail } from '../user/email.ts'
import { noSuchAccount, unknownMember } from '../user/unknown-member.server.ts'
import { forgiveSignIns } from './sign-in-limits.server.ts'

/**
 * Clears the limits of sign-in of an account: of strangers, of its devices, and of right passwords. Every instance that
 * refuses the account learns of it within a second, with or without Redis. For the operator, on the command line.
 * @throws {AppError} `account.unknown`, 404
 */
export async function unlockAccount(
  app: Pick<AccountsApp, 'db' | 'clock'>,
  { email }: { email: string },
): Promise<void> {
  if ((await unlock(app, { where: { email_folded: foldEmail(email) }, by: 'operator' })) === undefined)
    throw noSuchAccount(email)
}

/**
 * The same for an administrator. Waits for wrong second factors stay.
 * @throws {AppError} `member.unknown`, 404
 */
export async function unlockMember(
  app: Pick<AccountsApp, 'db' | 'clock' | 'limits'>,
  viewer: Viewer,
  { id }: { id: string },
): Promise<void> {
  const unlocked = await unlock(app, { where: { id }, by: { memberId: requireMember(viewer).id } })
  if (unlocked === undefined) throw unknownMember()
  await forgiveSignIns(app, unlocked)
}

/** @returns undefined where there is no such account */
async function unlock(
  { db, clock }: Pick<AccountsApp, 'db' | 'clock'>,
  { where, by }: { where: { id: string } | { email_folded: string }; by: AuditActor },
): Promise<{ emailFolded: string; unlockedAt: Date } | undefined> {
  const unlockedAt = new Date(clock.now())
  return db.transaction().execute(async (trx) => {
    const user = await trx
      .updateTable('users')
      .set({ unlocked_at: unlockedAt })
      .where((is) => is.and(where))
      .returning(['id', 'email_folded'])
      .executeTakeFirst()
    if (user === undefined) return undefined
    await recordAuditEvent(trx, { action: 'account.unlocked', by, subject: { kind: 'member', id: user.id } })
    return { emailFolded: user.email_folded, unlockedAt }
  })
}
