import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import type Stripe from 'stripe'
import { Account, withPayments } from './account.ts'
import { Api, type ApiFaults } from './api.ts'
import { openPages } from './pages.ts'
import { type PastPurchase, playPast } from './past.ts'
import { readState, saveState, type CardKind } from './state.ts'
import { signPayload, Webhooks, type WebhookFaults } from './webhooks.ts'

export interface SandboxOptions {
  host?: string
  port?: number
  secretKey: string
  webhookSecret: string
  webhookUrl?: string
  prices: { monthly: string; annual: string }
  brandName?: string
  /** The host in the addresses of the pages, if browsers reach the sandbox under another name than `host`. */
  publicHost?: string
  /** The file that holds the state over restarts; without it everything ends with the process. */
  stateFile?: string
  /** Milliseconds; the machine's clock when left out. */
  now?: () => number
}

/** The faults on demand: a plain object, changed from outside at any time. */
export interface SandboxFaults extends ApiFaults, WebhookFaults {}

/** Everything that tests and the control page can do to the account. Each call has done its work when it resolves. */
export interface SandboxControl {
  readonly faults: SandboxFaults
  /** The last thousand calls of the API. */
  readonly requests: { method: string; path: string; idempotencyKey: string | undefined }[]
  /** Called when the work of a call is done and saved, before its answer is sent. */
  onAnswer?: ((request: { method: string; path: string }) => void | Promise<void>) | undefined
  /** All events so far, oldest first; the last two thousand of them. */
  readonly events: Stripe.Event[]
  /** Pays as the page does. Asynchronous: the session is complete and unpaid until `settle`. */
  pay(sessionId: string, how?: { card?: CardKind; asynchronous?: boolean }): Promise<void>
  settle(sessionId: string, succeeds: boolean): Promise<void>
  expire(sessionId: string): Promise<void>
  /** Does what has come due by the sandbox's clock: renewals, retries, ends, expiries. */
  tick(): Promise<void>
  /** Ends the running period at this moment, and does what follows; while a renewal waits for a retry, does that. */
  passPeriod(subscriptionId: string): Promise<void>
  /** `cancel_at` sets the date without the flag, as portals of newer versions do. */
  cancel(subscriptionId: string, when: 'now' | 'period_end' | 'cancel_at'): Promise<void>
  /** Takes back a cancellation at the period's end. */
  resume(subscriptionId: string): Promise<void>
  /** past_due and unpaid come about by a renewal that fails now. */
  setStatus(subscriptionId: string, status: Stripe.Subscription.Status): Promise<void>
  switchPlan(subscriptionId: string, price: string): Promise<void>
  updateCard(subscriptionId: string, card: CardKind): Promise<void>
  /** Adds a price to the account, or another in its place, until the sandbox ends; by default $12.00 a month in test mode. */
  setPrice(id: string, price?: { amount?: number; interval?: 'month' | 'year' | null; isLive?: boolean }): void
  /** Whether the next renewals and retries of a customer fail, whatever their card. */
  failNextPayments(customerId: string, fails: boolean): void
  /** @param amount cents; without it all that is left */
  refund(invoiceId: string, amount?: number): Promise<void>
  /** @returns the id of the dispute */
  openDispute(invoiceId: string): Promise<string>
  closeDispute(disputeId: string, outcome: 'won' | 'lost'): Promise<void>
  /** A subscription of another product, or one of ours by a customer nobody knows; returns its event. */
  addForeign(kind: 'other_price' | 'unknown_customer', customerId?: string): Promise<Stripe.Event>
  /** A paid subscription that was made in the dashboard. @returns its id */
  subscribeOutside(customerId: string, plan: 'monthly' | 'annual', metadata?: Record<string, string>): Promise<string>
  /** Copies, oldest first; invoices with their payments. */
  subscriptionsOf(customerId: string): Stripe.Subscription[]
  invoicesOf(customerId: string): Stripe.Invoice[]
  chargesOf(customerId: string): Stripe.Charge[]
  customers(): Stripe.Customer[]
  /** Sends these events now, one after the other. @returns the statuses, 0 for no answer */
  deliver(eventIds: string[]): Promise<number[]>
  /** Sends one event so many times at once. @returns the statuses, 0 for no answer */
  deliverAtOnce(eventId: string, times: number): Promise<number[]>
  /** The signature header for a payload, by default with the sandbox's secret and at the moment of its clock. */
  sign(payload: string, options?: { secret?: string; timestampSeconds?: number }): string
  /** Resolves when no delivery is under way or due at once. */
  idle(): Promise<void>
}

