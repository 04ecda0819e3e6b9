import { randomBytes, randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Stripe } from 'stripe'
import { afterEach, describe, expect, test } from 'vitest'
import { readConfig } from '../../src/app/config.ts'
import type { TestResponse } from '../harness/request.ts'
import { drainJobs } from '../harness/drain.ts'
import { expectInSyncWithStripe } from '../harness/in-sync-with-stripe.ts'
import { readEmails, waitForEmail } from '../harness/emails.ts'
import { aSubscriber, aBuyer, behindProxy, checkOut, customersOf, liveOf, sessionIn } from '../harness/purchases.ts'
import { drainWebhooks, openSandboxServer, type SandboxServer, sandboxServerOfFile } from '../harness/sandbox.ts'

const webhookSecret = 'whsec_for_the_tests'

const server = sandboxServerOfFile({ jobs: false, env: behindProxy })
afterEach(() => {
  Object.assign(server.sandbox.control.faults, { api: 'none', webhooks: 'on' })
})

/** The events since then, by type; the last of each. */
function eventsSince(place: number): Map<string, string> {
  return new Map(server.sandbox.control.events.slice(place).map(({ type, id }) => [type, id]))
}

function eventOf(events: Map<string, string>, type: string): string {
  const id = events.get(type)
  if (id === undefined) throw new Error(`There is no ${type} among ${[...events.keys()].join(', ')}.`)
  return id
}

/** A row of the inbox. */
async function inboxRow(id: string) {
  return server.app.db.selectFrom('stripe_events').selectAll().where('id', '=', id).executeTakeFirst()
}

