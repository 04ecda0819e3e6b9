import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { reconcile } from '../../src/features/membership/sync/reconcile.server.ts'
import type { DriftReport, MemberBilling } from '../../src/features/membership/admin/billing-schema.ts'
import { Payments } from '../../src/features/membership/stripe/payments.server.ts'
import { watchPrices } from '../../src/features/membership/stripe/watch-prices.server.ts'
import type { PaymentsConfig } from '../../src/features/membership/membership-config.server.ts'
import type { TestResponse } from '../harness/request.ts'
import {
  aBuyer,
  aSubscriber,
  behindProxy,
  type Buyer,
  checkOut,
  customersOf,
  liveOf,
  openSessionsOf,
  sessionIn,
  urlIn,
} from '../harness/purchases.ts'
import { drainWebhooks, sandboxServerOfFile } from '../harness/sandbox.ts'

/** The SDK waits before it tries again, and so does the watch. */
const timeout = { timeout: 20_000 }

let admin: Buyer
/** The settings that are right. */
let right: PaymentsConfig
let payments: Payments

const server = sandboxServerOfFile({ jobs: false, env: { ...behindProxy, LOG_LEVEL: 'silent' } })

beforeAll(async () => {
  admin = await aBuyer(server, { isAdmin: true })
  payments = server.app.payments
  right = payments.config
})
afterEach(() => {
  vi.restoreAllMocks()
  Object.assign(server.sandbox.control.faults, { api: 'none', webhooks: 'on', apiPaths: undefined })
  Object.assign(server.app, { payments })
  payments.use(right)
})

/** The site as if it had been started with other settings. */
function startedWith(prices: Partial<PaymentsConfig['prices']>, more: Partial<PaymentsConfig> = {}): void {
  server.app.payments.use({ ...right, ...more, prices: { ...right.prices, ...prices } })
}

const said = (answer: TestResponse) => answer.json() as Record<string, unknown>
const read = async (path: string, { headers }: Pick<Buyer, 'headers'> = admin) =>
  said(await server.request(path, { headers }))
const report = async () => (await read('/api/billing/drift')) as unknown as DriftReport
const membershipOf = (member: Buyer) => read('/pay/membership', member)