export interface RunningSandbox {
  /** The address of the API for the SDK. */
  readonly url: string
  readonly port: number
  readonly control: SandboxControl
  setWebhookUrl(url: string): void
  /**
   * Makes memberships that were bought in the past, as a demo wants them. Only the events of the last three days are
   * sent: the site reads the rest.
   * @returns the customer of each member
   */
  playPast(purchases: readonly PastPurchase[]): Record<string, string>
  close(): Promise<void>
}

/** How long Stripe sends an event again, and how long it keeps one, in seconds. */
const sentFor = 3 * 86_400
const keptFor = 30 * 86_400

/** More than any call needs: a body beyond it is broken off. */
const maxBody = 1024 * 1024

/** Opens the sandbox on its own port. Rejects when the port is taken or the state file cannot be read. */
export async function openSandbox(options: SandboxOptions): Promise<RunningSandbox> {
  const { host = '127.0.0.1', secretKey, webhookSecret, brandName = 'Daybook', now = Date.now } = options
  const state = readState(options.stateFile)
  const save = () => saveState(options.stateFile, state)
  const faults: SandboxFaults = { api: 'none', slowMs: 5_000, webhooks: 'on', lateMs: 5_000 }
  const closing = new AbortController()
  const webhooks = new Webhooks({ state, faults, secret: webhookSecret, url: options.webhookUrl, save, now })
  let port = 0
  let isPast = false
  const account = new Account({
    state,
    now,
    prices: options.prices,
    brandName,
    pages: () => `http://${bracketed(options.publicHost ?? reachable(host))}:${port}`,
    onEvent: (event) => {
      if (!isPast) webhooks.add(event)
    },
  })
  const api = new Api({ account, faults, secretKey, now, save, closing: closing.signal })

  const control = controlOf({ account, api, webhooks, faults, save, webhookSecret, prices: options.prices, now })
  const pages = openPages({
    account,
    control,
    brandName,
    secretKey,
    now,
    hosts: [host, options.publicHost ?? host, 'localhost', '127.0.0.1', '::1'].map(bracketed),
  })
  const showPage = getRequestListener(pages.fetch, { overrideGlobalObjects: false })

  const server = createServer((request, response) => {
    const work = isForApi(request) ? handle(request, response, api) : showPage(request, response)
    work.catch((error: unknown) => {
      console.error(error)
      response.destroy()
    })
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(options.port ?? 0, host, resolve)
  }).catch(async (error: unknown) => {
    await webhooks.close()
    throw error
  })
  port = (server.address() as AddressInfo).port

  return {
    url: `http://${bracketed(reachable(host))}:${port}`,
    port,
    control,
    setWebhookUrl: (url) => webhooks.setUrl(url),
    playPast(purchases) {
      const before = state.events.length
      isPast = true
      try {
        return playPast(account, options.prices, purchases)
      } finally {
        isPast = false
        const seconds = Math.floor(now() / 1000)
        const made = state.events.splice(before).toSorted((a, b) => a.created - b.created)
        state.events.push(...made.filter(({ created }) => created >= seconds - keptFor))
        for (const event of made) if (event.created >= seconds - sentFor) webhooks.add(event)
        save()
      }
    },
    close: async () => {
      closing.abort()
      await webhooks.close()
      const closed = new Promise((resolve) => server.close(resolve))
      server.closeAllConnections()
      await closed
    },
  }
}

/** An address that one can call: a server on all interfaces is reached through this machine. */
function reachable(host: string): string {
  return host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host
}

function bracketed(host: string): string {
  return host.includes(':') && !host.startsWith('[') ? `[${host}]` : host
}

function isForApi({ url = '/' }: IncomingMessage): boolean {
  return url === '/v1' || url.startsWith('/v1/')
}

async function handle(request: IncomingMessage, response: ServerResponse, api: Api): Promise<void> {
  const [path = '/', query = ''] = (request.url ?? '/').split('?')
  const body = await readBody(request)
  if (body === undefined) {
    response.destroy()
    return
  }
  const header = (name: string) => {
    const value = request.headers[name]
    return Array.isArray(value) ? value[0] : value
  }
  const outcome = await api.answer({
    method: request.method ?? 'GET',
    path,
    query,
    body,
    authorization: header('authorization'),
    version: header('stripe-version'),
    idempotencyKey: header('idempotency-key'),
  })
  if (outcome === 'broken') {
    response.destroy()
    return
  }
  response.writeHead(outcome.status, outcome.headers).end(outcome.body)
}

