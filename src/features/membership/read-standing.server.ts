import type { Kysely } from 'kysely'
import type { Database } from '../../db/schema.ts'
import type { App } from '../../platform/app.ts'
import { type Grant, type Standing, standingOf } from './standing.ts'

/** Far more than anybody has who has not been given days by hand for years. */
const mostGrants = 200

/** Whether a member is VIP at this moment, and why. */
export async function readStanding(
  { db, clock }: Pick<App, 'clock'> & { db: Kysely<Database> },
  { userId, isDisabled }: { userId: string; isDisabled: boolean },
): Promise<Standing> {
  const rows = await db
    .selectFrom('access_grants')
    .select(['basis', 'plan_type', 'renews', 'starts_at', 'ends_at', 'held_until', 'revoked_reason'])
    .where('user_id', '=', userId)
    .orderBy('held_until', 'desc')
    .limit(mostGrants)
    .execute()
  const grants = rows.map((row): Grant => ({
    basis: row.basis,
    planType: row.plan_type,
    renews: row.renews,
    startsAt: row.starts_at.getTime(),
    endsAt: row.ends_at.getTime(),
    heldUntil: row.held_until.getTime(),
    revokedReason: row.revoked_reason,
  }))
  return standingOf(grants, { isDisabled }, clock.now())
}
