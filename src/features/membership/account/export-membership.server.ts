import type { MembershipApp } from '../app.ts'
import { requireMember, type Viewer } from '../../office/viewer/viewer.ts'
import type { MembershipForMember } from './membership-schema.ts'
import { readMembership } from './read-membership.server.ts'

/**
 * The caller's payments for the data export, with their number at Stripe and the entry that led to their last checkout,
 * while it is recorded.
 */
export async function exportMembership(
  app: MembershipApp,
  viewer: Viewer,
): Promise<MembershipForMember & { stripeCustomer: string | null; checkoutFromEntry: string | null }> {
  const { id } = requireMember(viewer)
  const customer = await app.db
    .selectFrom('billing_customers')
    .select('stripe_customer_id')
    .where('user_id', '=', id)
    .executeTakeFirst()
  const origin = await app.db
    .selectFrom('checkout_origins')
    .select('slug')
    .where('user_id', '=', id)
    .orderBy('began_at', 'desc')
    .executeTakeFirst()
  return {
    ...(await readMembership(app, viewer)),
    stripeCustomer: customer?.stripe_customer_id ?? null,
    checkoutFromEntry: origin?.slug ?? null,
  }
}
