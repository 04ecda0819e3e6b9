import { memberOf, type Viewer } from '../accounts/viewer.ts'
import type { App } from '../../platform/app.ts'
import { AppError, isAppError } from '../../platform/errors.ts'
import { findMember, unknownMember } from './find-member.server.ts'
import { lockMember } from './lock-member.server.ts'
import { type MemberBilling, readMemberBilling } from './read-member-billing.server.ts'

/**
 * Notes that an administrator has looked at a member's lost disputes, so that he may buy again (BILLING.md, "What each
 * state gives").
 * @returns the member's billing as it is now
 * @throws {AppError} `member.unknown`, 404; `dispute.none`, 409, when there is nothing to review; `billing.busy`, 503
 */
export async function reviewDisputes(app: App, viewer: Viewer, { id }: { id: string }): Promise<MemberBilling> {
  const { id: userId } = await findMember(app, { id })
  const reviewed = await lockMember(app, userId, ({ commit }) =>
    commit((trx) =>
      trx
        .updateTable('payments')
        .set({ dispute_reviewed_at: new Date(app.clock.now()) })
        .where('user_id', '=', userId)
        .where('dispute', '=', 'lost')
        .where('dispute_reviewed_at', 'is', null)
        .returning('invoice_id')
        .execute(),
    ),
  ).catch((error: unknown) => {
    // It is the member who went meanwhile, not the session of the administrator.
    throw isAppError(error) && error.code === 'session.invalid' ? unknownMember() : error
  })
  if (reviewed.length === 0) {
    throw new AppError({
      code: 'dispute.none',
      status: 409,
      message: 'There is no lost dispute to review: this member may buy already.',
    })
  }
  const invoices = reviewed.map(({ invoice_id }) => invoice_id)
  app.log.info({ by: memberOf(viewer).id, userId, invoices }, 'A member may buy again after a lost dispute.')
  return readMemberBilling(app, viewer, { id: userId })
}
