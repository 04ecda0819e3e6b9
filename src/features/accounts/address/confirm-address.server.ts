import { defineError } from '../../../platform/errors.ts'
import type { AccountsApp, AccountsTransaction } from '../app.ts'
import { notifyAdministrators } from '../administrators/notify-administrators.server.ts'
import { recordMemberEvent } from '../../office/audit/record-audit-event.server.ts'
import { limitAddressLooks } from './address-limits.server.ts'
import { digestOf, looksLikeToken } from '../sessions/tokens.server.ts'
import { endOfChange } from '../user/address-times.ts'
import { foldEmail } from '../user/email.ts'
import { recordFormerAddress, resumeBans } from '../user/kept-bans.server.ts'
import { accountMails } from '../account-mails.ts'
import { defineJob } from '../../../platform/jobs/job.ts'

/** The effect of a link; the same when it is used again. */
export interface ConfirmedAddress {
  email: string
  isChanged: boolean
}

/**
 * Confirms the address that a link was sent to, or makes it the account's. The link is enough, signed in or not. A
 * changed address ends all other links of the account, but no session.
 * @throws {AppError} `address_link.invalid`, 400, for a link that is too old, ended or made up; `address.taken`, 409;
 * `limit.exceeded`, 429
 */
export async function confirmAddress(
  app: Pick<AccountsApp, 'db' | 'clock' | 'mail' | 'jobs' | 'limits'>,
  { token, address }: { token: string; address: string },
): Promise<ConfirmedAddress> {
  await limitAddressLooks(app, address)
  if (!looksLikeToken(token)) throw invalidLink()
  const now = new Date(app.clock.now())
  const hash = digestOf(token)
  return app.db.transaction().execute(async (trx) => {
    const known = await trx
      .selectFrom('address_links')
      .select('user_id')
      .where('token_hash', '=', hash)
      .executeTakeFirstOrThrow(() => invalidLink())
    // The account first, as every change of an address or a password does: two at once wait for each other.
    const user = await trx
      .selectFrom('users')
      .select(['id', 'email', 'name', 'email_confirmed_at', 'is_admin'])
      .where('id', '=', known.user_id)
      .forUpdate()
      .executeTakeFirst()
    const link = await trx
      .selectFrom('address_links')
      .select(['id', 'email'])
      .where('token_hash', '=', hash)
      .where('expires_at', '>', now)
      .executeTakeFirst()
    if (user === undefined || link === undefined) throw invalidLink()
    const wish = await trx.selectFrom('address_changes').selectAll().where('user_id', '=', user.id).executeTakeFirst()
    if (link.email === user.email) {
      if (user.email_confirmed_at === null) await recordConfirmed(trx, { id: user.id, now })
      return { email: user.email, isChanged: false }
    }
    const isWanted = wish?.email === link.email && endOfChange(wish.requested_at) > now.getTime()
    if (!isWanted) throw invalidLink()
    await changeTo(trx, user, { email: link.email, linkId: link.id, now })
    await app.mail.queue(trx, accountMails.emailChanged, { email: user.email, name: user.name, after: link.email })
    // An email reader can set the account's password.
    if (user.is_admin) await notifyAdministrators(app, trx, { action: 'email.changed', by: { memberId: user.id } })
    await app.jobs.add(trx, emailChangedJob, { memberId: user.id })
    return { email: link.email, isChanged: true }
  })
}

/** Done after an address has changed, by what each feature contributes (`emailChanged`). */
export const emailChangedJob = defineJob<{ memberId: string }>('accounts.email-changed')

async function recordConfirmed(trx: AccountsTransaction, { id, now }: { id: string; now: Date }): Promise<void> {
  await trx.updateTable('users').set({ email_confirmed_at: now }).where('id', '=', id).execute()
  await recordMemberEvent(trx, 'account.address_confirmed', { of: id })
}

async function changeTo(
  trx: AccountsTransaction,
  before: { id: string; email: string },
  { email, linkId, now }: { email: string; linkId: string; now: Date },
): Promise<void> {
  const { id } = before
  const folded = foldEmail(email)
  const holder = await trx
    .selectFrom('users')
    .select('id')
    .where('email_folded', '=', folded)
    .where('id', '<>', id)
    .executeTakeFirst()
  if (holder !== undefined) throw addressTaken()
  try {
    await trx
      .updateTable('users')
      .set({ email, email_folded: folded, email_confirmed_at: now })
      .where('id', '=', id)
      .execute()
  } catch (error) {
    // Somebody was quicker: the transaction is over with it.
    if (isUniqueViolation(error)) throw addressTaken({ cause: error })
    throw error
  }
  await recordFormerAddress(trx, { id, email: before.email, now })
  await resumeBans(trx, { id, email })
  await trx.deleteFrom('address_changes').where('user_id', '=', id).execute()
  // This one stays: used once more, it says the same again.
  await trx.deleteFrom('address_links').where('user_id', '=', id).where('id', '<>', linkId).execute()
  await trx.deleteFrom('password_resets').where('user_id', '=', id).execute()
  await recordMemberEvent(trx, 'account.address_changed', { of: id })
}

function isUniqueViolation(error: unknown): boolean {
  return (error as { code?: unknown } | null)?.code === '23505'
}

export const addressTaken = defineError({
  code: 'address.taken',
  status: 409,
  sentence: 'Another account has this address by now. Yours stayed as it was: sign in, and choose another address.',
  remedy: 'Ask for another address with POST /auth/address.',
})

export const invalidLink = defineError({
  code: 'address_link.invalid',
  status: 400,
  field: 'token',
  sentence:
    'This link is not valid any more. Sign in, and send another one from Security and data on your account page.',
  remedy: 'Ask for another link: POST /auth/address/confirmation, or POST /auth/address for another address.',
})
