import { afterEach, describe, expect, test, vi } from 'vitest'
import { databaseUnavailable } from '../../src/platform/database-outages.ts'
import { sendRequest } from '../harness/request.ts'
import { type MadeMember, post } from '../harness/members.ts'
import {
  aBuyer,
  anAddress,
  aSubscriber,
  behindProxy,
  type Buyer,
  chargesOf,
  checkOut,
  customersOf,
  liveOf,
  onAnotherDevice,
  openSessionsOf,
  sessionIn,
  subscriptionsOf,
  urlIn,
  waitForState,
} from '../harness/purchases.ts'
import { drainWebhooks, sandboxServerOfFile } from '../harness/sandbox.ts'
import { closeLine } from '../harness/site-limits.ts'
import { said, expectFailure } from '../harness/failures.ts'

const server = sandboxServerOfFile({ jobs: false, env: { ...behindProxy, LOG_LEVEL: 'fatal' } })
afterEach(() => {
  const { control } = server.sandbox
  Object.assign(control.faults, { api: 'none', webhooks: 'on' })
  control.onAnswer = undefined
})

const stateOf = (buyer: Pick<Buyer, 'headers'>, session: string) =>
  server.request(`/pay/session/${session}`, { headers: buyer.headers })

const isVip = async ({ headers }: Pick<Buyer, 'headers'>) =>
  said(await server.request('/auth/status', { headers }))['isVip']

async function customerRow({ id }: Pick<MadeMember, 'id'>) {
  return server.app.db.selectFrom('billing_customers').selectAll().where('user_id', '=', id).executeTakeFirst()
}

