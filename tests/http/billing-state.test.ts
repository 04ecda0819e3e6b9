import type { Stripe } from 'stripe'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { grantAccess } from '../../src/features/membership/access/grant-access.server.ts'
import { catchUpWithStripe } from '../../src/features/membership/jobs.server.ts'
import { reconcile } from '../../src/features/membership/sync/reconcile.server.ts'
import { drainJobs } from '../harness/drain.ts'
import { expectInSyncWithStripe } from '../harness/in-sync-with-stripe.ts'
import { aBuyer, aSubscriber, behindProxy, checkOut, liveOf, onAnotherDevice, sessionIn } from '../harness/purchases.ts'
import { drainWebhooks, openSandboxServer, type SandboxServer } from '../harness/sandbox.ts'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

type Subscriber = Awaited<ReturnType<typeof aSubscriber>>

interface Membership {
  isVip: boolean
  reason: string
  planType: string | null
  endsAt: string | null
  renewsAt: string | null
  pastDueUntil: string | null
  payments: { status: string; amountCents: number; refundedCents: number }[]
}

let server: SandboxServer

/** The member's view; they sign in anew, because sessions end while the clock moves. */
async function membershipOf(member: Pick<Subscriber, 'id' | 'email' | 'name' | 'password'>): Promise<Membership> {
  const { headers } = await onAnotherDevice(server, member)
  const answer = await server.request('/pay/membership', { headers })
  expect(answer.status, answer.text).toBe(200)
  const membership = answer.json() as Membership
  const status = await server.request('/auth/status', { headers })
  expect((status.json() as { isVip: unknown }).isVip, 'every answer says the same').toBe(membership.isVip)
  return membership
}

async function expectAccessStatus(member: Subscriber, overrides: Partial<Membership>): Promise<void> {
  expect(await membershipOf(member)).toMatchObject(overrides)
}

/** Looks just before an instant and at it. */
async function expectVipUntil(member: Subscriber, instant: number): Promise<void> {
  const { clock } = server
  expect(clock.now()).toBeLessThan(instant)
  clock.advance(instant - 1 - clock.now())
  await expectAccessStatus(member, { isVip: true })
  clock.advance(1)
  await expectAccessStatus(member, { isVip: false })
}

function subscriptionOf({ customer, subscription }: Subscriber): Stripe.Subscription {
  const found = server.sandbox.control.subscriptionsOf(customer).find(({ id }) => id === subscription)
  if (found === undefined) throw new Error(`The sandbox has no ${subscription}.`)
  return found
}

function periodEndOf(subscriber: Subscriber): number {
  return (subscriptionOf(subscriber).items.data[0]?.current_period_end ?? 0) * 1_000
}

function firstInvoiceOf({ customer }: Subscriber): string {
  const [invoice] = server.sandbox.control.invoicesOf(customer)
  if (invoice === undefined) throw new Error(`The sandbox has no invoice of ${customer}.`)
  return invoice.id
}

async function driftsOf({ id }: Pick<Subscriber, 'id'>) {
  return server.app.db
    .selectFrom('billing_changes')
    .selectAll()
    .where('user_id', '=', id)
    .where('is_drift', '=', true)
    .execute()
}

async function changesOf({ id }: Pick<Subscriber, 'id'>) {
  return server.app.db.selectFrom('billing_changes').selectAll().where('user_id', '=', id).execute()
}

/** A member who has bought, and of whom everything has been told. */
async function aSyncedSubscriber(planType: 'monthly' | 'annual' = 'monthly'): Promise<Subscriber> {
  const subscriber = await aSubscriber(server, {}, planType)
  await drainWebhooks(server)
  await expectInSyncWithStripe(server, subscriber)
  return subscriber
}

function mendFaults(): void {
  Object.assign(server.sandbox.control.faults, { api: 'none', webhooks: 'on' })
}

