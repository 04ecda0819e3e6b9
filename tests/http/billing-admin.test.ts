import { type Insertable, sql } from 'kysely'
import { uuidv7 } from 'uuidv7'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { requestTimeoutMs } from '../../src/browser/api-client.ts'
import type { Database } from '../../src/db/database.ts'
import type {
  BillingMemberForAdmin,
  DriftReport,
  MemberBilling,
} from '../../src/features/membership/admin/billing-schema.ts'
import { readMemberBilling, stripeTimeoutMs } from '../../src/features/membership/admin/read-member-billing.server.ts'
import { reconcile } from '../../src/features/membership/sync/reconcile.server.ts'
import type { TestResponse } from '../harness/request.ts'
import { drainJobs } from '../harness/drain.ts'
import { expectInSyncWithStripe } from '../harness/in-sync-with-stripe.ts'
import { aMember, passTime } from '../harness/members.ts'
import { aBuyer, aSubscriber, behindProxy, type Buyer, checkOut } from '../harness/purchases.ts'
import { drainWebhooks, sandboxServerOfFile } from '../harness/sandbox.ts'

const day = 86_400_000

type Subscriber = Awaited<ReturnType<typeof aSubscriber>>
type Read = Exclude<MemberBilling['remote'], null | { unavailable: string }>

let admin: Buyer

const server = sandboxServerOfFile({ jobs: false, env: behindProxy })

beforeAll(async () => {
  admin = await aBuyer(server, { name: 'Ada Admin', isAdmin: true })
})
afterEach(() => Object.assign(server.sandbox.control.faults, { api: 'none', webhooks: 'on', slowMs: 5_000 }))

const get = (path: string, { headers }: Pick<Buyer, 'headers'> = admin) => server.request(path, { headers })
const act = (path: string, { headers }: Pick<Buyer, 'headers'> = admin) =>
  server.request(path, { method: 'POST', headers })

function read(answer: TestResponse, status = 200): unknown {
  expect(answer.status, answer.text).toBe(status)
  expect(answer.headers['cache-control']).toBe('private, no-store')
  return answer.json()
}

const found = async (search: string) =>
  read(await get(`/api/billing/members?${new URLSearchParams({ search })}`)) as BillingMemberForAdmin[]
const billingOf = async ({ id }: { id: string }) => read(await get(`/api/billing/members/${id}`)) as MemberBilling
const sync = async ({ id }: { id: string }) =>
  read(await act(`/api/billing/members/${id}/sync`)) as MemberBilling & { changed: number }
const report = async () => read(await get('/api/billing/drift')) as DriftReport

/** Stripe's side; a test fails that counts on it when it could not be read. */
function remoteOf({ remote }: MemberBilling): Read {
  if (remote === null || 'unavailable' in remote) throw new Error(`Stripe was not read: ${JSON.stringify(remote)}`)
  return remote
}

function expectFailure(answer: TestResponse, status: number, code: string): void {
  expect(answer.status, answer.text).toBe(status)
  expect(answer.json()).toMatchObject({ code, message: expect.stringMatching(/\w/) as string })
  expect(answer.headers['cache-control']).toMatch(/^(private, )?no-store$/)
}

async function aSyncedSubscriber(overrides: Parameters<typeof aSubscriber>[1] = {}): Promise<Subscriber> {
  const subscriber = await aSubscriber(server, overrides)
  await drainWebhooks(server)
  return subscriber
}

function firstInvoiceOf({ customer }: Subscriber): string {
  const [invoice] = server.sandbox.control.invoicesOf(customer)
  if (invoice === undefined) throw new Error(`The sandbox has no invoice of ${customer}.`)
  return invoice.id
}

/** Everything that is stored about anybody's money. */
async function allThatIsStored(): Promise<unknown> {
  const tables = [
    'billing_customers',
    'subscriptions',
    'payments',
    'access_grants',
    'billing_changes',
    'billing_runs',
    'stripe_events',
  ]
  return Promise.all(
    tables.map(async (table) => {
      const { rows } = await sql`select * from ${sql.table(table)} order by 1`.execute(server.app.db)
      return { table, rows }
    }),
  )
}

