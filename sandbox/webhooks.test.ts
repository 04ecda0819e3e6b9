import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Stripe } from 'stripe'
import { expect, onTestFinished, test } from 'vitest'
import { openSandbox } from './sandbox.ts'
import { prices, sdkFor, tryEndpoint, trySandbox, webhookSecret } from './try-sandbox.ts'

test('events arrive signed and in the order in which they came about', async () => {
  const endpoint = await tryEndpoint()
  const { control, member } = await trySandbox({ webhookUrl: endpoint.url })
  await member()
  await control.idle()
  expect(endpoint.types()).toEqual([
    'customer.subscription.created',
    'customer.subscription.updated',
    'invoice.paid',
    'checkout.session.completed',
  ])
  expect(endpoint.received.map(({ id }) => id)).toEqual(control.events.map(({ id }) => id))
  expect(control.events.map(({ pending_webhooks }) => pending_webhooks)).toEqual([0, 0, 0, 0])
})

test('events wait until there is somebody to tell', async () => {
  const endpoint = await tryEndpoint()
  const { control, sandbox, member } = await trySandbox()
  await member()
  await control.idle()
  expect(endpoint.received).toEqual([])
  sandbox.setWebhookUrl(endpoint.url)
  await control.idle()
  expect(endpoint.received).toHaveLength(4)
})

test('an event that is not taken comes again', async () => {
  const endpoint = await tryEndpoint((count) => (count === 1 ? 500 : 200))
  const { control, checkout } = await trySandbox({ webhookUrl: endpoint.url })
  const { session } = await checkout()
  await control.expire(session.id)
  await expect.poll(() => endpoint.received.length, { timeout: 20_000 }).toBe(2)
  expect(endpoint.received[1]?.id).toBe(endpoint.received[0]?.id)
})

test.each([
  ['never', 0],
  ['twice', 8],
  ['shuffled', 4],
] as const)('on demand webhooks are %s', async (fault, arrivals) => {
  const endpoint = await tryEndpoint()
  const { control, member } = await trySandbox({ webhookUrl: endpoint.url })
  control.faults.webhooks = fault
  await member()
  await control.idle()
  expect(endpoint.received).toHaveLength(arrivals)
  const ids = control.events.map(({ id }) => id)
  expect(new Set(endpoint.received.map(({ id }) => id))).toEqual(new Set(fault === 'never' ? [] : ids))
})

test('shuffled events do come out of order', async () => {
  const endpoint = await tryEndpoint()
  const { control, member } = await trySandbox({ webhookUrl: endpoint.url })
  control.faults.webhooks = 'shuffled'
  // Twelve events in their own order once in 479 million times.
  for (let i = 0; i < 3; i += 1) await member()
  await control.idle()
  expect(endpoint.received).toHaveLength(12)
  expect(endpoint.received.map(({ id }) => id)).not.toEqual(control.events.map(({ id }) => id))
})

test('late webhooks come no sooner than they should', async () => {
  const endpoint = await tryEndpoint()
  const { control, checkout } = await trySandbox({ webhookUrl: endpoint.url })
  const { session } = await checkout()
  Object.assign(control.faults, { webhooks: 'late', lateMs: 500 })
  const began = Date.now()
  await control.expire(session.id)
  await expect.poll(() => endpoint.received.length, { timeout: 20_000, interval: 10 }).toBe(1)
  expect(Date.now() - began).toBeGreaterThanOrEqual(500)
})

test('one event can be sent again, in any order and many times at once', async () => {
  const endpoint = await tryEndpoint()
  const { control, sandbox, member } = await trySandbox()
  await member()
  control.faults.webhooks = 'never'
  const [first, second] = control.events
  sandbox.setWebhookUrl(endpoint.url)
  await control.idle()
  endpoint.received.length = 0
  expect(await control.deliver([second?.id ?? '', first?.id ?? ''])).toEqual([200, 200])
  expect(endpoint.received.map(({ id }) => id)).toEqual([second?.id, first?.id])
  expect(await control.deliverAtOnce(first?.id ?? '', 50)).toEqual(Array.from({ length: 50 }, () => 200))
  expect(endpoint.received).toHaveLength(52)
})

test('a signature holds for its secret and its moment', async () => {
  const { control, clock } = await trySandbox()
  const { webhooks } = new Stripe('sk_test_unused')
  const payload = '{"object":"event"}'
  const seconds = clock.ms / 1000
  const verify = (signature: string) =>
    webhooks.constructEvent(payload, signature, webhookSecret, undefined, undefined, clock.ms)
  expect(verify(control.sign(payload))).toEqual({ object: 'event' })
  expect(() => verify(control.sign(payload, { secret: 'whsec_other' }))).toThrow('No signatures found')
  expect(() => verify(control.sign(payload, { timestampSeconds: seconds - 301 }))).toThrow('tolerance')
})

test('everything outlives a restart: objects, keys, and what was still to be delivered', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'sandbox-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const stateFile = join(folder, 'state.json')
  const before = await trySandbox({ stateFile })
  const made = await before.stripe.customers.create({ email: 'ada@example.com' }, { idempotencyKey: 'one' })
  const { customer, subscription } = await before.member()
  const events = before.control.events.map(({ id }) => id)
  await before.sandbox.close()

  const endpoint = await tryEndpoint()
  const after = await openSandbox({
    secretKey: 'sk_test_sandbox',
    webhookSecret,
    prices,
    stateFile,
    webhookUrl: endpoint.url,
    now: () => before.clock.ms,
  })
  onTestFinished(() => after.close())
  const stripe = sdkFor(after)
  expect(await stripe.subscriptions.retrieve(subscription)).toMatchObject({ customer, status: 'active' })
  const again = await stripe.customers.create({ email: 'ada@example.com' }, { idempotencyKey: 'one' })
  expect(again.id).toBe(made.id)
  await after.control.idle()
  expect(endpoint.received.map(({ id }) => id)).toEqual(events)
})
