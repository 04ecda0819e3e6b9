import type Stripe from 'stripe'
import { idOf, makeId, randomLetters } from './ids.ts'
import {
  apiVersion,
  type InvoicedPeriod,
  listOf,
  makeCharge,
  makeCustomer,
  makeDispute,
  makeInvoice,
  makeInvoicePayment,
  makeLineItem,
  makePaymentIntent,
  makePortalSession,
  makePrice,
  makeRefund,
  makeSession,
  makeSubscription,
  setPrice,
} from './objects.ts'
import { nextPeriodEnd } from './periods.ts'
import type { Card, CardKind, State } from './state.ts'
import { noSuch, StripeRefusal } from './stripe-refusal.ts'

const hour = 3600
const day = 24 * hour

/** How long after each failed attempt the next one follows; after the last the subscription ends. */
const retryWaits = [3 * day, 5 * day, 7 * day]

/** More events than these are not remembered: the whole state is written at each change. */
const maxEvents = 2_000

/** How long a subscription may wait for its first payment. */
const firstPaymentTime = 23 * hour

/** A portal session lives five minutes until it is used, and then an hour from its last use. */
const portalUnusedTime = 5 * 60
const portalIdleTime = hour

const last4Of: Record<CardKind, string> = { good: '4242', 'fails-later': '0341', 'asks-later': '3184' }

const declined = { code: 'card_declined', message: 'Your card was declined.' }

/** The API call on whose account an event comes about. */
export interface Cause {
  id: string
  idempotencyKey: string | undefined
}

type EventOf<Type extends Stripe.Event.Type> = Extract<Stripe.Event, { type: Type }>

interface AccountOptions {
  state: State
  /** Milliseconds. */
  now: () => number
  prices: { monthly: string; annual: string }
  brandName: string
  /** The base address of the pages, without a slash at the end. */
  pages: () => string
  /** Told of each event once it is part of the state. */
  onEvent: (event: Stripe.Event) => void
}

/**
 * The account at Stripe whose objects these are, and everything that can happen to them. Every method does its work
 * at once and wholly or throws before it changes anything, so two callers never meet halfway; saving is the caller's.
 */
export class Account {
  readonly state: State
  readonly prices: Record<string, Stripe.Price>
  readonly #options: AccountOptions
  #moment: number | undefined
  #cause: Cause | undefined

  constructor(options: AccountOptions) {
    this.#options = options
    this.state = options.state
    const { monthly, annual } = options.prices
    const product = 'prod_SandboxMember'
    this.prices = {
      [monthly]: makePrice(monthly, { product, nickname: 'Monthly', amount: 1200, interval: 'month' }),
      [annual]: makePrice(annual, { product, nickname: 'Annual', amount: 8000, interval: 'year' }),
    }
  }

  /** Adds a price to the account, or another one in its place. */
  setPrice(
    id: string,
    { amount, interval, isLive }: { amount: number; interval: 'month' | 'year' | null; isLive: boolean },
  ): void {
    this.prices[id] = makePrice(id, { product: 'prod_SandboxMember', nickname: id, amount, interval, isLive })
  }

  /** The price that is none of ours: what another product of the same account sells. */
  readonly foreignPrice = makePrice('price_1SandboxOtherProduct0', {
    product: 'prod_SandboxOther1',
    nickname: 'Another product',
    amount: 500,
    interval: 'month',
  })

  /** Seconds: the moment that is being worked off, else now. */
  seconds(): number {
    return this.#moment ?? Math.floor(this.#options.now() / 1000)
  }

  /** Does the work of one API call, so that its events name it. */
  because<T>(cause: Cause, work: () => T): T {
    this.#cause = cause
    try {
      return work()
    } finally {
      this.#cause = undefined
    }
  }

  /**
   * Does what has happened at a moment before now: objects and events bear it.
   * @param seconds that moment
   */
  at<T>(seconds: number, work: () => T): T {
    const before = this.#moment
    this.#moment = seconds
    try {
      return work()
    } finally {
      this.#moment = before
    }
  }

  // Looking things up

  customer(id: string, param?: string): Stripe.Customer {
    const customer = this.state.customers[id]
    if (customer === undefined) throw noSuch('customer', id, param)
    return customer
  }

  subscription(id: string): Stripe.Subscription {
    const subscription = this.state.subscriptions[id]
    if (subscription === undefined) throw noSuch('subscription', id)
    return subscription
  }