test.each([
  ['GET', ''],
  ['POST', '/sync'],
  ['POST', '/review'],
])('%s of nobody%s is not found', async (method, what) => {
  const answer = await server.request(`/api/billing/members/${uuidv7()}${what}`, { method, headers: admin.headers })
  expectFailure(answer, 404, 'member.unknown')
})

describe('finding members', () => {
  test('goes by words of name and address, in any case and with or without accents, and takes every character as it is', async () => {
    const wanted = await aMember(server.app, { name: 'Zoë ÉCLAIR 100%_sure', email: 'Zoe.Needle@Readers.Example' })
    const other = await aMember(server.app, { name: 'Zoë Eclair 100 sure', email: 'zoe.other@readers.example' })
    const idsOf = async (search: string): Promise<string[]> => (await found(search)).map(({ id }) => id)
    for (const search of ['zoe.NEEDLE@', '100%_SURE', '0%_s', '  éclair 100%  ', 'needle zoë'])
      expect(await idsOf(search), search).toEqual([wanted.id])
    for (const search of ['éclair', 'eclair', 'zoë É', 'Zoe\u0308 écl'])
      expect(await idsOf(search), search).toEqual([other.id, wanted.id])
    expect(await found('z%needle')).toEqual([])
    expect(await found('\\')).toEqual([])
    expect(await found('nobody has this')).toEqual([])
  })

  test('says of each whether they are VIP, and why', async () => {
    const subscriber = await aSyncedSubscriber({ name: 'Paula Payer' })
    const never = await aMember(server.app, { name: 'Paula Poor' })
    const disabled = await aMember(server.app, { name: 'Paula Put-out', isVip: true, vipDisabled: true })
    const sentence = (text: string) => expect.stringContaining(text) as string
    expect(await found('paula p')).toEqual([
      {
        id: subscriber.id,
        name: 'Paula Payer',
        email: subscriber.email,
        isVip: true,
        sentence: 'VIP through a paid plan that renews on April 15, 2024.',
        planType: 'monthly',
      },
      expect.objectContaining({ id: never.id, isVip: false, sentence: sentence('no membership yet'), planType: null }),
      expect.objectContaining({ id: disabled.id, isVip: false, sentence: sentence('disabled') }),
    ])
  })

  test('gives at most twenty, an exact address first', async () => {
    for (let i = 0; i < 22; i += 1)
      await aMember(server.app, { name: `A Twin ${i}`, email: `a${i}.twin@twins.example` })
    await aMember(server.app, { name: 'Zed', email: 'twin@twins.example' })
    const twins = await found('TWIN@twins.example')
    expect(twins).toHaveLength(20)
    expect(twins[0]?.email).toBe('twin@twins.example')
  })

  test('finds words of name and address in any order, whatever their accents', async () => {
    const zoe = await aMember(server.app, { name: 'Zoë Marginalia', email: 'zm@twins.example' })
    for (const words of ['marginalia zoe', 'ZOË twins.example'])
      expect((await found(words)).map(({ id }) => id)).toEqual([zoe.id])
  })

  test('without anything to look for gives the customers whose state changed last', async () => {
    const first = await aSyncedSubscriber()
    const second = await aSyncedSubscriber()
    const stranger = await aMember(server.app)
    server.clock.advance(1_000)
    await server.sandbox.control.cancel(first.subscription, 'period_end')
    await drainWebhooks(server)
    const ids = (await found('')).map(({ id }) => id)
    expect(ids[0]).toBe(first.id)
    expect(ids).toContain(second.id)
    expect(ids).not.toContain(stranger.id)
  })

  test('refuses what is no text', async () => {
    expectFailure(await get('/api/billing/members?search=%00'), 400, 'search.parameter')
    expectFailure(await get(`/api/billing/members?search=${'x'.repeat(201)}`), 400, 'search.parameter')
    expectFailure(await get('/api/billing/members?search=a&search=b'), 400, 'search.parameter')
    expect((await get('/api/billing/members?search=a&other=b&other=c')).status).toBe(200)
  })
})