/** How many jobs were put in line for an event, done or not. */
async function jobsOf(eventId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from pgboss.job
    where name = 'membership.event' and data ->> 'eventId' = ${eventId}`.execute(server.app.db)
  return rows[0]?.count ?? 0
}

/** Everything that is believed of a member, without the names of rows and the instants of writing. */
async function believedOf(userId: string): Promise<object> {
  const { db } = server.app
  const [subscriptions, payments, grants] = await Promise.all([
    db.selectFrom('subscriptions').selectAll().where('user_id', '=', userId).orderBy('stripe_id').execute(),
    db
      .selectFrom('payments')
      .selectAll()
      .where('user_id', '=', userId)
      .orderBy('invoice_id')
      .execute()
      .then((rows) => rows.map((row) => ({ ...row, id: undefined }))),
    db
      .selectFrom('access_grants')
      .selectAll()
      .where('user_id', '=', userId)
      .orderBy('subscription_id')
      .execute()
      .then((rows) => rows.map((row) => ({ ...row, id: undefined }))),
  ])
  return { subscriptions, payments, grants }
}

/** As if nobody had ever told us of a member's purchases. */
async function deleteEverythingOf(userId: string): Promise<void> {
  const { db } = server.app
  const own = db.selectFrom('billing_customers').select('stripe_customer_id').where('user_id', '=', userId)
  await db.deleteFrom('stripe_events').where('stripe_customer_id', 'in', own).execute()
  for (const table of ['subscriptions', 'payments', 'access_grants', 'billing_changes'] as const) {
    await db.deleteFrom(table).where('user_id', '=', userId).execute()
  }
}

function permutations<T>(items: readonly T[]): T[][] {
  if (items.length < 2) return [[...items]]
  return items.flatMap((item, place) =>
    permutations(items.filter((_, other) => other !== place)).map((rest) => [item, ...rest]),
  )
}

interface SentEvent {
  id: string
  payload: string
}

/** An event as Stripe would write it, of a type that is nothing to us unless it is said otherwise. */
function anEvent(overrides: Record<string, unknown> = {}): SentEvent {
  const id = `evt_${randomUUID().replaceAll('-', '')}`
  const event = {
    id,
    object: 'event',
    api_version: '2026-10-28.endive',
    created: Math.floor(server.clock.now() / 1_000),
    data: { object: { id: 'prod_1', object: 'product' } },
    livemode: false,
    pending_webhooks: 1,
    request: { id: null, idempotency_key: null },
    type: 'product.updated',
    ...overrides,
  }
  return { id, payload: JSON.stringify(event) }
}

function send(payload: string | Buffer, signature?: string, to: SandboxServer = server): Promise<TestResponse> {
  return to.request('/webhooks/stripe', {
    method: 'POST',
    body: payload,
    headers: {
      'content-type': 'application/json; charset=utf-8',
      ...(signature === undefined ? {} : { 'stripe-signature': signature }),
    },
  })
}

const sendSigned = (payload: string): Promise<TestResponse> => send(payload, server.sandbox.control.sign(payload))

describe('the same event', () => {
  test('fifty times at once is taken in once, worked off once and told by one email', async () => {
    const { control } = server.sandbox
    const buyer = await aBuyer(server)
    const session = sessionIn(await checkOut(server, buyer))
    const place = control.events.length
    control.faults.webhooks = 'never'
    await control.pay(session)
    const paid = eventOf(eventsSince(place), 'invoice.paid')

    const payload = JSON.stringify(control.events.find(({ id }) => id === paid))
    const answers = await Promise.all(Array.from({ length: 50 }, () => sendSigned(payload)))
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`))).toEqual(new Set(['200 {"received":true}']))
    await drainWebhooks(server)
    expect(await inboxRow(paid)).toMatchObject({ outcome: 'synced', stripe_customer_id: customersOf(server, buyer)[0] })
    expect(await jobsOf(paid)).toBe(1)
    await expectInSyncWithStripe(server, buyer)

    await waitForEmail(server.app, { to: buyer.email, subject: /receipt/i })
    // Once more, of every kind: whatever could write another email has had its chance.
    await control.deliver([...eventsSince(place).values()])
    await control.deliverAtOnce(paid, 5)
    await drainWebhooks(server)
    await drainJobs(server.app)
    const receipts = (await readEmails(server.app)).filter(
      ({ to, subject }) => to === buyer.email && /receipt/i.test(subject),
    )
    expect(receipts).toHaveLength(1)
    expect(await jobsOf(paid)).toBe(1)
    await expectInSyncWithStripe(server, buyer)
  })

  test('that comes again after a day has no work any more', async () => {
    const { control } = server.sandbox
    const place = control.events.length
    const subscriber = await aSubscriber(server)
    await drainWebhooks(server)
    const created = eventOf(eventsSince(place), 'customer.subscription.created')
    const before = await inboxRow(created)
    const requests = control.requests.length
    expect(await control.deliver([created, created])).toEqual([200, 200])
    await drainWebhooks(server)
    expect(await inboxRow(created)).toEqual(before)
    expect(control.requests.slice(requests)).toEqual([])
    await expectInSyncWithStripe(server, subscriber)
  })
})

