import type { AddressInfo } from 'node:net'
import { resolve } from 'node:path'
import { sql } from 'kysely'
import { uuidv7 } from 'uuidv7'
import { afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { Checkouts } from '../../src/features/membership/checkout/checkouts.server.ts'
import { Payments } from '../../src/features/membership/stripe/payments.server.ts'
import { reconcile } from '../../src/features/membership/sync/reconcile.server.ts'
import { openServer } from '../../src/app/server.ts'
import { type TestResponse, sendRequest, decode } from '../harness/request.ts'
import { drainJobs } from '../harness/drain.ts'
import { anItem } from '../harness/items.ts'
import { waitForEmail } from '../harness/emails.ts'
import { aGrant, aMember, post, signIn } from '../harness/members.ts'
import {
  aBuyer,
  aSubscriber,
  behindProxy,
  type Buyer,
  chargesOf,
  checkOut,
  customersOf,
  liveOf,
  openSessionsOf,
  sessionIn,
  subscriptionsOf,
  urlIn,
} from '../harness/purchases.ts'
import { drainWebhooks, type SandboxServer, sandboxServerOfFile } from '../harness/sandbox.ts'
import { said, expectFailure } from '../harness/failures.ts'

const start = '2024-03-15T12:00:00Z'
/** The sentence for each outage of Stripe. */
const reasons = {
  down: 'the payment service does not answer',
  '500': 'the payment service answers with an error',
  '429': 'the payment service is too busy',
} as const
const sentenceOf = (api: keyof typeof reasons): string =>
  `T${reasons[api].slice(1)} at the moment. Nothing was charged. Please try again in a few minutes.`
const sentence = sentenceOf('down')
const stillAtWork =
  'The payment service is busy with an earlier request at the moment. Nothing was charged. Please try again in a few minutes.'
const stillOpening = 'Your checkout is still being opened. Nothing was charged. Please try again in a minute.'

const server = sandboxServerOfFile({ jobs: false, now: start, env: { ...behindProxy, LOG_LEVEL: 'fatal' } })

beforeAll(async () => {
  await anItem(server.app, { name: 'For VIPs alone', contentType: 'vip-western' })
})
beforeEach(() => server.clock.set(start))
afterEach(async () => {
  over()
  await server.sandbox.control.idle()
})

/** Nothing is wrong with Stripe any more. */
function over(): void {
  const { control } = server.sandbox
  Object.assign(control.faults, { api: 'none', webhooks: 'on', apiPaths: undefined, lose: undefined })
  control.onAnswer = undefined
}

const isVip = async ({ headers }: Pick<Buyer, 'headers'>) =>
  said(await server.request('/auth/status', { headers }))['isVip']

/** The answers to a VIP's calls. */
async function behindVipAccess({ headers }: Pick<Buyer, 'headers'>): Promise<string[]> {
  const answer = await server.call('/universal-search/search?contentType=vip-western&page=1', { headers })
  expect(answer.status, answer.text).toBe(200)
  const { data } = decode((answer.json() as { data: unknown }).data) as { data: { name: string }[] }
  return data.map(({ name }) => name)
}

async function customerRow({ id }: Pick<Buyer, 'id'>) {
  return server.app.db.selectFrom('billing_customers').selectAll().where('user_id', '=', id).executeTakeFirst()
}

async function expectPagesUp(): Promise<void> {
  for (const path of ['/', '/western', '/plans', '/login', '/account', '/success', '/cancel', '/vip']) {
    expect((await server.request(path)).status, path).toBe(200)
  }
  expect((await server.request('/readyz')).status).toBe(200)
}

describe.each(['down', '500', '429'] as const)('while Stripe is away (%s)', (api) => {
  test('the site is up, one can sign in, and VIPs are VIPs', async () => {
    const vip = await aSubscriber(server)
    const stranger = await aMember(server.app)
    server.sandbox.control.faults.api = api
    await expectPagesUp()
    const token = await signIn(server, stranger)
    expect(await isVip({ headers: { authorization: `Bearer ${token}` } })).toBe(false)
    expect(await isVip(vip)).toBe(true)
    expect(await behindVipAccess(vip)).toEqual(['For VIPs alone'])
    expect(said(await server.request('/pay/membership', { headers: vip.headers }))).toMatchObject({
      isVip: true,
      reason: 'plan',
      payments: [{ status: 'paid' }],
    })
  })

  test('a checkout says so and leaves nothing half done', async () => {
    const [newcomer, former] = [await aBuyer(server), await aSubscriber(server)]
    await server.sandbox.control.cancel(former.subscription, 'now')
    await drainWebhooks(server)
    const before = await customerRow(former)
    server.sandbox.control.faults.api = api
    for (const buyer of [newcomer, former]) {
      const answer = await checkOut(server, buyer)
      expectFailure(answer, 503, sentenceOf(api))
      expect(answer.headers['retry-after']).toBe('60')
    }
    over()
    expect(await customerRow(newcomer)).toMatchObject({
      stripe_customer_id: null,
      checkouts_made: 0,
      lock_holder: null,
    })
    expect(await customerRow(former)).toEqual(before)
    expect(customersOf(server, newcomer)).toEqual([])
    for (const buyer of [newcomer, former]) {
      const session = sessionIn(await checkOut(server, buyer))
      expect((await openSessionsOf(server, buyer)).map(({ id }) => id)).toEqual([session])
      expect(customersOf(server, buyer)).toHaveLength(1)
    }
  })

  test('events are taken in, and worked off when it is over', async () => {
    const { control } = server.sandbox
    const buyer = await aBuyer(server)
    const session = sessionIn(await checkOut(server, buyer))
    control.faults.webhooks = 'never'
    const known = control.events.length
    await control.pay(session)
    control.faults.api = api
    const events = control.events.slice(known).map(({ id }) => id)
    expect(events.length).toBeGreaterThan(2)
    expect(await control.deliver(events)).toEqual(events.map(() => 200))
    // Tried in vain, and still in line.
    await drainJobs(server.app)
    const waiting = await server.app.db
      .selectFrom('stripe_events')
      .select('id')
      .where('id', 'in', events)
      .where('handled_at', 'is', null)
      .execute()
    expect(waiting).toHaveLength(events.length)
    expect(await isVip(buyer)).toBe(false)
    over()
    await drainWebhooks(server)
    expect(await isVip(buyer)).toBe(true)
  })

  test('a comparison stops, says why, and changes nothing', async () => {
    const vip = await aSubscriber(server)
    server.sandbox.control.faults.api = api
    const run = await reconcile(server.app, { scope: 'all' })
    expect(run).toMatchObject({ failure: sentenceOf(api), drifts: 0 })
    expect(await isVip(vip)).toBe(true)
    over()
    expect(await reconcile(server.app, { scope: 'all' })).toMatchObject({ failure: undefined, failed: 0 })
  })
})

describe('while one part of Stripe is away', () => {
  test.each([
    ['POST /v1/customers', /^POST \/v1\/customers$/, null],
    ['GET /v1/checkout/sessions', /^GET \/v1\/checkout\/sessions/, 'made'],
    ['POST /v1/checkout/sessions', /^POST \/v1\/checkout\/sessions$/, 'made'],
  ])('a first checkout that stops at %s is begun again where it stood', async (_what, apiPaths, customer) => {
    const { control } = server.sandbox
    const buyer = await aBuyer(server)
    Object.assign(control.faults, { api: 'down', apiPaths })
    expectFailure(await checkOut(server, buyer), 503, sentence)
    expectFailure(await checkOut(server, buyer, 'annual'), 503, sentence)
    over()
    const row = await customerRow(buyer)
    expect(row).toMatchObject({ lock_holder: null, locked_until: null })
    expect(row?.stripe_customer_id === null).toBe(customer === null)
    const session = sessionIn(await checkOut(server, buyer))
    expect(customersOf(server, buyer)).toHaveLength(1)
    expect((await openSessionsOf(server, buyer)).map(({ id }) => id)).toEqual([session])
  })

  test('a checkout for the other plan whose former one cannot be ended is not made', async () => {
    const { control } = server.sandbox
    const buyer = await aBuyer(server)
    const monthly = sessionIn(await checkOut(server, buyer, 'monthly'))
    Object.assign(control.faults, { api: '500', apiPaths: /\/expire$/ })
    expectFailure(await checkOut(server, buyer, 'annual'), 503, sentenceOf('500'))
    over()
    expect((await openSessionsOf(server, buyer)).map(({ id }) => id)).toEqual([monthly])
    const annual = sessionIn(await checkOut(server, buyer, 'annual'))
    expect((await openSessionsOf(server, buyer)).map(({ id }) => id)).toEqual([annual])
  })
})

describe('an answer of Stripe that is lost', () => {
  test.each([
    ['the customer', /^POST \/v1\/customers$/],
    ['the checkout', /^POST \/v1\/checkout\/sessions$/],
  ])('is asked for again: %s is one', async (_what, lose) => {
    const { control } = server.sandbox
    const buyer = await aBuyer(server)
    control.faults.lose = lose
    let calls = 0
    control.onAnswer = ({ method, path }) => {
      if (!lose.test(`${method} ${path}`)) return
      calls += 1
      if (calls === 2) control.faults.lose = undefined
    }
    const session = sessionIn(await checkOut(server, buyer))
    expect(calls).toBe(2)
    expect(customersOf(server, buyer)).toHaveLength(1)
    expect((await openSessionsOf(server, buyer)).map(({ id }) => id)).toEqual([session])
  })

  test.each([
    ['the customer', /^POST \/v1\/customers$/],
    ['the checkout', /^POST \/v1\/checkout\/sessions$/],
  ])('both times makes no second one when it is over: %s', async (_what, lose) => {
    const { control } = server.sandbox
    const buyer = await aBuyer(server)
    control.faults.lose = lose
    control.requests.splice(0)
    expectFailure(await checkOut(server, buyer), 503, sentence)
    expect(control.requests.filter(({ method, path }) => lose.test(`${method} ${path}`))).toHaveLength(2)
    over()
    expect(customersOf(server, buyer)).toHaveLength(1)
    const session = sessionIn(await checkOut(server, buyer))
    expect(customersOf(server, buyer)).toHaveLength(1)
    expect((await openSessionsOf(server, buyer)).map(({ id }) => id)).toEqual([session])
    expect(sessionIn(await checkOut(server, buyer))).toBe(session)
    expect(chargesOf(server, buyer)).toEqual([])
  })
})

/** Every answer of Stripe waits until it is released. */
function holdStripe(): () => void {
  const { promise, resolve } = Promise.withResolvers<void>()
  server.sandbox.control.onAnswer = () => promise
  return resolve
}

describe('while Stripe is slow', () => {
  test('the site is quick, and a checkout waits', async () => {
    const { control } = server.sandbox
    const [vip, buyer, other] = [await aSubscriber(server), await aBuyer(server), await aBuyer(server)]
    await drainWebhooks(server)
    control.requests.splice(0)
    const release = holdStripe()
    let answered = 0
    const checkouts = [buyer, buyer, other].map(async (one) => {
      const answer = await checkOut(server, one)
      answered += 1
      return answer
    })
    await expect.poll(() => control.requests.map(({ path }) => path)).toContain('/v1/customers')
    expect(await behindVipAccess(vip)).toEqual(['For VIPs alone'])
    await signIn(server, vip)
    expect((await server.request('/plans')).status).toBe(200)
    await expectPagesUp()
    // All of that before anybody had their checkout.
    expect(answered).toBe(0)
    release()
    const [first, second, third] = await Promise.all(checkouts)
    over()
    for (const answer of [first, third]) sessionIn(answer as TestResponse)
    expect(urlIn(second as TestResponse)).toBe(urlIn(first as TestResponse))
    expect(customersOf(server, buyer)).toHaveLength(1)
    expect(await openSessionsOf(server, buyer)).toHaveLength(1)
  })

  /** Another process of the same site: on the same database, with a memory of its own. */
  async function anotherProcess({ waitMs, timeoutMs }: { waitMs?: number; timeoutMs?: number } = {}): Promise<
    Pick<SandboxServer, 'request'>
  > {
    const { log, config, payments } = server.app
    const app = {
      ...server.app,
      checkouts: new Checkouts(log, waitMs === undefined ? {} : { waitMs }),
      payments: timeoutMs === undefined ? payments : new Payments(config.payments, log, { timeoutMs }),
    }
    // As after its start: nothing is sold before the prices have answered.
    await app.payments.tryPrices()
    const other = await openServer(app, {
      pages: {
        build: '',
        render: () => Promise.resolve({ response: new Response(), refusal: undefined }),
      },
      assetsDirectory: resolve(import.meta.dirname, '../../build/client'),
    })
    onTestFinished(() => other.stop())
    await new Promise<void>((listening) => other.server.listen(0, '127.0.0.1', listening))
    const { port } = other.server.address() as AddressInfo
    // Both stand at one address, as behind a proxy: a checkout leads back to where it was begun.
    const { host } = new URL(server.url)
    return {
      request: (path, query) =>
        sendRequest(`http://127.0.0.1:${port}${path}`, { ...query, headers: { host, ...query?.headers } }),
    }
  }

  const clicks = async (buyer: Buyer, processes: Pick<SandboxServer, 'request'>[]): Promise<TestResponse[]> =>
    Promise.all(Array.from({ length: 8 }, (_, i) => checkOut(processes[i % processes.length] ?? server, buyer)))

  test.each([
    ['one process', () => []],
    ['two processes', async () => [await anotherProcess()]],
  ])('eight clicks at once all have the same answer: %s', async (_where, others) => {
    const { control } = server.sandbox
    const processes = [server, ...(await others())]
    // A customer that Stripe knows already takes more calls.
    const buyer = await aBuyer(server)
    await control.expire(sessionIn(await checkOut(server, buyer)))
    Object.assign(control.faults, { api: 'slow', slowMs: 300 })
    const answers = await clicks(buyer, processes)
    over()
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200))
    expect(new Set(answers.map(urlIn)).size).toBe(1)
    expect((await openSessionsOf(server, buyer)).map(({ id }) => id)).toEqual([sessionIn(answers[0] as TestResponse)])
  })

  test.each([
    ['down', 0, [sentence]],
    // Stripe's silence lasts longer than some of them can wait; a second attempt hears that the first is under way.
    ['slow', 60_000, [sentence, stillAtWork, stillOpening]],
  ] as const)('eight clicks at once all fail in time, over two processes: %s', async (api, slowMs, sentences) => {
    const { control } = server.sandbox
    const buyer = await aBuyer(server)
    const impatient = { timeoutMs: 400 }
    const processes = [await anotherProcess(impatient), await anotherProcess(impatient)]
    Object.assign(control.faults, { api, slowMs })
    const answers = await clicks(buyer, processes)
    over()
    for (const answer of answers) {
      expectFailure(answer, 503, /\w/)
      expect(sentences).toContain(said(answer)['message'])
    }
    expect(new Set(answers.map(({ headers }) => headers['retry-after']))).toEqual(new Set(['60']))
  })

  test('an answer that came too late for a browser is there for the next click', async () => {
    const buyer = await aBuyer(server)
    // A browser gives its call up after 20 seconds.
    expect(server.app.checkouts.waitMs).toBeLessThan(20_000)
    const impatient = await anotherProcess({ waitMs: 300 })
    const release = holdStripe()
    expectFailure(await checkOut(impatient, buyer), 503, stillOpening)
    release()
    const session = sessionIn(await checkOut(impatient, buyer))
    over()
    expect((await openSessionsOf(server, buyer)).map(({ id }) => id)).toEqual([session])
  })
})

