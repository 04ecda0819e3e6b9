import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { lockMember } from '../../src/features/membership/access/lock-member.server.ts'
import { reconcile } from '../../src/features/membership/sync/reconcile.server.ts'
import { AppError } from '../../src/platform/errors.ts'
import {
  aBuyer,
  aSubscriber,
  behindProxy,
  type Buyer,
  chargesOf,
  checkOut,
  customersOf,
  liveOf,
  sessionIn,
  urlIn,
  waitForState,
} from '../harness/purchases.ts'
import { drainWebhooks, sandboxServerOfFile } from '../harness/sandbox.ts'
import type { TestResponse } from '../harness/request.ts'

const server = sandboxServerOfFile({ jobs: false, env: { ...behindProxy, PUBLIC_URL: 'https://library.example' } })

beforeAll(async () => {}, 120_000)
afterEach(() => {
  vi.restoreAllMocks()
  const { control } = server.sandbox
  control.onAnswer = undefined
  Object.assign(control.faults, { api: 'none', webhooks: 'on', apiPaths: undefined, lose: undefined })
})

async function isVip({ headers }: Buyer): Promise<boolean> {
  const answer = await server.request('/auth/status', { headers })
  expect(answer.status, answer.text).toBe(200)
  return (answer.json() as { isVip: boolean }).isVip
}

function deleteAccount({ email, headers }: Buyer): Promise<TestResponse> {
  return server.call(`/auth/delete-account/${encodeURIComponent(email)}`, { method: 'DELETE', headers })
}

async function latestInvoiceOf(subscription: string, customer: string): Promise<string> {
  const invoices = server.sandbox.control.invoicesOf(customer)
  const latest = invoices.findLast(({ parent }) => parent?.subscription_details?.subscription === subscription)
  if (latest === undefined) throw new Error(`The sandbox has no invoice of ${subscription}.`)
  return latest.id
}

describe('a member who deletes their account', () => {
  test('while their first checkout is being made leaves no customer behind at Stripe', async () => {
    const { control } = server.sandbox
    const buyer = await aBuyer(server)
    let deletion: Promise<TestResponse> | undefined
    control.onAnswer = async ({ method, path }) => {
      if (method !== 'POST' || path !== '/v1/customers') return
      control.onAnswer = undefined
      deletion = deleteAccount(buyer)
      // Long enough for a deletion that waits for nothing.
      await new Promise((wake) => setTimeout(wake, 1_000))
    }
    await checkOut(server, buyer)
    const answer = await deletion
    expect(answer?.status, answer?.text).toBe(200)
    expect(customersOf(server, buyer)).toEqual([])
  })

  test('hears of the database, or of somebody else at work, when that keeps it, and of Stripe only when Stripe does', async () => {
    const buyer = await aSubscriber(server)
    for (const code of ['database.busy', 'billing.busy', 'database.unavailable']) {
      const refused = new AppError({ code, status: 503, message: 'Please try again in a minute.' })
      const requested = vi.spyOn(server.app.payments, 'request').mockRejectedValue(refused)
      const answer = await deleteAccount(buyer)
      // Not only once: what goes on in the background asks as well.
      requested.mockRestore()
      expect([answer.status, answer.json()]).toEqual([503, expect.objectContaining({ code })])
    }
    server.sandbox.control.faults.api = 'down'
    expect((await deleteAccount(buyer)).json()).toMatchObject({ code: 'account.subscription' })
  })
})

