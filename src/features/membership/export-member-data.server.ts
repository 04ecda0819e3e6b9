import { type AccountExport, exportAccount } from '../accounts/export-account.server.ts'
import { memberOf, type Viewer } from '../accounts/viewer.ts'
import type { App } from '../../platform/app.ts'
import { type MembershipForMember, readMembership } from './read-membership.server.ts'

/** Everything that the site keeps of a member: his account, and what he has paid for. */
export interface MemberExport extends AccountExport {
  membership: MembershipForMember & { stripeCustomer: string | null }
}

/**
 * The caller's own data, to take along.
 * @throws {AppError} `limit.exceeded`, 429; `session.invalid`, 401, when the account was deleted meanwhile
 */
export async function exportMemberData(app: App, viewer: Viewer): Promise<MemberExport> {
  const account = await exportAccount(app, viewer)
  const customer = await app.db
    .selectFrom('billing_customers')
    .select('stripe_customer_id')
    .where('user_id', '=', memberOf(viewer).id)
    .executeTakeFirst()
  const stripeCustomer = customer?.stripe_customer_id ?? null
  return { ...account, membership: { ...(await readMembership(app, viewer)), stripeCustomer } }
}