test('a comparison outlasts the lock of a process that has died', async () => {
  const { control } = server.sandbox
  const member = await aSubscriber(server)
  await drainWebhooks(server)
  control.faults.webhooks = 'never'
  await control.cancel(member.subscription, 'now')
  // As it is left when the process is killed, and 16 seconds pass before it lapses: longer than a browser is kept waiting.
  await server.app.db
    .updateTable('billing_customers')
    .set({ lock_holder: uuidv7(), locked_until: sql<Date>`clock_timestamp() + interval '2 seconds'` })
    .where('user_id', '=', member.id)
    .execute()
  const now = performance.now.bind(performance)
  let passedMs = 0
  vi.spyOn(performance, 'now').mockImplementation(() => now() + passedMs)
  setTimeout(() => (passedMs = 16_000), 200)
  expect(await reconcile(server.app, { scope: 'all' })).toMatchObject({ failed: 0, failure: undefined })
  expect(passedMs).toBe(16_000)
  expect(await isVip(member)).toBe(false)
  expect(await customerRow(member)).toMatchObject({ lock_holder: null, locked_until: null })
})

test('a VIP stays one until their date without any word from Stripe, and not for longer', async () => {
  const { control } = server.sandbox
  const vip = await aSubscriber(server)
  await drainWebhooks(server)
  control.faults.api = 'down'
  const [subscription] = subscriptionsOf(server, vip)
  const end = (subscription?.items.data[0]?.current_period_end ?? 0) * 1_000
  const later = async (instant: number) => {
    server.clock.set(new Date(instant).toISOString())
    const token = await signIn(server, vip)
    return isVip({ headers: { authorization: `Bearer ${token}` } })
  }
  expect(await later(end - 1_000)).toBe(true)
  // The six hours in which a renewal may be under way (docs/spec/billing.md#states).
  expect(await later(end + 6 * 3_600_000 - 1_000)).toBe(true)
  expect(await later(end + 6 * 3_600_000)).toBe(false)
})

