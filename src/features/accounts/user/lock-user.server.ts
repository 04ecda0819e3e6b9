import type { AccountsTransaction } from '../app.ts'

/**
 * Keeps everybody else from changing or deleting a user until the transaction ends. Rows that refer to the user can
 * still be written.
 * @returns undefined when there is no such user, or no longer
 */
export async function lockUser(trx: AccountsTransaction, id: string): Promise<{ isVipDisabled: boolean } | undefined> {
  const user = await trx
    .selectFrom('users')
    .select('vip_disabled')
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst()
  return user && { isVipDisabled: user.vip_disabled }
}
