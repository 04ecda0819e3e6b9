import type { MembershipApp } from '../app.ts'
import { requireMember, type Viewer } from '../../office/viewer/viewer.ts'
import { defineError } from '../../../platform/errors.ts'
import { limitPortal } from './checkout-limits.server.ts'
import { isMissing } from '../stripe/payments.server.ts'

/**
 * The address of the billing portal, made for this click and for the caller's own customer only.
 * @throws {AppError} `portal.none`, 404, without a purchase; `limit.exceeded`, 429; `payments.off`, or why Stripe
 * fails, 503
 */
export async function openPortal(
  app: MembershipApp,
  viewer: Viewer,
  { siteUrl }: { siteUrl: string },
): Promise<{ url: string }> {
  const { id } = requireMember(viewer)
  app.payments.refuseOff()
  await limitPortal(app, id)
  const row = await app.db
    .selectFrom('billing_customers')
    .select('stripe_customer_id')
    .where('user_id', '=', id)
    .executeTakeFirst()
  if (row === undefined || row.stripe_customer_id === null) throw nothingToManage()
  return { url: await openPortalOf(app, row.stripe_customer_id, siteUrl) }
}

export async function openPortalOf(
  { payments }: Pick<MembershipApp, 'payments'>,
  customer: string,
  siteUrl: string,
): Promise<string> {
  return payments.request(async (stripe) => {
    try {
      const session = await stripe.billingPortal.sessions.create({ customer, return_url: `${siteUrl}/account` })
      return session.url
    } catch (error) {
      if (isMissing(error)) throw nothingToManage()
      throw error
    }
  })
}

export const nothingToManage = defineError({
  code: 'portal.none',
  status: 404,
  sentence: 'There is no subscription to manage yet. Choose a plan first.',
  remedy: 'Buy a plan first.',
})
