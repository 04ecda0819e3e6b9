import type { MembershipApp } from '../app.ts'
import { requireMember, type Viewer } from '../../accounts/user/viewer.ts'
import type { MembershipForMember } from './membership-schema.ts'
import { readMembership } from './read-membership.server.ts'

/** What the caller has paid for, to take along, with their number at Stripe. */
export async function exportMembership(
  app: MembershipApp,
  viewer: Viewer,
): Promise<MembershipForMember & { stripeCustomer: string | null }> {
  const customer = await app.db
    .selectFrom('billing_customers')
    .select('stripe_customer_id')
    .where('user_id', '=', requireMember(viewer).id)
    .executeTakeFirst()
  return { ...(await readMembership(app, viewer)), stripeCustomer: customer?.stripe_customer_id ?? null }
}
