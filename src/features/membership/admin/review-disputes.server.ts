import type { MembershipApp } from '../app.ts'
import { allowPurchases } from '../../accounts/user/allow-purchases.server.ts'
import { recordMemberEvent } from '../../office/audit/record-audit-event.server.ts'
import { requireMember, type Viewer } from '../../office/viewer/viewer.ts'
import { defineError } from '../../../platform/errors.ts'
import { findMember } from '../access/find-member.server.ts'
import { lockMember } from '../access/lock-member.server.ts'
import type { MemberBilling } from './billing-schema.ts'
import { readMemberBilling } from './read-member-billing.server.ts'

/**
 * Notes that an administrator has looked at a member's lost disputes, those of an earlier account with their address too,
 * so that they may buy again (docs/spec/billing.md#states).
 * @returns the member's billing as it is now
 * @throws {AppError} `member.unknown`, 404; `dispute.none`, 409, when there is nothing to review; `billing.busy`, 503
 */
export async function reviewDisputes(
  app: MembershipApp,
  viewer: Viewer,
  { id }: { id: string },
): Promise<MemberBilling> {
  const { id: userId } = await findMember(app, { id })
  const { reviewed, isAllowed } = await lockMember(app, userId, ({ commit }) =>
    commit(async (trx) => {
      const isAllowed = await allowPurchases(trx, userId)
      const reviewed = await trx
        .updateTable('payments')
        .set({ dispute_reviewed_at: new Date(app.clock.now()) })
        .where('user_id', '=', userId)
        .where('dispute', '=', 'lost')
        .where('dispute_reviewed_at', 'is', null)
        .returning('invoice_id')
        .execute()
      if (isAllowed || reviewed.length > 0) {
        await recordMemberEvent(trx, 'purchases.allowed', {
          of: userId,
          by: requireMember(viewer).id,
          details: { disputes: reviewed.length },
        })
      }
      return { isAllowed, reviewed }
    }),
  )
  if (reviewed.length === 0 && !isAllowed) {
    throw noDispute()
  }
  const invoices = reviewed.map(({ invoice_id }) => invoice_id)
  app.log.info({ by: requireMember(viewer).id, userId, invoices }, 'A member may buy again after a lost dispute.')
  return readMemberBilling(app, { id: userId })
}

export const noDispute = defineError({
  code: 'dispute.none',
  status: 409,
  sentence: 'There is no lost dispute to review: this member may buy already.',
  remedy: 'Nothing.',
})
