import type { AccountsTransaction } from '../app.ts'

/** Ends the block of purchases that an earlier account with this address has left. @returns whether there was one */
export async function allowPurchases(trx: AccountsTransaction, userId: string): Promise<boolean> {
  const allowed = await trx
    .updateTable('users')
    .set({ purchases_blocked: false })
    .where('id', '=', userId)
    .where('purchases_blocked', '=', true)
    .returning('id')
    .executeTakeFirst()
  return allowed !== undefined
}
