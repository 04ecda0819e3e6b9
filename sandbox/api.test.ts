import { Stripe } from 'stripe'
import { describe, expect, test } from 'vitest'
import { openSession, prices, sdkFor, trySandbox } from './try-sandbox.ts'

/** The error that a call ends with; a call that succeeds fails the test. */
async function refusal(call: Promise<unknown>): Promise<Stripe.errors.StripeError> {
  const outcome = await call.then(
    () => new Error('The call succeeded.'),
    (error: unknown) => error,
  )
  expect(outcome).toBeInstanceOf(Stripe.errors.StripeError)
  return outcome as Stripe.errors.StripeError
}

describe('customers', () => {
  test('are made, read and deleted; a deleted one says so', async () => {
    const { stripe } = await trySandbox()
    const made = await stripe.customers.create({ email: 'ada@example.com', name: 'Ada', metadata: { user_id: '7' } })
    expect(made).toMatchObject({
      object: 'customer',
      email: 'ada@example.com',
      name: 'Ada',
      metadata: { user_id: '7' },
    })
    expect(made.id).toMatch(/^cus_\w{14}$/)
    expect(await stripe.customers.retrieve(made.id)).toEqual<unknown>(made)
    await stripe.customers.update(made.id, { email: 'ada@new.example' })
    expect(await stripe.customers.retrieve(made.id)).toEqual<unknown>({ ...made, email: 'ada@new.example' })
    expect(await stripe.customers.del(made.id)).toEqual({ id: made.id, object: 'customer', deleted: true })
    expect(await stripe.customers.retrieve(made.id)).toMatchObject({ id: made.id, deleted: true })
    const again = await refusal(stripe.customers.del(made.id))
    expect(again).toMatchObject({ statusCode: 404, code: 'resource_missing', param: 'id' })
  })

  test('deleting one cancels their subscriptions and closes their open sessions', async () => {
    const { stripe, control, member } = await trySandbox()
    const { customer, subscription } = await member()
    const session = await openSession(stripe, customer)
    await stripe.customers.del(customer)
    expect(await stripe.subscriptions.retrieve(subscription)).toMatchObject({ status: 'canceled' })
    expect(await stripe.checkout.sessions.retrieve(session.id)).toMatchObject({ status: 'expired', url: null })
    expect(control.events.slice(-3).map(({ type }) => type)).toEqual([
      'checkout.session.expired',
      'customer.subscription.deleted',
      'customer.deleted',
    ])
  })
})

describe('checkout sessions', () => {
  test('carry what they were given, and last a day', async () => {
    const { checkout, stripe, sandbox, pass } = await trySandbox()
    const { customer, session } = await checkout()
    expect(session).toMatchObject({
      object: 'checkout.session',
      status: 'open',
      payment_status: 'unpaid',
      mode: 'subscription',
      customer: customer.id,
      client_reference_id: '7',
      metadata: { user_id: '7' },
      amount_total: 1200,
      currency: 'usd',
      livemode: false,
    })
    expect(session.id).toMatch(/^cs_test_\w{58}$/)
    expect(session.url).toBe(`${sandbox.url}/c/pay/${session.id}`)
    expect(session.expires_at - session.created).toBe(86_400)
    const { line_items: items } = await stripe.checkout.sessions.retrieve(session.id, { expand: ['line_items'] })
    expect(items?.data).toMatchObject([{ price: { id: prices.monthly }, quantity: 1, amount_total: 1200 }])
    await pass(1)
    expect(await stripe.checkout.sessions.retrieve(session.id)).toMatchObject({ status: 'expired', url: null })
  })

  test('are listed by customer and status', async () => {
    const { checkout, stripe, control } = await trySandbox()
    const { customer, session } = await checkout()
    const { session: paid } = await checkout()
    await control.pay(paid.id)
    const open = await stripe.checkout.sessions.list({ customer: customer.id, status: 'open' })
    expect(open.data.map(({ id }) => id)).toEqual([session.id])
    expect((await stripe.checkout.sessions.list({ status: 'complete' })).data.map(({ id }) => id)).toEqual([paid.id])
  })

  test('can be closed while they are open, and not otherwise', async () => {
    const { checkout, stripe, control } = await trySandbox()
    const { session } = await checkout()
    expect(await stripe.checkout.sessions.expire(session.id)).toMatchObject({ status: 'expired' })
    expect(await refusal(stripe.checkout.sessions.expire(session.id))).toMatchObject({ statusCode: 400 })
    await expect(control.pay(session.id)).rejects.toThrow('expired')
  })

  test('need a customer and a price that exist', async () => {
    const { checkout, stripe } = await trySandbox()
    const { customer } = await checkout()
    expect(await refusal(openSession(stripe, 'cus_nobody'))).toMatchObject({
      statusCode: 400,
      code: 'resource_missing',
      param: 'customer',
    })
    expect(await refusal(openSession(stripe, customer.id, 'price_nothing'))).toMatchObject({
      statusCode: 400,
      code: 'resource_missing',
      param: 'line_items[0][price]',
    })
    await stripe.customers.del(customer.id)
    expect(await refusal(openSession(stripe, customer.id))).toMatchObject({ statusCode: 400, param: 'customer' })
  })
})