describe("a member's billing", () => {
  test('shows the same on both sides after a purchase, and how it came to be so', async () => {
    const subscriber = await aSyncedSubscriber({ name: 'Eva Equal' })
    const billing = await billingOf(subscriber)
    expect(billing).toMatchObject({
      member: { id: subscriber.id, name: 'Eva Equal', email: subscriber.email },
      accessStatus: {
        isVip: true,
        reason: 'plan',
        sentence: 'VIP through a paid plan that renews on April 15, 2024.',
        planType: 'monthly',
      },
      local: { stripeCustomer: subscriber.customer, syncedAt: new Date(server.clock.now()).toISOString() },
      differences: [],
      isBlocked: false,
      payments: { isSandbox: false, isLive: false },
    })
    const { isCustomerDeleted, toCancel, payments, ...remote } = remoteOf(billing)
    expect({ isCustomerDeleted, toCancel }).toEqual({ isCustomerDeleted: false, toCancel: [] })
    expect(billing.local).toMatchObject(remote)
    expect(billing.local.payments).toEqual(payments.map((payment) => ({ ...payment, disputeReviewedAt: null })))
    expect(remote.subscriptions).toEqual([
      expect.objectContaining({ stripeId: subscriber.subscription, status: 'active', planType: 'monthly' }),
    ])
    expect(payments).toEqual([expect.objectContaining({ status: 'paid', amountCents: 1_200, refundedCents: 0 })])
    expect(billing.events.map(({ type, outcome }) => ({ type, outcome }))).toContainEqual({
      type: 'checkout.session.completed',
      outcome: 'synced',
    })
    expect(billing.changes).toContainEqual(
      expect.objectContaining({ what: 'subscription', local: null, remote: 'active', isDrift: false }),
    )
  })

  test('says so where there is no customer, and asks nobody', async () => {
    const member = await aMember(server.app, { isVip: true })
    server.sandbox.control.faults.api = 'down'
    const billing = await billingOf(member)
    expect(billing).toMatchObject({ remote: null, differences: [], events: [], changes: [] })
    expect(billing.local).toMatchObject({ stripeCustomer: null, syncedAt: null, subscriptions: [], payments: [] })
    expect(billing.local.grants).toEqual([expect.objectContaining({ source: 'manual', basis: 'manual' })])
    expect(billing.accessStatus).toMatchObject({ isVip: true, reason: 'manual' })
  })

  const misses: [what: string, happens: (subscriber: Subscriber) => Promise<unknown>, missed: string[]][] = [
    [
      'a cancellation',
      ({ subscription }) => server.sandbox.control.cancel(subscription, 'period_end'),
      ['subscription.cancels_at', 'access.renews', 'access.effective_until'],
    ],
    [
      'an end',
      ({ subscription }) => server.sandbox.control.cancel(subscription, 'now'),
      ['subscription.status', 'subscription.ended_at', 'access.ends_at'],
    ],
    ['a partial refund', (one) => server.sandbox.control.refund(firstInvoiceOf(one), 300), ['payment.refunded_cents']],
    [
      'a dispute',
      (one) => server.sandbox.control.openDispute(firstInvoiceOf(one)),
      ['payment.dispute', 'access.revoked_reason'],
    ],
    [
      'a renewal',
      async ({ subscription }) => {
        // Else the new period would end when the old one would have.
        await passTime(server, 3_600_000)
        return server.sandbox.control.passPeriod(subscription)
      },
      ['subscription.period_ends_at', 'payment'],
    ],
    [
      'a renewal that failed',
      ({ subscription }) => server.sandbox.control.setStatus(subscription, 'past_due'),
      ['subscription.status', 'access.basis', 'payment'],
    ],
  ]

  test.each(misses)(
    'tells of %s that nobody told us, changes nothing by looking, and is healed by a sync',
    async (_what, happens, missed) => {
      const subscriber = await aSyncedSubscriber()
      server.sandbox.control.faults.webhooks = 'never'
      await happens(subscriber)
      const stored = await allThatIsStored()
      const calls = server.sandbox.control.requests.length

      const billing = await billingOf(subscriber)
      expect(billing.differences.map(({ what }) => what)).toEqual(expect.arrayContaining(missed))
      expect(await allThatIsStored()).toEqual(stored)
      const requested = server.sandbox.control.requests.slice(calls)
      expect(requested.length).toBeGreaterThan(0)
      expect(requested.filter(({ method }) => method !== 'GET')).toEqual([])

      const before = new Set(billing.changes.map(({ id }) => id))
      const synced = await sync(subscriber)
      expect(synced.changed).toBe(billing.differences.length)
      expect(synced.differences).toEqual([])
      const recorded = synced.changes.filter(({ id }) => !before.has(id))
      expect(recorded.every(({ cause, isDrift }) => cause === 'administrator' && !isDrift)).toBe(true)
      // The announced changes are the changes made, in the same words.
      const facts = ({ what, local, remote }: { what: string; local: string | null; remote: string | null }) =>
        `${what}: ${local} to ${remote}`
      expect(recorded.map(facts).toSorted()).toEqual(billing.differences.map(facts).toSorted())
      await expectInSyncWithStripe(server, subscriber)
      expect((await sync(subscriber)).changed).toBe(0)
    },
  )

  test('tells beforehand which subscription a sync will cancel', async () => {
    const subscriber = await aSyncedSubscriber()
    server.sandbox.control.faults.webhooks = 'never'
    const second = await server.sandbox.control.subscribeOutside(subscriber.customer, 'monthly')
    const billing = await billingOf(subscriber)
    expect(remoteOf(billing).toCancel).toEqual([
      { subscriptionId: expect.any(String) as string, why: 'second_subscription' },
    ])
    expect(billing.differences).toContainEqual({ id: second, what: 'subscription', local: null, remote: 'active' })
    const synced = await sync(subscriber)
    expect(remoteOf(synced).toCancel).toEqual([])
    expect(synced.differences).toEqual([])
    await expectInSyncWithStripe(server, subscriber)
  })

  test('shows our own side alone while Stripe does not answer', async () => {
    const subscriber = await aSyncedSubscriber()
    for (const [api, reason] of [
      ['down', 'Stripe does not answer.'],
      ['500', 'Stripe answers with an error.'],
      ['403', 'Stripe refuses our key: see STRIPE_SECRET_KEY.'],
      ['429', 'Stripe is too busy to answer.'],
    ] as const) {
      server.sandbox.control.faults.api = api
      const billing = await billingOf(subscriber)
      expect(billing.remote, api).toEqual({ unavailable: `${reason} This is our own state alone.` })
      expect(billing).toMatchObject({ differences: [], accessStatus: { isVip: true }, local: { subscriptions: [{}] } })
    }
    const stored = await allThatIsStored()
    expectFailure(await act(`/api/billing/members/${subscriber.id}/sync`), 503, 'payments.busy')
    expect(without(await allThatIsStored(), 'billing_customers')).toEqual(without(stored, 'billing_customers'))
  })

  test('waits for a slow Stripe no longer than a browser waits for us', async () => {
    const subscriber = await aSyncedSubscriber()
    Object.assign(server.sandbox.control.faults, { api: 'slow', slowMs: 1_000 })
    const { remote } = await readMemberBilling(server.app, { id: subscriber.id, timeoutMs: 100 })
    expect(remote).toEqual({ unavailable: expect.stringContaining('too long') as string })
    expect(stripeTimeoutMs).toBeLessThan(requestTimeoutMs)
  })

  test('says so where Stripe does not know the customer', async () => {
    const member = await aMember(server.app)
    await server.app.db
      .insertInto('billing_customers')
      .values({ user_id: member.id, stripe_customer_id: 'cus_of_another_account' })
      .execute()
    const billing = await billingOf(member)
    expect(billing.remote).toEqual({ unavailable: expect.stringContaining('cus_of_another_account') as string })
    expect((await sync(member)).changed).toBe(0)
  })
})

