import { describe, expect, test } from 'vitest'
import { nextPeriodEnd } from './periods.ts'
import { prices, trySandbox } from './try-sandbox.ts'

const seconds = (iso: string) => Date.parse(iso) / 1000

test.each([
  ['2026-01-31T12:00:00Z', '2026-01-31T12:00:00Z', 'month', '2026-02-28T12:00:00Z'],
  ['2026-02-28T12:00:00Z', '2026-01-31T12:00:00Z', 'month', '2026-03-31T12:00:00Z'],
  ['2026-12-15T00:00:01Z', '2026-01-15T00:00:01Z', 'month', '2027-01-15T00:00:01Z'],
  ['2028-02-29T06:00:00Z', '2028-02-29T06:00:00Z', 'year', '2029-02-28T06:00:00Z'],
])('a period that begins %s (anchor %s) and lasts a %s ends %s', (start, anchor, interval, end) => {
  expect(nextPeriodEnd(seconds(start), seconds(anchor), interval)).toBe(seconds(end))
})

test('paying a session makes a subscription, its invoice and its charge', async () => {
  const { stripe, control, member } = await trySandbox()
  const { customer, subscription: id, session } = await member()
  const subscription = await stripe.subscriptions.retrieve(id)
  expect(subscription).toMatchObject({ status: 'active', customer, metadata: { user_id: '7' }, ended_at: null })
  expect(subscription.items.data).toMatchObject([
    {
      price: { id: prices.monthly },
      current_period_start: seconds('2026-01-31T12:00:00Z'),
      current_period_end: seconds('2026-02-28T12:00:00Z'),
    },
  ])
  const [invoice] = control.invoicesOf(customer)
  expect(invoice).toMatchObject({
    status: 'paid',
    billing_reason: 'subscription_create',
    amount_paid: 1200,
    attempt_count: 1,
    next_payment_attempt: null,
    parent: { subscription_details: { subscription: id } },
    status_transitions: { paid_at: seconds('2026-01-31T12:00:00Z') },
  })
  expect(invoice?.lines.data).toMatchObject([
    {
      amount: 1200,
      period: { start: seconds('2026-01-31T12:00:00Z'), end: seconds('2026-02-28T12:00:00Z') },
      pricing: { price_details: { price: prices.monthly } },
    },
  ])
  expect(await stripe.checkout.sessions.retrieve(session.id)).toMatchObject({
    status: 'complete',
    payment_status: 'paid',
    subscription: id,
    invoice: invoice?.id,
    url: null,
  })
  await expect(control.pay(session.id)).rejects.toThrow('complete')
})

test('a payment that takes its time is settled later, for better or worse', async () => {
  const { stripe, control, checkout } = await trySandbox()
  const { customer, session } = await checkout()
  await control.pay(session.id, { asynchronous: true })
  expect(await stripe.checkout.sessions.retrieve(session.id)).toMatchObject({
    status: 'complete',
    payment_status: 'unpaid',
  })
  expect(control.subscriptionsOf(customer.id)).toMatchObject([{ status: 'incomplete' }])
  await control.settle(session.id, true)
  expect(await stripe.checkout.sessions.retrieve(session.id)).toMatchObject({ payment_status: 'paid' })
  expect(control.subscriptionsOf(customer.id)).toMatchObject([{ status: 'active' }])
  expect(control.events.at(-1)?.type).toBe('checkout.session.async_payment_succeeded')
  await expect(control.settle(session.id, true)).rejects.toThrow('waits for no payment')

  const { customer: other, session: lost } = await checkout()
  await control.pay(lost.id, { asynchronous: true })
  await control.settle(lost.id, false)
  expect(control.subscriptionsOf(other.id)).toMatchObject([{ status: 'incomplete_expired' }])
  expect(control.invoicesOf(other.id)).toMatchObject([{ status: 'void' }])
  expect(control.events.map(({ type }) => type)).toContain('checkout.session.async_payment_failed')
})