describe('the settings are tried by reading the prices', () => {
  test.each([
    ['STRIPE_PRICE_MONTHLY', /that Stripe has .* It is "price_mistyped"\.$/, { monthly: ['price_mistyped'] }, {}],
    [
      'STRIPE_PRICE_ANNUAL',
      /that Stripe has .* It is "price_former"\.$/,
      { annual: ['price_test_annual', 'price_former'] },
      {},
    ],
    ['STRIPE_PRICE_MONTHLY', /a price that recurs\. It is "price_once"\.$/, { monthly: ['price_once'] }, {}],
    ['STRIPE_PRICE_ANNUAL', /in test mode, .* in live mode\. It is "price_live"\.$/, { annual: ['price_live'] }, {}],
    [
      'STRIPE_PRICE_MONTHLY',
      /that recurs every month\. It is "price_test_annual"\.$/,
      { monthly: ['price_test_annual'], annual: ['price_test_monthly'] },
      {},
    ],
    ['STRIPE_PRICE_MONTHLY', /a price of \$12\.00 \(usd\), as the plans page says/, { monthly: ['price_dear'] }, {}],
    ['STRIPE_PRICE_MONTHLY', /in live mode, .* in test mode\./, {}, { isLive: true }],
    ['STRIPE_SECRET_KEY', /a key that Stripe accepts\. It is "\*\*\*"\.$/, {}, { secretKey: 'sk_test_ofSomebodyElse' }],
  ])('and an invalid setting names its variable: %s, %s', async (variable, sentence, prices, more) => {
    server.sandbox.control.setPrice('price_once', { interval: null })
    server.sandbox.control.setPrice('price_dear', { amount: 1_500 })
    server.sandbox.control.setPrice('price_live', { isLive: true })
    startedWith(prices, more)
    const fault = await watchPrices(server.app).catch((error: unknown) => error as Error)
    expect(fault).toMatchObject({ name: 'ConfigError', message: expect.stringMatching(sentence) as string })
    expect((fault as Error).message).toMatch(new RegExp(`^${variable} must be `))
    expect((fault as Error).message).not.toContain('ofSomebodyElse')
  })

  test('and a key that may not read them is named', async () => {
    startedWith({})
    server.sandbox.control.faults.api = '403'
    await expect(watchPrices(server.app)).rejects.toThrow(/^STRIPE_SECRET_KEY must be a key that may read prices\./)
  })

  test.each([
    ['down', 3_000],
    ['500', 3_000],
    ['429', 3_000],
    // The start goes on before the SDK has given up.
    ['slow', 200],
  ] as const)('again and again while Stripe does not answer, and nothing is sold before: %s', async (api, firstMs) => {
    const { control } = server.sandbox
    const buyer = await aBuyer(server)
    const warn = vi.spyOn(server.app.log, 'warn')
    const info = vi.spyOn(server.app.log, 'info')
    Object.assign(server.app, { payments: new Payments(right, server.app.log, { timeoutMs: 2_000 }) })
    Object.assign(control.faults, { api, slowMs: 60_000 })
    const watch = await watchPrices(server.app, { firstMs, againMs: 200 })
    expect(warn).toHaveBeenCalledTimes(1)
    const refused = await checkOut(server, buyer)
    expect(refused.status, refused.text).toBe(503)
    expect(refused.headers['retry-after']).toBe('60')
    expect(said(refused)['message']).toMatch(
      /^Nothing can be bought yet: the payment service has not confirmed the prices since/,
    )
    expect(customersOf(server, buyer)).toEqual([])
    control.faults.api = 'none'
    await expect
      .poll(() => info.mock.calls.flat(), timeout)
      .toContain('Stripe has confirmed the prices: plans are sold.')
    watch.stop()
    sessionIn(await checkOut(server, buyer))
  })

  test('and what turns out wrong while the site runs is told to administrators, and sells nothing', async () => {
    const { control } = server.sandbox
    const buyer = await aBuyer(server)
    const error = vi.spyOn(server.app.log, 'error')
    startedWith({ monthly: ['price_mistyped'] })
    control.faults.api = 'down'
    const watch = await watchPrices(server.app, { againMs: 50 })
    control.faults.api = 'none'
    await expect.poll(async () => (await report()).settingsFault, timeout).toMatch(/^STRIPE_PRICE_MONTHLY must be /)
    for (const plan of ['monthly', 'annual']) {
      const refused = await checkOut(server, buyer, plan)
      expect(refused.status, refused.text).toBe(503)
      expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
      expect(refused.text).not.toMatch(/price_|STRIPE/)
    }
    expect(customersOf(server, buyer)).toEqual([])
    expect(error).toHaveBeenCalledTimes(1)
    // As when it is made at Stripe: the site need not be started again.
    control.setPrice('price_mistyped')
    await expect.poll(async () => (await report()).settingsFault, timeout).toBeNull()
    watch.stop()
    sessionIn(await checkOut(server, buyer))
    expect((await openSessionsOf(server, buyer))[0]?.metadata).toMatchObject({ price: 'price_mistyped' })
  })
})

