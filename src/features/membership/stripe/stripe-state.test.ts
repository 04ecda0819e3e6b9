import type Stripe from 'stripe'
import { describe, expect, test } from 'vitest'
import type { PlanType } from '../plans/plans.ts'
import { type CustomerState, idOf, isLive, stateOf, type StripeSnapshot } from './stripe-state.ts'

const day = 86_400
const hourMs = 3_600_000
/** Seconds, as Stripe counts; the period runs from here. */
const start = Date.parse('2024-03-15T12:00:00Z') / 1_000
const end = start + 31 * day

const prices: Record<string, PlanType> = { price_monthly: 'monthly', price_annual: 'annual' }

/** Made by hand, and only what is read of it; that Stripe's real objects have these fields is proved by the sandbox. */
function subscription({
  price = 'price_monthly',
  from = start,
  until = end,
  ...overrides
}: Partial<Stripe.Subscription> & { price?: string; from?: number; until?: number } = {}): Stripe.Subscription {
  return {
    id: 'sub_1',
    status: 'active',
    start_date: start,
    cancel_at: null,
    cancel_at_period_end: false,
    ended_at: null,
    metadata: {},
    items: {
      data: [{ price: { id: price, recurring: null }, current_period_start: from, current_period_end: until }],
    },
    ...overrides,
  } as unknown as Stripe.Subscription
}

interface InvoiceOverrides {
  id?: string
  of?: string
  status?: Stripe.Invoice.Status | null
  cents?: number
  price?: string
  from?: number
  until?: number
}

function invoice({
  id = 'in_1',
  of = 'sub_1',
  status = 'paid',
  cents = 1_200,
  price = 'price_monthly',
  from = start,
  until = end,
}: InvoiceOverrides = {}): Stripe.Invoice {
  const isPaid = status === 'paid'
  return {
    id,
    status,
    number: `DAY-${id}`,
    created: from,
    currency: 'usd',
    amount_due: cents,
    amount_paid: isPaid ? cents : 0,
    period_start: from,
    period_end: from,
    parent: { subscription_details: { subscription: of } },
    lines: { data: [{ period: { start: from, end: until }, pricing: { price_details: { price } } }] },
    status_transitions: { finalized_at: from, paid_at: isPaid ? from + 5 : null },
    payments: { data: [{ payment: { type: 'payment_intent', payment_intent: `pi_${id}` } }] },
  } as unknown as Stripe.Invoice
}

function charge(overrides: Partial<Stripe.Charge> & { of?: string } = {}): Stripe.Charge {
  const { of = 'in_1', ...fields } = overrides
  return {
    id: `ch_${of}`,
    payment_intent: `pi_${of}`,
    status: 'succeeded',
    created: start,
    amount_refunded: 0,
    ...fields,
  } as unknown as Stripe.Charge
}

function dispute(status: Stripe.Dispute.Status, of = 'in_1'): Stripe.Dispute {
  return { id: `du_${of}`, charge: `ch_${of}`, status } as unknown as Stripe.Dispute
}

function read(
  snapshot: Partial<StripeSnapshot>,
  {
    graceDays = 7,
    reviewed = [],
    former = [],
    disabledSince = null,
  }: { graceDays?: number; reviewed?: string[]; former?: string[]; disabledSince?: number | null } = {},
): CustomerState {
  return stateOf(
    { isCustomerDeleted: false, subscriptions: [subscription()], invoices: [], charges: [], disputes: [], ...snapshot },
    {
      planOf: (price) => prices[price],
      graceDays,
      reviewedInvoices: new Set(reviewed),
      userId: 'user_1',
      formerSubscriptions: new Set(former),
      disabledSince,
    },
  )
}

const paid = { invoices: [invoice()], charges: [charge()] }