describe('the order of events', () => {
  test('makes no difference: created, updated, deleted and paid, in each of their orders', async () => {
    const { control } = server.sandbox
    const buyer = await aBuyer(server)
    const place = control.events.length
    const session = sessionIn(await checkOut(server, buyer))
    control.faults.webhooks = 'never'
    await control.pay(session)
    const [subscription] = liveOf(server, buyer)
    await control.cancel(subscription?.id ?? '', 'now')
    const events = eventsSince(place)
    const ids = [
      'customer.subscription.created',
      'customer.subscription.updated',
      'customer.subscription.deleted',
      'invoice.paid',
    ].map((type) => eventOf(events, type))
    const orders = permutations(ids)
    expect(orders).toHaveLength(24)

    let first: object | undefined
    for (const order of orders) {
      await deleteEverythingOf(buyer.id)
      for (const id of order) {
        expect(await control.deliver([id])).toEqual([200])
        await drainWebhooks(server)
      }
      await expectInSyncWithStripe(server, buyer)
      const believed = await believedOf(buyer.id)
      first ??= believed
      expect(believed, order.join(' ')).toEqual(first)
    }
    await deleteEverythingOf(buyer.id)
    await Promise.all(ids.map((id) => control.deliver([id])))
    await drainWebhooks(server)
    expect(await believedOf(buyer.id), 'all at once').toEqual(first)
  }, 300_000)

  test('makes no difference while things go on happening: each event comes one change too late', async () => {
    const { control } = server.sandbox
    const subscriber = await aSubscriber(server)
    await drainWebhooks(server)
    control.faults.webhooks = 'never'
    const changes = [
      () => control.cancel(subscriber.subscription, 'period_end'),
      () => control.resume(subscriber.subscription),
      () => control.switchPlan(subscriber.subscription, 'annual'),
      () => control.cancel(subscriber.subscription, 'now'),
    ]
    let late: string[] = []
    for (const change of changes) {
      const place = control.events.length
      await change()
      await control.deliver(late)
      await drainWebhooks(server)
      if (late.length > 0) await expectInSyncWithStripe(server, subscriber)
      late = control.events.slice(place).map(({ id }) => id)
    }
    await control.deliver(late)
    await drainWebhooks(server)
    await expectInSyncWithStripe(server, subscriber)
  })

  test.each(['late', 'twice', 'shuffled'] as const)(
    'makes no difference when the webhooks come %s',
    async (webhooks) => {
      const { control } = server.sandbox
      Object.assign(control.faults, { webhooks, lateMs: 300 })
      const place = control.events.length
      const subscriber = await aSubscriber(server)
      await control.cancel(subscriber.subscription, 'period_end')
      await expect
        .poll(async () => (await inboxOf(control.events.slice(place))).length, { timeout: 20_000 })
        .toBe(control.events.length - place)
      await drainWebhooks(server)
      await expectInSyncWithStripe(server, subscriber)
    },
  )

  test("a late 'deleted' of the former subscription leaves the new one alone", async () => {
    const { control } = server.sandbox
    const subscriber = await aSubscriber(server)
    await drainWebhooks(server)
    control.faults.webhooks = 'never'
    const place = control.events.length
    await control.cancel(subscriber.subscription, 'now')
    const deleted = eventOf(eventsSince(place), 'customer.subscription.deleted')
    control.faults.webhooks = 'on'

    await control.pay(sessionIn(await checkOut(server, subscriber, 'annual')))
    await drainWebhooks(server)
    const [bought] = liveOf(server, subscriber)
    expect(bought?.id).not.toBe(subscriber.subscription)
    expect(await control.deliver([deleted])).toEqual([200])
    await drainWebhooks(server)
    expect(await inboxRow(deleted)).toMatchObject({ outcome: 'synced' })
    await expectInSyncWithStripe(server, subscriber)
    const rows = await server.app.db
      .selectFrom('subscriptions')
      .select(['stripe_id', 'status'])
      .where('user_id', '=', subscriber.id)
      .orderBy('started_at')
      .execute()
    expect(rows.map(({ stripe_id, status }) => [stripe_id, status])).toEqual(
      expect.arrayContaining([
        [subscriber.subscription, 'canceled'],
        [bought?.id, 'active'],
      ]),
    )
    expect(await isVip(subscriber)).toBe(true)
  })
})

async function inboxOf(events: Stripe.Event[]) {
  if (events.length === 0) return []
  return server.app.db
    .selectFrom('stripe_events')
    .select('id')
    .where(
      'id',
      'in',
      events.map(({ id }) => id),
    )
    .execute()
}

async function isVip({ headers }: { headers: Record<string, string> }): Promise<unknown> {
  const answer = await server.request('/pay/membership', { headers })
  expect(answer.status, answer.text).toBe(200)
  return (answer.json() as { isVip: unknown }).isVip
}