describe('nobody pays twice', () => {
  test('who buys again while a slow payment is on its way', async () => {
    const { control } = server.sandbox
    const buyer = await aBuyer(server)
    const slow = sessionIn(await checkOut(server, buyer))
    await control.pay(slow, { asynchronous: true })
    await drainWebhooks(server)
    const again = await checkOut(server, buyer, 'annual')
    expect(again.status, again.text).toBe(409)
    expect(urlIn(again)).toBe('https://library.example/account')
    await control.settle(slow, true)
    await waitForState(server, buyer, slow, 'active')
    expect(liveOf(server, buyer)).toHaveLength(1)
    expect(chargesOf(server, buyer)).toHaveLength(1)
  })

  test('but who waits for none can: a slow payment that failed stands in no way', async () => {
    const { control } = server.sandbox
    const buyer = await aBuyer(server)
    const slow = sessionIn(await checkOut(server, buyer))
    await control.pay(slow, { asynchronous: true })
    await control.settle(slow, false)
    await drainWebhooks(server)
    const session = sessionIn(await checkOut(server, buyer, 'annual'))
    await control.pay(session)
    await waitForState(server, buyer, session, 'active')
    expect(chargesOf(server, buyer)).toHaveLength(1)
  })

  test('a subscription that is paid for outlives another that is refunded', async () => {
    const { control } = server.sandbox
    const buyer = await aSubscriber(server, {}, 'annual')
    control.faults.webhooks = 'never'
    await control.refund(await latestInvoiceOf(buyer.subscription, buyer.customer))
    const paid = await control.subscribeOutside(buyer.customer, 'monthly')
    const { failed, failure } = await reconcile(server.app, { scope: 'all' })
    expect([failed, failure]).toEqual([0, undefined])
    expect(liveOf(server, buyer).map(({ id }) => id)).toEqual([paid])
    expect(await isVip(buyer)).toBe(true)
  })
})

describe('nobody keeps what was given back', () => {
  test('a plan that was changed to and then refunded, also while the former period would still run', async () => {
    const { control } = server.sandbox
    const buyer = await aSubscriber(server)
    server.clock.advance(60_000)
    await control.switchPlan(buyer.subscription, 'annual')
    await control.refund(await latestInvoiceOf(buyer.subscription, buyer.customer))
    await drainWebhooks(server)
    expect(await isVip(buyer)).toBe(false)
    expect(liveOf(server, buyer)).toEqual([])
  })
})

describe('the address that a buyer comes back to', () => {
  test('is the configured one, whatever host their request names', async () => {
    const buyer = await aBuyer(server)
    const headers = { ...buyer.headers, host: 'evil.example', 'x-forwarded-host': 'evil.example' }
    const id = sessionIn(await checkOut(server, { ...buyer, headers }))
    const session = await (await server.app.payments.stripe()).checkout.sessions.retrieve(id)
    expect(session.success_url).toBe('https://library.example/success?session_id={CHECKOUT_SESSION_ID}')
    expect(session.cancel_url).toBe('https://library.example/cancel')
  })
})

describe('who waits for the lock of a member', () => {
  test('asks the database ever more seldom: many who wait for one leave it to the others', async () => {
    const { app } = server
    const { id } = await aBuyer(server)
    const { promise: isFree, resolve: release } = Promise.withResolvers<void>()
    const { promise: isHeld, resolve: hold } = Promise.withResolvers<void>()
    const holding = lockMember(app, id, () => {
      hold()
      return isFree
    })
    await isHeld
    const looks = vi.spyOn(app.db, 'updateTable')
    const waiting = lockMember(app, id, () => Promise.resolve('done'))
    await new Promise((wake) => setTimeout(wake, 3_000))
    const requested = looks.mock.calls.filter(([table]) => table === 'billing_customers').length
    release()
    await holding
    expect(await waiting).toBe('done')
    expect(requested).toBeGreaterThan(1)
    expect(requested).toBeLessThan(15)
  })
})

describe('the log', () => {
  test('names no mail address and no checkout in the addresses of requests', async () => {
    const { log } = server.app
    const paths: string[] = []
    vi.spyOn(log, 'isLevelEnabled').mockReturnValue(true)
    for (const level of ['debug', 'info', 'warn', 'error'] as const) {
      vi.spyOn(log, level).mockImplementation((said: unknown) => {
        if (typeof said === 'object' && said !== null && 'path' in said) paths.push(String(said.path))
      })
    }
    const buyer = await aSubscriber(server)
    const admin = await aBuyer(server, { isAdmin: true })
    const requested = [
      '/pay/session/cs_test_somebodysverysecretone',
      '/success?session_id=cs_test_somebodysverysecretone',
      `/api/billing/members?search=${encodeURIComponent(buyer.email)}`,
    ]
    for (const path of requested) await server.request(path, { headers: admin.headers })
    const answer = await deleteAccount(buyer)
    expect(answer.status, answer.text).toBe(200)
    await expect.poll(() => paths).toContain('/auth/delete-account/:email')
    expect(paths).toContain('/pay/session/:id')
    expect(paths).toContain('/success')
    expect(paths).toContain('/api/billing/members')
    expect(paths.filter((path) => path.includes('@') || path.includes('%40') || path.includes('cs_'))).toEqual([])
  })
})