describe('what each status gives', () => {
  test.each(['active', 'trialing'] as const)(
    '%s: until the end of the period, and six hours for the renewal',
    (status) => {
      expect(read({ subscriptions: [subscription({ status })] }).grants).toEqual([
        {
          subscriptionId: 'sub_1',
          planType: 'monthly',
          basis: 'plan',
          renews: true,
          startsAt: start * 1_000,
          endsAt: end * 1_000,
          effectiveUntil: end * 1_000 + 6 * hourMs,
          revokedReason: null,
        },
      ])
    },
  )

  test.each([
    ['with the flag', { cancel_at_period_end: true, cancel_at: null }],
    ['with the flag and the date', { cancel_at_period_end: true, cancel_at: end }],
    ['with the date alone', { cancel_at_period_end: false, cancel_at: end }],
  ])('cancelled at the end of the period, %s: to its very end and no hour longer', (_, overrides) => {
    const { grants, best } = read({ subscriptions: [subscription(overrides)] })
    expect(grants).toMatchObject([
      { renews: false, endsAt: end * 1_000, effectiveUntil: end * 1_000, revokedReason: null },
    ])
    expect(best).toMatchObject({ status: 'active', cancelsAt: end * 1_000 })
  })

  test('cancelled at a date within the period: until that date', () => {
    const cancelAt = start + 3 * day
    const { grants } = read({ subscriptions: [subscription({ cancel_at: cancelAt })] })
    expect(grants).toMatchObject([{ endsAt: cancelAt * 1_000, effectiveUntil: cancelAt * 1_000 }])
  })

  test('cancelled at a date beyond the period: until the end of what is paid', () => {
    const { grants } = read({ subscriptions: [subscription({ cancel_at: end + 40 * day })] })
    expect(grants).toMatchObject([{ endsAt: end * 1_000 }])
  })

  test('canceled: until it ended', () => {
    const ended = start + 2 * day
    const { grants, best } = read({ subscriptions: [subscription({ status: 'canceled', ended_at: ended })] })
    expect(grants).toMatchObject([
      { endsAt: ended * 1_000, effectiveUntil: ended * 1_000, renews: false, revokedReason: null },
    ])
    expect(best).toBeUndefined()
  })

  test.each(['unpaid', 'paused'] as const)('%s: nothing, and it says so; but it lives', (status) => {
    const { grants, best } = read({ subscriptions: [subscription({ status })] })
    expect(grants).toMatchObject([{ revokedReason: status, renews: false }])
    expect(best?.status).toBe(status)
  })

  test.each(['incomplete', 'incomplete_expired'] as const)('%s: nothing, and it does not live', (status) => {
    const { grants, best, subscriptions } = read({ subscriptions: [subscription({ status })] })
    expect(grants).toEqual([])
    expect(best).toBeUndefined()
    expect(subscriptions).toMatchObject([{ status }])
  })

  test('a word that nobody knows is an error, never a guess', () => {
    const strange = subscription({ status: 'dormant' as Stripe.Subscription.Status })
    expect(() => read({ subscriptions: [strange] })).toThrow('dormant')
  })

  test('only active, trialing, past_due, unpaid and paused stand in the way of another purchase', () => {
    const all = [
      'active',
      'trialing',
      'past_due',
      'unpaid',
      'paused',
      'incomplete',
      'incomplete_expired',
      'canceled',
    ] as const
    expect(all.filter((status) => isLive({ status }))).toEqual(['active', 'trialing', 'past_due', 'unpaid', 'paused'])
  })
})

