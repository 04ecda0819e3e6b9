import type { AccountsApp } from '../app.ts'
import { digestOf, makeToken } from '../sessions/tokens.server.ts'
import { linkValidForMs } from '../user/address-times.ts'
import { lockUser } from '../user/lock-user.server.ts'

/**
 * Makes the token of a link that confirms an address of an account (docs/spec/accounts.md#address-confirmation).
 * @param link.email the address that the email goes to
 * @param link.emailId the email with the link; written again, it has a new token
 * @returns the token, never stored: the database keeps its digest; undefined without such an account
 */
export async function issueAddressLink(
  app: Pick<AccountsApp, 'db' | 'clock'>,
  {
    userId,
    email,
    kind,
    emailId,
  }: { userId: string; email: string; kind: keyof typeof linkValidForMs; emailId: string },
): Promise<string | undefined> {
  const now = app.clock.now()
  const token = makeToken()
  const link = {
    email,
    token_hash: digestOf(token),
    issued_at: new Date(now),
    expires_at: new Date(now + linkValidForMs[kind]),
  }
  return app.db.transaction().execute(async (trx) => {
    if ((await lockUser(trx, userId)) === undefined) return undefined
    await trx
      .insertInto('address_links')
      .values({ id: emailId, user_id: userId, ...link })
      .onConflict((conflict) => conflict.column('id').doUpdateSet(link))
      .execute()
    return token
  })
}