describe('when a period passes', () => {
  test('it is renewed from its end, however late the sandbox looks', async () => {
    const { stripe, control, member, pass } = await trySandbox()
    const { customer, subscription } = await member()
    await pass(70)
    const { items, status } = await stripe.subscriptions.retrieve(subscription)
    expect([status, items.data[0]?.current_period_start, items.data[0]?.current_period_end]).toEqual([
      'active',
      seconds('2026-03-31T12:00:00Z'),
      seconds('2026-04-30T12:00:00Z'),
    ])
    expect(control.invoicesOf(customer)).toMatchObject([
      { billing_reason: 'subscription_create' },
      { billing_reason: 'subscription_cycle', created: seconds('2026-02-28T12:00:00Z'), status: 'paid' },
      { billing_reason: 'subscription_cycle', created: seconds('2026-03-31T12:00:00Z'), status: 'paid' },
    ])
    expect(control.chargesOf(customer)).toHaveLength(3)
  })

  test('and the card fails, it is past due, tried after 3, 5 and 7 days, and canceled', async () => {
    const { control, member, pass } = await trySandbox()
    const { customer } = await member(prices.monthly, 'fails-later')
    const now = () => {
      const [subscription] = control.subscriptionsOf(customer)
      const invoice = control.invoicesOf(customer)[1]
      return [subscription?.status, invoice?.status, invoice?.attempt_count, invoice?.next_payment_attempt]
    }
    const failedAt = seconds('2026-02-28T12:00:00Z')
    await pass(28)
    expect(now()).toEqual(['past_due', 'open', 1, failedAt + 3 * 86_400])
    await pass(3)
    expect(now()).toEqual(['past_due', 'open', 2, failedAt + 8 * 86_400])
    await pass(5)
    expect(now()).toEqual(['past_due', 'open', 3, failedAt + 15 * 86_400])
    await pass(7)
    expect(now()).toEqual(['canceled', 'open', 4, null])
    expect(control.subscriptionsOf(customer)).toMatchObject([{ cancellation_details: { reason: 'payment_failed' } }])
    expect(control.events.filter(({ type }) => type === 'invoice.payment_failed')).toHaveLength(4)
    expect(control.events.at(-1)?.type).toBe('customer.subscription.deleted')
  })

  test('and a renewal waits, letting time pass brings the next try', async () => {
    const { control, member, pass } = await trySandbox()
    const { customer, subscription } = await member(prices.monthly, 'fails-later')
    await pass(28)
    for (let i = 0; i < 3; i += 1) await control.passPeriod(subscription)
    expect(control.subscriptionsOf(customer)).toMatchObject([{ status: 'canceled' }])
    expect(control.invoicesOf(customer)[1]).toMatchObject({ attempt_count: 4 })
  })

  test('and a retry succeeds, it is active again', async () => {
    const { control, member, pass } = await trySandbox()
    const { customer } = await member()
    control.failNextPayments(customer, true)
    await pass(28)
    expect(control.subscriptionsOf(customer)).toMatchObject([{ status: 'past_due' }])
    control.failNextPayments(customer, false)
    await pass(3)
    expect(control.subscriptionsOf(customer)).toMatchObject([{ status: 'active' }])
    expect(control.invoicesOf(customer)[1]).toMatchObject({
      status: 'paid',
      attempt_count: 2,
      next_payment_attempt: null,
    })
    expect(control.chargesOf(customer).map(({ status }) => status)).toEqual(['succeeded', 'failed', 'succeeded'])
  })

  test('and the bank asks its holder, the event says so', async () => {
    const { control, member, pass } = await trySandbox()
    const { customer, subscription } = await member(prices.monthly, 'asks-later')
    await pass(28)
    expect(control.subscriptionsOf(customer)).toMatchObject([{ status: 'past_due' }])
    expect(control.events.slice(-3).map(({ type }) => type)).toEqual([
      'invoice.payment_failed',
      'invoice.payment_action_required',
      'customer.subscription.updated',
    ])
    await control.updateCard(subscription, 'good')
    expect(control.subscriptionsOf(customer)).toMatchObject([{ status: 'active' }])
  })

  test('and it was canceled for its end, it ends', async () => {
    const { stripe, control, member, pass } = await trySandbox()
    const { customer, subscription } = await member()
    await control.cancel(subscription, 'period_end')
    expect(await stripe.subscriptions.retrieve(subscription)).toMatchObject({
      status: 'active',
      cancel_at_period_end: true,
      cancel_at: seconds('2026-02-28T12:00:00Z'),
      canceled_at: seconds('2026-01-31T12:00:00Z'),
    })
    await pass(40)
    expect(await stripe.subscriptions.retrieve(subscription)).toMatchObject({
      status: 'canceled',
      ended_at: seconds('2026-02-28T12:00:00Z'),
    })
    expect(control.invoicesOf(customer)).toHaveLength(1)
  })

  test('and the cancellation was taken back, it goes on', async () => {
    const { stripe, control, member, pass } = await trySandbox()
    const { subscription } = await member()
    await control.cancel(subscription, 'cancel_at')
    expect(await stripe.subscriptions.retrieve(subscription)).toMatchObject({
      cancel_at_period_end: false,
      cancel_at: seconds('2026-02-28T12:00:00Z'),
    })
    await control.resume(subscription)
    await pass(40)
    expect(await stripe.subscriptions.retrieve(subscription)).toMatchObject({ status: 'active', cancel_at: null })
  })
})

test('letting the period pass keeps all dates coherent', async () => {
  const { stripe, control, member, clock } = await trySandbox()
  const { customer, subscription } = await member()
  clock.ms += 60_000
  await control.passPeriod(subscription)
  const now = clock.ms / 1000
  const { items } = await stripe.subscriptions.retrieve(subscription)
  expect(items.data[0]).toMatchObject({ current_period_start: now })
  const lines = control.invoicesOf(customer).flatMap(({ lines }) => lines.data)
  expect(lines.map(({ period }) => period)).toEqual([
    { start: now - 60, end: now },
    { start: now, end: items.data[0]?.current_period_end },
  ])
})