describe('a checkout', () => {
  test.each([
    ['no plan', null],
    ['an empty plan', ''],
    ['a plan that is not sold', 'weekly'],
    ['a plan in capitals', 'MONTHLY'],
    ['a price id', 'price_test_monthly'],
    ['a number', 5],
    ['a list', ['monthly']],
    ['an object', { toString: 'monthly' }],
    ['a text with a null', 'monthly\0'],
  ])('is refused for %s', async (_what, planType) => {
    const buyer = await aBuyer(server)
    server.sandbox.control.requests.splice(0)
    expectFailure(await checkOut(server, buyer, planType), 422)
    expect(server.sandbox.control.requests).toEqual([])
  })

  test('is refused without a plan, and for an email that is no text', async () => {
    const { headers, email } = await aBuyer(server)
    expectFailure(await post(server, '/pay/vip-payment', { email }, headers), 422)
    expectFailure(await post(server, '/pay/vip-payment', { email: 5, planType: 'monthly' }, headers), 422)
  })

  test('is for the account that its buyer names', async () => {
    const [buyer, other] = [await aBuyer(server), await aBuyer(server)]
    expectFailure(await checkOut(server, { ...buyer, email: other.email }), 403)
    expectFailure(await checkOut(server, { ...buyer, email: '' }), 403)
    expect([...customersOf(server, buyer), ...customersOf(server, other)]).toEqual([])
    expect((await checkOut(server, { ...buyer, email: ` ${buyer.email.toUpperCase()}` })).status).toBe(200)
  })

  test('is refused to who would get nothing for it', async () => {
    const buyer = await aBuyer(server, { vipDisabled: true })
    expectFailure(await checkOut(server, buyer), 403, /disabled/)
    expect(customersOf(server, buyer)).toEqual([])
  })

  test('says to Stripe who buys, in every place where it can be read again', async () => {
    const buyer = await aBuyer(server)
    server.sandbox.control.requests.splice(0)
    const answer = await checkOut(server, buyer, 'annual')
    const session = sessionIn(answer)
    expect(answer.headers['cache-control']).toBe('private, no-store')
    expect(urlIn(answer)).toBe(`${server.sandbox.url}/c/pay/${session}`)

    const customer = server.sandbox.control.customers().find(({ email }) => email === buyer.email)
    expect(customer).toMatchObject({ name: buyer.name, metadata: { user_id: buyer.id } })
    expect((await customerRow(buyer))?.stripe_customer_id).toBe(customer?.id)

    const [made] = await openSessionsOf(server, buyer)
    expect(made).toMatchObject({
      id: session,
      mode: 'subscription',
      customer: customer?.id,
      client_reference_id: buyer.id,
      metadata: { user_id: buyer.id, plan_type: 'annual' },
      amount_total: 8_000,
      success_url: `${server.url}/success?session_id={CHECKOUT_SESSION_ID}`,
      cancel_url: `${server.url}/cancel`,
    })
    const creations = server.sandbox.control.requests.filter(
      ({ method, path }) => method === 'POST' && /^\/v1\/(customers|checkout\/sessions)$/.test(path),
    )
    expect(creations.map(({ path }) => path)).toEqual(['/v1/customers', '/v1/checkout/sessions'])
    for (const { idempotencyKey } of creations) {
      expect(idempotencyKey).toMatch(new RegExp(`^daybook-(customer|checkout)-${buyer.id}-[\\w-]+$`))
    }

    await server.sandbox.control.pay(session)
    expect(subscriptionsOf(server, buyer)).toMatchObject([
      { status: 'active', metadata: { user_id: buyer.id, plan_type: 'annual' } },
    ])
  })

  test('is one, however often it is asked for', async () => {
    const buyer = await aBuyer(server)
    const answers = await Promise.all([checkOut(server, buyer), checkOut(server, buyer)])
    answers.push(await checkOut(server, buyer))
    expect(new Set(answers.map(urlIn)).size).toBe(1)
    expect(await openSessionsOf(server, buyer)).toHaveLength(1)
    expect(customersOf(server, buyer)).toHaveLength(1)
  })

  test('takes the place of the one for the other plan', async () => {
    const buyer = await aBuyer(server)
    const monthly = sessionIn(await checkOut(server, buyer, 'monthly'))
    const annual = sessionIn(await checkOut(server, buyer, 'annual'))
    expect(annual).not.toBe(monthly)
    expect((await openSessionsOf(server, buyer)).map(({ id }) => id)).toEqual([annual])
    await expect(server.sandbox.control.pay(monthly)).rejects.toThrow(/expired/)
    const again = sessionIn(await checkOut(server, buyer, 'monthly'))
    expect([monthly, annual]).not.toContain(again)
    expect((await openSessionsOf(server, buyer)).map(({ id }) => id)).toEqual([again])
  })

  test('is a new one when the former has run out', async () => {
    const buyer = await aBuyer(server)
    const former = sessionIn(await checkOut(server, buyer))
    await server.sandbox.control.expire(former)
    expect(sessionIn(await checkOut(server, buyer))).not.toBe(former)
    expect(await openSessionsOf(server, buyer)).toHaveLength(1)
  })

  test('is one when twenty ask at once, from two devices and for both plans', async () => {
    const buyer = await aBuyer(server)
    const devices = [buyer, { ...buyer, ...(await onAnotherDevice(server, buyer)) }]
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, i) => checkOut(server, devices[i % 2] ?? buyer, i % 4 < 2 ? 'monthly' : 'annual')),
    )
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(10)
    const got = answers.filter(({ status }) => status === 200)
    expect(got).toHaveLength(10)
    expect(customersOf(server, buyer)).toHaveLength(1)
    const open = await openSessionsOf(server, buyer)
    expect(open).toHaveLength(1)
    expect(got.map(sessionIn)).toContain(open[0]?.id)
  })

  test('is paid once, also by a member who pays every checkout the moment they get it', async () => {
    const buyer = await aBuyer(server)
    const devices = [buyer, { ...buyer, ...(await onAnotherDevice(server, buyer)) }]
    let refusals = 0
    const statuses = await Promise.all(
      Array.from({ length: 10 }, async (_, i) => {
        const answer = await checkOut(server, devices[i % 2] ?? buyer, i % 4 < 2 ? 'monthly' : 'annual')
        if (answer.status === 200) {
          await server.sandbox.control.pay(sessionIn(answer)).catch(() => {
            refusals += 1
          })
        }
        return answer.status
      }),
    )
    expect(statuses).toHaveLength(10)
    expect(statuses.filter((status) => ![200, 409, 503].includes(status))).toEqual([])
    expect(refusals).toBe(statuses.filter((status) => status === 200).length - 1)
    expect(liveOf(server, buyer)).toHaveLength(1)
    expect(chargesOf(server, buyer)).toHaveLength(1)
    expect(await openSessionsOf(server, buyer)).toEqual([])
    await drainWebhooks(server)
    expect(await isVip(buyer)).toBe(true)
  })

  // Each call that the next checkout makes, in their order: the former one is paid while its answer is on its way.
  test.each([
    'GET /v1/customers/',
    'GET /v1/subscriptions',
    'GET /v1/invoices',
    'GET /v1/charges',
    'GET /v1/checkout/sessions',
    'POST /v1/checkout/sessions/',
    'POST /v1/checkout/sessions',
  ])('is never paid beside another one: paid in the other tab after %s', async (moment) => {
    const { control } = server.sandbox
    const buyer = await aBuyer(server)
    const former = sessionIn(await checkOut(server, buyer, 'monthly'))
    let wasPaid = false
    control.onAnswer = async ({ method, path }) => {
      const call = `${method} ${path}`
      if (moment.endsWith('/') ? !call.startsWith(moment) : call !== moment) return
      control.onAnswer = undefined
      // Over already, where the checkout was ended before.
      wasPaid = await control.pay(former).then(
        () => true,
        () => false,
      )
    }
    const answer = await checkOut(server, buyer, 'annual')
    expect(control.onAnswer).toBeUndefined()
    if (wasPaid) {
      expectFailure(answer, 409, /subscription already/)
      expect(urlIn(answer)).toMatch(/\/p\/session\//)
    } else {
      await control.pay(sessionIn(answer))
    }
    expect(liveOf(server, buyer)).toHaveLength(1)
    expect(chargesOf(server, buyer)).toHaveLength(1)
    expect(await openSessionsOf(server, buyer)).toEqual([])
  })

  test('waits for a slow payment that is being made in the other tab', async () => {
    const { control } = server.sandbox
    const buyer = await aBuyer(server)
    const former = sessionIn(await checkOut(server, buyer, 'monthly'))
    control.onAnswer = async ({ method, path }) => {
      if (method !== 'GET' || path !== '/v1/charges') return
      control.onAnswer = undefined
      await control.pay(former, { asynchronous: true })
    }
    const answer = await checkOut(server, buyer, 'annual')
    expectFailure(answer, 409, /being paid/)
    expect(urlIn(answer)).toBe(`${server.url}/account`)
    expect(await openSessionsOf(server, buyer)).toEqual([])
  })

  test.each(['active', 'trialing', 'past_due', 'unpaid', 'paused'] as const)(
    'is refused beside a subscription that is %s, with the way to the portal',
    async (status) => {
      const buyer = await aSubscriber(server)
      if (status !== 'active') await server.sandbox.control.setStatus(buyer.subscription, status)
      for (const planType of ['monthly', 'annual']) {
        const answer = await checkOut(server, buyer, planType)
        expectFailure(answer, 409, /^You have a subscription already\./)
        expect(urlIn(answer)).toMatch(new RegExp(`^${server.sandbox.url}/p/session/\\w+$`))
        const { status: shown, text } = await sendRequest(urlIn(answer))
        expect([shown, text.includes(buyer.email)]).toEqual([200, true])
      }
      expect(liveOf(server, buyer)).toMatchObject([{ id: buyer.subscription, status }])
      expect(await openSessionsOf(server, buyer)).toEqual([])
    },
  )

  test.each([
    ['canceled', (id: string) => server.sandbox.control.cancel(id, 'now')],
    [
      'canceled without a word',
      (id: string) => {
        server.sandbox.control.faults.webhooks = 'never'
        return server.sandbox.control.cancel(id, 'now')
      },
    ],
    ['incomplete', (id: string) => server.sandbox.control.setStatus(id, 'incomplete')],
    ['incomplete_expired', (id: string) => server.sandbox.control.setStatus(id, 'incomplete_expired')],
  ])('can be bought again after one that is %s', async (_what, end) => {
    const buyer = await aSubscriber(server)
    await end(buyer.subscription)
    const session = sessionIn(await checkOut(server, buyer, 'annual'))
    await server.sandbox.control.pay(session)
    await waitForState(server, buyer, session, 'active')
    expect(liveOf(server, buyer)).toHaveLength(1)
    expect(liveOf(server, buyer)[0]?.id).not.toBe(buyer.subscription)
    expect(customersOf(server, buyer)).toEqual([buyer.customer])
    expect(await isVip(buyer)).toBe(true)
  })

  test('makes a new customer for one who was deleted at Stripe, once', async () => {
    const buyer = await aSubscriber(server)
    await (await server.app.payments.stripe()).customers.del(buyer.customer)
    const answers = [await checkOut(server, buyer), await checkOut(server, buyer)]
    expect(new Set(answers.map(urlIn)).size).toBe(1)
    expect(customersOf(server, buyer)).toHaveLength(1)
    expect(customersOf(server, buyer)).not.toContain(buyer.customer)
    expect(await openSessionsOf(server, buyer)).toHaveLength(1)
  })

  test('makes a new customer for one whom these keys do not know', async () => {
    const buyer = await aSubscriber(server)
    await server.app.db
      .updateTable('billing_customers')
      .set({ stripe_customer_id: `cus_ofAnotherAccount${buyer.id.slice(-4)}` })
      .where('user_id', '=', buyer.id)
      .execute()
    const session = sessionIn(await checkOut(server, buyer))
    // They keep what they have until its date.
    expect(await isVip(buyer)).toBe(true)
    await server.sandbox.control.pay(session)
    await waitForState(server, buyer, session, 'active')
  })
})