test('subscriptions are listed by customer, price and status; canceled ones only on demand', async () => {
  const { stripe, member } = await trySandbox()
  const { customer, subscription } = await member()
  await member(prices.annual)
  const ids = async (params: Stripe.SubscriptionListParams) =>
    (await stripe.subscriptions.list(params)).data.map(({ id }) => id)
  expect(await ids({ customer })).toEqual([subscription])
  expect(await ids({ price: prices.monthly })).toEqual([subscription])
  expect(await ids({ customer, price: prices.annual })).toEqual([])
  expect(await ids({})).toHaveLength(2)
  expect(await stripe.subscriptions.cancel(subscription)).toMatchObject({ status: 'canceled' })
  expect(await ids({ customer })).toEqual([])
  expect(await ids({ customer, status: 'all' })).toEqual([subscription])
  expect(await ids({ customer, status: 'canceled' })).toEqual([subscription])
  expect(await refusal(stripe.subscriptions.cancel(subscription))).toMatchObject({
    statusCode: 404,
    code: 'resource_missing',
  })
  expect(await refusal(stripe.subscriptions.list({ customer: 'cus_nobody' }))).toMatchObject({
    statusCode: 400,
    param: 'customer',
  })
})

test('an invoice leads to its payment and its charge', async () => {
  const { stripe, member } = await trySandbox()
  const { customer, subscription, invoice: id } = await member()
  const { data: plain } = await stripe.invoices.list({ customer, subscription })
  expect(plain.map((invoice) => [invoice.id, invoice.payments])).toEqual([[id, undefined]])
  const { data } = await stripe.invoices.list({ customer, expand: ['data.payments'] })
  const payment = data[0]?.payments?.data[0]
  expect(payment).toMatchObject({ object: 'invoice_payment', status: 'paid', amount_paid: 1200, invoice: id })
  const intent = payment?.payment.payment_intent
  if (typeof intent !== 'string') throw new Error('The payment has no payment intent.')
  const charges = await stripe.charges.list({ payment_intent: intent })
  expect(charges.data).toMatchObject([{ status: 'succeeded', paid: true, amount: 1200, customer, disputed: false }])
  const [charge] = charges.data
  expect(await stripe.charges.retrieve(charge?.id ?? '')).toEqual<unknown>(charge)
  expect((await stripe.charges.list({ customer })).data).toHaveLength(1)
  const deep = await stripe.invoices.retrieve(id, { expand: ['payments.data.payment.payment_intent'] })
  expect(deep.payments?.data[0]?.payment.payment_intent).toMatchObject({
    latest_charge: charge?.id,
    status: 'succeeded',
  })
  const tooDeep = ['data.payments.data.payment.payment_intent']
  expect(await refusal(stripe.invoices.list({ customer, expand: tooDeep }))).toMatchObject({ statusCode: 400 })
})

test('a disputed charge leads to its dispute', async () => {
  const { stripe, member, control } = await trySandbox()
  const { customer, invoice } = await member()
  const id = await control.openDispute(invoice)
  const charge = control.chargesOf(customer)[0]?.id ?? ''
  expect((await stripe.disputes.list({ charge })).data).toMatchObject([{ id, status: 'needs_response', charge }])
  expect(await stripe.charges.retrieve(charge)).toMatchObject({ disputed: true })
})

test('a mistyped price fails wherever it is named, and one that does not recur is not subscribed to', async () => {
  const { stripe, control } = await trySandbox()
  const customer = await stripe.customers.create({ email: 'ada@example.com' })
  const isMissing = { statusCode: 404, code: 'resource_missing' }
  expect(await refusal(stripe.prices.retrieve('price_mistyped'))).toMatchObject(isMissing)
  for (const call of [
    openSession(stripe, customer.id, 'price_mistyped'),
    stripe.subscriptions.list({ price: 'price_mistyped' }),
  ]) {
    expect(await refusal(call)).toMatchObject({ ...isMissing, statusCode: 400 })
  }
  control.setPrice('price_once', { interval: null })
  control.setPrice('price_live', { isLive: true })
  expect(await stripe.prices.retrieve('price_once')).toMatchObject({
    type: 'one_time',
    recurring: null,
    livemode: false,
  })
  expect(await stripe.prices.retrieve('price_live')).toMatchObject({ type: 'recurring', livemode: true })
  expect(await refusal(openSession(stripe, customer.id, 'price_once'))).toMatchObject({ statusCode: 400 })
  control.faults.api = '403'
  expect(await refusal(stripe.prices.retrieve(prices.monthly))).toMatchObject({ type: 'StripePermissionError' })
})

