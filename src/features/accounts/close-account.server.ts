import type { App } from '../../platform/app.ts'
import { AppError } from '../../platform/errors.ts'
import { foldEmail } from './email.ts'
import { invalidSession } from './recognise-session.server.ts'
import { lastAdministratorStays, lockAdministrators, refuseLastAdministrator } from './last-administrator.server.ts'
import { memberOf, type Viewer } from './viewer.ts'

/**
 * Refuses what `closeAccount` would refuse, before anything is done that cannot be undone.
 * @param input.email the address of the account, so that nobody deletes another than he means
 * @throws {AppError} `account.other`, 403; `account.last_admin`, 409
 */
export async function refuseUnclosable(
  app: Pick<App, 'db'>,
  viewer: Viewer,
  { email }: { email: string },
): Promise<void> {
  const member = memberOf(viewer)
  if (foldEmail(email) !== foldEmail(member.email)) {
    throw new AppError({ code: 'account.other', status: 403, message: 'You can delete only your own account.' })
  }
  if (!viewer.isAdmin) return
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
 * Deletes the caller's own account with its sessions, and confirms it by mail.
 * @param input.email the address of the account, so that nobody deletes another than he means
 * @throws {AppError} `account.other`, 403; `account.last_admin`, 409
 */
export async function closeAccount(
  app: Pick<App, 'db' | 'mail'>,
  viewer: Viewer,
  { email }: { email: string },
): Promise<void> {
  await refuseUnclosable(app, viewer, { email })
  const member = memberOf(viewer)
  await refuseLastAdministrator(() =>
    app.db.transaction().execute(async (trx) => {
      if (viewer.isAdmin) await lockAdministrators(trx)
      const deleted = await trx
        .deleteFrom('users')
        .where('id', '=', member.id)
        .returning(['name', 'email'])
        .executeTakeFirst()
      if (deleted === undefined) throw invalidSession()
      await app.mail.queue(trx, 'accounts.deleted', { email: deleted.email, name: deleted.name })
    }),
  )
}