describe('a lost dispute', () => {
  test('keeps the member from buying until an administrator has reviewed it, once', async () => {
    const subscriber = await aSyncedSubscriber()
    const review = `/api/billing/members/${subscriber.id}/review`
    expectFailure(await act(review), 409, 'dispute.none')
    const dispute = await server.sandbox.control.openDispute(firstInvoiceOf(subscriber))
    await drainWebhooks(server)
    expectFailure(await act(review), 409, 'dispute.none')
    await server.sandbox.control.closeDispute(dispute, 'lost')
    await drainWebhooks(server)
    expect(await billingOf(subscriber)).toMatchObject({
      isBlocked: true,
      accessStatus: { isVip: false, reason: 'dispute_lost' },
      local: { payments: [{ dispute: 'lost', disputeReviewedAt: null }] },
    })
    expectFailure(await checkOut(server, subscriber), 403, 'checkout.blocked')

    const reviewed = read(await act(review)) as MemberBilling
    const at = new Date(server.clock.now()).toISOString()
    expect(reviewed).toMatchObject({ isBlocked: false, local: { payments: [{ disputeReviewedAt: at }] } })
    expect(reviewed.accessStatus.isVip).toBe(false)
    expect((await checkOut(server, subscriber)).status).toBe(200)
    expectFailure(await act(review), 409, 'dispute.none')
  })
})

