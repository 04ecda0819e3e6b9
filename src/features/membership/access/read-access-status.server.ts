import type { Queryable } from '../../../db/queryable.ts'
import type { MembershipApp, MembershipDatabase } from '../app.ts'
import { type Grant, type AccessStatus, accessStatusOf } from './access-status.ts'

/** Far more grants than anybody has, even after years of grants by hand. */
export const maxGrants = 200

export async function readAccessStatus(
  { db, clock }: Pick<MembershipApp, 'clock'> & { db: Queryable<MembershipDatabase> },
  { userId, isDisabled }: { userId: string; isDisabled: boolean },
): Promise<AccessStatus> {
  const rows = await db
    .selectFrom('access_grants')
    .select(['basis', 'plan_type', 'renews', 'starts_at', 'ends_at', 'effective_until', 'revoked_at', 'revoked_reason'])
    .where('user_id', '=', userId)
    .orderBy('effective_until', 'desc')
    .limit(maxGrants)
    .execute()
  const grants = rows.map((row): Grant => ({
    basis: row.basis,
    planType: row.plan_type,
    renews: row.renews,
    startsAt: row.starts_at.getTime(),
    endsAt: row.ends_at.getTime(),
    effectiveUntil: row.effective_until.getTime(),
    revokedAt: row.revoked_at?.getTime() ?? null,
    revokedReason: row.revoked_reason,
  }))
  return accessStatusOf(grants, { isDisabled }, clock.now())
}
