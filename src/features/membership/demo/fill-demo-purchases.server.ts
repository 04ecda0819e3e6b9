import { withoutSending } from '../../../platform/email/mail.ts'
import { dayOf } from '../../../platform/time/site-time.ts'
import { demoAdministratorAsViewer, readDemoPeople } from '../../accounts/demo/fill-demo-accounts.server.ts'
import type { MembershipApp } from '../app.ts'
import { syncCustomer } from '../sync/sync-customer.server.ts'
import { disableVip } from '../vips/disable-vip.server.ts'
import { renewVip } from '../vips/renew-vip.server.ts'
import { takeBackDemoVip } from './grant-demo-vip.server.ts'
import { demoDisabled, demoGivenByHand, demoPurchases, memberAt, type PlayPast } from './demo-purchases.server.ts'

const dayMs = 86_400_000

/**
 * Has the demo's members have bought their memberships in the sandbox, and reads from it what came of them, as after any
 * event: what is stored here is what the sandbox says. Done again, it changes nothing.
 * @throws {AppError} 503, where the sandbox fails
 */
export async function fillDemoPurchases(app: MembershipApp, playPast: PlayPast): Promise<void> {
  const quiet: MembershipApp = { ...app, mail: withoutSending(app.mail) }
  const people = await readDemoPeople(app)
  const purchases = demoPurchases(app.clock.now()).flatMap((purchase) => {
    const person = people.get(purchase.email)
    return person === undefined ? [] : [{ ...purchase, userId: person.id, name: person.name }]
  })
  const customers = Object.entries(await playPast(purchases))
  await app.db
    .insertInto('billing_customers')
    .values(
      customers.map(([userId, customer]) => ({
        user_id: userId,
        stripe_customer_id: customer,
        customers_made: 1,
        checkouts_made: 1,
        checkout_started_at: null,
        lock_holder: null,
        locked_until: null,
        synced_at: null,
      })),
    )
    // The lock of a member has made their row where something was given by hand before.
    .onConflict((conflict) =>
      conflict
        .column('user_id')
        .doUpdateSet(({ ref }) => ({
          stripe_customer_id: ref('excluded.stripe_customer_id'),
          customers_made: 1,
          checkouts_made: 1,
        }))
        .where('billing_customers.stripe_customer_id', 'is', null),
    )
    .execute()
  for (const [, stripeCustomerId] of customers) await syncCustomer(quiet, { stripeCustomerId, cause: 'checkout' })
  await takeBackDemoVip(app)
  const administrator = await demoAdministratorAsViewer(app)
  for (const place of Object.values(demoDisabled)) {
    const { email } = memberAt(place)
    if (people.has(email)) await disableVip(quiet, administrator, { email })
  }
  const { email } = memberAt(demoGivenByHand)
  const given = people.get(email)
  if (given !== undefined && !(await hasGrant(app, given.id))) await renewVip(quiet, administrator, { email, days: 30 })
}

async function hasGrant({ db }: Pick<MembershipApp, 'db'>, userId: string): Promise<boolean> {
  const grant = await db.selectFrom('access_grants').select('id').where('user_id', '=', userId).executeTakeFirst()
  return grant !== undefined
}

/**
 * Checkouts and purchases that began on the pages of these entries in the last weeks.
 * @param slugs the best first
 */
export async function fillDemoConversions(
  { db, clock, config }: Pick<MembershipApp, 'db' | 'clock' | 'config'>,
  slugs: readonly string[],
): Promise<void> {
  const rows = slugs.flatMap((slug, i) =>
    [3, 11, 19].map((daysAgo, n) => ({
      day: dayOf(clock.now() - (daysAgo + i) * dayMs, config.timeZone),
      slug,
      checkouts: Math.max(1, 4 - Math.floor(i / 3) - n),
      purchases: n === 0 && i < 5 ? 1 : 0,
    })),
  )
  if (rows.length === 0) return
  await db
    .insertInto('entry_conversions')
    .values(rows)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}