  session(id: string): Stripe.Checkout.Session {
    const session = this.state.sessions[id]
    if (session === undefined) throw noSuch('checkout.session', id)
    return session
  }

  invoice(id: string): Stripe.Invoice {
    const invoice = this.state.invoices[id]
    if (invoice === undefined) throw noSuch('invoice', id)
    return invoice
  }

  price(id: string, param?: string): Stripe.Price {
    const price = id === this.foreignPrice.id ? this.foreignPrice : this.prices[id]
    if (price === undefined) throw noSuch('price', id, param)
    return price
  }

  subscriptionsOf(customer: string): Stripe.Subscription[] {
    return Object.values(this.state.subscriptions).filter((subscription) => subscription.customer === customer)
  }

  invoicesOf(customer: string): Stripe.Invoice[] {
    return Object.values(this.state.invoices).filter((invoice) => invoice.customer === customer)
  }

  chargesOf(customer: string): Stripe.Charge[] {
    return Object.values(this.state.charges).filter((charge) => charge.customer === customer)
  }

  paymentsOf(invoice: string): Stripe.InvoicePayment[] {
    return Object.values(this.state.invoicePayments).filter((payment) => payment.invoice === invoice)
  }

  /** The charge that paid an invoice, undefined while none has. */
  chargeOf(invoice: string): Stripe.Charge | undefined {
    const intents = new Set(this.paymentsOf(invoice).map(({ payment }) => payment.payment_intent))
    return Object.values(this.state.charges).find(
      ({ payment_intent, paid }) => paid && typeof payment_intent === 'string' && intents.has(payment_intent),
    )
  }

  itemOf(subscription: Stripe.Subscription): Stripe.SubscriptionItem {
    const [item] = subscription.items.data
    if (item === undefined) throw new Error(`${subscription.id} has no item.`)
    return item
  }

  cardOf(subscription: Stripe.Subscription): Card {
    const { default_payment_method: method } = subscription
    const card = typeof method === 'string' ? this.state.cards[method] : undefined
    return card ?? { kind: 'good', last4: last4Of.good, expMonth: 12, expYear: 2034 }
  }

  // The API

  createCustomer(requested: Omit<Parameters<typeof makeCustomer>[0], 'created'>): Stripe.Customer {
    const customer = makeCustomer({ ...requested, created: this.seconds() })
    this.state.customers[customer.id] = customer
    return customer
  }

  /** An undefined field is left unchanged. */
  updateCustomer(
    id: string,
    changes: Record<'email' | 'name' | 'phone' | 'description', string | undefined>,
  ): Stripe.Customer {
    const known = Object.entries(changes).filter(([, value]) => value !== undefined)
    return Object.assign(this.customer(id), Object.fromEntries(known))
  }

  /** Cancels its subscriptions at once and closes its open sessions, as Stripe does. */
  deleteCustomer(id: string): Stripe.DeletedCustomer {
    const customer = this.customer(id)
    for (const session of Object.values(this.state.sessions))
      if (session.customer === id && session.status === 'open') this.expire(session.id)
    for (const subscription of this.subscriptionsOf(id))
      if (!isEnded(subscription)) this.#end(subscription, 'cancellation_requested')
    const deleted: Stripe.DeletedCustomer = { id, object: 'customer', deleted: true }
    delete this.state.customers[id]
    this.state.deletedCustomers[id] = deleted
    this.#emit('customer.deleted', customer)
    return deleted
  }

