import { recordMemberEvent } from '../../office/audit/record-audit-event.server.ts'
import { setVipDisabled } from '../../accounts/user/disable-vip.server.ts'
import { lockUser } from '../../accounts/user/lock-user.server.ts'
import { unknownMember } from '../../accounts/user/unknown-member.server.ts'
import { requireMember, type Viewer } from '../../office/viewer/viewer.ts'
import { addGrant } from '../access/grant-access.server.ts'
import { lockMember } from '../access/lock-member.server.ts'
import type { MembershipApp } from '../app.ts'
import { findVip } from './find-vip.server.ts'

/**
 * Gives a member VIP access for some days from the end of their present access, else from now, and lifts a disabling
 * (docs/spec/membership.md#renewals). Renewals at the same moment add up.
 * @returns the new end
 * @throws {AppError} `member.unknown`, 404; `billing.busy`, 503, with nothing given
 */
export async function renewVip(
  app: Pick<MembershipApp, 'db' | 'clock' | 'log'>,
  viewer: Viewer,
  { email, days }: { email: string; days: number },
): Promise<Date> {
  const by = requireMember(viewer).id
  const { id: userId } = await findVip(app, { email })
  return lockMember(app, userId, ({ assertHeld }) =>
    app.db.transaction().execute(async (trx) => {
      // The account first and then its customer, as deleting an account locks them.
      const user = await lockUser(trx, userId)
      if (user === undefined) throw unknownMember()
      await assertHeld(trx)
      if (user.isVipDisabled) await setVipDisabled(trx, { userId, since: null })
      const until = await addGrant(app, trx, { userId, days, grantedBy: by })
      await recordMemberEvent(trx, 'vip.renewed', {
        of: userId,
        by,
        details: { days, until: until.toISOString(), ...(user.isVipDisabled ? { wasDisabled: true } : {}) },
      })
      return until
    }),
  )
}
