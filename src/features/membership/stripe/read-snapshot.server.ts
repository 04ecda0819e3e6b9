import type { MembershipApp } from '../app.ts'
import { isMissing } from './payments.server.ts'
import type { StripeSnapshot } from './stripe-state.ts'

/** Objects of each kind; a member with more has paid monthly for many years. */
const max = 500
const pageSize = 100

/**
 * Everything that Stripe knows of a customer at this moment.
 * @returns undefined when Stripe has never had such a customer, as with the keys of another account
 * @throws {AppError} 503, why Stripe fails
 */
export async function readSnapshot(
  { payments }: Pick<MembershipApp, 'payments'>,
  stripeCustomerId: string,
): Promise<StripeSnapshot | undefined> {
  return payments.request(async (stripe) => {
    const ofCustomer = { customer: stripeCustomerId, limit: pageSize }
    let customer
    try {
      customer = await stripe.customers.retrieve(stripeCustomerId)
    } catch (error) {
      if (isMissing(error)) return undefined
      throw error
    }
    const [subscriptions, invoices, charges] = await Promise.all([
      stripe.subscriptions.list({ ...ofCustomer, status: 'all' }).autoPagingToArray({ limit: max }),
      stripe.invoices.list({ ...ofCustomer, expand: ['data.payments'] }).autoPagingToArray({ limit: max }),
      stripe.charges.list(ofCustomer).autoPagingToArray({ limit: max }),
    ])
    const disputes = await Promise.all(
      charges
        .filter(({ disputed }) => disputed)
        .map(({ id }) => stripe.disputes.list({ charge: id, limit: pageSize }).autoPagingToArray({ limit: max })),
    )
    return { isCustomerDeleted: customer.deleted === true, subscriptions, invoices, charges, disputes: disputes.flat() }
  })
}
