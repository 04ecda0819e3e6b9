import type { AccountsApp } from '../app.ts'
import { recordAuditEvent } from '../audit/record-audit-event.server.ts'
import { AppError } from '../../../platform/errors.ts'
import type { InDeletion } from './account-parts.ts'
import { foldEmail } from '../user/email.ts'
import { type Bans, keepBans } from '../user/kept-bans.server.ts'
import { invalidSession } from '../sessions/recognise-session.server.ts'
import {
  lastAdministratorStays,
  lockAdministrators,
  refuseLastAdministrator,
} from '../user/last-administrator.server.ts'
import { hasRole, requireMember, type Viewer } from '../user/viewer.ts'

/**
 * Refuses what `closeAccount` would refuse, before anything is done that cannot be undone.
 * @param input.email the address of the account, so that nobody deletes another than they mean
 * @throws {AppError} `account.other`, 403; `account.last_admin`, 409
 */
export async function refuseUnclosable(
  app: Pick<AccountsApp, 'db'>,
  viewer: Viewer,
  { email }: { email: string },
): Promise<void> {
  const member = requireMember(viewer)
  if (foldEmail(email) !== foldEmail(member.email)) {
    throw new AppError({ code: 'account.other', status: 403, message: 'You can delete only your own account.' })
  }
  if (!hasRole(viewer, 'admin')) return
  const other = await app.db
    .selectFrom('users')
    .select('id')
    .where('is_admin', '=', true)
    .where('id', '<>', member.id)
    .limit(1)
    .executeTakeFirst()
  if (other === undefined) throw lastAdministratorStays()
}

/**
 * Deletes the caller's own account with its sessions, and confirms it by email. Bans outlive it.
 * @param input.email the address of the account, so that nobody deletes another than they mean
 * @param input.inDeletion what other features do in the same transaction, in this order; the bans that they return are
 *   kept with the account's own
 * @throws {AppError} `account.other`, 403; `account.last_admin`, 409; `session.invalid`, 401, when it is gone already
 */
export async function closeAccount(
  app: Pick<AccountsApp, 'db' | 'mail'>,
  viewer: Viewer,
  { email, inDeletion }: { email: string; inDeletion: readonly InDeletion[] },
): Promise<void> {
  await refuseUnclosable(app, viewer, { email })
  const member = requireMember(viewer)
  await refuseLastAdministrator(() =>
    app.db.transaction().execute(async (trx) => {
      if (hasRole(viewer, 'admin')) await lockAdministrators(trx)
      const others: Partial<Bans>[] = []
      for (const step of inDeletion) others.push(await step(trx))
      const deleted = await trx
        .deleteFrom('users')
        .where('id', '=', member.id)
        .returning(['name', 'email', 'vip_disabled', 'purchases_blocked'])
        .executeTakeFirst()
      if (deleted === undefined) throw invalidSession()
      const areBansKept = await keepBans(trx, deleted.email, {
        vipDisabled: deleted.vip_disabled || others.some(({ vipDisabled }) => vipDisabled === true),
        purchasesBlocked: deleted.purchases_blocked || others.some(({ purchasesBlocked }) => purchasesBlocked === true),
      })
      await recordAuditEvent(trx, {
        action: 'account.erased',
        by: { memberId: member.id },
        subject: { kind: 'member', id: member.id },
      })
      await app.mail.queue(trx, 'accounts.deleted', { email: deleted.email, name: deleted.name, areBansKept })
    }),
  )
}
