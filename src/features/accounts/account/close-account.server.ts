import type { AccountsApp } from '../app.ts'
import { defineError } from '../../../platform/errors.ts'
import { requireOwnMark } from '../administrators/safety-officer.server.ts'
import { notifyAdministrators } from '../administrators/notify-administrators.server.ts'
import { recordMemberEvent } from '../../office/audit/record-audit-event.server.ts'
import type { InDeletion } from './account-parts.ts'
import { foldEmail } from '../user/email.ts'
import { type Bans, formerAddressesOf, keepBans } from '../user/kept-bans.server.ts'
import { invalidSession } from '../sessions/recognise-session.server.ts'
import {
  lastAdministratorStays,
  lastSafetyOfficerStays,
  lockAdministrators,
  refuseLastOne,
} from '../user/last-administrator.server.ts'
import { requireMember, type Viewer } from '../../office/viewer/viewer.ts'
import { accountMails } from '../account-mails.ts'

/**
 * Refuses what `closeAccount` would refuse, before anything is done that cannot be undone.
 * @param input.email the address of the account, so that nobody deletes another than they mean
 * @param input.by the id of the administrator who does it on the member's request
 * @throws {AppError} `account.other` and `safety.officer`, 403; `account.last_admin` and `account.last_safety_officer`, 409
 */
export async function refuseUnclosable(
  app: Pick<AccountsApp, 'db'>,
  viewer: Viewer,
  { email, by }: { email: string; by?: string },
): Promise<void> {
  const member = requireMember(viewer)
  if (foldEmail(email) !== foldEmail(member.email)) {
    throw otherAccount()
  }
  if (!member.isAdmin) return
  const administrators = await app.db
    .selectFrom('users')
    .select(['id', 'is_safety_officer'])
    .where('is_admin', '=', true)
    .execute()
  const isOfficer = administrators.some((one) => one.id === member.id && one.is_safety_officer)
  if (isOfficer) requireOwnMark({ memberId: member.id, by: { memberId: by ?? member.id } })
  const others = administrators.filter(({ id }) => id !== member.id)
  if (others.length === 0) throw lastAdministratorStays('You are')
  if (others.every((other) => !other.is_safety_officer)) throw lastSafetyOfficerStays('You are')
}

/**
 * Deletes the account of a member with its sessions, and confirms it by email. Bans outlive it. Administrators are
 * notified where one deletes it, or it was one's own.
 * @param input.by the administrator who acts on the member's request
 * @param input.inDeletion in the same transaction; returns bans to keep
 * @throws {AppError} `account.other`, `safety.officer`, 403; `account.last_admin`, `account.last_safety_officer`, 409;
 * `session.invalid`, 401
 */
export async function closeAccount(
  app: Pick<AccountsApp, 'db' | 'clock' | 'mail'>,
  viewer: Viewer,
  {
    email,
    inDeletion,
    by = requireMember(viewer).id,
  }: { email: string; inDeletion: readonly InDeletion[]; by?: string },
): Promise<void> {
  await refuseUnclosable(app, viewer, { email, by })
  const member = requireMember(viewer)
  await refuseLastOne(() =>
    app.db.transaction().execute(async (trx) => {
      if (member.isAdmin) await lockAdministrators(trx)
      const others: Partial<Bans>[] = []
      for (const step of inDeletion) others.push(await step(trx))
      // They go with the row.
      const former = await formerAddressesOf(trx, member.id)
      const deleted = await trx
        .deleteFrom('users')
        .where('id', '=', member.id)
        .returning(['name', 'email', 'vip_disabled', 'purchases_blocked', 'is_safety_officer'])
        .executeTakeFirstOrThrow(() => invalidSession())
      // They may have been named meanwhile.
      if (deleted.is_safety_officer) requireOwnMark({ memberId: member.id, by: { memberId: by } })
      // After the deletion: an email holds no data of a deleted account.
      if (by !== member.id || member.isAdmin) {
        await notifyAdministrators(app, trx, { action: 'account.erased', by: { memberId: by }, memberId: member.id })
      }
      const bans = {
        vipDisabled: deleted.vip_disabled || others.some(({ vipDisabled }) => vipDisabled === true),
        purchasesBlocked: deleted.purchases_blocked || others.some(({ purchasesBlocked }) => purchasesBlocked === true),
      }
      const areBansKept = await keepBans(trx, deleted.email, bans, former)
      await recordMemberEvent(trx, 'account.erased', { of: member.id, by })
      await app.mail.queue(trx, accountMails.deleted, { email: deleted.email, name: deleted.name, areBansKept })
    }),
  )
}

export const otherAccount = defineError({
  code: 'account.other',
  status: 403,
  sentence: 'You can delete only your own account.',
  remedy: 'Name the address of the account whose session it is.',
})
