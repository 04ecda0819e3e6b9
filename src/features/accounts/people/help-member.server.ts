import type { AccountsApp, AccountsTransaction } from '../app.ts'
import type { AuditAction } from '../../office/audit/audit-event.ts'
import { recordAuditEvent, recordMemberEvent } from '../../office/audit/record-audit-event.server.ts'
import { forgetDevices } from '../devices/known-devices.server.ts'
import { limitResetLink } from '../sign-in/account-limits.server.ts'
import { lockUser } from '../user/lock-user.server.ts'
import { unknownMember } from '../user/unknown-member.server.ts'
import { requireMember, type Viewer } from '../../office/viewer/viewer.ts'
import { findPerson } from './find-person.server.ts'
import { accountMails } from '../account-mails.ts'

/**
 * Signs a member out on every device, and ends their app passwords, which keep reading programs in. If it is the caller, also here.
 * @returns how many ended
 * @throws {AppError} `member.unknown`, 404
 */
export function signOutEverywhere(
  app: Pick<AccountsApp, 'db'>,
  viewer: Viewer,
  which: { id: string },
): Promise<{ sessions: number; appPasswords: number }> {
  return endAll(app, viewer, which, 'sessions.ended', async (trx, userId) => {
    const sessions = await trx.deleteFrom('sessions').where('user_id', '=', userId).returning('id').execute()
    const appPasswords = await trx.deleteFrom('app_passwords').where('user_id', '=', userId).returning('id').execute()
    return { sessions: sessions.length, appPasswords: appPasswords.length }
  })
}

/**
 * Forgets the devices of a member: the next sign-in on each counts as one of a stranger, and is told to them by email.
 * @returns how many were known
 * @throws {AppError} `member.unknown`, 404
 */
export function forgetDevicesOfMember(
  app: Pick<AccountsApp, 'db'>,
  viewer: Viewer,
  which: { id: string },
): Promise<{ devices: number }> {
  return endAll(app, viewer, which, 'devices.forgotten', async (trx, userId) => ({
    devices: await forgetDevices(trx, { userId }),
  }))
}

/** Ends something of a member, and records how many. */
async function endAll<T extends Record<string, number>>(
  app: Pick<AccountsApp, 'db'>,
  viewer: Viewer,
  { id }: { id: string },
  action: AuditAction,
  end: (trx: AccountsTransaction, userId: string) => Promise<T>,
): Promise<T> {
  const by = { memberId: requireMember(viewer).id }
  const { id: userId } = await findPerson(app, { id })
  return app.db.transaction().execute(async (trx) => {
    if ((await lockUser(trx, userId)) === undefined) throw unknownMember()
    const details = await end(trx, userId)
    await recordAuditEvent(trx, { action, by, subject: { kind: 'member', id: userId }, details })
    return details
  })
}

/**
 * Sends a member a link with which they set a new password; to who never had one, their invitation once more. The
 * password that they have stays until they use it. At most one each 10 minutes for a member, whoever sends it.
 * @throws {AppError} `member.unknown`, 404; `limit.exceeded`, 429
 */
export async function sendResetLink(
  app: Pick<AccountsApp, 'db' | 'limits' | 'mail'>,
  viewer: Viewer,
  { id }: { id: string },
): Promise<'reset' | 'invitation'> {
  const by = requireMember(viewer).id
  const person = await findPerson(app, { id })
  const kind = person.hasPassword ? 'reset' : 'invitation'
  const refund = await limitResetLink(app, person.id)
  try {
    await app.db.transaction().execute(async (trx) => {
      if ((await lockUser(trx, person.id)) === undefined) throw unknownMember()
      if (kind === 'reset') {
        await app.mail.queue(trx, accountMails.resetLink, { email: person.email_folded, isFromAdministrator: true })
      } else {
        await trx.deleteFrom('member_invitations').where('user_id', '=', person.id).execute()
        await app.mail.queue(trx, accountMails.invitation, { userId: person.id })
      }
      await recordMemberEvent(trx, 'password.reset_sent', { of: person.id, by, details: { kind } })
    })
  } catch (error) {
    await refund()
    throw error
  }
  return kind
}
