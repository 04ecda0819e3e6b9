import { sql } from 'kysely'
import type { MembershipApp } from '../app.ts'

const dayMs = 86_400_000
/** Stripe sends an event again for days, never for months. */
const eventDays = 180
const runDays = 90
/** As the searches without a result. */
const conversionDays = 400
/** A checkout is open for a day. */
const checkoutDays = 1
/** As long as a payment can be disputed, and then some. */
const changeDays = 730

/** Deletes notes that nobody needs any more. Payments and subscriptions stay: they are the books. */
export async function deleteOldRecords({ db, clock }: Pick<MembershipApp, 'db' | 'clock'>): Promise<void> {
  const before = (days: number): Date => new Date(clock.now() - days * dayMs)
  await db.deleteFrom('stripe_events').where('handled_at', '<', before(eventDays)).execute()
  // Only the version before still writes it.
  await db.deleteFrom('open_checkouts').where('answered_at', '<', before(checkoutDays)).execute()
  await db.deleteFrom('checkout_origins').where('began_at', '<', before(checkoutDays)).execute()
  await db
    .deleteFrom('entry_conversions')
    .where('day', '<', sql<Date>`${before(conversionDays)}::date`)
    .execute()
  await db.deleteFrom('billing_runs').where('started_at', '<', before(runDays)).execute()
  await db.deleteFrom('billing_changes').where('changed_at', '<', before(changeDays)).execute()
}