/** Our tables as a backup brings them back; Stripe goes on from where it is. */
async function restored({ id }: Pick<MadeMember, 'id'>, row: Awaited<ReturnType<typeof customerRow>>): Promise<void> {
  const { db } = server.app
  await db.deleteFrom('billing_customers').where('user_id', '=', id).execute()
  if (row !== undefined) await db.insertInto('billing_customers').values(row).execute()
}

describe('after a backup was restored, a checkout', () => {
  test('is one for what is wanted now, whatever was asked for since the backup', async () => {
    const buyer = await aBuyer(server)
    await server.sandbox.control.expire(sessionIn(await checkOut(server, buyer)))
    const backup = await customerRow(buyer)
    const since = sessionIn(await checkOut(server, buyer, 'monthly'))
    await server.sandbox.control.expire(since)

    await restored(buyer, backup)
    const annual = sessionIn(await checkOut(server, buyer, 'annual'))
    expect((await openSessionsOf(server, buyer)).map(({ id }) => id)).toEqual([annual])

    await restored(buyer, backup)
    await server.sandbox.control.expire(annual)
    // The same as since the backup: not the one that is over.
    const monthly = sessionIn(await checkOut(server, buyer, 'monthly'))
    expect([since, annual]).not.toContain(monthly)
    expect((await openSessionsOf(server, buyer)).map(({ id }) => id)).toEqual([monthly])
  })

  test('is none for who has bought since a backup that knows nothing of it', async () => {
    const buyer = await aSubscriber(server)
    await restored(buyer, undefined)
    const refused = await checkOut(server, buyer, 'annual')
    expectFailure(refused, 409, /subscription already/)
    expect(customersOf(server, buyer)).toEqual([buyer.customer])
    expect(liveOf(server, buyer)).toHaveLength(1)
    expect(await openSessionsOf(server, buyer)).toEqual([])
  })

  test('is made for a new customer, where the former one was deleted since', async () => {
    const buyer = await aSubscriber(server)
    await restored(buyer, undefined)
    await (await server.app.payments.stripe()).customers.del(buyer.customer)
    const session = sessionIn(await checkOut(server, buyer))
    expect(customersOf(server, buyer)).toHaveLength(1)
    await server.sandbox.control.pay(session)
    await waitForState(server, buyer, session, 'active')
  })

  test('is made for who is called otherwise by now than at a first attempt that was lost', async () => {
    const { control } = server.sandbox
    const buyer = await aBuyer(server)
    control.faults.lose = /^POST \/v1\/customers$/
    expectFailure(await checkOut(server, buyer), 503)
    control.faults.lose = undefined
    await server.app.db.updateTable('users').set({ name: 'Jane Writer' }).where('id', '=', buyer.id).execute()
    sessionIn(await checkOut(server, buyer))
    expect(await openSessionsOf(server, buyer)).toHaveLength(1)
  })
})

