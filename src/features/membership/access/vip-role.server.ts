import type { MembershipApp } from '../app.ts'
import type { RoleSource } from '../../accounts/user/viewer.ts'
import { readAccessStatus } from './read-access-status.server.ts'

/**
 * The role of whoever has a membership in force. Nobody outside is asked: a VIP stays one until their date while Stripe
 * is away. The dashboard shows the end of the membership, also of one that is over, and its plan while it is in force.
 */
export const vipRole: RoleSource<Pick<MembershipApp, 'db' | 'clock'>> = async (app, { id, isVipDisabled }) => {
  const { isVip, endsAt, planType } = await readAccessStatus(app, { userId: id, isDisabled: isVipDisabled })
  return {
    roles: isVip ? ['vip'] : [],
    profile: {
      vipExpirationDate: endsAt === null ? null : new Date(endsAt).toISOString(),
      ...(isVip && planType !== null ? { planType } : {}),
    },
  }
}
