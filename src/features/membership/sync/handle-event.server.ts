import type { MembershipApp } from '../app.ts'
import { isMissing } from '../stripe/payments.server.ts'
import { idOf } from '../stripe/stripe-state.ts'
import { syncCustomer } from './sync-customer.server.ts'

/**
 * Does the work of a stored event: whatever it was, its customer is read anew.
 * @throws {AppError} 503 while Stripe is away: the job is tried again
 */
export async function handleEvent(app: MembershipApp, { eventId }: { eventId: string }): Promise<void> {
  const event = await app.db
    .selectFrom('stripe_events')
    .select(['stripe_customer_id', 'charge_id', 'handled_at'])
    .where('id', '=', eventId)
    .executeTakeFirst()
  if (event === undefined || event.handled_at !== null) return
  const { stripe_customer_id: customerId, charge_id: chargeId } = event
  const stripeCustomerId = await customerOfEvent(app, { customerId, chargeId })
  const synced =
    stripeCustomerId === undefined ? undefined : await syncCustomer(app, { stripeCustomerId, cause: 'event' })
  await app.db
    .updateTable('stripe_events')
    .set({
      handled_at: new Date(app.clock.now()),
      outcome: synced === undefined ? 'unknown_customer' : 'synced',
      // A dispute names only its charge; written down, the event is found under its customer.
      ...(stripeCustomerId === undefined ? {} : { stripe_customer_id: stripeCustomerId }),
    })
    .where('id', '=', eventId)
    .execute()
}

/** The customer of an event; undefined where it names neither a customer nor a charge of one. */
export async function customerOfEvent(
  { payments }: Pick<MembershipApp, 'payments'>,
  { customerId, chargeId }: { customerId: string | null; chargeId: string | null },
): Promise<string | undefined> {
  if (customerId !== null) return customerId
  if (chargeId === null) return undefined
  return payments.request(async (stripe) => {
    try {
      return idOf((await stripe.charges.retrieve(chargeId)).customer)
    } catch (error) {
      if (isMissing(error)) return undefined
      throw error
    }
  })
}