describe('the drift report', () => {
  test('tells what reconciliations have healed, of whom, and what was ignored', async () => {
    const subscriber = await aSyncedSubscriber({ name: 'Dora Drift' })
    const before = await report()
    server.sandbox.control.faults.webhooks = 'never'
    await server.sandbox.control.cancel(subscriber.subscription, 'period_end')
    const { drifts } = await reconcile(server.app, { scope: 'all' })
    expect(drifts).toBeGreaterThan(0)
    const after = await report()
    expect(after.counts.last24h).toBe(before.counts.last24h + drifts)
    expect(after.counts.last30d).toBe(before.counts.last30d + drifts)
    expect(after.runs[0]).toMatchObject({ scope: 'all', state: 'finished', drifts, failed: 0, failure: null })
    expect(after.drifts.slice(0, drifts)).toContainEqual(
      expect.objectContaining({
        member: { id: subscriber.id, name: 'Dora Drift', email: subscriber.email },
        what: 'subscription.cancels_at',
        local: null,
        isHealed: true,
      }),
    )
    expect(after.payments).toEqual({ isSandbox: false, isLive: false })
  })

  test('names nobody who has deleted their account', async () => {
    const gone = await aSyncedSubscriber({ name: 'Gone Girl', email: 'gone.girl@readers.example' })
    await aDrift({ user_id: gone.id, subscription_id: gone.subscription })
    expect((await get('/api/billing/drift')).text).toContain('Gone Girl')
    await server.app.db.deleteFrom('users').where('id', '=', gone.id).execute()
    const answer = await get('/api/billing/drift')
    expect(answer.text).not.toMatch(/gone.girl/i)
    expect((read(answer) as DriftReport).drifts).toContainEqual(
      expect.objectContaining({ member: null, subscriptionId: gone.subscription, isHealed: true }),
    )
  })

  test('does not call healed what only a person can put right', async () => {
    const { counts } = await report()
    await aDrift({ what: 'price.monthly', local: '1200 usd a month', remote: '1500 usd a month' })
    await aDrift({ what: 'customer', local: null, remote: 'cus_of_nobody' })
    const after = await report()
    expect(after.counts).toEqual({ ...counts, unhealed: counts.unhealed + 2 })
    expect(after.drifts.filter(({ isHealed }) => !isHealed).map(({ remote }) => remote)).toEqual(
      expect.arrayContaining(['1500 usd a month', 'cus_of_nobody']),
    )
  })

  test('warns above the threshold, and counts by the hour and the month', async () => {
    const { threshold } = await report()
    expect(threshold).toBeGreaterThanOrEqual(3)
    // Older drifts do not count.
    server.clock.advance(31 * day)
    admin = { ...admin, ...(await signedInAnew()) }
    expect(await report()).toMatchObject({ counts: { last24h: 0, last30d: 0, unhealed: 0 }, isAboveThreshold: false })
    for (let i = 0; i < threshold; i += 1) await aDrift({})
    expect(await report()).toMatchObject({ counts: { last24h: threshold }, isAboveThreshold: false })
    await aDrift({})
    expect((await report()).isAboveThreshold).toBe(true)
    server.clock.advance(day)
    admin = { ...admin, ...(await signedInAnew()) }
    expect(await report()).toMatchObject({
      counts: { last24h: 0, last30d: threshold + 1 },
      isAboveThreshold: false,
    })
  })

  test('counts the events that wait and those that were left alone', async () => {
    const before = await report()
    const receivedAt = new Date(server.clock.now() - 3_600_000)
    await anEvent({ received_at: receivedAt })
    await anEvent({ received_at: receivedAt, handled_at: receivedAt, outcome: 'other_mode' })
    await anEvent({ received_at: receivedAt, handled_at: receivedAt, outcome: 'other_mode' })
    await anEvent({ handled_at: new Date(server.clock.now() - 40 * day), outcome: 'other_mode' })
    const after = await report()
    const ignored = ({ ignored: all }: DriftReport) => all.find(({ outcome }) => outcome === 'other_mode')?.count ?? 0
    expect(after.waitingEvents.count).toBe(before.waitingEvents.count + 1)
    expect(after.waitingEvents.oldestReceivedAt).toBe(receivedAt.toISOString())
    expect(ignored(after)).toBe(ignored(before) + 2)
    expect(after.ignored.map(({ outcome }) => outcome)).not.toContain('synced')
    await server.app.db.deleteFrom('stripe_events').where('handled_at', 'is', null).execute()
  })

  test('tells a run that died from one that is under way', async () => {
    const startedAt = server.clock.now()
    const died = { id: uuidv7(), scope: 'due' as const, started_at: new Date(startedAt - 3_600_000) }
    const alive = { id: uuidv7(), scope: 'due' as const, started_at: new Date(startedAt - 1_000) }
    await server.app.db.insertInto('billing_runs').values([died, alive]).execute()
    const { runs } = await report()
    expect(runs.find(({ id }) => id === died.id)?.state).toBe('broken_off')
    expect(runs.find(({ id }) => id === alive.id)?.state).toBe('under_way')
    await server.app.db.deleteFrom('billing_runs').where('finished_at', 'is', null).execute()
  })

  test('gives at most the last twenty runs and a hundred differences', async () => {
    for (let i = 0; i < 21; i += 1) {
      const at = new Date(server.clock.now() + i)
      await server.app.db
        .insertInto('billing_runs')
        .values({ id: uuidv7(), scope: 'due', started_at: at, finished_at: at, checked_count: i })
        .execute()
    }
    for (let i = 0; i < 101; i += 1) await aDrift({})
    const { runs, drifts } = await report()
    expect(runs.map(({ checked }) => checked)).toEqual(Array.from({ length: 20 }, (_, i) => 20 - i))
    expect(drifts).toHaveLength(100)
  })
})