test('the two prices are what the plans cost', async () => {
  const { stripe } = await trySandbox()
  expect(await stripe.prices.retrieve(prices.monthly)).toMatchObject({
    unit_amount: 1200,
    currency: 'usd',
    recurring: { interval: 'month', interval_count: 1 },
  })
  const annual = await stripe.prices.retrieve(prices.annual)
  expect(annual).toMatchObject({ unit_amount: 8000, recurring: { interval: 'year' } })
  expect(annual.unit_amount_decimal?.toString()).toBe('8000')
})

test('a portal session belongs to one customer', async () => {
  const { stripe, checkout, sandbox } = await trySandbox()
  const { customer } = await checkout()
  const session = await stripe.billingPortal.sessions.create({
    customer: customer.id,
    return_url: 'http://site.example/',
  })
  expect(session).toMatchObject({ object: 'billing_portal.session', customer: customer.id })
  expect(session.url.startsWith(`${sandbox.url}/p/session/`)).toBe(true)
  expect(session.url).not.toContain(session.id)
  await stripe.customers.del(customer.id)
  expect(await refusal(stripe.billingPortal.sessions.create({ customer: customer.id }))).toMatchObject({
    statusCode: 400,
    param: 'customer',
  })
})

test('events are listed by type and read one by one', async () => {
  const { stripe, member, control } = await trySandbox()
  await member()
  expect((await stripe.events.list()).data.map(({ id }) => id)).toEqual(control.events.map(({ id }) => id).reverse())
  const { data } = await stripe.events.list({ types: ['invoice.paid'] })
  expect(data).toMatchObject([{ type: 'invoice.paid', livemode: false, api_version: Stripe.API_VERSION }])
  expect((await stripe.events.list({ type: 'customer.subscription.*' })).data).toHaveLength(2)
  expect(await stripe.events.retrieve(data[0]?.id ?? '')).toEqual<unknown>(data[0])
})

test('lists are paged both ways, newest first', async () => {
  const { stripe, control } = await trySandbox()
  const { id: customer } = await stripe.customers.create({ email: 'ada@example.com' })
  for (let i = 0; i < 5; i += 1) await control.subscribeOutside(customer, 'monthly')
  const all = control
    .subscriptionsOf(customer)
    .map(({ id }) => id)
    .reverse()
  const first = await stripe.subscriptions.list({ customer, limit: 2 })
  expect(first.data.map(({ id }) => id)).toEqual(all.slice(0, 2))
  expect(first).toMatchObject({ object: 'list', has_more: true, url: '/v1/subscriptions' })
  const last = await stripe.subscriptions.list({ customer, limit: 3, starting_after: all[1] ?? '' })
  expect([last.data.map(({ id }) => id), last.has_more]).toEqual([all.slice(2), false])
  const back = await stripe.subscriptions.list({ customer, limit: 2, ending_before: all[3] ?? '' })
  expect([back.data.map(({ id }) => id), back.has_more]).toEqual([all.slice(1, 3), true])
  const walked: string[] = []
  for await (const { id } of stripe.subscriptions.list({ customer, limit: 2 })) walked.push(id)
  expect(walked).toEqual(all)
  expect(await refusal(stripe.subscriptions.list({ limit: 101 }))).toMatchObject({ statusCode: 400, param: 'limit' })
})

describe('a call is refused', () => {
  test('with a wrong key', async () => {
    const { sandbox } = await trySandbox()
    const error = await refusal(sdkFor(sandbox, 'sk_test_of_somebody_else').customers.retrieve('cus_any'))
    expect(error).toBeInstanceOf(Stripe.errors.StripeAuthenticationError)
    expect(error.message).not.toContain('sk_test_of_somebody_else')
    expect(error.requestId).toMatch(/^req_/)
  })

  test('with another version of the API, an unknown parameter, an unknown expansion, or no endpoint', async () => {
    const { sandbox, stripe, checkout } = await trySandbox()
    const { customer } = await checkout()
    const headers = { authorization: 'Bearer sk_test_sandbox', 'stripe-version': '2020-08-27' }
    expect((await fetch(`${sandbox.url}/v1/events`, { headers })).status).toBe(400)
    const odd = { email: 'ada@example.com', colour: 'red' }
    expect(await refusal(stripe.customers.create(odd))).toMatchObject({ code: 'parameter_unknown', param: 'colour' })
    expect(await refusal(stripe.customers.retrieve(customer.id, { expand: ['colour'] }))).toMatchObject({
      statusCode: 400,
    })
    expect(await refusal(stripe.coupons.list())).toMatchObject({ statusCode: 404 })
  })
})

