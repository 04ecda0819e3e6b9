import type { AccountsTransaction } from '../app.ts'

/**
 * Disables the membership of a member, or lifts that.
 * @param trx the transaction of its consequences, too
 * @param since when it began; null lifts it
 */
export async function setVipDisabled(
  trx: AccountsTransaction,
  { userId, since }: { userId: string; since: Date | null },
): Promise<void> {
  await trx
    .updateTable('users')
    .set({ vip_disabled: since !== null, vip_disabled_at: since })
    .where('id', '=', userId)
    .execute()
}
