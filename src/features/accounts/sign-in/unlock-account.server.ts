import { defineError } from '../../../platform/errors.ts'
import type { AccountsApp } from '../app.ts'
import { recordAuditEvent } from '../../office/audit/record-audit-event.server.ts'
import { foldEmail } from '../user/email.ts'

/**
 * Clears the limits of sign-in of an account: of strangers, of its devices, and of right passwords. Every instance that
 * refuses the account learns of it within a second, with or without Redis. For the operator, on the command line.
 * @throws {AppError} `account.unknown`, 404
 */
export async function unlockAccount(
  { db, clock }: Pick<AccountsApp, 'db' | 'clock'>,
  { email }: { email: string },
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const user = await trx
      .updateTable('users')
      .set({ unlocked_at: new Date(clock.now()) })
      .where('email_folded', '=', foldEmail(email))
      .returning('id')
      .executeTakeFirst()
    if (user === undefined) {
      throw noSuchAccount(email)
    }
    await recordAuditEvent(trx, {
      action: 'account.unlocked',
      by: 'operator',
      subject: { kind: 'member', id: user.id },
    })
  })
}

const noSuchAccount = defineError({
  code: 'account.unknown',
  status: 404,
  sentence: (email: string) => `No account has the address ${email}.`,
  remedy: 'Compare the address with the list of members.',
  isOfCommand: true,
})
