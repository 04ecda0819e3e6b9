import { uuidv7 } from 'uuidv7'
import type { MembershipApp, MembershipTransaction } from '../app.ts'
import { lockMember } from './lock-member.server.ts'

const dayMs = 86_400_000

interface ManualAccess {
  userId: string
  days: number
  /** The person who gave it, for the record. */
  grantedBy: string
}

/**
 * Gives a member access by hand, from the end of the access that holds now, else from now (docs/spec/membership.md#renewals):
 * what was given and what was paid never shorten each other, and what is given twice at once adds up.
 * @returns the new end
 * @throws {AppError} `billing.busy`, 503, with nothing given; `member.unknown`, 404, when there is no such member
 */
export async function grantAccess(
  app: Pick<MembershipApp, 'db' | 'clock' | 'log'>,
  grant: ManualAccess,
): Promise<Date> {
  return lockMember(app, grant.userId, ({ commit }) => commit((trx) => addGrant(app, trx, grant)))
}

/**
 * The same for the holder of the member's lock.
 * @param trx the transaction of the lock: where a grant begins depends on the others
 */
export async function addGrant(
  { clock }: Pick<MembershipApp, 'clock'>,
  trx: MembershipTransaction,
  { userId, days, grantedBy }: ManualAccess,
): Promise<Date> {
  const now = clock.now()
  const startsAt = await closeGaps(trx, { userId, now })
  const endsAt = new Date(startsAt.getTime() + days * dayMs)
  await trx
    .insertInto('access_grants')
    .values({
      id: uuidv7(),
      user_id: userId,
      source: 'manual',
      basis: 'manual',
      renews: false,
      starts_at: startsAt,
      ends_at: endsAt,
      effective_until: endsAt,
      granted_by: grantedBy,
      created_at: new Date(now),
    })
    .execute()
  return endsAt
}

/**
 * Moves granted access that has not begun forward over a gap: the plan that it was to follow ended early. Its days
 * follow the access that holds now, or begin now; none is lost.
 * @param trx the transaction of the member's lock
 * @returns the end of the unbroken access that holds now; now, where there is none
 */
export async function closeGaps(
  trx: MembershipTransaction,
  { userId, now }: { userId: string; now: number },
): Promise<Date> {
  const grants = await trx
    .selectFrom('access_grants')
    .select(['id', 'source', 'starts_at', 'ends_at'])
    .where('user_id', '=', userId)
    .where('revoked_at', 'is', null)
    .where('ends_at', '>', new Date(now))
    .orderBy('starts_at')
    .orderBy('id')
    .execute()
  let end = now
  for (const { id, source, starts_at, ends_at } of grants) {
    const gap = Math.max(0, starts_at.getTime() - end)
    // Stripe alone says when what was paid begins.
    if (gap > 0 && source !== 'manual') continue
    const endsAt = new Date(ends_at.getTime() - gap)
    if (gap > 0) {
      await trx
        .updateTable('access_grants')
        .set({ starts_at: new Date(end), ends_at: endsAt, effective_until: endsAt })
        .where('id', '=', id)
        .execute()
    }
    end = Math.max(end, endsAt.getTime())
  }
  return new Date(end)
}
