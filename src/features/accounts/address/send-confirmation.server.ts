import { counted } from '../../../platform/counted.ts'
import { defineError, tryLater } from '../../../platform/errors.ts'
import type { AccountsApp } from '../app.ts'
import { invalidSession } from '../sessions/recognise-session.server.ts'
import { requireMember, type Viewer } from '../../office/viewer/viewer.ts'
import { accountMails } from '../account-mails.ts'

const everyMs = 10 * 60_000

/**
 * Sends the caller another link that confirms their address, at most every 10 minutes.
 * @returns `confirmed` where there is nothing to confirm: nothing is sent
 * @throws {AppError} `limit.exceeded`, 429; `session.invalid`, 401, when the account was deleted meanwhile
 */
export async function sendConfirmation(
  app: Pick<AccountsApp, 'db' | 'clock' | 'mail'>,
  viewer: Viewer,
): Promise<'sent' | 'confirmed'> {
  const { id } = requireMember(viewer)
  return app.db.transaction().execute(async (trx) => {
    // Two at once are one after the other.
    const user = await trx
      .selectFrom('users')
      .select(['email_confirmed_at', 'confirmation_asked_at'])
      .where('id', '=', id)
      .forNoKeyUpdate()
      .executeTakeFirstOrThrow(() => invalidSession())
    if (user.email_confirmed_at !== null) return 'confirmed'
    const now = app.clock.now()
    const waitMs = (user.confirmation_asked_at?.getTime() ?? -Infinity) + everyMs - now
    if (waitMs > 0)
      throw sentLately(counted(Math.ceil(waitMs / 60_000), 'minute'), { retryAfterSeconds: Math.ceil(waitMs / 1_000) })
    await trx
      .updateTable('users')
      .set({ confirmation_asked_at: new Date(now) })
      .where('id', '=', id)
      .execute()
    await app.mail.queue(trx, accountMails.confirmAddress, { userId: id })
    return 'sent'
  })
}

const sentLately = defineError({
  code: 'limit.exceeded',
  status: 429,
  sentence: (wait: string) =>
    `A link was sent less than 10 minutes ago, and it still works: check your spam folder, too. You can send another one in ${wait}.`,
  remedy: tryLater,
  isCounted: true,
})
