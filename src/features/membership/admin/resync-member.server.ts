import type { MembershipApp } from '../app.ts'
import { findMember } from '../access/find-member.server.ts'
import type { SyncedMemberBilling } from './billing-schema.ts'
import { readMemberBilling } from './read-member-billing.server.ts'
import { syncMember } from '../sync/sync-customer.server.ts'

/**
 * Makes our state of a member equal to Stripe's at once.
 * @returns the member's billing as it is now, and how many differences there were
 * @throws {AppError} `member.unknown`, 404; `billing.busy`, or why Stripe fails, 503: nothing has changed
 */
export async function resyncMember(app: MembershipApp, { id }: { id: string }): Promise<SyncedMemberBilling> {
  const { id: userId } = await findMember(app, { id })
  const { changed } = await syncMember(app, { userId, cause: 'administrator' })
  return { ...(await readMemberBilling(app, { id: userId })), changed }
}
