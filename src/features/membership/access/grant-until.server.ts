import { uuidv7 } from 'uuidv7'
import type { MembershipApp, MembershipTransaction } from '../app.ts'

/**
 * Gives accounts that were made in this transaction access by hand, until an instant that may be past. Nobody else knows
 * of them yet, so they need no lock.
 */
export async function grantUntil(
  { clock }: Pick<MembershipApp, 'clock'>,
  trx: MembershipTransaction,
  grants: readonly { userId: string; from: Date; until: Date }[],
  grantedBy: string,
): Promise<void> {
  if (grants.length === 0) return
  const now = new Date(clock.now())
  await trx
    .insertInto('access_grants')
    .values(
      grants.map(({ userId, from, until }) => ({
        id: uuidv7(),
        user_id: userId,
        source: 'manual' as const,
        basis: 'manual' as const,
        renews: false,
        starts_at: from < until ? from : until,
        ends_at: until,
        effective_until: until,
        granted_by: grantedBy,
        created_at: now,
        // Nobody is notified of an end that was over before they came.
        ended_queued_for: until <= now ? until : null,
      })),
    )
    .execute()
}