describe('ordering a reconciliation', () => {
  test('puts it in line, six times an hour for the whole site', async () => {
    const colleague = await aBuyer(server, { isAdmin: true })
    server.clock.advance(60_000)
    const known = new Set((await report()).runs.map(({ id }) => id))
    const orders: TestResponse[] = []
    for (let i = 0; i < 6; i += 1) orders.push(await act('/api/billing/reconcile', i % 2 === 0 ? admin : colleague))
    for (const order of orders) {
      expect(read(order, 202)).toEqual({ message: 'The reconciliation is queued.' })
    }
    const refused = await act('/api/billing/reconcile', colleague)
    expectFailure(refused, 429, 'limit.exceeded')
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
    await drainJobs(server.app)
    const made = (await report()).runs.filter(
      ({ id, scope, state }) => !known.has(id) && scope === 'all' && state === 'finished',
    )
    expect(made).toHaveLength(6)
  })
})

/** One difference that a reconciliation has found at this moment. */
async function aDrift(part: Partial<Insertable<Database['billing_changes']>>): Promise<void> {
  await server.app.db
    .insertInto('billing_changes')
    .values({
      id: uuidv7(),
      cause: 'reconciliation',
      is_drift: true,
      what: 'subscription.status',
      local: 'active',
      remote: 'canceled',
      changed_at: new Date(server.clock.now()),
      ...part,
    })
    .execute()
}

async function anEvent(part: {
  received_at?: Date
  handled_at?: Date
  outcome?: 'synced' | 'other_mode'
}): Promise<void> {
  const at = new Date(server.clock.now())
  await server.app.db
    .insertInto('stripe_events')
    .values({
      id: `evt_${uuidv7()}`,
      type: 'invoice.paid',
      is_live: false,
      price_ids: [],
      created_at: at,
      received_at: at,
      ...part,
    })
    .execute()
}

/** Sessions end while the clock moves. */
async function signedInAnew(): Promise<Pick<Buyer, 'headers'>> {
  const { headers } = await aBuyer(server, { isAdmin: true })
  return { headers }
}

function without(stored: unknown, table: string): unknown {
  return (stored as { table: string }[]).filter((one) => one.table !== table)
}
