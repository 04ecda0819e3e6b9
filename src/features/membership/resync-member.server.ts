import type { Viewer } from '../accounts/viewer.ts'
import type { App } from '../../platform/app.ts'
import { isAppError } from '../../platform/errors.ts'
import { findMember, unknownMember } from './find-member.server.ts'
import { type MemberBilling, readMemberBilling } from './read-member-billing.server.ts'
import { syncMember } from './sync-customer.server.ts'

/**
 * Makes our state of a member equal to Stripe's at once.
 * @returns the member's billing as it is now, and how many differences there were
 * @throws {AppError} `member.unknown`, 404; `payments.unavailable`, `billing.busy`, 503: nothing has changed
 */
export async function resyncMember(
  app: App,
  viewer: Viewer,
  { id }: { id: string },
): Promise<MemberBilling & { changed: number }> {
  const { id: userId } = await findMember(app, { id })
  try {
    const { changed } = await syncMember(app, { userId, cause: 'administrator' })
    return { ...(await readMemberBilling(app, viewer, { id: userId })), changed }
  } catch (error) {
    // It is the member who went meanwhile, not the session of the administrator.
    if (isAppError(error) && error.code === 'session.invalid') throw unknownMember()
    throw error
  }
}