  createSession(requested: {
    customer: string
    lines: { price: string; quantity: number }[]
    successUrl: string
    cancelUrl: string | null
    reference: string | null
    metadata: Record<string, string>
    subscriptionMetadata: Record<string, string>
    expiresAt: number | undefined
  }): Stripe.Checkout.Session {
    const customer = this.customer(requested.customer, 'customer')
    const items = requested.lines.map(({ price, quantity }, i) =>
      makeLineItem(this.price(price, `line_items[${i}][price]`), quantity, this.#options.brandName),
    )
    if (items.every(({ price }) => price?.recurring == null))
      throw new StripeRefusal(400, 'You must provide at least one recurring price in `subscription` mode.', {
        param: 'line_items',
      })
    const created = this.seconds()
    const id = makeId('cs_test_')
    const session = makeSession({
      id,
      created,
      expiresAt: requested.expiresAt ?? created + day,
      customer,
      amount: items.reduce((sum, { amount_total }) => sum + amount_total, 0),
      currency: 'usd',
      url: `${this.#options.pages()}/c/pay/${id}`,
      successUrl: requested.successUrl,
      cancelUrl: requested.cancelUrl,
      reference: requested.reference,
      metadata: requested.metadata,
    })
    this.state.sessions[id] = session
    this.state.lineItems[id] = items
    this.state.subscriptionMetadata[id] = requested.subscriptionMetadata
    return session
  }

  createPortalSession(customer: string, returnUrl: string | null): Stripe.BillingPortal.Session {
    this.customer(customer, 'customer')
    const key = randomLetters(40)
    const session = makePortalSession({
      id: makeId('bps_'),
      created: this.seconds(),
      customer,
      returnUrl,
      url: `${this.#options.pages()}/p/session/${key}`,
    })
    this.state.portals[key] = { session, usedAt: null }
    return session
  }

  /** The portal session behind an address, marked as used now; undefined when it has run out or never was. */
  openPortal(key: string): Stripe.BillingPortal.Session | undefined {
    const portal = Object.hasOwn(this.state.portals, key) ? this.state.portals[key] : undefined
    if (portal === undefined || this.state.customers[portal.session.customer] === undefined) return undefined
    const { session, usedAt } = portal
    const end = usedAt === null ? session.created + portalUnusedTime : usedAt + portalIdleTime
    if (this.seconds() >= end) return undefined
    portal.usedAt = this.seconds()
    return session
  }

  /** A session can be closed only while it is open. */
  expire(id: string): Stripe.Checkout.Session {
    const session = this.session(id)
    if (session.status !== 'open')
      throw new StripeRefusal(
        400,
        `Only Checkout Sessions with a status in ["open"] can be expired. This Checkout Session has a status of ${session.status}.`,
      )
    session.status = 'expired'
    session.url = null
    this.#emit('checkout.session.expired', session)
    return session
  }

  // The customer

  /**
   * Pays a session as its page does.
   * @param asynchronous the money takes its time: the session is complete and unpaid, the subscription incomplete
   */
  pay(
    id: string,
    { card = 'good', asynchronous = false }: { card?: CardKind; asynchronous?: boolean } = {},
  ): Stripe.Checkout.Session {
    const session = this.session(id)
    if (session.status === 'open' && session.expires_at <= this.seconds()) this.expire(id)
    if (session.status !== 'open') throw new StripeRefusal(400, `This Checkout Session is ${session.status}.`)
    const [line] = this.state.lineItems[id] ?? []
    const price = line?.price
    if (price == null) throw new Error(`${id} sells nothing.`)
    const { subscription, invoice } = this.#begin({
      customer: this.customer(idOf(session.customer)),
      price,
      quantity: line?.quantity ?? 1,
      card,
      metadata: this.state.subscriptionMetadata[id] ?? {},
    })
    session.status = 'complete'
    session.url = null
    session.subscription = subscription.id
    session.invoice = invoice.id
    if (asynchronous) {
      const { intent } = this.#openPayment(invoice, subscription)
      intent.status = 'processing'
    } else {
      this.#collect(invoice, subscription, { atCheckout: true })
      session.payment_status = 'paid'
    }
    this.#emit('checkout.session.completed', session)
    return session
  }

  /** The late answer to a payment that was asynchronous. */
  settle(id: string, succeeds: boolean): void {
    const session = this.session(id)
    if (session.status !== 'complete' || session.payment_status !== 'unpaid')
      throw new StripeRefusal(400, 'This Checkout Session waits for no payment.')
    const subscription = this.subscription(idOf(session.subscription))
    const invoice = this.invoice(idOf(session.invoice))
    if (succeeds) {
      this.#collect(invoice, subscription, { atCheckout: true })
      session.payment_status = 'paid'
      this.#emit('checkout.session.async_payment_succeeded', session)
      return
    }
    this.#fail(invoice, subscription)
    this.#emit('checkout.session.async_payment_failed', session)
    this.#giveUpFirstPayment(subscription, invoice)
  }

  /** @param when `cancel_at` writes the same date without the flag, as newer portals do. */
  cancel(id: string, when: 'now' | 'period_end' | 'cancel_at'): Stripe.Subscription {
    const subscription = this.subscription(id)
    if (isEnded(subscription)) throw noSuch('subscription', id)
    if (when === 'now') {
      this.#end(subscription, 'cancellation_requested')
      return subscription
    }
    this.#update(subscription, () => {
      subscription.cancel_at_period_end = when === 'period_end'
      subscription.cancel_at = this.itemOf(subscription).current_period_end
      subscription.canceled_at = this.seconds()
      subscription.cancellation_details = {
        comment: null,
        feedback: null,
        feedback_option: null,
        reason: 'cancellation_requested',
      }
    })
    return subscription
  }

  /** Takes back a cancellation that has not come into force. */
  resume(id: string): void {
    const subscription = this.subscription(id)
    if (isEnded(subscription)) throw noSuch('subscription', id)
    this.#update(subscription, () => this.#clearCancellation(subscription))
  }

  /** The customer gives another card; what stands open is tried with it at once. */
  updateCard(id: string, kind: CardKind): void {
    const subscription = this.subscription(id)
    if (isEnded(subscription)) throw noSuch('subscription', id)
    this.#update(subscription, () => {
      subscription.default_payment_method = this.#keepCard(kind)
    })
    const invoice = this.#openInvoice(subscription)
    if (invoice !== undefined) this.#attempt(invoice, subscription)
  }

  /**
   * Another price for a running subscription. A change of the interval begins a period now; what was paid for the
   * rest of the old one is given back on the same invoice, and beyond it on the customer's balance.
   */
  switchPlan(id: string, priceId: string): void {
    const subscription = this.subscription(id)
    const price = this.price(priceId)
    const item = this.itemOf(subscription)
    if (subscription.status !== 'active' && subscription.status !== 'trialing')
      throw new StripeRefusal(400, `A subscription that is ${subscription.status} cannot change its price.`)
    if (item.price.id === price.id) return
    const now = this.seconds()
    const { current_period_start: start, current_period_end: end, price: old } = item
    const left = Math.max(0, Math.min(1, (end - now) / Math.max(1, end - start)))
    const wasTrial = subscription.status === 'trialing'
    const credit = wasTrial ? 0 : Math.round((old.unit_amount ?? 0) * (item.quantity ?? 1) * left)
    const newEnd = nextPeriodEnd(now, now, price.recurring?.interval ?? 'month')
    const unused: InvoicedPeriod = {
      price: old,
      amount: -credit,
      start: now,
      end,
      description: `Unused time on ${old.nickname ?? old.id}`,
      proration: true,
    }
    const invoice = this.#update(subscription, () => {
      setPrice(item, price)
      item.current_period_start = now
      item.current_period_end = newEnd
      subscription.billing_cycle_anchor = now
      subscription.status = 'active'
      if (wasTrial) subscription.trial_end = now
      this.#clearCancellation(subscription)
      const periods = [...(credit > 0 ? [unused] : []), this.#period(item, now, newEnd)]
      return this.#bill(subscription, periods, 'subscription_update', { start: now, end: now })
    })
    this.#attempt(invoice, subscription)
  }

  // The time

  /** Does everything that has come due until now, in the order in which it came due, each thing at its own moment. */
  tick(): number {
    let done = 0
    for (;;) {
      const now = Math.floor(this.#options.now() / 1000)
      const next = this.#nextDue()
      if (next === undefined || next.at > now) return done
      this.#moment = next.at
      try {
        next.act()
      } finally {
        this.#moment = undefined
      }
      done += 1
    }
  }

  #nextDue(): { at: number; act: () => void } | undefined {
    let next: { at: number; act: () => void } | undefined
    const propose = (at: number, act: () => void) => {
      if (next === undefined || at < next.at) next = { at, act }
    }
    for (const session of Object.values(this.state.sessions))
      if (session.status === 'open') propose(session.expires_at, () => this.expire(session.id))
    for (const subscription of Object.values(this.state.subscriptions)) {
      if (isEnded(subscription)) continue
      const open = this.#openInvoice(subscription)
      if (subscription.status === 'incomplete') {
        if (open !== undefined && !this.#isProcessing(open))
          propose(subscription.created + firstPaymentTime, () => this.#giveUpFirstPayment(subscription, open))
        continue
      }
      if (open?.next_payment_attempt != null)
        propose(open.next_payment_attempt, () => this.#attempt(open, subscription))
      if (subscription.cancel_at !== null) {
        propose(subscription.cancel_at, () => this.#end(subscription, 'cancellation_requested'))
        continue
      }
      const renews = subscription.status === 'active' || subscription.status === 'trialing'
      if (renews || (subscription.status === 'past_due' && open === undefined))
        propose(this.itemOf(subscription).current_period_end, () => this.#renew(subscription))
    }
    return next
  }

  /**
   * Lets the period pass now: it ends at this moment instead of later, and so does the stretch that was invoiced for
   * it. A renewal, a failure, or the end follows, as after any period. While a renewal waits for its next try, that try
   * comes now instead.
   */
  passPeriod(id: string): void {
    const subscription = this.subscription(id)
    if (isEnded(subscription)) throw noSuch('subscription', id)
    const open = this.#openInvoice(subscription)
    if (open?.next_payment_attempt != null) {
      this.#attempt(open, subscription)
      return
    }
    const item = this.itemOf(subscription)
    const now = this.seconds()
    const formerEnd = item.current_period_end
    if (formerEnd > now) {
      item.current_period_end = now
      item.current_period_start = Math.min(item.current_period_start, now - 1)
      subscription.billing_cycle_anchor = now
      if (subscription.cancel_at === formerEnd) subscription.cancel_at = now
      if (subscription.trial_end === formerEnd) subscription.trial_end = now
      for (const line of this.invoicesOf(idOf(subscription.customer)).flatMap(({ lines }) => lines.data))
        if (line.subscription === id && line.period.end === formerEnd) {
          line.period.end = now
          line.period.start = Math.min(line.period.start, now - 1)
        }
    }
    this.tick()
  }

  #renew(subscription: Stripe.Subscription): void {
    const item = this.itemOf(subscription)
    const { current_period_start: formerStart, current_period_end: start } = item
    const end = nextPeriodEnd(start, subscription.billing_cycle_anchor, item.price.recurring?.interval ?? 'month')
    const period = { start: formerStart, end: start }
    const invoice = this.#update(subscription, () => {
      item.current_period_start = start
      item.current_period_end = end
      if (subscription.status === 'trialing') subscription.status = 'active'
      return this.#bill(subscription, [this.#period(item, start, end)], 'subscription_cycle', period)
    })
    this.#attempt(invoice, subscription)
  }

  // The dashboard

  setStatus(id: string, status: Stripe.Subscription.Status): void {
    const subscription = this.subscription(id)
    if (isEnded(subscription)) throw new StripeRefusal(400, `A subscription that is ${subscription.status} stays so.`)
    if (status === subscription.status) return
    if (status === 'canceled') {
      this.#end(subscription, 'cancellation_requested')
      return
    }
    const item = this.itemOf(subscription)
    const wasPaused = subscription.status === 'paused'
    const open = this.#openInvoice(subscription)
    if (status === 'active' && open !== undefined) this.#collect(open, subscription, { atCheckout: true })
    if ((status === 'past_due' || status === 'unpaid') && open === undefined) this.#passUnpaid(subscription)
    this.#update(subscription, () => {
      subscription.status = status
      if (status === 'trialing') {
        subscription.trial_start = this.seconds()
        subscription.trial_end = item.current_period_end
      }
      if (status === 'incomplete_expired') subscription.ended_at = this.seconds()
    })
    if (status === 'unpaid' || status === 'incomplete_expired') this.#stopCollecting(subscription)
    if (status === 'paused') this.#emit('customer.subscription.paused', subscription)
    if (wasPaused) this.#emit('customer.subscription.resumed', subscription)
  }

  /** A subscription is past due because a renewal was not paid: lets one come, and fail. */
  #passUnpaid(subscription: Stripe.Subscription): void {
    const customer = idOf(subscription.customer)
    const failedBefore = this.state.failing[customer] === true
    this.state.failing[customer] = true
    const { status, cancel_at: cancelAt } = subscription
    if (status !== 'active') subscription.status = 'active'
    subscription.cancel_at = null
    this.passPeriod(subscription.id)
    subscription.cancel_at = cancelAt === null ? null : this.itemOf(subscription).current_period_end
    if (!failedBefore) delete this.state.failing[customer]
  }

  failNextPayments(customer: string, fails: boolean): void {
    this.customer(customer)
    if (fails) this.state.failing[customer] = true
    else delete this.state.failing[customer]
  }

  /** @param amount cents; without it all that is left */
  refund(invoiceId: string, amount?: number): Stripe.Refund {
    return this.refundCharge(this.#paidCharge(invoiceId), amount)
  }

  refundCharge(charge: Stripe.Charge, amount?: number): Stripe.Refund {
    const left = charge.amount - charge.amount_refunded
    if (left === 0)
      throw new StripeRefusal(400, `Charge ${charge.id} has already been refunded.`, {
        code: 'charge_already_refunded',
      })
    const cents = amount ?? left
    if (!Number.isInteger(cents) || cents < 1 || cents > left)
      throw new StripeRefusal(400, `Refund amount (${cents}) is greater than unrefunded amount on charge (${left}).`)
    const refund = makeRefund(charge, cents, this.seconds())
    this.state.refunds[refund.id] = refund
    const before = { amount_refunded: charge.amount_refunded, refunded: charge.refunded }
    charge.amount_refunded += cents
    charge.refunded = charge.amount_refunded === charge.amount
    this.#emit('charge.refunded', charge, before)
    return refund
  }

  openDispute(invoiceId: string): string {
    const charge = this.#paidCharge(invoiceId)
    if (charge.disputed) throw new StripeRefusal(400, `Charge ${charge.id} is disputed already.`)
    const dispute = makeDispute(charge, this.seconds())
    this.state.disputes[dispute.id] = dispute
    charge.disputed = true
    this.#emit('charge.dispute.created', dispute)
    return dispute.id
  }

  closeDispute(id: string, outcome: 'won' | 'lost'): void {
    const dispute = this.state.disputes[id]
    if (dispute === undefined) throw noSuch('dispute', id)
    if (dispute.status === 'won' || dispute.status === 'lost')
      throw new StripeRefusal(400, `Dispute ${id} is ${dispute.status} already.`)
    const before = { status: dispute.status }
    dispute.status = outcome
    dispute.evidence_details.has_evidence = outcome === 'won'
    dispute.evidence_details.submission_count = outcome === 'won' ? 1 : 0
    this.#emit('charge.dispute.closed', dispute, before)
  }

  /** A subscription that no checkout made, paid. */
  subscribe(requested: {
    customer: string
    price: Stripe.Price
    metadata: Record<string, string>
  }): Stripe.Subscription {
    const { subscription, invoice } = this.#begin({
      customer: this.customer(requested.customer),
      price: requested.price,
      quantity: 1,
      card: 'good',
      metadata: requested.metadata,
    })
    this.#collect(invoice, subscription, { atCheckout: true })
    return subscription
  }

  // Billing

  /** The subscription and its first invoice, before any money has come. */
  #begin(requested: {
    customer: Stripe.Customer
    price: Stripe.Price
    quantity: number
    card: CardKind
    metadata: Record<string, string>
  }): { subscription: Stripe.Subscription; invoice: Stripe.Invoice } {
    const start = this.seconds()
    const end = nextPeriodEnd(start, start, requested.price.recurring?.interval ?? 'month')
    const subscription = makeSubscription({
      customer: requested.customer.id,
      price: requested.price,
      quantity: requested.quantity,
      start,
      end,
      status: 'incomplete',
      paymentMethod: this.#keepCard(requested.card),
      metadata: requested.metadata,
    })
    this.state.subscriptions[subscription.id] = subscription
    requested.customer.currency = requested.price.currency
    const period = this.#period(this.itemOf(subscription), start, end)
    const invoice = this.#bill(subscription, [period], 'subscription_create', { start, end: start })
    this.#emit('customer.subscription.created', subscription)
    return { subscription, invoice }
  }

  #period(item: Stripe.SubscriptionItem, start: number, end: number): InvoicedPeriod {
    const { price, quantity = 1 } = item
    const amount = (price.unit_amount ?? 0) * quantity
    const interval = price.recurring?.interval ?? 'month'
    const description = `${quantity} × ${this.#options.brandName} (at $${((price.unit_amount ?? 0) / 100).toFixed(2)} / ${interval})`
    return { price, amount, start, end, description, proration: false }
  }

  #bill(
    subscription: Stripe.Subscription,
    periods: InvoicedPeriod[],
    reason: Stripe.Invoice.BillingReason,
    period: { start: number; end: number },
  ): Stripe.Invoice {
    const customer = this.customer(idOf(subscription.customer))
    const invoice = makeInvoice({
      created: this.seconds(),
      customer,
      subscription,
      item: this.itemOf(subscription),
      periods,
      reason,
      periodStart: period.start,
      periodEnd: period.end,
      accountName: this.#options.brandName,
      pages: this.#options.pages(),
    })
    this.state.invoices[invoice.id] = invoice
    customer.balance = invoice.ending_balance ?? 0
    customer.next_invoice_sequence = (customer.next_invoice_sequence ?? 1) + 1
    subscription.latest_invoice = invoice.id
    return invoice
  }

  /** Tries to collect an invoice without its customer: a renewal or a retry. */
  #attempt(invoice: Stripe.Invoice, subscription: Stripe.Subscription): void {
    const { kind } = this.cardOf(subscription)
    const fails = this.state.failing[idOf(subscription.customer)] === true || kind === 'fails-later'
    if (invoice.amount_due === 0 || (!fails && kind === 'good')) {
      this.#collect(invoice, subscription, { atCheckout: false })
      return
    }
    this.#fail(invoice, subscription, { requests: !fails })
    const wait = retryWaits[invoice.attempt_count - 1]
    if (wait === undefined) {
      this.#end(subscription, 'payment_failed')
      return
    }
    invoice.next_payment_attempt = this.seconds() + wait
    this.#emit('invoice.payment_failed', invoice)
    if (!fails) this.#emit('invoice.payment_action_required', invoice)
    this.#update(subscription, () => {
      subscription.status = 'past_due'
    })
  }

  /** The money comes. */
  #collect(invoice: Stripe.Invoice, subscription: Stripe.Subscription, { atCheckout }: { atCheckout: boolean }): void {
    const now = this.seconds()
    if (invoice.amount_due > 0) {
      const { intent, payment } = this.#openPayment(invoice, subscription)
      const charge = this.#charge(intent, subscription, null)
      intent.status = 'succeeded'
      intent.amount_received = intent.amount
      intent.latest_charge = charge.id
      intent.last_payment_error = null
      intent.next_action = null
      payment.status = 'paid'
      payment.amount_paid = invoice.amount_due
      payment.status_transitions.paid_at = now
    }
    invoice.status = 'paid'
    invoice.attempt_count += 1
    invoice.attempted = true
    invoice.auto_advance = false
    invoice.amount_paid = invoice.amount_due
    invoice.amount_remaining = 0
    invoice.next_payment_attempt = null
    invoice.status_transitions.paid_at = now
    if (atCheckout || subscription.status !== 'active')
      this.#update(subscription, () => {
        subscription.status = 'active'
      })
    this.#emit('invoice.paid', invoice)
  }

  /** The money does not come; what follows from it is the caller's. */
  #fail(invoice: Stripe.Invoice, subscription: Stripe.Subscription, { requests = false } = {}): void {
    const { intent } = this.#openPayment(invoice, subscription)
    if (requests) {
      intent.status = 'requires_action'
      intent.next_action = {
        redirect_to_url: { return_url: null, url: invoice.hosted_invoice_url ?? null },
        type: 'redirect_to_url',
      }
    } else {
      const charge = this.#charge(intent, subscription, declined)
      intent.status = 'requires_payment_method'
      intent.latest_charge = charge.id
      intent.last_payment_error = {
        ...declined,
        charge: charge.id,
        decline_code: 'generic_decline',
        type: 'card_error',
      }
    }
    invoice.attempt_count += 1
    invoice.attempted = true
    invoice.next_payment_attempt = null
  }

  #giveUpFirstPayment(subscription: Stripe.Subscription, invoice: Stripe.Invoice): void {
    if (invoice.attempt_count > 0) this.#emit('invoice.payment_failed', invoice)
    invoice.status = 'void'
    invoice.status_transitions.voided_at = this.seconds()
    this.#stopCollecting(subscription)
    this.#update(subscription, () => {
      subscription.status = 'incomplete_expired'
      subscription.ended_at = this.seconds()
    })
  }

  /** The payment of an invoice: made at the first attempt, the same one at each further attempt. */
  #openPayment(
    invoice: Stripe.Invoice,
    subscription: Stripe.Subscription,
  ): { intent: Stripe.PaymentIntent; payment: Stripe.InvoicePayment } {
    const { default_payment_method: method } = subscription
    const paymentMethod = typeof method === 'string' ? method : null
    const [former] = this.paymentsOf(invoice.id)
    const formerIntent = this.state.paymentIntents[idOf(former?.payment.payment_intent)]
    if (former !== undefined && formerIntent !== undefined) {
      formerIntent.payment_method = paymentMethod
      return { intent: formerIntent, payment: former }
    }
    const intent = makePaymentIntent(invoice, paymentMethod)
    const payment = makeInvoicePayment(invoice, intent.id)
    this.state.paymentIntents[intent.id] = intent
    this.state.invoicePayments[payment.id] = payment
    return { intent, payment }
  }

  #charge(
    intent: Stripe.PaymentIntent,
    subscription: Stripe.Subscription,
    refused: { code: string; message: string } | null,
  ): Stripe.Charge {
    const charge = makeCharge({
      intent,
      card: this.cardOf(subscription),
      created: this.seconds(),
      declined: refused,
      pages: this.#options.pages(),
      accountName: this.#options.brandName,
    })
    this.state.charges[charge.id] = charge
    return charge
  }

  #paidCharge(invoiceId: string): Stripe.Charge {
    const charge = this.chargeOf(this.invoice(invoiceId).id)
    if (charge === undefined) throw new StripeRefusal(400, `Invoice ${invoiceId} has no payment.`)
    return charge
  }

  #openInvoice(subscription: Stripe.Subscription): Stripe.Invoice | undefined {
    const { latest_invoice: latest } = subscription
    const invoice = typeof latest === 'string' ? this.state.invoices[latest] : undefined
    return invoice?.status === 'open' ? invoice : undefined
  }

  #isProcessing(invoice: Stripe.Invoice): boolean {
    return this.paymentsOf(invoice.id).some(
      ({ payment }) => this.state.paymentIntents[idOf(payment.payment_intent)]?.status === 'processing',
    )
  }

  #stopCollecting(subscription: Stripe.Subscription): void {
    for (const invoice of this.invoicesOf(idOf(subscription.customer))) {
      if (invoice.parent?.subscription_details?.subscription !== subscription.id || invoice.status !== 'open') continue
      invoice.next_payment_attempt = null
      invoice.auto_advance = false
    }
  }

  #end(subscription: Stripe.Subscription, reason: Stripe.Subscription.CancellationDetails.Reason): void {
    const now = this.seconds()
    // The failed attempt that ends it was still to be told.
    if (reason === 'payment_failed') {
      const open = this.#openInvoice(subscription)
      if (open !== undefined) this.#emit('invoice.payment_failed', open)
    }
    this.#stopCollecting(subscription)
    subscription.status = 'canceled'
    subscription.canceled_at ??= now
    subscription.ended_at = now
    subscription.cancellation_details = { comment: null, feedback: null, feedback_option: null, reason }
    this.#emit('customer.subscription.deleted', subscription)
  }

  #clearCancellation(subscription: Stripe.Subscription): void {
    subscription.cancel_at_period_end = false
    subscription.cancel_at = null
    subscription.canceled_at = null
    subscription.cancellation_details = { comment: null, feedback: null, feedback_option: null, reason: null }
  }

  #keepCard(kind: CardKind): string {
    const id = makeId('pm_')
    this.state.cards[id] = { kind, last4: last4Of[kind], expMonth: 12, expYear: 2034 }
    return id
  }

  // Events

  /** Changes a subscription and tells of it, with what it was before; a change of nothing is not told. */
  #update<T>(subscription: Stripe.Subscription, change: () => T): T {
    const before = structuredClone(subscription) as unknown as Record<string, unknown>
    const result = change()
    const after = subscription as unknown as Record<string, unknown>
    const changed = Object.keys(after).filter((key) => JSON.stringify(after[key]) !== JSON.stringify(before[key]))
    if (changed.length === 0) return result
    const previous = Object.fromEntries(changed.map((key) => [key, before[key]]))
    this.#emit('customer.subscription.updated', subscription, previous)
    return result
  }

  #emit<Type extends Stripe.Event.Type>(
    type: Type,
    object: EventOf<Type>['data']['object'],
    previous?: Record<string, unknown>,
  ): void {
    const event = {
      id: makeId('evt_'),
      object: 'event',
      api_version: apiVersion,
      created: this.seconds(),
      data: {
        object: structuredClone(object),
        ...(previous !== undefined && { previous_attributes: structuredClone(previous) }),
      },
      livemode: false,
      pending_webhooks: 0,
      request: { id: this.#cause?.id ?? null, idempotency_key: this.#cause?.idempotencyKey ?? null },
      type,
    } as unknown as Stripe.Event
    const { events } = this.state
    events.push(event)
    this.#options.onEvent(event)
    if (events.length > maxEvents && events[0]?.pending_webhooks === 0) events.shift()
  }
}

export function isEnded({ status }: Stripe.Subscription): boolean {
  return status === 'canceled' || status === 'incomplete_expired'
}

/** An invoice as it is shown to whoever asks for its payments too. */
export function withPayments(account: Account, invoice: Stripe.Invoice): Stripe.Invoice {
  const payments = listOf(account.paymentsOf(invoice.id), `/v1/invoice_payments?invoice=${invoice.id}`)
  return structuredClone({ ...invoice, payments })
}