describe('deleting an account', () => {
  const remove = ({ email, headers }: Pick<Buyer, 'email' | 'headers'>) =>
    server.call(`/auth/delete-account/${encodeURIComponent(email)}`, { method: 'DELETE', headers })

  /** Every row of ours that holds one of these words. Queued emails lie in a schema of their own, for minutes. */
  async function rowsWith(...words: string[]): Promise<string[]> {
    const { db } = server.app
    const tables = await sql<{ name: string }>`
      select table_name as name from information_schema.tables
      where table_schema = 'public' and table_type = 'BASE TABLE'`.execute(db)
    expect(tables.rows.length).toBeGreaterThan(15)
    const found: string[] = []
    for (const { name } of tables.rows) {
      const { rows } = await sql<{ row: string }>`select t::text as row from ${sql.table(name)} as t`.execute(db)
      for (const { row } of rows) {
        if (words.some((word) => row.toLowerCase().includes(word.toLowerCase()))) found.push(`${name}: ${row}`)
      }
    }
    return found
  }

  test('cancels at Stripe first, and leaves the books without a name', async () => {
    const { control } = server.sandbox
    const name = `Philippa Quill ${Math.random().toString(36).slice(2)}`
    const member = await aSubscriber(server, { name })
    await aGrant(server.app, member.id, '2024-04-01T00:00:00Z')
    await drainWebhooks(server)
    expect((await rowsWith(name, member.email)).length).toBeGreaterThan(0)
    control.requests.splice(0)
    const answer = await remove(member)
    expect(answer.status, answer.text).toBe(200)

    const requested = control.requests.filter(({ method }) => method === 'DELETE')
    expect(requested.map(({ path }) => path)).toEqual([
      `/v1/subscriptions/${member.subscription}`,
      `/v1/customers/${member.customer}`,
    ])
    expect(control.subscriptionsOf(member.customer).map(({ status }) => status)).toEqual(['canceled'])
    expect(customersOf(server, member)).toEqual([])

    const { db } = server.app
    expect(await rowsWith(name, member.email)).toEqual([])
    // The audit log keeps the id, which leads to nobody any more.
    const stillWithId = await rowsWith(member.id)
    expect(stillWithId.filter((row) => !row.startsWith('audit_events: '))).toEqual([])
    const books = await db
      .selectFrom('subscriptions')
      .innerJoin('payments', 'payments.subscription_id', 'subscriptions.stripe_id')
      .select(['subscriptions.status', 'subscriptions.user_id', 'payments.user_id as payer', 'payments.amount_cents'])
      .where('subscriptions.stripe_id', '=', member.subscription)
      .execute()
    expect(books).toEqual([{ status: 'canceled', user_id: null, payer: null, amount_cents: 1_200 }])
    for (const table of ['access_grants', 'billing_customers'] as const) {
      expect(await db.selectFrom(table).select('user_id').where('user_id', '=', member.id).execute()).toEqual([])
    }
    expect((await server.request('/auth/status', { headers: member.headers })).status).toBe(401)
    await waitForEmail(server.app, { to: member.email, subject: /deleted/i })

    // Later events about it belong to nobody.
    await drainWebhooks(server)
    const late = control.events.findLast(({ type }) => type === 'customer.deleted')
    expect(await control.deliver([late?.id ?? ''])).toEqual([200])
    const events = await db
      .selectFrom('stripe_events')
      .select(['type', 'outcome'])
      .where('stripe_customer_id', '=', member.customer)
      .where('type', 'in', ['customer.deleted', 'customer.subscription.deleted'])
      .orderBy('type')
      .execute()
    expect(events.map(({ type }) => type)).toEqual(['customer.deleted', 'customer.subscription.deleted'])
    expect(events.find(({ type }) => type === 'customer.deleted')?.outcome).toBe('unknown_customer')
    expect(await rowsWith(name, member.email)).toEqual([])
    // The audit log keeps the id, which leads to nobody any more.
    const withId = await rowsWith(member.id)
    expect(withId.filter((row) => !row.startsWith('audit_events: '))).toEqual([])
    expect(await reconcile(server.app, { scope: 'all' })).toMatchObject({ failed: 0, drifts: 0 })
  })

  test('leaves no checkout that could still be paid', async () => {
    const { control } = server.sandbox
    const buyer = await aBuyer(server)
    const session = sessionIn(await checkOut(server, buyer))
    expect((await remove(buyer)).status).toBe(200)
    await expect(control.pay(session)).rejects.toThrow(/expired/)
    expect(customersOf(server, buyer)).toEqual([])
  })

  test('ends what is being paid at the same moment', async () => {
    const { control } = server.sandbox
    const buyer = await aBuyer(server)
    const session = sessionIn(await checkOut(server, buyer))
    const [customer = ''] = customersOf(server, buyer)
    control.onAnswer = async ({ method, path }) => {
      if (method !== 'GET' || path !== '/v1/subscriptions') return
      control.onAnswer = undefined
      await control.pay(session)
    }
    expect((await remove(buyer)).status).toBe(200)
    expect(control.subscriptionsOf(customer).map(({ status }) => status)).toEqual(['canceled'])
    await drainWebhooks(server)
    const kept = await server.app.db
      .selectFrom('payments')
      .select('user_id')
      .where(
        'invoice_id',
        'in',
        control.invoicesOf(customer).map(({ id }) => id),
      )
      .execute()
    expect(kept).toEqual([{ user_id: null }])
  })

  test.each(['down', '500', '429'] as const)('fails while Stripe is away, and says so: %s', async (api) => {
    const { control } = server.sandbox
    const member = await aSubscriber(server)
    control.faults.api = api
    const refused = await remove(member)
    expectFailure(
      refused,
      503,
      `Your subscription could not be cancelled, because ${reasons[api]}. Nothing was deleted. Please try again in a few minutes.`,
    )
    expect(refused.headers['retry-after']).toBe('60')
    await signIn(server, member)
    expect(await isVip(member)).toBe(true)
    over()
    expect(liveOf(server, member)).toHaveLength(1)
    expect((await remove(member)).status).toBe(200)
    expect(control.subscriptionsOf(member.customer).map(({ status }) => status)).toEqual(['canceled'])
  })

  test.each([
    ['a subscription', /^DELETE \/v1\/subscriptions/],
    ['the customer', /^DELETE \/v1\/customers/],
  ])('that fails at %s is finished when it is asked for again', async (_what, apiPaths) => {
    const { control } = server.sandbox
    const member = await aSubscriber(server)
    Object.assign(control.faults, { api: '500', apiPaths })
    expect((await remove(member)).status).toBe(503)
    await signIn(server, member)
    over()
    await drainWebhooks(server)
    expect(await isVip(member)).toBe(liveOf(server, member).length === 1)
    expect((await remove(member)).status).toBe(200)
    expect(customersOf(server, member)).toEqual([])
  })

  test('that loses the last answer of Stripe is finished when it is asked for again', async () => {
    const member = await aSubscriber(server)
    server.sandbox.control.faults.lose = /^DELETE \/v1\/customers/
    const answer = await remove(member)
    over()
    if (answer.status !== 200) {
      expect(answer.status).toBe(503)
      expect((await remove(member)).status).toBe(200)
    }
    expect(customersOf(server, member)).toEqual([])
    const user = await server.app.db.selectFrom('users').select('id').where('id', '=', member.id).execute()
    expect(user).toEqual([])
  })

  test('needs nobody for who has never bought anything', async () => {
    const [member, undecided] = [await aBuyer(server), await aBuyer(server)]
    server.sandbox.control.faults.api = 'down'
    // A checkout that never came about leaves nothing to cancel either.
    expect((await checkOut(server, undecided)).status).toBe(503)
    for (const one of [member, undecided]) expect((await remove(one)).status).toBe(200)
  })

  test('is refused to the last administrator, and to a stranger, before anything is cancelled', async () => {
    const { control } = server.sandbox
    const [admin, member] = [await aSubscriber(server, { isAdmin: true }), await aSubscriber(server)]
    await drainWebhooks(server)
    control.requests.splice(0)
    expectFailure(await remove(admin), 409, /last administrator/)
    expectFailure(await remove({ email: admin.email, headers: member.headers }), 403, /only your own/)
    const url = `/auth/delete-account/${encodeURIComponent(member.email)}`
    expect((await server.call(url, { method: 'DELETE' })).status).toBe(401)
    expect(control.requests).toEqual([])
    for (const one of [admin, member]) expect(liveOf(server, one)).toHaveLength(1)
  })

  test('happens once, also when it is asked for twice at once', async () => {
    const { control } = server.sandbox
    const member = await aSubscriber(server)
    const answers = await Promise.all([remove(member), remove(member), checkOut(server, member)])
    expect(
      answers
        .slice(0, 2)
        .map(({ status }) => status)
        .toSorted((a, b) => a - b),
    ).toEqual([200, 401])
    expect([401, 409]).toContain(answers[2].status)
    expect(control.subscriptionsOf(member.customer).map(({ status }) => status)).toEqual(['canceled'])
    expect(customersOf(server, member)).toEqual([])
  })
})

test('a member exports what they have paid for', async () => {
  const [member, other] = [await aSubscriber(server, {}, 'annual'), await aSubscriber(server)]
  const answer = await server.request('/auth/export', { headers: member.headers })
  expect(answer.status).toBe(200)
  expect(answer.headers['cache-control']).toBe('private, no-store')
  expect(said(answer)).toMatchObject({
    account: { email: member.email },
    membership: {
      isVip: true,
      reason: 'plan',
      planType: 'annual',
      endsAt: '2025-03-15T12:00:00.000Z',
      stripeCustomer: member.customer,
      payments: [{ planType: 'annual', amountCents: 8_000, refundedCents: 0, currency: 'usd', status: 'paid' }],
    },
  })
  expect(answer.text).not.toContain(other.customer)
  server.sandbox.control.faults.api = 'down'
  expect((await server.request('/auth/export', { headers: other.headers })).status).toBe(200)
  const buyer = await aBuyer(server)
  const empty = said(await server.request('/auth/export', { headers: buyer.headers }))
  expect(empty['membership']).toMatchObject({ isVip: false, reason: 'never', stripeCustomer: null, payments: [] })
  expect((await post(server, '/auth/export', {}, buyer.headers)).status).not.toBe(200)
})