describe('a subscription whose price the settings do not name', () => {
  /** Somebody has put another price into the settings, and forgotten the former one. */
  function withoutTheFormerPrice(): void {
    server.sandbox.control.setPrice('price_new')
    startedWith({ monthly: ['price_new'] })
  }

  const touch = async ({ subscription, customer }: { subscription: string; customer: string }) => {
    const { control } = server.sandbox
    const place = control.events.length
    await control.cancel(subscription, 'period_end')
    await control.resume(subscription)
    await drainWebhooks(server)
    const rows = await server.app.db
      .selectFrom('stripe_events')
      .select('outcome')
      .where('stripe_customer_id', '=', customer)
      .where(
        'id',
        'in',
        control.events.slice(place).map(({ id }) => id),
      )
      .execute()
    expect(rows.map(({ outcome }) => outcome)).toEqual(rows.map(() => 'synced'))
  }

  test('keeps its access, through events, syncs and reconciliations, and stands in the way of another', async () => {
    const error = vi.spyOn(server.app.log, 'error')
    const [payer, other] = [await aSubscriber(server), await aSubscriber(server)]
    await drainWebhooks(server)
    const befores = [await membershipOf(payer), await membershipOf(other)]
    const unhealed = (await report()).counts.unhealed
    withoutTheFormerPrice()
    await touch(payer)
    const sync = await server.request(`/api/billing/members/${other.id}/sync`, {
      method: 'POST',
      headers: admin.headers,
    })
    expect(sync.status, sync.text).toBe(200)
    const run = await reconcile(server.app, { scope: 'all' })
    expect(run).toMatchObject({ failed: 0, failure: undefined })
    expect([await membershipOf(payer), await membershipOf(other)]).toEqual(befores)

    for (const plan of ['monthly', 'annual']) {
      const refused = await checkOut(server, payer, plan)
      expect(refused.status, refused.text).toBe(409)
      expect(urlIn(refused)).toMatch(/\/p\/session\//)
    }
    expect(liveOf(server, payer)).toHaveLength(1)

    // Told: in the report, on the member's page, and by one line for all who pay that price.
    const { unknownPrices, counts, drifts } = await report()
    const count = unknownPrices.find(({ price }) => price === 'price_test_monthly')?.count ?? 0
    expect(count).toBeGreaterThanOrEqual(2)
    expect(counts.unhealed).toBeGreaterThanOrEqual(unhealed + 2)
    expect(drifts).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          what: 'price.unknown',
          remote: 'price_test_monthly',
          subscriptionId: payer.subscription,
          isHealed: false,
          member: { id: payer.id, name: payer.name, email: payer.email },
        }),
      ]),
    )
    const billing = (await read(`/api/billing/members/${payer.id}`)) as unknown as MemberBilling
    expect(billing.local.subscriptions).toMatchObject([{ unknownPrice: 'price_test_monthly', status: 'active' }])
    expect(billing.differences).toEqual([])
    const lines = error.mock.calls.filter(([, words]) => /price that neither/.test(String(words)))
    expect(lines).toHaveLength(1)

    // Named again, it is as if nothing had been.
    server.app.payments.use(right)
    await reconcile(server.app, { scope: 'all' })
    for (const one of [payer, other]) await touch(one)
    expect([await membershipOf(payer), await membershipOf(other)]).toEqual(befores)
    expect((await report()).unknownPrices.filter(({ price }) => price === 'price_test_monthly')).toEqual([])
  })

  test('gives nothing beyond its period, where it does not renew', async () => {
    const payer = await aSubscriber(server)
    await drainWebhooks(server)
    withoutTheFormerPrice()
    await server.sandbox.control.cancel(payer.subscription, 'period_end')
    await drainWebhooks(server)
    const { endsAt, isVip } = await membershipOf(payer)
    expect({ endsAt, isVip }).toEqual({ endsAt: '2024-04-15T12:00:00.000Z', isVip: true })
    const grants = await server.app.db
      .selectFrom('access_grants')
      .select('effective_until')
      .where('user_id', '=', payer.id)
      .execute()
    expect(grants).toEqual([{ effective_until: new Date('2024-04-15T12:00:00.000Z') }])
  })

  test('still ends by a refund', async () => {
    const payer = await aSubscriber(server)
    await drainWebhooks(server)
    withoutTheFormerPrice()
    const [invoice] = server.sandbox.control.invoicesOf(payer.customer)
    await server.sandbox.control.refund(invoice?.id ?? '')
    await drainWebhooks(server)
    expect(await membershipOf(payer)).toMatchObject({ isVip: false, reason: 'refund' })
    expect(liveOf(server, payer)).toEqual([])
    sessionIn(await checkOut(server, payer))
  })

  test("gives nothing and stands in nobody's way where our checkout has not made it", async () => {
    const buyer = await aBuyer(server)
    sessionIn(await checkOut(server, buyer))
    const [customer = ''] = customersOf(server, buyer)
    await server.sandbox.control.addForeign('other_price', customer)
    await reconcile(server.app, { scope: 'all' })
    expect(await membershipOf(buyer)).toMatchObject({ isVip: false, reason: 'never', hasLiveSubscription: false })
    sessionIn(await checkOut(server, buyer, 'annual'))
  })

  test('takes access from nobody while a mistyped price waits to be found out', async () => {
    const payer = await aSubscriber(server)
    await drainWebhooks(server)
    const before = await membershipOf(payer)
    startedWith({ monthly: ['price_also_mistyped'] })
    const run = await reconcile(server.app, { scope: 'all' })
    expect(run).toMatchObject({ failed: 0, failure: undefined })
    await touch(payer)
    expect(await membershipOf(payer)).toEqual(before)
    expect((await checkOut(server, payer)).status).toBe(503)
    expect(liveOf(server, payer)).toHaveLength(1)
  })
})