describe('what is none of ours is counted, and changes nothing', () => {
  /** Runs work that must change nothing that is believed of anybody, and ask Stripe nothing. */
  async function expectNothing(work: () => Promise<void>): Promise<void> {
    const { db } = server.app
    const read = async () => ({
      subscriptions: await db.selectFrom('subscriptions').selectAll().orderBy('stripe_id').execute(),
      payments: await db.selectFrom('payments').selectAll().orderBy('invoice_id').execute(),
      grants: await db.selectFrom('access_grants').selectAll().orderBy('id').execute(),
      changes: await db.selectFrom('billing_changes').selectAll().orderBy('id').execute(),
      customers: await db.selectFrom('billing_customers').selectAll().orderBy('user_id').execute(),
    })
    const before = await read()
    const requests = server.sandbox.control.requests.length
    await work()
    await drainWebhooks(server)
    expect(await read()).toEqual(before)
    expect(server.sandbox.control.requests.slice(requests)).toEqual([])
  }

  test('a subscription to another product of the same account, by a customer of ours', async () => {
    const subscriber = await aSubscriber(server)
    await drainWebhooks(server)
    await expectNothing(async () => {
      const place = server.sandbox.control.events.length
      const { id } = await server.sandbox.control.addForeign('other_price', subscriber.customer)
      await drainWebhooks(server)
      expect(await inboxRow(id)).toMatchObject({ outcome: 'other_product', price_ids: ['price_1SandboxOtherProduct0'] })
      for (const event of server.sandbox.control.events.slice(place)) {
        expect(await inboxRow(event.id), event.type).toMatchObject({ outcome: 'other_product' })
      }
    })
    // Also whoever looks at the whole customer sees nothing of it.
    const paid = server.sandbox.control.events.find(({ type, data }) => {
      const { customer } = data.object as { customer?: unknown }
      return type === 'checkout.session.completed' && customer === subscriber.customer
    })
    await server.app.db
      .deleteFrom('stripe_events')
      .where('id', '=', paid?.id ?? '')
      .execute()
    await server.sandbox.control.deliver([paid?.id ?? ''])
    await drainWebhooks(server)
    expect(await inboxRow(paid?.id ?? '')).toMatchObject({ outcome: 'synced' })
    await expectInSyncWithStripe(server, subscriber)
  })

  test('a customer whom nobody knows', async () => {
    await expectNothing(async () => {
      const { id } = await server.sandbox.control.addForeign('unknown_customer')
      await drainWebhooks(server)
      expect(await inboxRow(id)).toMatchObject({ outcome: 'unknown_customer' })
    })
  })

  test('an event of another account, or of the other mode, about a customer of ours', async () => {
    const { control } = server.sandbox
    const subscriber = await aSubscriber(server)
    await drainWebhooks(server)
    const object = { id: subscriber.subscription, object: 'subscription', customer: subscriber.customer }
    const about = { type: 'customer.subscription.deleted', data: { object } }
    await expectNothing(async () => {
      const connected = anEvent({ ...about, account: 'acct_1Other' })
      const live = anEvent({ ...about, livemode: true })
      expect((await sendSigned(connected.payload)).status).toBe(200)
      expect((await sendSigned(live.payload)).status).toBe(200)
      expect(await inboxRow(connected.id)).toMatchObject({ outcome: 'other_account', account: 'acct_1Other' })
      expect(await inboxRow(live.id)).toMatchObject({ outcome: 'other_mode', is_live: true })
      expect(await jobsOf(connected.id)).toBe(0)
      expect(await jobsOf(live.id)).toBe(0)
    })
    expect(control.subscriptionsOf(subscriber.customer)).toMatchObject([{ status: 'active' }])
  })

  test('a type that nobody here asked for', async () => {
    await expectNothing(async () => {
      const event = anEvent()
      expect((await sendSigned(event.payload)).status).toBe(200)
      expect(await inboxRow(event.id)).toMatchObject({ outcome: 'other_type', type: 'product.updated' })
      expect(await jobsOf(event.id)).toBe(0)
    })
  })

  test('a lie about a customer of ours: what an event says is not believed', async () => {
    const subscriber = await aSubscriber(server)
    await drainWebhooks(server)
    const lie = anEvent({
      type: 'customer.subscription.deleted',
      data: {
        object: {
          id: subscriber.subscription,
          object: 'subscription',
          customer: subscriber.customer,
          status: 'canceled',
        },
      },
    })
    const before = await believedOf(subscriber.id)
    expect((await sendSigned(lie.payload)).status).toBe(200)
    await drainWebhooks(server)
    expect(await inboxRow(lie.id)).toMatchObject({ outcome: 'synced' })
    expect(await believedOf(subscriber.id)).toEqual(before)
    await expectInSyncWithStripe(server, subscriber)
  })
})