test('every status can be had, and an ended subscription stays ended', async () => {
  const { control, member } = await trySandbox()
  for (const status of ['trialing', 'past_due', 'unpaid', 'paused', 'incomplete', 'incomplete_expired', 'canceled']) {
    const { customer, subscription } = await member()
    await control.setStatus(subscription, status)
    expect(control.subscriptionsOf(customer), status).toMatchObject([{ status }])
    const unpaid = control.invoicesOf(customer).filter((invoice) => invoice.status === 'open')
    expect(unpaid, status).toHaveLength(status === 'past_due' || status === 'unpaid' ? 1 : 0)
    if (status === 'canceled' || status === 'incomplete_expired')
      await expect(control.setStatus(subscription, 'active')).rejects.toThrow('stays so')
    else {
      await control.setStatus(subscription, 'active')
      expect(control.subscriptionsOf(customer), status).toMatchObject([{ status: 'active' }])
    }
  }
  const types = control.events.map(({ type }) => type)
  expect(types).toContain('customer.subscription.paused')
  expect(types).toContain('customer.subscription.resumed')
})

test('switching the plan gives back what is unused and begins a period', async () => {
  const { control, member, pass } = await trySandbox()
  const { customer, subscription } = await member()
  await pass(14)
  await control.switchPlan(subscription, 'annual')
  const invoice = control.invoicesOf(customer)[1]
  expect(invoice).toMatchObject({ billing_reason: 'subscription_update', amount_due: 8000 - 600, status: 'paid' })
  expect(invoice?.lines.data.map(({ amount }) => amount)).toEqual([-600, 8000])
  expect(control.subscriptionsOf(customer)[0]?.items.data).toMatchObject([
    { price: { id: prices.annual }, plan: { interval: 'year' }, current_period_end: seconds('2027-02-14T12:00:00Z') },
  ])
  await control.switchPlan(subscription, prices.monthly)
  const back = control.invoicesOf(customer)[2]
  expect(back).toMatchObject({ amount_due: 0, status: 'paid', ending_balance: 1200 - 8000 })
  expect(control.customers()[0]?.balance).toBe(1200 - 8000)
  expect(control.chargesOf(customer)).toHaveLength(2)
})

test('refunds add up to the payment and no further', async () => {
  const { control, member } = await trySandbox()
  const { customer, invoice } = await member()
  await control.refund(invoice, 500)
  expect(control.chargesOf(customer)).toMatchObject([{ amount_refunded: 500, refunded: false }])
  await expect(control.refund(invoice, 701)).rejects.toThrow('greater than unrefunded')
  await control.refund(invoice)
  expect(control.chargesOf(customer)).toMatchObject([{ amount_refunded: 1200, refunded: true }])
  const reported = control.events.filter(({ type }) => type === 'charge.refunded')
  expect(reported.map(({ data }) => data.object)).toMatchObject([{ amount_refunded: 500 }, { amount_refunded: 1200 }])
})

test.each(['won', 'lost'] as const)('a dispute is opened and %s', async (outcome) => {
  const { stripe, control, member } = await trySandbox()
  const { customer, invoice } = await member()
  const id = await control.openDispute(invoice)
  await control.closeDispute(id, outcome)
  expect((await stripe.disputes.list()).data).toMatchObject([{ id, status: outcome }])
  expect(control.chargesOf(customer)).toMatchObject([{ disputed: true }])
  expect(control.events.slice(-2).map(({ type }) => type)).toEqual(['charge.dispute.created', 'charge.dispute.closed'])
  await expect(control.closeDispute(id, outcome)).rejects.toThrow('already')
})

test('an event holds its object as it was, and what it was before', async () => {
  const { control, member } = await trySandbox()
  const { subscription } = await member()
  await control.cancel(subscription, 'period_end')
  const [created, activated, canceled] = control.events.filter(({ type }) => type.startsWith('customer.subscription.'))
  expect(created?.data.object).toMatchObject({ status: 'incomplete' })
  expect(activated?.data).toMatchObject({ object: { status: 'active' }, previous_attributes: { status: 'incomplete' } })
  expect(canceled?.data).toMatchObject({
    object: { cancel_at_period_end: true },
    previous_attributes: { cancel_at_period_end: false, cancel_at: null },
  })
})

test('strangers are there to be ignored', async () => {
  const { control, member } = await trySandbox()
  const { customer } = await member()
  const other = await control.addForeign('other_price', customer)
  expect(other.data.object).toMatchObject({ customer, items: { data: [{ price: { unit_amount: 500 } }] } })
  const unknown = await control.addForeign('unknown_customer')
  expect(unknown.data.object).not.toMatchObject({ customer })
  expect(control.events.map(({ id }) => id)).toEqual(expect.arrayContaining([other.id, unknown.id]))
})
