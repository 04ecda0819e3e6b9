import { defineError } from '../../../platform/errors.ts'
import type { AccountsApp } from '../app.ts'
import { foldEmail } from '../user/email.ts'
import { refuseLastOne } from '../user/last-administrator.server.ts'
import { withdrawRole } from './withdraw-role.server.ts'

/**
 * Takes the role of an administrator from a member; their next request is already without it. They
 * and every administrator are notified by email. For the operator.
 * @throws {AppError} `account.not_found`, 404; `account.last_admin` and `account.last_safety_officer`, 409
 */
export async function demoteAdministrator(
  app: Pick<AccountsApp, 'db' | 'clock' | 'mail'>,
  { email }: { email: string },
): Promise<void> {
  const isDemoted = await refuseLastOne(
    () =>
      app.db.transaction().execute(async (trx) => {
        const user = await trx
          .selectFrom('users')
          .select('id')
          .where('email_folded', '=', foldEmail(email))
          .executeTakeFirst()
        return user !== undefined && withdrawRole(app, trx, { memberId: user.id, by: 'operator' })
      }),
    `${email} is`,
  )
  if (isDemoted) return
  throw noSuchAdministrator(email)
}

const noSuchAdministrator = defineError({
  code: 'account.not_found',
  status: 404,
  sentence: (email: string) => `No administrator has the address ${email}.`,
  remedy: 'Compare the address with the list of the command.',
  isOfCommand: true,
})