describe('a signature', () => {
  async function expectRefused(event: SentEvent, signature: string | undefined, body: string | Buffer = event.payload) {
    const answer = await send(body, signature)
    expect(answer.status, answer.text).toBe(400)
    const { message, error } = answer.json() as { message: string; error: string }
    expect(message).toBe('The signature does not prove that this event comes from Stripe, now.')
    expect(error).toBe(message)
    expect(answer.text).not.toContain('whsec')
    expect(await inboxRow(event.id)).toBeUndefined()
  }
  const nowSeconds = (): number => Math.floor(server.clock.now() / 1_000)
  const sign = (payload: string, timestampSeconds = nowSeconds(), secret = webhookSecret): string =>
    server.sandbox.control.sign(payload, { secret, timestampSeconds })

  test('is needed', async () => {
    const event = anEvent()
    await expectRefused(event, undefined)
    await expectRefused(event, '')
    await expectRefused(event, `t=${nowSeconds()}`)
    await expectRefused(event, 'v1=aa')
    await expectRefused(event, `t=${nowSeconds()},v1=`)
    await expectRefused(event, `t=now,v1=${/v1=(\w+)/.exec(sign(event.payload))?.[1] ?? ''}`)
  })

  test('must be of our secret', async () => {
    const event = anEvent()
    await expectRefused(event, sign(event.payload, nowSeconds(), 'whsec_of_somebody_else'))
    await expectRefused(event, sign(event.payload, nowSeconds(), ''))
  })

  test('must be of this body, to the last byte', async () => {
    const event = anEvent()
    const signature = sign(event.payload)
    await expectRefused(event, signature, `${event.payload} `)
    await expectRefused(event, signature, event.payload.replace('"livemode":false', '"livemode":true'))
    await expectRefused(event, signature, `\n${event.payload}`)
  })

  test('of another scheme proves nothing', async () => {
    const event = anEvent()
    await expectRefused(event, sign(event.payload).replace('v1=', 'v0='))
  })

  test.each([
    ['301 seconds old', -301],
    ['301 seconds ahead', 301],
    ['a year old', -31_536_000],
    ['a year ahead', 31_536_000],
  ])('that is %s is refused', async (_, seconds) => {
    const event = anEvent()
    await expectRefused(event, sign(event.payload, nowSeconds() + seconds))
  })

  test.each([-300, 0, 300])('%i seconds from now is taken', async (seconds) => {
    const event = anEvent()
    const answer = await send(event.payload, sign(event.payload, nowSeconds() + seconds))
    expect(answer.status, answer.text).toBe(200)
    expect(answer.json()).toEqual({ received: true })
    expect(await inboxRow(event.id)).toMatchObject({ outcome: 'other_type' })
  })

  test('with a second instant is none: the one that is signed is not the one that is looked at', async () => {
    const event = anEvent()
    const old = sign(event.payload, nowSeconds() - 5_000)
    await expectRefused(event, `t=${nowSeconds()},${old}`)
    await expectRefused(event, `${old},t=${nowSeconds()}`)
  })

  test('may stand among others, as during a rotation at Stripe', async () => {
    const event = anEvent()
    const answer = await send(event.payload, `${sign(event.payload)},v1=${'0'.repeat(64)},v0=aa`)
    expect(answer.status, answer.text).toBe(200)
  })

  test('may be of either secret while one takes the place of the other', async () => {
    const secrets = ['whsec_the_next_one', webhookSecret]
    await using rotating = await openSandboxServer({ jobs: false, env: { STRIPE_WEBHOOK_SECRET: secrets.join(',') } })
    for (const secret of secrets) {
      const event = anEvent()
      const answer = await send(event.payload, rotating.sandbox.control.sign(event.payload, { secret }), rotating)
      expect(answer.status, answer.text).toBe(200)
      const row = await rotating.app.db.selectFrom('stripe_events').select('id').where('id', '=', event.id).execute()
      expect(row).toHaveLength(1)
    }
    const stranger = anEvent()
    const signature = rotating.sandbox.control.sign(stranger.payload, { secret: secrets.join(',') })
    expect((await send(stranger.payload, signature, rotating)).status).toBe(400)
  })

  test.each(['', ' ', ',', 'whsec_one_of_two,', ',whsec_one_of_two', 'short', 'whsec_a_one,whsec_a_two,whsec_a_third'])(
    'cannot be checked with %j for a secret: then nothing starts',
    (secret) => {
      const env = {
        STRIPE_SECRET_KEY: 'sk_test_forthetests',
        STRIPE_WEBHOOK_SECRET: secret,
        STRIPE_PRICE_MONTHLY: 'price_test_monthly',
        STRIPE_PRICE_ANNUAL: 'price_test_annual',
      }
      expect(() => readConfig(env)).toThrow(/^STRIPE_WEBHOOK_SECRET must be /)
      expect(() => readConfig({ ...env, STRIPE_WEBHOOK_SECRET: 'whsec_one_of_two' })).not.toThrow()
    },
  )

  test.each(['GET', 'PUT', 'DELETE'])('is no reason to answer a %s', async (method) => {
    const event = anEvent()
    const answer = await server.request('/webhooks/stripe', {
      method,
      headers: { 'stripe-signature': sign(event.payload) },
    })
    expect(answer.status).toBe(405)
    expect(answer.headers['allow']).toBe('POST')
  })
})