describe('at one moment', () => {
  beforeAll(async () => {
    server = await openSandboxServer({ jobs: false, env: behindProxy })
  })
  afterAll(() => server.close())
  afterEach(mendFaults)

  describe('a refund', () => {
    test('of the whole current period ends VIP now, and the subscription at Stripe', async () => {
      const subscriber = await aSyncedSubscriber()
      await server.sandbox.control.refund(firstInvoiceOf(subscriber))
      await drainWebhooks(server)
      expect(subscriptionOf(subscriber).status).toBe('canceled')
      await expectAccessStatus(subscriber, {
        isVip: false,
        reason: 'refund',
        payments: [expect.objectContaining({ refundedCents: 1_200 })],
      })
      await expectInSyncWithStripe(server, subscriber)
      // Nothing keeps them from buying again.
      const answer = await checkOut(server, subscriber)
      await server.sandbox.control.pay(sessionIn(answer))
      await drainWebhooks(server)
      await expectAccessStatus(subscriber, { isVip: true, reason: 'plan' })
      await expectInSyncWithStripe(server, subscriber)
    })

    test('of a part is only noted', async () => {
      const subscriber = await aSyncedSubscriber()
      await server.sandbox.control.refund(firstInvoiceOf(subscriber), 1_199)
      await drainWebhooks(server)
      expect(subscriptionOf(subscriber).status).toBe('active')
      await expectAccessStatus(subscriber, {
        isVip: true,
        reason: 'plan',
        renewsAt: expect.any(String) as string,
        payments: [expect.objectContaining({ status: 'paid', amountCents: 1_200, refundedCents: 1_199 })],
      })
      await expectInSyncWithStripe(server, subscriber)
      // The last cent makes it the whole.
      await server.sandbox.control.refund(firstInvoiceOf(subscriber), 1)
      await drainWebhooks(server)
      await expectAccessStatus(subscriber, { isVip: false, reason: 'refund' })
      await expectInSyncWithStripe(server, subscriber)
    })
  })

  describe('a dispute', () => {
    test('that is opened suspends, and gives everything back when it is won', async () => {
      const subscriber = await aSyncedSubscriber('annual')
      const before = await membershipOf(subscriber)
      const dispute = await server.sandbox.control.openDispute(firstInvoiceOf(subscriber))
      await drainWebhooks(server)
      await expectAccessStatus(subscriber, { isVip: false, reason: 'dispute' })
      expect(subscriptionOf(subscriber).status).toBe('active')
      await expectInSyncWithStripe(server, subscriber)
      // It names only its charge; once it is worked off, it is found under its customer.
      const row = await server.app.db
        .selectFrom('stripe_events')
        .selectAll()
        .where('type', '=', 'charge.dispute.created')
        .where('stripe_customer_id', '=', subscriber.customer)
        .executeTakeFirst()
      expect(row).toMatchObject({ outcome: 'synced' })

      await server.sandbox.control.closeDispute(dispute, 'won')
      await drainWebhooks(server)
      expect(await membershipOf(subscriber)).toEqual(before)
      await expectInSyncWithStripe(server, subscriber)
    })

    test('that is lost ends everything, and nothing is sold until somebody has reviewed it', async () => {
      const subscriber = await aSyncedSubscriber()
      const { control } = server.sandbox
      const dispute = await control.openDispute(firstInvoiceOf(subscriber))
      await drainWebhooks(server)
      await control.closeDispute(dispute, 'lost')
      await drainWebhooks(server)
      await expectAccessStatus(subscriber, { isVip: false, reason: 'dispute_lost' })
      expect(subscriptionOf(subscriber).status).toBe('canceled')
      await expectInSyncWithStripe(server, subscriber)

      const refused = await checkOut(server, subscriber)
      expect(refused.status, refused.text).toBe(403)
      expect((refused.json() as { message: string }).message).toContain(server.app.texts.inForce.contactEmail)

      await server.app.db
        .updateTable('payments')
        .set({ dispute_reviewed_at: new Date(server.clock.now()) })
        .where('user_id', '=', subscriber.id)
        .execute()
      await control.pay(sessionIn(await checkOut(server, subscriber)))
      await drainWebhooks(server)
      await expectAccessStatus(subscriber, { isVip: true, reason: 'plan' })
      const [bought] = liveOf(server, subscriber)
      expect(bought?.id).not.toBe(subscriber.subscription)
      await expectInSyncWithStripe(server, subscriber, { reviewed: [bought?.id ?? ''] })
    })

    test('that is still open sells nothing that would be suspended at once', async () => {
      const subscriber = await aSyncedSubscriber()
      const { control } = server.sandbox
      const dispute = await control.openDispute(firstInvoiceOf(subscriber))
      await control.cancel(subscriber.subscription, 'now')
      await drainWebhooks(server)
      const refused = await checkOut(server, subscriber)
      expect(refused.status, refused.text).toBe(403)
      expect(refused.json()).toMatchObject({ code: 'checkout.disputed' })
      await control.closeDispute(dispute, 'won')
      await drainWebhooks(server)
      expect((await checkOut(server, subscriber)).status).toBe(200)
    })

    test('takes nothing of what was given by hand', async () => {
      const subscriber = await aSyncedSubscriber()
      await server.app.db
        .insertInto('access_grants')
        .values({
          id: crypto.randomUUID(),
          user_id: subscriber.id,
          source: 'manual',
          basis: 'manual',
          renews: false,
          starts_at: new Date(server.clock.now() - day),
          ends_at: new Date(server.clock.now() + day),
          effective_until: new Date(server.clock.now() + day),
          granted_by: 'a test',
          created_at: new Date(server.clock.now()),
        })
        .execute()
      await server.sandbox.control.openDispute(firstInvoiceOf(subscriber))
      await drainWebhooks(server)
      await expectAccessStatus(subscriber, { isVip: true, reason: 'manual' })
      await expectInSyncWithStripe(server, subscriber)
    })
  })

  describe('a status', () => {
    test.each<[Stripe.Subscription.Status, Partial<Membership>]>([
      ['trialing', { isVip: true, reason: 'plan' }],
      ['past_due', { isVip: true, reason: 'grace', renewsAt: null }],
      ['unpaid', { isVip: false, reason: 'unpaid' }],
      ['paused', { isVip: false, reason: 'paused' }],
      ['incomplete', { isVip: false, reason: 'ended' }],
      ['incomplete_expired', { isVip: false, reason: 'ended' }],
      ['canceled', { isVip: false, reason: 'ended' }],
    ])('of %s gives what it should', async (status, overrides) => {
      const subscriber = await aSyncedSubscriber()
      await server.sandbox.control.setStatus(subscriber.subscription, status)
      await drainWebhooks(server)
      expect(subscriptionOf(subscriber).status).toBe(status)
      await expectAccessStatus(subscriber, overrides)
      await expectInSyncWithStripe(server, subscriber)
    })

    test.each(['unpaid', 'paused', 'past_due'] as const)(
      'of %s that is active again gives VIP again',
      async (status) => {
        const subscriber = await aSyncedSubscriber()
        const { control } = server.sandbox
        await control.setStatus(subscriber.subscription, status)
        await drainWebhooks(server)
        await control.setStatus(subscriber.subscription, 'active')
        await drainWebhooks(server)
        await expectAccessStatus(subscriber, { isVip: true, reason: 'plan', pastDueUntil: null })
        await expectInSyncWithStripe(server, subscriber)
      },
    )

    test('of a first payment that is under way gives nothing until it has come', async () => {
      const { control } = server.sandbox
      for (const succeeds of [true, false]) {
        const buyer = await aBuyer(server)
        const session = sessionIn(await checkOut(server, buyer))
        await control.pay(session, { asynchronous: true })
        await drainWebhooks(server)
        expect(await membershipOf(buyer)).toMatchObject({ isVip: false, reason: 'never' })
        await expectInSyncWithStripe(server, buyer)
        await control.settle(session, succeeds)
        await drainWebhooks(server)
        expect(await membershipOf(buyer)).toMatchObject({ isVip: succeeds, reason: succeeds ? 'plan' : 'never' })
        await expectInSyncWithStripe(server, buyer)
      }
    })
  })

  describe('what was given by hand and what was paid', () => {
    test('overlap without shortening each other: first given, then paid', async () => {
      const buyer = await aBuyer(server)
      const given = await grantAccess(server.app, { userId: buyer.id, days: 60, grantedBy: 'a test' })
      await server.sandbox.control.pay(sessionIn(await checkOut(server, buyer)))
      await drainWebhooks(server)
      expect(await membershipOf(buyer)).toMatchObject({ isVip: true, reason: 'manual', endsAt: given.toISOString() })
      await expectInSyncWithStripe(server, buyer)
      const [subscription] = liveOf(server, buyer)
      await server.sandbox.control.cancel(subscription?.id ?? '', 'now')
      await drainWebhooks(server)
      expect(await membershipOf(buyer)).toMatchObject({ isVip: true, reason: 'manual', endsAt: given.toISOString() })
      await expectInSyncWithStripe(server, buyer)
    })

    test('overlap without shortening each other: first paid, then given', async () => {
      const subscriber = await aSyncedSubscriber()
      const paidUntil = periodEndOf(subscriber)
      const given = await grantAccess(server.app, { userId: subscriber.id, days: 30, grantedBy: 'a test' })
      expect(given.getTime()).toBe(paidUntil + 30 * day)
      await expectAccessStatus(subscriber, { isVip: true, endsAt: given.toISOString() })
      await server.sandbox.control.cancel(subscriber.subscription, 'period_end')
      await drainWebhooks(server)
      await expectAccessStatus(subscriber, { isVip: true, endsAt: given.toISOString() })
      await expectInSyncWithStripe(server, subscriber)
    })
  })

  describe('two live subscriptions', () => {
    test('become one: the worse is cancelled at Stripe', async () => {
      const subscriber = await aSyncedSubscriber()
      const { control } = server.sandbox
      const annual = await control.subscribeOutside(subscriber.customer, 'annual')
      await drainWebhooks(server)
      expect(liveOf(server, subscriber).map(({ id }) => id)).toEqual([annual])
      expect(subscriptionOf(subscriber).status).toBe('canceled')
      await expectAccessStatus(subscriber, { isVip: true, reason: 'plan', planType: 'annual' })
      await expectInSyncWithStripe(server, subscriber)
    })

    test('become one, however many and whatever the order of their events', async () => {
      const subscriber = await aSyncedSubscriber('annual')
      const { control } = server.sandbox
      control.faults.webhooks = 'never'
      const place = control.events.length
      await control.setStatus(subscriber.subscription, 'past_due')
      const better = await control.subscribeOutside(subscriber.customer, 'monthly')
      await control.subscribeOutside(subscriber.customer, 'monthly')
      const ids = control.events.slice(place).map(({ id }) => id)
      await Promise.all(ids.toReversed().map((id) => control.deliver([id])))
      control.faults.webhooks = 'on'
      await drainWebhooks(server)
      const live = liveOf(server, subscriber)
      expect(live).toHaveLength(1)
      expect(live[0]?.status).toBe('active')
      expect(control.subscriptionsOf(subscriber.customer).map(({ id }) => id)).toContain(better)
      await expectAccessStatus(subscriber, { isVip: true, planType: 'monthly' })
      await expectInSyncWithStripe(server, subscriber)
    })
  })

  test('a subscription that was made in the dashboard is as good as one that was bought', async () => {
    const buyer = await aBuyer(server)
    await checkOut(server, buyer)
    const { stripe_customer_id: customer } = await server.app.db
      .selectFrom('billing_customers')
      .select('stripe_customer_id')
      .where('user_id', '=', buyer.id)
      .executeTakeFirstOrThrow()
    await server.sandbox.control.subscribeOutside(customer ?? '', 'annual')
    await drainWebhooks(server)
    expect(await membershipOf(buyer)).toMatchObject({ isVip: true, planType: 'annual', reason: 'plan' })
    await expectInSyncWithStripe(server, buyer)
    expect((await checkOut(server, buyer)).status).toBe(409)
  })

  test('a customer who is deleted at Stripe keeps nothing that is paid, and can buy again', async () => {
    const subscriber = await aSyncedSubscriber()
    const stripe = await server.app.payments.stripe()
    await stripe.customers.del(subscriber.customer)
    await drainWebhooks(server)
    expect(await membershipOf(subscriber)).toMatchObject({ isVip: false, reason: 'ended' })
    await server.sandbox.control.pay(sessionIn(await checkOut(server, subscriber, 'annual')))
    await drainWebhooks(server)
    expect(await membershipOf(subscriber)).toMatchObject({ isVip: true, planType: 'annual' })
    const rows = await server.app.db
      .selectFrom('subscriptions')
      .select(['stripe_id', 'status'])
      .where('user_id', '=', subscriber.id)
      .execute()
    expect(rows.map(({ status }) => status).toSorted()).toEqual(['active', 'canceled'])
  })

  test('a customer of whom Stripe has never heard keeps what they paid for, and can buy again', async () => {
    const subscriber = await aSyncedSubscriber('annual')
    const { db } = server.app
    const { endsAt } = await membershipOf(subscriber)
    // As after a move to another account at Stripe: the same rows, and nobody there who knows them.
    await db
      .updateTable('billing_customers')
      .set({ stripe_customer_id: `cus_Elsewhere${subscriber.id.slice(-8)}` })
      .where('user_id', '=', subscriber.id)
      .execute()
    await db
      .updateTable('subscriptions')
      .set({ stripe_id: `sub_Elsewhere${subscriber.id.slice(-8)}` })
      .where('user_id', '=', subscriber.id)
      .execute()
    await db
      .updateTable('access_grants')
      .set({ subscription_id: `sub_Elsewhere${subscriber.id.slice(-8)}` })
      .where('user_id', '=', subscriber.id)
      .execute()
    await reconcile(server.app, { scope: 'all' })
    await expectAccessStatus(subscriber, { isVip: true, reason: 'plan', endsAt })

    await server.sandbox.control.pay(sessionIn(await checkOut(server, subscriber, 'monthly')))
    await drainWebhooks(server)
    await expectAccessStatus(subscriber, { isVip: true, endsAt })
    const rows = await db.selectFrom('access_grants').selectAll().where('user_id', '=', subscriber.id).execute()
    expect(rows).toHaveLength(2)
    expect(rows.every(({ effective_until }) => effective_until.getTime() > server.clock.now())).toBe(true)
  })

  test('VIPs stay VIPs while Stripe is away, and nothing is lost of what happens meanwhile', async () => {
    const subscriber = await aSyncedSubscriber()
    const { control } = server.sandbox
    const before = await membershipOf(subscriber)
    control.faults.api = 'down'
    await control.cancel(subscriber.subscription, 'period_end')
    await control.idle()
    // Tried in vain, and still in line.
    await drainJobs(server.app)
    expect(await membershipOf(subscriber)).toEqual(before)
    const stopped = await reconcile(server.app, { scope: 'all' })
    expect(stopped.failure).toMatch(/payment service does not answer/)
    expect(await membershipOf(subscriber)).toEqual(before)
    control.faults.api = 'none'
    await reconcile(server.app, { scope: 'all' })
    await drainWebhooks(server)
    await expectAccessStatus(subscriber, { isVip: true, reason: 'plan_ending', renewsAt: null })
    await expectInSyncWithStripe(server, subscriber)
  })
})

