import { uuidv7 } from 'uuidv7'
import { afterEach, expect, test, vi } from 'vitest'
import { anonymous } from '../../src/features/office/viewer/viewer.ts'
import { endMembership } from '../../src/features/membership/account/end-membership.server.ts'
import { reconcile } from '../../src/features/membership/sync/reconcile.server.ts'
import type { TestResponse } from '../harness/request.ts'
import { aMember } from '../harness/members.ts'
import { aBuyer, aSubscriber, behindProxy, type Buyer, checkOut, liveOf, sessionIn } from '../harness/purchases.ts'
import { drainWebhooks, sandboxServerOfFile } from '../harness/sandbox.ts'

/* Every failure of billing says what has failed, and records say who has done what. */

const server = sandboxServerOfFile({ env: { ...behindProxy, LOG_LEVEL: 'fatal' } })
afterEach(async () => {
  vi.restoreAllMocks()
  const { control } = server.sandbox
  Object.assign(control.faults, { api: 'none', apiPaths: undefined })
  control.onAnswer = undefined
  await control.idle()
})

const deleteAccount = ({ email, headers }: Pick<Buyer, 'email' | 'headers'>): Promise<TestResponse> =>
  server.call(`/auth/delete-account/${encodeURIComponent(email)}`, { method: 'DELETE', headers })

/** Somebody else has taken the member's lock over, as after a long silence of its holder. */
async function takeLockOver({ id }: Pick<Buyer, 'id'>): Promise<void> {
  await server.app.db
    .updateTable('billing_customers')
    .set({ lock_holder: uuidv7() })
    .where('user_id', '=', id)
    .execute()
}

test('the sync of a deletion is recorded as one, and not as an event of Stripe', async () => {
  const member = await aSubscriber(server)
  await drainWebhooks(server)
  expect((await deleteAccount(member)).status).toBe(200)
  await drainWebhooks(server)
  const changes = await server.app.db
    .selectFrom('billing_changes')
    .select(['cause', 'remote'])
    .where('subscription_id', '=', member.subscription)
    .where('what', '=', 'subscription.status')
    .execute()
  expect(changes).toContainEqual({ cause: 'deletion', remote: 'canceled' })
  expect(changes).not.toContainEqual({ cause: 'event', remote: 'canceled' })
})

test.each([
  ['down', 'payments.unavailable', 'the payment service does not answer', '60'],
  ['500', 'payments.failing', 'the payment service answers with an error', '60'],
  ['429', 'payments.busy', 'the payment service is too busy', '60'],
  ['403', 'payments.key', 'payments are not set up as they should be', '600'],
] as const)('a checkout and a deletion say what Stripe does: %s is %s', async (api, code, reason, retryAfter) => {
  const [buyer, subscriber] = [await aBuyer(server), await aSubscriber(server)]
  await drainWebhooks(server)
  server.sandbox.control.faults.api = api
  const refused = await checkOut(server, buyer)
  expect([refused.status, refused.headers['retry-after']]).toEqual([503, retryAfter])
  expect(refused.json()).toMatchObject({
    code,
    message: expect.stringContaining(`${reason.slice(1)} at the moment. Nothing was charged.`) as string,
  })
  const kept = await deleteAccount(subscriber)
  expect([kept.status, kept.headers['retry-after']]).toEqual([503, retryAfter])
  expect(kept.json()).toMatchObject({
    code: 'account.subscription',
    message: expect.stringContaining(`could not be cancelled, because ${reason}. Nothing was deleted.`) as string,
  })
  expect(liveOf(server, subscriber)).toHaveLength(1)
})

test('a checkout whose lock has been taken over says that somebody else is at work', async () => {
  const { control } = server.sandbox
  const buyer = await aBuyer(server)
  control.onAnswer = async ({ method, path }) => {
    if (method !== 'POST' || path !== '/v1/customers') return
    control.onAnswer = undefined
    await takeLockOver(buyer)
  }
  const answer = await checkOut(server, buyer)
  expect([answer.status, answer.json()]).toEqual([503, expect.objectContaining({ code: 'billing.busy' })])
})