describe('a signed body that is no event', () => {
  const noted = async (): Promise<number> =>
    (await server.app.db.selectFrom('stripe_events').select('id').execute()).length

  test.each(['', 'not json', '{"id":'])('nor even JSON is refused: %j', async (payload) => {
    const before = await noted()
    const answer = await sendSigned(payload)
    expect(answer.status, answer.text).toBe(400)
    expect(await noted()).toBe(before)
  })

  test.each([
    'null',
    '5',
    '"evt_1"',
    '[]',
    '{}',
    '{"id":"evt_1"}',
    anyEvent({ id: 5 }),
    anyEvent({ id: 'cus_1' }),
    anyEvent({ id: "evt_1'; drop table users" }),
    anyEvent({ type: null }),
    anyEvent({ livemode: 'no' }),
    anyEvent({ created: 'today' }),
    anyEvent({ created: 1e300 }),
    anyEvent({ type: 'x'.repeat(300) }),
    anyEvent({ account: 'acct_\0' }),
    anyEvent({ data: null }),
    anyEvent({ data: {} }),
    anyEvent({ data: { object: null } }),
    anyEvent({ data: { object: 'sub_1' } }),
    anyEvent({ data: { object: [] } }),
  ])('is refused: %s', async (payload) => {
    const before = await noted()
    const answer = await sendSigned(payload)
    expect(answer.status, answer.text).toBe(400)
    expect((answer.json() as { message: string }).message).toBe("This is not one of Stripe's events.")
    expect(await noted()).toBe(before)
  })

  const strange = [
    { object: 'customer', id: 7 },
    { customer: { id: 5 } },
    { customer: ['cus_1'] },
    { customer: 'cus_\0' },
    { items: 5, lines: null },
    { items: { data: {} } },
    { lines: { data: ['line'] } },
    { metadata: { user_id: 5 } },
    { parent: 'sub_1' },
  ]

  test.each(strange)(
    'whose subject is no %j is refused where it would be handled, and ignored else',
    async (object) => {
      const before = await noted()
      const answer = await sendSigned(anEvent({ type: 'customer.subscription.updated', data: { object } }).payload)
      expect(answer.status, answer.text).toBe(400)
      expect(await noted()).toBe(before)
      const foreign = anEvent({ type: 'plan.updated', data: { object: { ...object, customer: undefined } } })
      expect((await sendSigned(foreign.payload)).status).toBe(200)
      await drainWebhooks(server)
      expect(await inboxRow(foreign.id)).toMatchObject({ outcome: 'other_type', stripe_customer_id: null })
    },
  )

  // Too long for an index of the database, also when it is compressed.
  const endless = `cus_${randomBytes(1_350).toString('hex')}`

  test.each([
    ['customer', { customer: endless }],
    ['customer of its own', { object: 'customer', id: endless }],
    ['customer in full', { customer: { id: endless } }],
    ['charge', { charge: endless }],
    ['price', { items: { data: [{ price: { id: endless } }] } }],
    ['price of a line', { lines: { data: [{ pricing: { price_details: { price: endless } } }] } }],
  ])('with an id of 2,700 characters is refused: the %s', async (_of, object) => {
    const before = await noted()
    const answer = await sendSigned(anEvent({ type: 'customer.subscription.updated', data: { object } }).payload)
    expect(answer.status, answer.text).toBe(400)
    expect(await noted()).toBe(before)
    const foreign = anEvent({ type: 'plan.updated', data: { object } })
    expect((await sendSigned(foreign.payload)).status).toBe(200)
    expect(await inboxRow(foreign.id)).toMatchObject({ outcome: 'other_type', stripe_customer_id: null })
  })
})