describe('past_due', () => {
  const renewed = subscription({ status: 'past_due', from: end, until: end + 30 * day })
  const owed = invoice({ id: 'in_2', status: 'open', from: end, until: end + 30 * day })
  const refused = (created: number, id = 'ch_refused'): Stripe.Charge =>
    charge({ of: 'in_2', id, status: 'failed', created })

  test('gives the days of grace from the first refusal, however often the card is tried again', () => {
    const charges = [refused(end + 3 * day, 'ch_second'), refused(end + 60), refused(end + 5 * day, 'ch_third')]
    const { grants, best } = read({ subscriptions: [renewed], invoices: [owed], charges })
    expect(best?.pastDueSince).toBe((end + 60) * 1_000)
    expect(grants).toMatchObject([
      {
        basis: 'grace',
        renews: false,
        endsAt: (end + 60 + 7 * day) * 1_000,
        effectiveUntil: (end + 60 + 7 * day) * 1_000,
      },
    ])
  })

  test('counts from when the invoice fell due where no card was refused', () => {
    const { best } = read({ subscriptions: [renewed], invoices: [owed] })
    expect(best?.pastDueSince).toBe(end * 1_000)
  })

  test('counts from the start of the period where Stripe shows no invoice', () => {
    expect(read({ subscriptions: [renewed] }).best?.pastDueSince).toBe(end * 1_000)
  })

  test('does not count what was refused for an invoice that was paid after all', () => {
    const earlier = invoice({ id: 'in_1' })
    const charges = [charge({ of: 'in_1', id: 'ch_0', status: 'failed', created: start }), refused(end + 60)]
    const { best } = read({ subscriptions: [renewed], invoices: [earlier, owed], charges })
    expect(best?.pastDueSince).toBe((end + 60) * 1_000)
  })

  test('ends with a cancellation that comes before the days of grace do', () => {
    const cancelAt = end + 2 * day
    const { grants } = read({ subscriptions: [{ ...renewed, cancel_at: cancelAt }], invoices: [owed] })
    expect(grants).toMatchObject([{ endsAt: cancelAt * 1_000 }])
  })

  test('that Stripe gives up has not given more than the days of grace', () => {
    const over = subscription({ status: 'canceled', from: end, until: end + 30 * day, ended_at: end + 15 * day })
    const { grants } = read({ subscriptions: [over], invoices: [owed], charges: [refused(end + 60)] })
    expect(grants).toMatchObject([{ endsAt: (end + 60 + 7 * day) * 1_000, revokedReason: null }])
    const sooner = subscription({ status: 'canceled', from: end, until: end + 30 * day, ended_at: end + 2 * day })
    expect(read({ subscriptions: [sooner], invoices: [owed], charges: [refused(end + 60)] }).grants).toMatchObject([
      { endsAt: (end + 2 * day) * 1_000 },
    ])
  })

  test('without any days of grace gives nothing beyond the refusal', () => {
    const { grants } = read({ subscriptions: [renewed], invoices: [owed], charges: [refused(end)] }, { graceDays: 0 })
    expect(grants).toMatchObject([{ endsAt: end * 1_000, effectiveUntil: end * 1_000 }])
  })

  test('is over, with everything it was owed, as soon as the invoice is paid', () => {
    const settled = invoice({ id: 'in_2', from: end, until: end + 30 * day })
    const charges = [refused(end + 60), charge({ of: 'in_2', created: end + 3 * day })]
    const active = subscription({ from: end, until: end + 30 * day })
    const { best, grants, payments } = read({ subscriptions: [active], invoices: [settled], charges })
    expect(best?.pastDueSince).toBeNull()
    expect(grants).toMatchObject([{ basis: 'plan', renews: true, endsAt: (end + 30 * day) * 1_000 }])
    expect(payments).toMatchObject([{ status: 'paid', failedAt: (end + 60) * 1_000 }])
  })
})

describe('a refund', () => {
  test('of the whole current period ends it, and the subscription', () => {
    const { grants, toCancel, payments } = read({ ...paid, charges: [charge({ amount_refunded: 1_200 })] })
    expect(grants).toMatchObject([{ revokedReason: 'refund' }])
    expect(toCancel).toEqual([{ subscriptionId: 'sub_1', why: 'refund' }])
    expect(payments).toMatchObject([{ amountCents: 1_200, refundedCents: 1_200 }])
  })

  test('of a part is only noted', () => {
    const { grants, toCancel, payments } = read({ ...paid, charges: [charge({ amount_refunded: 1_199 })] })
    expect(grants).toMatchObject([{ revokedReason: null, renews: true }])
    expect(toCancel).toEqual([])
    expect(payments).toMatchObject([{ refundedCents: 1_199 }])
  })

  test('of an earlier period takes nothing of the current one', () => {
    const next = { from: end, until: end + 30 * day }
    const { grants, toCancel } = read({
      subscriptions: [subscription(next)],
      invoices: [invoice({ id: 'in_2', ...next }), invoice()],
      charges: [charge({ of: 'in_2', created: end }), charge({ amount_refunded: 1_200 })],
    })
    expect(grants).toMatchObject([{ revokedReason: null }])
    expect(toCancel).toEqual([])
  })

  test('keeps what it ended told as refunded once it is canceled, and cancels nothing twice', () => {
    const over = subscription({ status: 'canceled', ended_at: start + day })
    const { grants, toCancel } = read({ ...paid, subscriptions: [over], charges: [charge({ amount_refunded: 1_200 })] })
    expect(grants).toMatchObject([{ revokedReason: 'refund' }])
    expect(toCancel).toEqual([])
  })

  test('of nothing: an invoice over nothing is no refunded one', () => {
    const { grants, toCancel } = read({ invoices: [invoice({ cents: 0 })] })
    expect(grants).toMatchObject([{ revokedReason: null }])
    expect(toCancel).toEqual([])
  })

  test('in several pieces is their sum', () => {
    const charges = [charge({ id: 'ch_a', amount_refunded: 700 }), charge({ id: 'ch_b', amount_refunded: 500 })]
    expect(read({ invoices: [invoice()], charges }).payments).toMatchObject([{ refundedCents: 1_200 }])
  })
})