test('a deletion whose lock has been taken over deletes nothing', async () => {
  const { app } = server
  const { id, email } = await aMember(app)
  const member = { id, email, sessionId: uuidv7(), token: '', provedAt: 0, isAdmin: false, isVipDisabled: false }
  const deletion = endMembership(app, { ...anonymous, member }, async (step) => {
    await takeLockOver({ id })
    await app.db.transaction().execute(async (trx) => {
      await step?.(trx)
      await trx.deleteFrom('users').where('id', '=', id).execute()
    })
  })
  await expect(deletion).rejects.toMatchObject({ code: 'billing.busy' })
  expect(await app.db.selectFrom('users').select('id').where('id', '=', id).execute()).toEqual([{ id }])
})

test('a defect of ours while the prices are read is a defect, and not a payment service that is silent', async () => {
  const buyer = await aBuyer(server)
  const { payments } = server.app
  payments.use({ ...payments.config })
  vi.spyOn(payments, 'request').mockRejectedValue(new TypeError('a defect'))
  const answer = await checkOut(server, buyer)
  expect([answer.status, answer.json()]).toEqual([500, expect.objectContaining({ code: 'internal' })])
})

test('an object that is missing at Stripe while a purchase is read does not make the checkout unknown', async () => {
  const buyer = await aBuyer(server)
  const session = sessionIn(await checkOut(server, buyer))
  await server.sandbox.control.pay(session)
  await drainWebhooks(server)
  const { payments } = server.app
  const real = payments.request.bind(payments)
  vi.spyOn(payments, 'request')
    .mockImplementationOnce(real)
    .mockRejectedValueOnce(Object.assign(new Error('No such object'), { code: 'resource_missing' }))
  const answer = await server.request(`/pay/session/${session}`, { headers: buyer.headers })
  expect([answer.status, answer.json()]).toEqual([500, expect.objectContaining({ code: 'internal' })])
})

test('a defect while a signature is verified is not told as a bad signature', async () => {
  const webhooks = {
    constructEvent: () => {
      throw new TypeError('a defect')
    },
  }
  vi.spyOn(server.app.payments, 'stripe').mockResolvedValue({ webhooks } as never)
  const seconds = Math.floor(server.clock.now() / 1_000)
  const answer = await server.request('/webhooks/stripe', {
    method: 'POST',
    body: '{}',
    headers: { 'content-type': 'application/json', 'stripe-signature': `t=${seconds},v1=x` },
  })
  expect(answer.status, answer.text).toBe(500)
})

test('a member who deletes their account in the middle of a reconciliation is no failure of it', async () => {
  const { control } = server.sandbox
  const [first, second] = [await aSubscriber(server), await aSubscriber(server)]
  await drainWebhooks(server)
  await reconcile(server.app, { scope: 'due' })
  await server.app.db
    .updateTable('billing_customers')
    .set({ synced_at: null })
    .where('user_id', 'in', [first.id, second.id])
    .execute()
  control.onAnswer = async ({ method, path }) => {
    if (method !== 'GET' || path !== `/v1/customers/${first.customer}`) return
    control.onAnswer = undefined
    await server.app.db.deleteFrom('users').where('id', '=', second.id).execute()
  }
  const error = vi.spyOn(server.app.log, 'error')
  expect(await reconcile(server.app, { scope: 'due' })).toMatchObject({ checked: 1, failed: 0, failure: undefined })
  expect(error).not.toHaveBeenCalled()
})

test('a price that differs from the plans page is logged as that, and not as something that belongs to nobody', async () => {
  const { control } = server.sandbox
  const [price = ''] = server.app.payments.config.prices.monthly
  // The subscriptions of members that earlier tests have deleted are found, and told, now.
  await reconcile(server.app, { scope: 'all' })
  control.setPrice(price, { amount: 1_500 })
  const warn = vi.spyOn(server.app.log, 'warn')
  await reconcile(server.app, { scope: 'all' })
  control.setPrice(price)
  const lines = warn.mock.calls.map(([, line]) => line)
  expect(lines).toContain('A price at Stripe is not what the plans page says.')
  expect(lines).not.toContainEqual(expect.stringContaining('belongs to nobody'))
})
