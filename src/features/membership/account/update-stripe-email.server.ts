import { lockMember, longTimeoutMs } from '../access/lock-member.server.ts'
import type { MembershipApp } from '../app.ts'
import { isMissing } from '../stripe/payments.server.ts'

/**
 * Gives a member's customer at Stripe the member's present address, where Stripe sends receipts. Does nothing without a
 * customer, and where nothing is sold.
 * @throws {AppError} 503, when Stripe does not do it now
 */
export async function updateStripeEmail(app: MembershipApp, { memberId }: { memberId: string }): Promise<void> {
  if (app.payments.config.isOff) return
  const known = await app.db
    .selectFrom('billing_customers')
    .select('stripe_customer_id')
    .where('user_id', '=', memberId)
    .executeTakeFirst()
  if ((known?.stripe_customer_id ?? null) === null) return
  // The lock makes the later of two addresses arrive last.
  await lockMember(
    app,
    memberId,
    async ({ stripeCustomerId }) => {
      const user = await app.db.selectFrom('users').select('email').where('id', '=', memberId).executeTakeFirst()
      if (user === undefined || stripeCustomerId === null) return
      try {
        await app.payments.request((stripe) => stripe.customers.update(stripeCustomerId, { email: user.email }))
      } catch (error) {
        // Deleted at Stripe: the next checkout makes another one.
        if (!isMissing(error)) throw error
      }
    },
    { waitMs: longTimeoutMs },
  )
}