/** Text of an event with something wrong in it. */
function anyEvent(overrides: Record<string, unknown>): string {
  return JSON.stringify({
    id: 'evt_1',
    object: 'event',
    created: 1_710_504_000,
    data: { object: { id: 'prod_1', object: 'product' } },
    livemode: false,
    type: 'product.updated',
    ...overrides,
  })
}

describe('an event that cannot be written down', () => {
  test.each([
    ['because its row is refused', 'stripe_events', 'new.id is not null'],
    ['because its job is refused', 'pgboss.job', "new.name = 'membership.event'"],
  ])('%s is answered with 5xx and is not lost', async (_, table, condition) => {
    const { control } = server.sandbox
    const { db } = server.app
    const buyer = await aBuyer(server)
    const session = sessionIn(await checkOut(server, buyer))
    const place = control.events.length
    control.faults.webhooks = 'never'
    await control.pay(session)
    const paid = eventOf(eventsSince(place), 'invoice.paid')

    await sql`create function refuse_it() returns trigger language plpgsql as
      $$ begin raise exception 'The disk is full.'; end $$`.execute(db)
    await sql
      .raw(
        `create trigger refuse_it before insert on ${table} for each row when (${condition}) execute function refuse_it()`,
      )
      .execute(db)
    try {
      expect(await control.deliver([paid])).toEqual([500])
      expect(await inboxRow(paid)).toBeUndefined()
      expect(await jobsOf(paid)).toBe(0)
    } finally {
      await sql.raw(`drop trigger refuse_it on ${table}`).execute(db)
      await sql`drop function refuse_it`.execute(db)
    }
    expect(await control.deliver([paid])).toEqual([200])
    await drainWebhooks(server)
    expect(await inboxRow(paid)).toMatchObject({ outcome: 'synced' })
    await expectInSyncWithStripe(server, buyer)
  })

  test('is sent again by itself', async () => {
    const { control } = server.sandbox
    const { db } = server.app
    const buyer = await aBuyer(server)
    const session = sessionIn(await checkOut(server, buyer))
    await sql`alter table stripe_events rename to stripe_events_elsewhere`.execute(db)
    try {
      await control.pay(session)
      await control.idle()
    } finally {
      await sql`alter table stripe_events_elsewhere rename to stripe_events`.execute(db)
    }
    const [customer] = customersOf(server, buyer)
    await expect
      .poll(
        async () => {
          await drainJobs(server.app)
          const rows = await db.selectFrom('subscriptions').select('status').where('user_id', '=', buyer.id).execute()
          return rows.map(({ status }) => status)
        },
        { timeout: 90_000 },
      )
      .toEqual(['active'])
    await drainWebhooks(server)
    await expectInSyncWithStripe(server, buyer)
    expect(control.subscriptionsOf(customer ?? '')).toHaveLength(1)
  })
})
