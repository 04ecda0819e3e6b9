import type { Queryable } from '../../../db/queryable.ts'
import type { MembershipDatabase } from '../app.ts'

/** Why a member may not buy: a lost dispute that nobody has reviewed, of theirs or of an earlier account's. */
export type PurchaseBlock = 'dispute_lost' | 'kept'

/** The block on purchases until an administrator has reviewed it. */
export async function readPurchaseBlock(
  db: Queryable<MembershipDatabase>,
  userId: string,
): Promise<PurchaseBlock | undefined> {
  const lost = await db
    .selectFrom('payments')
    .select('id')
    .where('user_id', '=', userId)
    .where('dispute', '=', 'lost')
    .where('dispute_reviewed_at', 'is', null)
    .limit(1)
    .executeTakeFirst()
  if (lost !== undefined) return 'dispute_lost'
  const user = await db.selectFrom('users').select('purchases_blocked').where('id', '=', userId).executeTakeFirst()
  return user?.purchases_blocked === true ? 'kept' : undefined
}

/** Whether a payment of a member is disputed, and the bank has not decided yet. */
export async function hasOpenDispute(db: Queryable<MembershipDatabase>, userId: string): Promise<boolean> {
  const open = await db
    .selectFrom('payments')
    .select('id')
    .where('user_id', '=', userId)
    .where('dispute', '=', 'open')
    .limit(1)
    .executeTakeFirst()
  return open !== undefined
}