describe('who tries cards', () => {
  test('gets ten checkouts an hour for a member, from wherever they ask', async () => {
    const [buyer, other] = [await aBuyer(server), await aBuyer(server)]
    for (let i = 0; i < 10; i += 1) {
      const headers = { ...buyer.headers, 'x-forwarded-for': anAddress() }
      expect((await checkOut(server, { ...buyer, headers }, i % 2 === 0 ? 'monthly' : 'annual')).status).toBe(200)
    }
    await drainWebhooks(server)
    server.sandbox.control.requests.splice(0)
    const headers = { ...buyer.headers, 'x-forwarded-for': anAddress() }
    const refused = await checkOut(server, { ...buyer, headers })
    expectFailure(refused, 429, /^Too many attempts\. Please try again in \d+ minutes\.$/)
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(3_000)
    expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(3_600)
    expect(server.sandbox.control.requests).toEqual([])
    expect(await openSessionsOf(server, buyer)).toHaveLength(1)
    expect((await checkOut(server, other)).status).toBe(200)
  })

  test('gets thirty an hour for an address, whoever they say they are', async () => {
    const address = anAddress()
    const from = (buyer: Buyer) => ({ ...buyer, headers: { ...buyer.headers, 'x-forwarded-for': address } })
    const buyers = await Promise.all(Array.from({ length: 4 }, () => aBuyer(server)))
    const last = buyers.pop() as Buyer
    for (const buyer of buyers) {
      for (let i = 0; i < 10; i += 1) expect((await checkOut(server, from(buyer))).status).toBe(200)
    }
    const refused = await checkOut(server, from(last))
    expectFailure(refused, 429)
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
    expect(customersOf(server, last)).toEqual([])
    // The refusal has cost them nothing.
    expect((await checkOut(server, last)).status).toBe(200)
  })

  test('gets a thousand an hour from the whole site, and waits in line then; who has been a member for a day does not', async () => {
    const site = server.app.limits.limit({ name: 'checkout.site', points: 1_000, seconds: 3_600 })
    await site.delete('site')
    const [first, second] = [await aBuyer(server), await aBuyer(server)]
    const line = closeLine(server.app, 'checkout.site')
    try {
      for (let i = 0; i < 999; i += 1) await site.consume('site')
      expect((await checkOut(server, first)).status).toBe(200)
      expectFailure(await checkOut(server, second), 429)
      expect(customersOf(server, second)).toEqual([])
      const yesterday = new Date(server.clock.now() - 86_400_000)
      const setJoined = (at: Date) =>
        server.app.db.updateTable('users').set({ created_at: at }).where('id', '=', second.id).execute()
      await setJoined(yesterday)
      expect((await checkOut(server, second)).status).toBe(200)
      await setJoined(new Date(server.clock.now()))
      line.mockRestore()
      expect((await checkOut(server, second)).status).toBe(200)
      await server.app.alarms.settle()
      const alarms = await server.app.db.selectFrom('alarms').select(['name', 'times']).execute()
      expect(alarms).toEqual([{ name: 'limit checkout.site', times: 3 }])
    } finally {
      line.mockRestore()
      await site.delete('site')
    }
  })
})

