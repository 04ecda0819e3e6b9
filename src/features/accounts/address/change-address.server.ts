import type { AccountsApp } from '../app.ts'
import { recordMemberEvent } from '../../office/audit/record-audit-event.server.ts'
import { invalidSession } from '../sessions/recognise-session.server.ts'
import { assertValid } from '../user/assert-valid.server.ts'
import { foldEmail } from '../user/email.ts'
import { checkNewEmail } from '../user/registration.ts'
import { requireMember, type Viewer } from '../../office/viewer/viewer.ts'
import { limitAddressChange } from './address-limits.server.ts'
import { accountMails } from '../account-mails.ts'

/**
 * Records the wanted address of the caller, sends a confirming link there, and notifies the present one; nothing else
 * changes before. Whether the address is taken is looked up only when the email is written, so the answer and the work
 * are the same. A further wish replaces this one.
 * @throws {AppError} `account.invalid`, 422; `limit.exceeded`, 429; `session.invalid`, 401
 */
export async function requestAddressChange(
  app: Pick<AccountsApp, 'db' | 'clock' | 'mail' | 'limits'>,
  viewer: Viewer,
  { email: typed }: { email: string },
): Promise<void> {
  const { id, email: present } = requireMember(viewer)
  const email = typed.trim()
  assertValid(checkNewEmail(email, { present }))
  await limitAddressChange(app, { userId: id, emailFolded: foldEmail(email) })
  const wish = { email, requested_at: new Date(app.clock.now()) }
  await app.db.transaction().execute(async (trx) => {
    const user = await trx
      .selectFrom('users')
      .select(['email', 'name'])
      .where('id', '=', id)
      .forNoKeyUpdate()
      .executeTakeFirstOrThrow(() => invalidSession())
    await trx
      .insertInto('address_changes')
      .values({ user_id: id, ...wish })
      .onConflict((conflict) => conflict.column('user_id').doUpdateSet(wish))
      .execute()
    await recordMemberEvent(trx, 'account.address_requested', { of: id })
    await app.mail.queue(trx, accountMails.changeAddress, { userId: id, email })
    await app.mail.queue(trx, accountMails.addressChangeRequested, { ...user, wanted: email })
  })
}

/** Drops the address that the caller has asked for: its link changes nothing any more. */
export async function dropAddressChange({ db }: Pick<AccountsApp, 'db'>, viewer: Viewer): Promise<void> {
  await db.deleteFrom('address_changes').where('user_id', '=', requireMember(viewer).id).execute()
}