/** The body as text; undefined when it is larger than anything that is asked here. */
async function readBody(request: IncomingMessage): Promise<string | undefined> {
  const parts: Buffer[] = []
  let size = 0
  for await (const part of request as AsyncIterable<Buffer>) {
    size += part.length
    if (size > maxBody) return undefined
    parts.push(part)
  }
  return Buffer.concat(parts).toString('utf8')
}

function controlOf({
  account,
  api,
  webhooks,
  faults,
  save,
  webhookSecret,
  prices,
  now,
}: {
  account: Account
  api: Api
  webhooks: Webhooks
  faults: SandboxFaults
  save: () => void
  webhookSecret: string
  prices: { monthly: string; annual: string }
  now: () => number
}): SandboxControl {
  /** Does a piece of work and saves what it did; what it throws becomes a rejection. */
  async function change<T>(work: () => T): Promise<T> {
    const result = work()
    save()
    return result
  }
  const eventOf = (id: string): Stripe.Event => {
    const event = account.state.events.find((event) => event.id === id)
    if (event === undefined) throw new Error(`There is no event ${id}.`)
    return event
  }
  return {
    faults,
    requests: api.requests,
    get onAnswer() {
      return api.onAnswer
    },
    set onAnswer(listener) {
      api.onAnswer = listener
    },
    events: account.state.events,
    pay: (id, how) => change(() => void account.pay(id, how)),
    settle: (id, succeeds) => change(() => account.settle(id, succeeds)),
    expire: (id) => change(() => void account.expire(id)),
    tick: async () => {
      if (account.tick() > 0) save()
    },
    passPeriod: (id) => change(() => account.passPeriod(id)),
    cancel: (id, when) => change(() => void account.cancel(id, when)),
    resume: (id) => change(() => account.resume(id)),
    setStatus: (id, status) => change(() => account.setStatus(id, status)),
    switchPlan: (id, price) =>
      change(() => account.switchPlan(id, price === 'monthly' || price === 'annual' ? prices[price] : price)),
    updateCard: (id, card) => change(() => account.updateCard(id, card)),
    setPrice: (id, { amount = 1_200, interval = 'month', isLive = false } = {}) =>
      account.setPrice(id, { amount, interval, isLive }),
    failNextPayments: (customer, fails) => {
      account.failNextPayments(customer, fails)
      save()
    },
    refund: (invoice, amount) => change(() => void account.refund(invoice, amount)),
    openDispute: (invoice) => change(() => account.openDispute(invoice)),
    closeDispute: (id, outcome) => change(() => account.closeDispute(id, outcome)),
    addForeign: (kind, customerId) =>
      change(() => {
        const customer = customerId ?? account.createCustomer({ email: 'stranger@example.com', name: 'A stranger' }).id
        const price = kind === 'other_price' ? account.foreignPrice : account.price(prices.monthly)
        const subscription = account.subscribe({ customer, price, metadata: {} })
        const event = account.state.events.findLast(
          ({ type, data }) =>
            type === 'customer.subscription.updated' && 'id' in data.object && data.object.id === subscription.id,
        )
        if (event === undefined) throw new Error('A subscription came about without an event.')
        return event
      }),
    subscribeOutside: (customer, plan, metadata = {}) =>
      change(() => account.subscribe({ customer, price: account.price(prices[plan]), metadata }).id),
    subscriptionsOf: (customer) => structuredClone(account.subscriptionsOf(customer)),
    invoicesOf: (customer) => account.invoicesOf(customer).map((invoice) => withPayments(account, invoice)),
    chargesOf: (customer) => structuredClone(account.chargesOf(customer)),
    customers: () => structuredClone(Object.values(account.state.customers)),
    deliver: async (ids) => {
      const statuses: number[] = []
      for (const id of ids) statuses.push(await webhooks.send(eventOf(id)))
      return statuses
    },
    deliverAtOnce: (id, times) => {
      const event = eventOf(id)
      return Promise.all(Array.from({ length: times }, () => webhooks.send(event)))
    },
    sign: (payload, { secret = webhookSecret, timestampSeconds = Math.floor(now() / 1000) } = {}) =>
      signPayload(payload, secret, timestampSeconds),
    idle: () => webhooks.idle(),
  }
}