describe('what has become of a checkout', () => {
  test('is not known until it is paid, and then active, also when no event ever comes', async () => {
    const { control } = server.sandbox
    control.faults.webhooks = 'never'
    const buyer = await aBuyer(server)
    const session = sessionIn(await checkOut(server, buyer))
    expect(said(await stateOf(buyer, session))).toEqual({ state: 'confirming' })
    expect(await isVip(buyer)).toBe(false)
    await control.pay(session)
    await waitForState(server, buyer, session, 'active')
    expect((await stateOf(buyer, session)).headers['cache-control']).toBe('private, no-store')
    expect(await isVip(buyer)).toBe(true)
    const reported = await server.app.db
      .selectFrom('stripe_events')
      .select('id')
      .where('stripe_customer_id', 'in', customersOf(server, buyer))
      .execute()
    expect(reported).toEqual([])
  })

  test('is the same for all who ask at once', async () => {
    const buyer = await aBuyer(server)
    const session = sessionIn(await checkOut(server, buyer))
    await server.sandbox.control.pay(session)
    await Promise.all(Array.from({ length: 8 }, () => waitForState(server, buyer, session, 'active')))
    const grants = await server.app.db
      .selectFrom('access_grants')
      .select('id')
      .where('user_id', '=', buyer.id)
      .execute()
    expect(grants).toHaveLength(1)
  })

  test('is failed when it has run out', async () => {
    const buyer = await aBuyer(server)
    const session = sessionIn(await checkOut(server, buyer))
    await server.sandbox.control.expire(session)
    await waitForState(server, buyer, session, 'failed')
    expect(await isVip(buyer)).toBe(false)
  })

  test.each([
    [true, 'active'],
    [false, 'failed'],
  ] as const)('waits for a payment that takes its time: it succeeds: %s', async (succeeds, state) => {
    const { control } = server.sandbox
    const buyer = await aBuyer(server)
    const session = sessionIn(await checkOut(server, buyer))
    await control.pay(session, { asynchronous: true })
    await drainWebhooks(server)
    expect(said(await stateOf(buyer, session))).toEqual({ state: 'confirming' })
    expect(await isVip(buyer)).toBe(false)
    await control.settle(session, succeeds)
    await waitForState(server, buyer, session, state)
    expect(await isVip(buyer)).toBe(succeeds)
  })

  test('is confirming while Stripe is away', async () => {
    const { control } = server.sandbox
    const buyer = await aBuyer(server)
    const session = sessionIn(await checkOut(server, buyer))
    control.faults.webhooks = 'never'
    await control.pay(session)
    for (const api of ['down', '500', '429'] as const) {
      control.faults.api = api
      expect(said(await stateOf(buyer, session))).toEqual({ state: 'confirming' })
    }
    expect(await isVip(buyer)).toBe(false)
    control.faults.api = 'none'
    await waitForState(server, buyer, session, 'active')
  })

  test('is no state at all while the database is away', async () => {
    const { control } = server.sandbox
    const buyer = await aBuyer(server)
    const session = sessionIn(await checkOut(server, buyer))
    await control.pay(session)
    await drainWebhooks(server)
    const away = vi.spyOn(server.app.payments, 'request').mockRejectedValueOnce(databaseUnavailable())
    const answer = await stateOf(buyer, session)
    away.mockRestore()
    expect([answer.status, answer.json()]).toEqual([503, expect.objectContaining({ code: 'database.unavailable' })])
  })

  test("is nobody else's business", async () => {
    const [buyer, other, stranger] = [await aSubscriber(server), await aSubscriber(server), await aBuyer(server)]
    const sessions = await (await server.app.payments.stripe()).checkout.sessions.list({ customer: buyer.customer })
    const [session] = sessions.data
    const id = session?.id ?? ''
    await waitForState(server, buyer, id, 'active')
    expectFailure(await stateOf(other, id), 404)
    expectFailure(await stateOf(stranger, id), 404)
    expectFailure(await server.request(`/pay/session/${id}`), 401)
    expect(await isVip(stranger)).toBe(false)
  })

  test.each([
    'cs_test_nobodyhaseverhadthisone',
    'cs_',
    'x',
    'cus_12345678',
    '{CHECKOUT_SESSION_ID}',
    '..%2F..%2Fcustomers',
    'cs_test_1234%2F..%2Fx',
    'cs_12345678%0D%0A',
    '%00',
    `cs_${'x'.repeat(300)}`,
  ])('is not told of %s', async (id) => {
    const buyer = await aSubscriber(server)
    expectFailure(await stateOf(buyer, id), 404)
  })
})

