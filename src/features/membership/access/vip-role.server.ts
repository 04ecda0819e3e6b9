import { sql } from 'kysely'
import type { MembershipApp } from '../app.ts'
import type { RoleSource } from '../../office/viewer/viewer.ts'
import { accessStatusOf, type Grant } from './access-status.ts'
import { maxGrants } from './read-access-status.server.ts'

/** A grant as the database writes it as JSON, instants in milliseconds since 1970. */
type GrantAsJson = [
  basis: Grant['basis'],
  planType: Grant['planType'],
  renews: boolean,
  startsAt: number,
  endsAt: number,
  effectiveUntil: number,
  revokedAt: Grant['revokedAt'],
  revokedReason: Grant['revokedReason'],
]

const milliseconds = (column: string) => sql`floor(extract(epoch from ${sql.ref(column)}) * 1000)::float8`

/**
 * The role of whoever has a membership in force. Nobody outside is asked: a VIP stays one until their date while Stripe
 * is away. The dashboard shows the end of the membership, also of one that is over, and its plan while it is in force.
 */
export const vipRole: RoleSource<Pick<MembershipApp, 'clock'>> = {
  facts: sql`(
    select coalesce(json_agg(json_build_array(
             basis, plan_type, renews, ${milliseconds('starts_at')}, ${milliseconds('ends_at')},
             ${milliseconds('effective_until')}, ${milliseconds('revoked_at')}, revoked_reason)), '[]')
      from (select * from access_grants where user_id = users.id order by effective_until desc limit ${sql.lit(maxGrants)}) held)`,
  rolesOf({ clock }, { isVipDisabled }, facts) {
    const grants = (facts as GrantAsJson[]).map(
      ([basis, planType, renews, startsAt, endsAt, effectiveUntil, revokedAt, revokedReason]): Grant => ({
        basis,
        planType,
        renews,
        startsAt,
        endsAt,
        effectiveUntil,
        revokedAt,
        revokedReason,
      }),
    )
    const { isVip, endsAt, planType } = accessStatusOf(grants, { isDisabled: isVipDisabled }, clock.now())
    return {
      roles: isVip ? ['vip'] : [],
      profile: {
        vipExpirationDate: endsAt === null ? null : new Date(endsAt).toISOString(),
        ...(isVip && planType !== null ? { planType } : {}),
      },
    }
  },
}
