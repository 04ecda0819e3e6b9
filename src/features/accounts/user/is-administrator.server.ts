import type { Transaction } from 'kysely'
import type { AccountsTables } from '../../../db/tables/accounts.ts'

/**
 * Whether a member is an administrator, and stays so until the transaction ends: who takes the role away waits for it. For work
 * that goes on after the request of the one who began it.
 */
export async function isAdministrator(trx: Transaction<AccountsTables>, memberId: string): Promise<boolean> {
  const found = await trx
    .selectFrom('users')
    .select('id')
    .where('id', '=', memberId)
    .where('is_admin', '=', true)
    .forShare()
    .executeTakeFirst()
  return found !== undefined
}