describe('what the account page may offer', () => {
  const offered = async ({ headers }: Pick<Buyer, 'headers'>) => {
    const answer = await server.request('/pay/membership', { headers })
    expect(answer.status, answer.text).toBe(200)
    const { canManage, hasLiveSubscription } = said(answer)
    return { canManage, hasLiveSubscription }
  }

  test('is nothing to manage for who has only opened a checkout', async () => {
    const buyer = await aBuyer(server)
    sessionIn(await checkOut(server, buyer))
    expect(await offered(buyer)).toEqual({ canManage: false, hasLiveSubscription: false })
  })

  test('is the portal for who has a subscription, and for who had one', async () => {
    const buyer = await aSubscriber(server)
    expect(await offered(buyer)).toEqual({ canManage: true, hasLiveSubscription: true })
    await server.sandbox.control.cancel(buyer.subscription, 'period_end')
    await drainWebhooks(server)
    expect(await offered(buyer)).toEqual({ canManage: true, hasLiveSubscription: true })
    await server.sandbox.control.cancel(buyer.subscription, 'now')
    await drainWebhooks(server)
    expect(await offered(buyer)).toEqual({ canManage: true, hasLiveSubscription: false })
    // Without a customer no portal opens.
    await (await server.app.payments.stripe()).customers.del(buyer.customer)
    await drainWebhooks(server)
    expect(await offered(buyer)).toEqual({ canManage: false, hasLiveSubscription: false })
  })

  test('is the portal for a VIP by hand only where it opens', async () => {
    const vip = await aBuyer(server, { isVip: true })
    const open = () => post(server, '/stripe-portal/create-portal-session', {}, vip.headers)
    expect(await offered(vip)).toEqual({ canManage: false, hasLiveSubscription: false })
    expect((await open()).status).toBe(404)
    sessionIn(await checkOut(server, vip))
    expect(await offered(vip)).toEqual({ canManage: true, hasLiveSubscription: false })
    expect((await open()).status).toBe(200)
  })
})

