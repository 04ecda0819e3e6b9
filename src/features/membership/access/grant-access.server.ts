import type { Transaction } from 'kysely'
import { uuidv7 } from 'uuidv7'
import type { MembershipApp, MembershipDatabase } from '../app.ts'
import { lockMember } from './lock-member.server.ts'

const dayMs = 86_400_000

interface GivenAccess {
  userId: string
  days: number
  /** The person who gave it, for the record. */
  grantedBy: string
}

/**
 * Gives a member access by hand, from the later of now and the end of what they have (docs/spec/membership.md#renewals):
 * what was given and what was paid never shorten each other, and what is given twice at once adds up.
 * @returns the new end
 * @throws {AppError} `billing.busy`, 503, with nothing given; `member.unknown`, 404, when there is no such member
 */
export async function grantAccess(app: Pick<MembershipApp, 'db' | 'clock' | 'log'>, given: GivenAccess): Promise<Date> {
  return lockMember(app, given.userId, ({ commit }) => commit((trx) => addGrant(app, trx, given)))
}

/**
 * The same for the holder of the member's lock.
 * @param trx the transaction of the lock: where a grant begins depends on the last one
 */
export async function addGrant(
  { clock }: Pick<MembershipApp, 'clock'>,
  trx: Transaction<MembershipDatabase>,
  { userId, days, grantedBy }: GivenAccess,
): Promise<Date> {
  const now = clock.now()
  const last = await trx
    .selectFrom('access_grants')
    .select(({ fn }) => fn.max('ends_at').as('ends_at'))
    .where('user_id', '=', userId)
    .where('revoked_at', 'is', null)
    .executeTakeFirst()
  const startsAt = new Date(Math.max(now, last?.ends_at?.getTime() ?? now))
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
