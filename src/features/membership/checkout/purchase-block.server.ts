import type { Queryable } from '../../../db/queryable.ts'
import { formerHoldersOf } from '../../accounts/user/kept-bans.server.ts'
import type { MembershipDatabase } from '../app.ts'

/** Why a member may not buy: a lost dispute that nobody has reviewed, of theirs or of an earlier account's. */
export type PurchaseBlock = 'dispute_lost' | 'kept'

/** The block on purchases until an administrator has reviewed it. */
export async function readPurchaseBlock(
  db: Queryable<MembershipDatabase>,
  userId: string,
): Promise<PurchaseBlock | undefined> {
  const user = await db
    .selectFrom('users')
    .select(['email', 'purchases_blocked'])
    .where('id', '=', userId)
    .executeTakeFirst()
  if (user === undefined) return undefined
  // A former holder of this address is the same person to us.
  const holders = await formerHoldersOf(db, { id: userId, email: user.email })
  const lost = await db
    .selectFrom('payments')
    .select('user_id')
    .where('user_id', 'in', [userId, ...holders])
    .where('dispute', '=', 'lost')
    .where('dispute_reviewed_at', 'is', null)
    .execute()
  if (lost.some((payment) => payment.user_id === userId)) return 'dispute_lost'
  return user.purchases_blocked || lost.length > 0 ? 'kept' : undefined
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