describe('the portal', () => {
  const openPortal = (headers: Record<string, string>, body: unknown = {}) =>
    post(server, '/stripe-portal/create-portal-session', body, headers)

  test("is the caller's own, whatever they write", async () => {
    const [buyer, other] = [await aSubscriber(server), await aSubscriber(server)]
    const overrides = { customer: other.customer, email: other.email, stripe_customer_id: other.customer }
    const answer = await openPortal(buyer.headers, overrides)
    expect(answer.status, answer.text).toBe(200)
    expect(answer.headers['cache-control']).toBe('private, no-store')
    expect(Object.keys(said(answer))).toEqual(['url'])
    expect(urlIn(answer)).toMatch(new RegExp(`^${server.sandbox.url}/p/session/\\w+$`))
    const { text } = await sendRequest(urlIn(answer))
    expect(text).toContain(buyer.email)
    expect(text).not.toContain(other.email)
    expect(text).toContain(`${server.url}/account`)
    // Made for each click.
    expect(urlIn(await openPortal(buyer.headers))).not.toBe(urlIn(answer))
  })

  test('needs a token, and something to manage', async () => {
    expectFailure(await openPortal({}), 401)
    expectFailure(await openPortal((await aBuyer(server)).headers), 404)
    const buyer = await aSubscriber(server)
    await (await server.app.payments.stripe()).customers.del(buyer.customer)
    expectFailure(await openPortal(buyer.headers), 404)
  })

  test.each(['down', '500', '429'] as const)('says so while Stripe is away: %s', async (api) => {
    const buyer = await aSubscriber(server)
    server.sandbox.control.faults.api = api
    const refused = await openPortal(buyer.headers)
    expectFailure(
      refused,
      503,
      /^The payment service (does not answer|answers with an error|is too busy) at the moment\./,
    )
    expect(refused.headers['retry-after']).toBe('60')
    server.sandbox.control.faults.api = 'none'
    expect((await openPortal(buyer.headers)).status).toBe(200)
  })
})