describe('an idempotency key', () => {
  test('gives the first answer again, and does the work once', async () => {
    const { stripe, control } = await trySandbox()
    const create = () => stripe.customers.create({ email: 'ada@example.com' }, { idempotencyKey: 'one' })
    const first = await create()
    const second = await create()
    expect(second.id).toBe(first.id)
    expect(second.lastResponse.headers['idempotent-replayed']).toBe('true')
    expect(first.lastResponse.headers['idempotent-replayed']).toBeUndefined()
    expect(control.customers()).toHaveLength(1)
  })

  test('is refused with other parameters or for another endpoint', async () => {
    const { stripe, checkout } = await trySandbox()
    const { customer } = await checkout()
    await stripe.customers.create({ email: 'ada@example.com' }, { idempotencyKey: 'one' })
    const other = await refusal(stripe.customers.create({ email: 'bob@example.com' }, { idempotencyKey: 'one' }))
    expect(other).toBeInstanceOf(Stripe.errors.StripeIdempotencyError)
    expect(await refusal(openSession(stripe, customer.id, prices.monthly, { idempotencyKey: 'one' }))).toBeInstanceOf(
      Stripe.errors.StripeIdempotencyError,
    )
  })

  test('is in use while its call is under way', async () => {
    const { stripe, control } = await trySandbox()
    const arrived = Promise.withResolvers<void>()
    const leave = Promise.withResolvers<void>()
    control.onAnswer = () => {
      arrived.resolve()
      return leave.promise
    }
    const create = () => stripe.customers.create({ email: 'ada@example.com' }, { idempotencyKey: 'one' })
    const first = create()
    await arrived.promise
    expect(await refusal(create())).toMatchObject({ statusCode: 409, code: 'idempotency_key_in_use' })
    leave.resolve()
    const { id } = await first
    expect((await create()).id).toBe(id)
  })

  test('is forgotten after a day, and not used up by a refusal', async () => {
    const { stripe, clock } = await trySandbox()
    const create = (params: Stripe.CustomerCreateParams) => stripe.customers.create(params, { idempotencyKey: 'one' })
    await refusal(create({ colour: 'red' } as Stripe.CustomerCreateParams))
    const { id } = await create({ email: 'ada@example.com' })
    clock.ms += 24 * 3600 * 1000
    expect((await create({ email: 'bob@example.com' })).id).not.toBe(id)
  })
})

describe('on demand the API', () => {
  test.each([
    ['500', Stripe.errors.StripeAPIError],
    ['429', Stripe.errors.StripeRateLimitError],
    ['down', Stripe.errors.StripeConnectionError],
  ] as const)('is faulty: %s', async (fault, kind) => {
    const { stripe, control } = await trySandbox()
    control.faults.api = fault
    expect(await refusal(stripe.customers.create({ email: 'ada@example.com' }))).toBeInstanceOf(kind)
    expect(control.customers()).toEqual([])
    control.faults.apiPaths = /checkout/
    await stripe.customers.create({ email: 'ada@example.com' })
    expect(control.customers()).toHaveLength(1)
  })

  test('is slow, but does its work', async () => {
    const { sandbox, control } = await trySandbox()
    Object.assign(control.faults, { api: 'slow', slowMs: 4_000 })
    const { hostname, port } = new URL(sandbox.url)
    const hasty = new Stripe('sk_test_sandbox', {
      host: hostname,
      port,
      protocol: 'http',
      maxNetworkRetries: 0,
      timeout: 2_000,
    })
    const options = { idempotencyKey: 'one' }
    const error = await refusal(hasty.customers.create({ email: 'ada@example.com' }, options))
    expect(error).toBeInstanceOf(Stripe.errors.StripeConnectionError)
    await expect.poll(() => control.customers(), { timeout: 20_000 }).toHaveLength(1)
    control.faults.api = 'none'
    const late = await sdkFor(sandbox).customers.create({ email: 'ada@example.com' }, options)
    expect(late.id).toBe(control.customers()[0]?.id)
  })

  test('loses an answer whose work is done; the same key brings it back', async () => {
    const { stripe, control } = await trySandbox()
    control.faults.lose = /^POST \/v1\/customers$/
    const create = () => stripe.customers.create({ email: 'ada@example.com' }, { idempotencyKey: 'one' })
    expect(await refusal(create())).toBeInstanceOf(Stripe.errors.StripeConnectionError)
    expect(control.customers()).toHaveLength(1)
    delete control.faults.lose
    expect((await create()).id).toBe(control.customers()[0]?.id)
    expect(control.requests.filter(({ idempotencyKey }) => idempotencyKey === 'one').length).toBeGreaterThan(1)
  })
})