describe('a dispute', () => {
  test.each(['needs_response', 'under_review', 'warning_needs_response', 'warning_under_review'] as const)(
    'that is open (%s) suspends, and cancels nothing',
    (status) => {
      const { grants, toCancel, payments } = read({ ...paid, disputes: [dispute(status)] })
      expect(grants).toMatchObject([{ revokedReason: 'dispute' }])
      expect(toCancel).toEqual([])
      expect(payments).toMatchObject([{ dispute: 'open' }])
    },
  )

  test.each(['won', 'warning_closed'] as const)('that is over in our favour (%s) gives everything back', (status) => {
    const { grants, payments } = read({ ...paid, disputes: [dispute(status)] })
    expect(grants).toMatchObject([{ revokedReason: null, renews: true }])
    expect(payments).toMatchObject([{ dispute: 'won' }])
  })

  test('that was prevented, because the bank has given the money back at once, is lost', () => {
    const { grants, toCancel, payments } = read({ ...paid, disputes: [dispute('prevented')] })
    expect(grants).toMatchObject([{ revokedReason: 'dispute_lost' }])
    expect(toCancel).toEqual([{ subscriptionId: 'sub_1', why: 'dispute_lost' }])
    expect(payments).toMatchObject([{ dispute: 'lost' }])
  })

  test('that is lost ends every subscription, also one that was bought since', () => {
    const first = subscription({ status: 'canceled', ended_at: start + day })
    const second = subscription({ id: 'sub_2' })
    const { grants, toCancel } = read({
      subscriptions: [first, second],
      invoices: [invoice(), invoice({ id: 'in_2', of: 'sub_2' })],
      charges: [charge(), charge({ of: 'in_2' })],
      disputes: [dispute('lost')],
    })
    expect(grants).toMatchObject([
      { subscriptionId: 'sub_1', revokedReason: 'dispute_lost' },
      { subscriptionId: 'sub_2', revokedReason: 'dispute_lost' },
    ])
    expect(toCancel).toEqual([{ subscriptionId: 'sub_2', why: 'dispute_lost' }])
  })

  test('that is lost and reviewed ends nothing that was bought since; what it ended stays ended', () => {
    const { grants, toCancel } = read(
      {
        subscriptions: [subscription({ status: 'canceled', ended_at: end + day }), subscription({ id: 'sub_2' })],
        invoices: [invoice(), invoice({ id: 'in_2', of: 'sub_2' })],
        charges: [charge(), charge({ of: 'in_2' })],
        disputes: [dispute('lost')],
      },
      { reviewed: ['in_1'] },
    )
    expect(grants).toMatchObject([
      { subscriptionId: 'sub_1', revokedReason: 'dispute_lost' },
      { subscriptionId: 'sub_2', revokedReason: null },
    ])
    expect(toCancel).toEqual([])
  })

  test('of several on one charge: the gravest counts', () => {
    for (const disputes of [
      [dispute('won'), dispute('lost')],
      [dispute('lost'), dispute('under_review')],
    ]) {
      expect(read({ ...paid, disputes }).payments).toMatchObject([{ dispute: 'lost' }])
    }
    expect(read({ ...paid, disputes: [dispute('won'), dispute('under_review')] }).payments).toMatchObject([
      { dispute: 'open' },
    ])
  })

  test("about a charge that is none of a membership's is none of ours", () => {
    const { grants, payments } = read({ ...paid, disputes: [dispute('lost', 'in_other')] })
    expect(grants).toMatchObject([{ revokedReason: null }])
    expect(payments).toMatchObject([{ dispute: null }])
  })
})

