import type { App } from '../../platform/app.ts'
import { AppError } from '../../platform/errors.ts'
import { foldEmail } from './email.ts'
import { lockAdministrators, refuseLastAdministrator } from './last-administrator.server.ts'

/**
 * Takes the role of an administrator from a member; his next request is already without it. For the operator.
 * @throws {AppError} `account.not_found`, 404; `account.last_admin`, 409
 */
export async function demoteAdministrator(app: Pick<App, 'db'>, { email }: { email: string }): Promise<void> {
  const demoted = await refuseLastAdministrator(
    () =>
      app.db.transaction().execute(async (trx) => {
        await lockAdministrators(trx)
        return trx
          .updateTable('users')
          .set({ is_admin: false })
          .where('email_folded', '=', foldEmail(email))
          .where('is_admin', '=', true)
          .returning('id')
          .executeTakeFirst()
      }),
    `${email} is`,
  )
  if (demoted !== undefined) return
  throw new AppError({
    code: 'account.not_found',
    status: 404,
    message: `No administrator has the address ${email}.`,
  })
}
