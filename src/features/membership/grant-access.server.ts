import type { Kysely } from 'kysely'
import { uuidv7 } from 'uuidv7'
import type { Database } from '../../db/schema.ts'
import type { App } from '../../platform/app.ts'

const dayMs = 86_400_000

/**
 * Gives a member access by hand, from the later of now and the end of what he has (PRODUCT.md, section 9, "Renewals"):
 * what was given and what was paid never shorten each other.
 * @param input.grantedBy who has given it, for the record
 * @returns the new end
 */
export async function grantAccess(
  { db, clock }: Pick<App, 'clock'> & { db: Kysely<Database> },
  { userId, days, grantedBy }: { userId: string; days: number; grantedBy: string },
): Promise<Date> {
  const now = clock.now()
  const last = await db
    .selectFrom('access_grants')
    .select(({ fn }) => fn.max('ends_at').as('ends_at'))
    .where('user_id', '=', userId)
    .where('revoked_at', 'is', null)
    .executeTakeFirst()
  const startsAt = new Date(Math.max(now, last?.ends_at?.getTime() ?? now))
  const endsAt = new Date(startsAt.getTime() + days * dayMs)
  await db
    .insertInto('access_grants')
    .values({
      id: uuidv7(),
      user_id: userId,
      source: 'manual',
      basis: 'manual',
      renews: false,
      starts_at: startsAt,
      ends_at: endsAt,
      held_until: endsAt,
      granted_by: grantedBy,
      created_at: new Date(now),
    })
    .execute()
  return endsAt
}