describe('several subscriptions', () => {
  test.each<[string, Stripe.Subscription, Stripe.Subscription]>([
    [
      'the one that works',
      subscription({ status: 'active' }),
      subscription({ id: 'sub_2', status: 'past_due', until: end + day }),
    ],
    ['the one that is paid for longest', subscription({ until: end + day }), subscription({ id: 'sub_2' })],
    ['the oldest', subscription(), subscription({ id: 'sub_2', start_date: start + 5 })],
    ['always the same', subscription(), subscription({ id: 'sub_2' })],
  ])('of two live ones %s stays, whatever their order', (_, better, worse) => {
    for (const subscriptions of [
      [better, worse],
      [worse, better],
    ]) {
      const { best, toCancel } = read({ subscriptions })
      expect(best?.stripeId).toBe('sub_1')
      expect(toCancel).toEqual([{ subscriptionId: 'sub_2', why: 'second_subscription' }])
    }
  })

  test('one that is over stands beside the one that lives', () => {
    const over = subscription({ id: 'sub_0', status: 'canceled', ended_at: start })
    const { best, toCancel, grants } = read({ subscriptions: [subscription(), over] })
    expect(best?.stripeId).toBe('sub_1')
    expect(toCancel).toEqual([])
    expect(grants.map(({ subscriptionId }) => subscriptionId)).toEqual(['sub_1', 'sub_0'])
  })

  test('is cancelled once and for its graver reason', () => {
    const { toCancel } = read({
      subscriptions: [subscription(), subscription({ id: 'sub_2', start_date: start + 5 })],
      invoices: [invoice(), invoice({ id: 'in_2', of: 'sub_2' })],
      charges: [charge(), charge({ of: 'in_2', amount_refunded: 1_200 })],
    })
    expect(toCancel).toEqual([{ subscriptionId: 'sub_2', why: 'refund' }])
  })
})

describe('prices', () => {
  test('of other products are nothing of ours, with everything that was paid for them', () => {
    const state = read({
      subscriptions: [subscription({ price: 'price_of_another' })],
      invoices: [invoice({ price: 'price_of_another' }), invoice({ id: 'in_2', of: 'sub_unheard_of' })],
      charges: [charge({ amount_refunded: 1_200 })],
      disputes: [dispute('lost')],
    })
    expect(state).toEqual({
      subscriptions: [],
      others: ['sub_1'],
      payments: [],
      grants: [],
      best: undefined,
      toCancel: [],
      toRefund: [],
    })
  })

  const unknown = { price: 'price_mistyped', metadata: { user_id: 'user_1', plan_type: 'monthly' } }

  test('that the settings do not name take nothing from what our checkout has sold', () => {
    const invoices = [invoice({ price: 'price_mistyped' })]
    const known = read({ ...paid, subscriptions: [subscription()] })
    const state = read({ ...paid, invoices, subscriptions: [subscription(unknown)] })
    const left = { ...known.best, unknownPrice: 'price_mistyped' }
    expect(state).toEqual({ ...known, subscriptions: [left], best: left })
    expect(state.grants).toMatchObject([{ endsAt: end * 1_000, revokedReason: null, planType: 'monthly' }])
  })

  test('that the settings do not name are ours in what was ours before, and in nothing else', () => {
    const { price } = unknown
    expect(read({ subscriptions: [subscription({ price })] }, { former: ['sub_1'] }).best).toMatchObject({
      unknownPrice: price,
    })
    for (const metadata of [{}, { user_id: 'user_2' }, { user_id: '' }]) {
      const { best, others, grants } = read({ subscriptions: [subscription({ price, metadata })] })
      expect({ best, others, grants }).toEqual({ best: undefined, others: ['sub_1'], grants: [] })
    }
  })

  test.each([
    ['year', 'annual'],
    ['month', 'monthly'],
  ])('that the settings do not name are told by their interval: a %s is %s', (interval, planType) => {
    const one = subscription(unknown)
    for (const { price } of one.items.data) Object.assign(price, { recurring: { interval } })
    expect(read({ subscriptions: [one] }).best).toMatchObject({ planType })
  })

  test('that the settings do not name end nothing, not even beside one that is known', () => {
    const other = { ...unknown, id: 'sub_2', until: end + 300 * day }
    const { best, toCancel, grants } = read({ subscriptions: [subscription(other), subscription()] })
    expect(best).toMatchObject({ stripeId: 'sub_1' })
    expect(toCancel).toEqual([])
    expect(grants.map(({ subscriptionId }) => subscriptionId)).toEqual(['sub_2', 'sub_1'])
  })

  test.each(['refund', 'dispute_lost'] as const)(
    'that the settings do not name do not keep what was given back: %s',
    (why) => {
      const isRefund = why === 'refund'
      const { toCancel, grants } = read({
        subscriptions: [subscription(unknown)],
        invoices: [invoice({ price: 'price_mistyped' })],
        charges: [charge(isRefund ? { amount_refunded: 1_200 } : {})],
        disputes: isRefund ? [] : [dispute('lost')],
      })
      expect(toCancel).toEqual([{ subscriptionId: 'sub_1', why }])
      expect(grants).toMatchObject([{ revokedReason: why }])
    },
  )

  test('are found among the items of another product', () => {
    const mixed = subscription()
    const [local] = mixed.items.data
    mixed.items.data = [
      { price: { id: 'price_of_another' }, current_period_end: 5 },
      local,
    ] as Stripe.SubscriptionItem[]
    expect(read({ subscriptions: [mixed] }).best).toMatchObject({ planType: 'monthly', periodEndsAt: end * 1_000 })
  })

  test('change with the plan: the period is the new one, and what was paid before stays what it was', () => {
    const switched = start + 10 * day
    const yearEnd = switched + 366 * day
    const change = invoice({ id: 'in_2', price: 'price_annual', cents: 7_200, from: switched, until: yearEnd })
    // The credit for the rest of the month stands first.
    change.lines.data.unshift({
      period: { start: switched, end },
      pricing: { price_details: { price: 'price_monthly' } },
    } as Stripe.InvoiceLineItem)
    const { best, payments, grants } = read({
      subscriptions: [subscription({ price: 'price_annual', from: switched, until: yearEnd })],
      invoices: [change, invoice()],
      charges: [charge({ of: 'in_2' }), charge()],
    })
    expect(best).toMatchObject({ planType: 'annual', periodStartsAt: switched * 1_000, periodEndsAt: yearEnd * 1_000 })
    expect(payments.map(({ planType }) => planType)).toEqual(['annual', 'monthly'])
    expect(grants).toMatchObject([{ planType: 'annual', startsAt: start * 1_000, endsAt: yearEnd * 1_000 }])
  })
})

