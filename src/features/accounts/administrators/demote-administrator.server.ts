import { AppError } from '../../../platform/errors.ts'
import type { AccountsApp } from '../app.ts'
import { recordAuditEvent } from '../audit/record-audit-event.server.ts'
import { foldEmail } from '../user/email.ts'
import { lockAdministrators, refuseLastAdministrator } from '../user/last-administrator.server.ts'

/**
 * Takes the role of an administrator from a member; their next request is already without it. For the operator.
 * @throws {AppError} `account.not_found`, 404; `account.last_admin`, 409
 */
export async function demoteAdministrator(app: Pick<AccountsApp, 'db'>, { email }: { email: string }): Promise<void> {
  const demoted = await refuseLastAdministrator(
    () =>
      app.db.transaction().execute(async (trx) => {
        await lockAdministrators(trx)
        const demoted = await trx
          .updateTable('users')
          .set({ is_admin: false })
          .where('email_folded', '=', foldEmail(email))
          .where('is_admin', '=', true)
          .returning('id')
          .executeTakeFirst()
        if (demoted !== undefined) {
          await recordAuditEvent(trx, {
            action: 'role.withdrawn',
            by: 'operator',
            subject: { kind: 'member', id: demoted.id },
          })
        }
        return demoted
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