describe('while time goes by', () => {
  beforeEach(async () => {
    server = await openSandboxServer({ jobs: false, env: behindProxy })
  })
  afterEach(() => server.close())

  test('a card that is refused leaves the days of grace from the first refusal, and then nothing', async () => {
    const subscriber = await aSyncedSubscriber()
    const { control } = server.sandbox
    const refusedAt = periodEndOf(subscriber)
    control.failNextPayments(subscriber.customer, true)
    server.clock.advance(refusedAt - server.clock.now())
    await control.tick()
    await drainWebhooks(server)
    const until = refusedAt + 7 * day
    await expectAccessStatus(subscriber, { isVip: true, reason: 'grace', pastDueUntil: new Date(until).toISOString() })
    await expectInSyncWithStripe(server, subscriber)

    // It is tried again after three days: the grace still counts from the first time.
    server.clock.advance(3 * day)
    await control.tick()
    await drainWebhooks(server)
    expect(subscriptionOf(subscriber).status).toBe('past_due')
    await expectAccessStatus(subscriber, { isVip: true, reason: 'grace', pastDueUntil: new Date(until).toISOString() })
    await expectInSyncWithStripe(server, subscriber)
    await expectVipUntil(subscriber, until)
    await expectAccessStatus(subscriber, { isVip: false, reason: 'ended' })

    // The next try succeeds: everything is as if nothing had been.
    control.failNextPayments(subscriber.customer, false)
    server.clock.advance(day)
    await control.tick()
    await drainWebhooks(server)
    expect(subscriptionOf(subscriber).status).toBe('active')
    await expectAccessStatus(subscriber, { isVip: true, reason: 'plan', pastDueUntil: null })
    await expectInSyncWithStripe(server, subscriber)
  })

  test('a card that is never updated ends the subscription', async () => {
    const subscriber = await aSyncedSubscriber()
    const { control } = server.sandbox
    control.failNextPayments(subscriber.customer, true)
    server.clock.advance(periodEndOf(subscriber) - server.clock.now() + 16 * day)
    await control.tick()
    await drainWebhooks(server)
    expect(subscriptionOf(subscriber).status).toBe('canceled')
    await expectAccessStatus(subscriber, { isVip: false })
    await expectInSyncWithStripe(server, subscriber)
  })

  test.each(['period_end', 'cancel_at'] as const)(
    'a cancellation (%s) keeps VIP to the very end and not longer',
    async (when) => {
      const subscriber = await aSyncedSubscriber()
      const { control } = server.sandbox
      const end = periodEndOf(subscriber)
      await control.cancel(subscriber.subscription, when)
      await drainWebhooks(server)
      await expectAccessStatus(subscriber, {
        isVip: true,
        reason: 'plan_ending',
        renewsAt: null,
        endsAt: new Date(end).toISOString(),
      })
      await expectInSyncWithStripe(server, subscriber)
      await expectVipUntil(subscriber, end)
      await control.tick()
      await drainWebhooks(server)
      expect(subscriptionOf(subscriber).status).toBe('canceled')
      await expectAccessStatus(subscriber, { isVip: false, reason: 'ended', endsAt: new Date(end).toISOString() })
      await expectInSyncWithStripe(server, subscriber)
    },
  )

  test('a cancellation that is taken back renews', async () => {
    const subscriber = await aSyncedSubscriber()
    const { control } = server.sandbox
    const end = periodEndOf(subscriber)
    await control.cancel(subscriber.subscription, 'period_end')
    await drainWebhooks(server)
    await control.resume(subscriber.subscription)
    await drainWebhooks(server)
    await expectAccessStatus(subscriber, { isVip: true, reason: 'plan', renewsAt: expect.any(String) as string })
    server.clock.advance(end - server.clock.now() + minute)
    await control.tick()
    await drainWebhooks(server)
    const membership = await membershipOf(subscriber)
    expect(membership).toMatchObject({
      isVip: true,
      reason: 'plan',
      endsAt: new Date(periodEndOf(subscriber)).toISOString(),
    })
    expect(periodEndOf(subscriber)).toBeGreaterThan(end)
    expect(membership.payments.map(({ status }) => status)).toEqual(['paid', 'paid'])
    await expectInSyncWithStripe(server, subscriber)
  })

  test('a renewal of which nobody has told yet is waited for six hours, and not longer', async () => {
    const subscriber = await aSyncedSubscriber()
    const { control } = server.sandbox
    const end = periodEndOf(subscriber)
    server.clock.advance(end - server.clock.now())
    await expectAccessStatus(subscriber, { isVip: true, reason: 'plan' })
    await expectVipUntil(subscriber, end + 6 * hour)
    await expectAccessStatus(subscriber, { reason: 'ended', endsAt: new Date(end).toISOString() })
    // It comes at last.
    await control.tick()
    await drainWebhooks(server)
    await expectAccessStatus(subscriber, {
      isVip: true,
      reason: 'plan',
      endsAt: new Date(periodEndOf(subscriber)).toISOString(),
    })
    await expectInSyncWithStripe(server, subscriber)
  })

  test('a cancellation of which nobody ever tells ends by itself', async () => {
    const subscriber = await aSyncedSubscriber()
    const { control } = server.sandbox
    control.faults.webhooks = 'never'
    await control.cancel(subscriber.subscription, 'now')
    control.faults.api = 'down'
    await expectVipUntil(subscriber, periodEndOf(subscriber) + 6 * hour)
  })

  test('a refund of a former period is only noted', async () => {
    const subscriber = await aSyncedSubscriber()
    const { control } = server.sandbox
    const first = firstInvoiceOf(subscriber)
    server.clock.advance(periodEndOf(subscriber) - server.clock.now() + minute)
    await control.tick()
    await control.refund(first)
    await drainWebhooks(server)
    expect(subscriptionOf(subscriber).status).toBe('active')
    const membership = await membershipOf(subscriber)
    expect(membership).toMatchObject({ isVip: true, reason: 'plan' })
    expect(membership.payments.map(({ refundedCents }) => refundedCents)).toEqual([0, 1_200])
    await expectInSyncWithStripe(server, subscriber)
  })

  describe('webhooks that never come', () => {
    test.each<[string, (control: SandboxServer['sandbox']['control'], subscriber: Subscriber) => Promise<unknown>]>([
      [
        'a cancellation at the end of the period',
        (control, { subscription }) => control.cancel(subscription, 'period_end'),
      ],
      ['a cancellation at once', (control, { subscription }) => control.cancel(subscription, 'now')],
      ['a change of plan', (control, { subscription }) => control.switchPlan(subscription, 'annual')],
      ['a pause', (control, { subscription }) => control.setStatus(subscription, 'paused')],
      ['a failed renewal', (control, { subscription }) => control.setStatus(subscription, 'past_due')],
      ['a renewal', (control, { subscription }) => control.passPeriod(subscription)],
      ['a second subscription', (control, { customer }) => control.subscribeOutside(customer, 'annual')],
      ['a refund', (control, subscriber) => control.refund(firstInvoiceOf(subscriber))],
      ['a partial refund', (control, subscriber) => control.refund(firstInvoiceOf(subscriber), 500)],
      ['a dispute', (control, subscriber) => control.openDispute(firstInvoiceOf(subscriber))],
      [
        'a dispute that is lost after the end',
        async (control, subscriber) => {
          await control.cancel(subscriber.subscription, 'now')
          await reconcile(server.app, { scope: 'all' })
          await control.closeDispute(await control.openDispute(firstInvoiceOf(subscriber)), 'lost')
        },
      ],
    ])('%s is found and healed by one reconciliation', async (_, change) => {
      const subscriber = await aSyncedSubscriber()
      const { control } = server.sandbox
      // They have just been compared, and their checkout is long ago: only the change gives a reason to look again.
      server.clock.advance(2 * day)
      await reconcile(server.app, { scope: 'all' })
      control.faults.webhooks = 'never'
      await change(control, subscriber)
      const before = (await driftsOf(subscriber)).length
      const { drifts, failed, failure } = await reconcile(server.app, { scope: 'all' })
      expect({ failed, failure }).toEqual({ failed: 0, failure: undefined })
      await expectInSyncWithStripe(server, subscriber)
      const found = await driftsOf(subscriber)
      expect(found.length - before).toBe(drifts)
      expect(drifts).toBeGreaterThan(0)
      expect(found.every(({ cause }) => cause === 'reconciliation')).toBe(true)
      const run = await server.app.db
        .selectFrom('billing_runs')
        .selectAll()
        .orderBy('id', 'desc')
        .limit(1)
        .executeTakeFirst()
      expect(run).toMatchObject({ scope: 'all', drift_count: drifts, failed_count: 0, failure: null })
      expect(run?.finished_at).not.toBeNull()

      // Equal rows stay untouched, and are no drift.
      const changes = await changesOf(subscriber)
      expect(await reconcile(server.app, { scope: 'all' })).toMatchObject({ drifts: 0, failed: 0 })
      expect(await changesOf(subscriber)).toEqual(changes)
      await expectInSyncWithStripe(server, subscriber)
    })

    test('a purchase is found within the hour', async () => {
      const buyer = await aBuyer(server)
      const { control } = server.sandbox
      control.faults.webhooks = 'never'
      // They were at a checkout before, so they have been compared.
      await checkOut(server, buyer)
      await reconcile(server.app, { scope: 'due' })
      await control.pay(sessionIn(await checkOut(server, buyer)))
      expect((await membershipOf(buyer)).isVip).toBe(false)
      server.clock.advance(hour)
      expect(await reconcile(server.app, { scope: 'due' })).toMatchObject({ checked: 1, failed: 0 })
      expect(await membershipOf(buyer)).toMatchObject({ isVip: true, reason: 'plan' })
      await expectInSyncWithStripe(server, buyer)
      expect(await driftsOf(buyer)).not.toEqual([])
    })

    test('a renewal, a failure and its end are found within the hour', async () => {
      const subscriber = await aSyncedSubscriber()
      const { control } = server.sandbox
      control.faults.webhooks = 'never'
      server.clock.advance(periodEndOf(subscriber) - server.clock.now() + minute)
      await control.tick()
      await reconcile(server.app, { scope: 'due' })
      await expectInSyncWithStripe(server, subscriber)
      await expectAccessStatus(subscriber, { isVip: true, reason: 'plan' })

      control.failNextPayments(subscriber.customer, true)
      server.clock.advance(periodEndOf(subscriber) - server.clock.now() + minute)
      await control.tick()
      await reconcile(server.app, { scope: 'due' })
      await expectInSyncWithStripe(server, subscriber)
      await expectAccessStatus(subscriber, { isVip: true, reason: 'grace' })

      server.clock.advance(hour)
      await control.cancel(subscriber.subscription, 'now')
      await reconcile(server.app, { scope: 'due' })
      await expectInSyncWithStripe(server, subscriber)
      await expectAccessStatus(subscriber, { isVip: false, reason: 'ended' })
    })

    test('what was missed is found at the next start', async () => {
      const subscriber = await aSyncedSubscriber()
      const { control } = server.sandbox
      control.faults.webhooks = 'never'
      await control.cancel(subscriber.subscription, 'now')
      await catchUpWithStripe(server.app)
      await drainJobs(server.app)
      const runs = await server.app.db
        .selectFrom('billing_runs')
        .select(['scope', 'failure'])
        .where('finished_at', 'is not', null)
        .execute()
      expect(runs).toEqual([{ scope: 'all', failure: null }])
      await expectInSyncWithStripe(server, subscriber)
      await expectAccessStatus(subscriber, { isVip: false, reason: 'ended' })
    })
  })

  test('subscriptions of nobody: the one whose metadata names a user is theirs, the other is told once', async () => {
    const { app, sandbox } = server
    const { control } = sandbox
    control.faults.webhooks = 'never'
    const member = await aBuyer(server)
    const stripe = await app.payments.stripe()
    const adopted = await stripe.customers.create({ email: 'somebody@else.example' })
    const theirs = await control.subscribeOutside(adopted.id, 'annual', { user_id: member.id })
    // The same address, and nothing else that would say whose it is.
    const namesake = await stripe.customers.create({ email: member.email })
    const unknown = await control.subscribeOutside(namesake.id, 'annual')
    const ofNobody = await stripe.customers.create({ email: 'a@stranger.example' })
    await control.subscribeOutside(ofNobody.id, 'monthly', { user_id: 'robert"); drop table users' })
    const other = await stripe.customers.create({ email: 'b@stranger.example' })
    await control.subscribeOutside(other.id, 'monthly', { user_id: crypto.randomUUID() })

    for (const _ of [1, 2, 3]) {
      expect(await reconcile(app, { scope: 'all' })).toMatchObject({ failed: 0, failure: undefined })
    }
    expect(await membershipOf(member)).toMatchObject({ isVip: true, planType: 'annual' })
    const row = await app.db
      .selectFrom('billing_customers')
      .selectAll()
      .where('user_id', '=', member.id)
      .executeTakeFirst()
    expect(row?.stripe_customer_id).toBe(adopted.id)
    const known = await app.db.selectFrom('subscriptions').select('stripe_id').execute()
    expect(known).toEqual([{ stripe_id: theirs }])
    expect(control.subscriptionsOf(namesake.id)).toMatchObject([{ id: unknown, status: 'active' }])
    const reported = await app.db
      .selectFrom('billing_changes')
      .select('remote')
      .where('is_drift', '=', true)
      .where('what', '=', 'customer')
      .execute()
    expect(reported).toHaveLength(3)
    expect(new Set(reported.map(({ remote }) => remote))).toEqual(new Set([namesake.id, ofNobody.id, other.id]))
  })

  test('a reconciliation leaves alone whoever has nothing to do with what it heals', async () => {
    const subscriber = await aSyncedSubscriber()
    const bystander = await aSyncedSubscriber('annual')
    const before = await changesOf(bystander)
    server.sandbox.control.faults.webhooks = 'never'
    await server.sandbox.control.cancel(subscriber.subscription, 'now')
    await reconcile(server.app, { scope: 'all' })
    await expectInSyncWithStripe(server, subscriber)
    await expectInSyncWithStripe(server, bystander)
    expect(await changesOf(bystander)).toEqual(before)
  })
})