describe('a payment', () => {
  test('is told with its money, its period and its instants', () => {
    expect(read(paid).payments).toEqual([
      {
        invoiceId: 'in_1',
        subscriptionId: 'sub_1',
        planType: 'monthly',
        number: 'DAY-in_1',
        status: 'paid',
        amountCents: 1_200,
        refundedCents: 0,
        currency: 'usd',
        periodStartsAt: start * 1_000,
        periodEndsAt: end * 1_000,
        invoicedAt: start * 1_000,
        paidAt: (start + 5) * 1_000,
        failedAt: null,
        dispute: null,
      },
    ])
  })

  test.each(['draft', 'open', 'uncollectible', 'void'] as const)('that is %s was not made', (status) => {
    expect(read({ invoices: [invoice({ status })] }).payments).toMatchObject([
      { status, amountCents: 1_200, paidAt: null },
    ])
  })

  test('is no payment as long as its invoice is only being thought of', () => {
    expect(read({ invoices: [invoice({ status: null })] }).payments).toEqual([])
  })
})

test('an object and its id are the same', () => {
  expect(idOf('cus_1')).toBe('cus_1')
  expect(idOf({ id: 'cus_1' })).toBe('cus_1')
  expect(idOf(null)).toBeUndefined()
  expect(idOf(undefined)).toBeUndefined()
})

describe('a membership that an administrator has disabled', () => {
  test('is cancelled, and what was paid since then is given back', () => {
    const since = { disabledSince: start * 1_000 }
    const { best, toCancel, toRefund } = read({ ...paid, charges: [charge({ paid: true, refunded: false })] }, since)
    expect(best).toBeUndefined()
    expect(toCancel).toEqual([{ subscriptionId: 'sub_1', why: 'disabled' }])
    expect(toRefund).toEqual([{ invoiceId: 'in_1', chargeId: 'ch_in_1' }])
  })

  test.each([
    ['was paid more than a minute before', { disabledSince: start * 1_000 + 66_000 }, charge({ paid: true })],
    ['was given back already', { disabledSince: start * 1_000 }, charge({ paid: true, amount_refunded: 1_200 })],
    ['was paid by who is not disabled', {}, charge({ paid: true })],
  ])('gives back nothing that %s', (_what, options, one) => {
    expect(read({ ...paid, charges: [one] }, options).toRefund).toEqual([])
  })

  test('has no first payment made any more', () => {
    const { toCancel } = read({ subscriptions: [subscription({ status: 'incomplete' })] }, { disabledSince: 0 })
    expect(toCancel).toEqual([{ subscriptionId: 'sub_1', why: 'disabled' }])
  })
})
