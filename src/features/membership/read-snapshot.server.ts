import type { App } from '../../platform/app.ts'
import { isMissing } from './payments.server.ts'
import type { StripeSnapshot } from './stripe-state.ts'

/** Of each kind; who has more has paid monthly for longer than there are months to care for. */
const most = 500
const pageSize = 100

/**
 * Everything that Stripe knows of a customer at this moment.
 * @returns undefined when Stripe has never had such a customer, as with the keys of another account
 * @throws {AppError} `payments.unavailable`, 503
 */
export async function readSnapshot(
  { payments }: Pick<App, 'payments'>,
  stripeCustomerId: string,
): Promise<StripeSnapshot | undefined> {
  return payments.ask(async (stripe) => {
    const ofCustomer = { customer: stripeCustomerId, limit: pageSize }
    let customer
    try {
      customer = await stripe.customers.retrieve(stripeCustomerId)
    } catch (error) {
      if (isMissing(error)) return undefined
      throw error
    }
    const [subscriptions, invoices, charges] = await Promise.all([
      stripe.subscriptions.list({ ...ofCustomer, status: 'all' }).autoPagingToArray({ limit: most }),
      stripe.invoices.list({ ...ofCustomer, expand: ['data.payments'] }).autoPagingToArray({ limit: most }),
      stripe.charges.list(ofCustomer).autoPagingToArray({ limit: most }),
    ])
    const disputes = await Promise.all(
      charges
        .filter(({ disputed }) => disputed)
        .map(({ id }) => stripe.disputes.list({ charge: id, limit: pageSize }).autoPagingToArray({ limit: most })),
    )
    return { isCustomerDeleted: customer.deleted === true, subscriptions, invoices, charges, disputes: disputes.flat() }
  })
}
