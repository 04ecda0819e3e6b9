import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Stripe } from 'stripe'
import { onTestFinished } from 'vitest'
import { openSandbox, type RunningSandbox, type SandboxOptions } from './sandbox.ts'
import type { CardKind } from './state.ts'

export const webhookSecret = 'whsec_sandbox'
export const prices = { monthly: 'price_monthly', annual: 'price_annual' }

const day = 24 * 3600 * 1000
const startMs = Date.UTC(2026, 0, 31, 12)

/** A sandbox for one test, with a clock that stands still until it is set, and the official SDK in front of it. */
export async function trySandbox(options: Partial<SandboxOptions> = {}) {
  const clock = { ms: startMs }
  const sandbox = await openSandbox({
    secretKey: 'sk_test_sandbox',
    webhookSecret,
    prices,
    now: () => clock.ms,
    ...options,
  })
  onTestFinished(() => sandbox.close())
  const { control } = sandbox
  const stripe = sdkFor(sandbox)

  /** Moves the clock and does what has come due. */
  async function pass(days: number): Promise<void> {
    clock.ms += days * day
    await control.tick()
  }

  /** A member at the checkout. */
  async function checkout(price = prices.monthly) {
    const customer = await stripe.customers.create({ email: 'ada@example.com', metadata: { user_id: '7' } })
    return { customer, session: await openSession(stripe, customer.id, price) }
  }

  /** A member who has paid. */
  async function member(price = prices.monthly, card: CardKind = 'good') {
    const { customer, session } = await checkout(price)
    await control.pay(session.id, { card })
    const { data } = await stripe.subscriptions.list({ customer: customer.id })
    const [subscription] = data
    if (typeof subscription?.latest_invoice !== 'string') throw new Error('The payment made no subscription.')
    return { customer: customer.id, subscription: subscription.id, invoice: subscription.latest_invoice, session }
  }

  return { sandbox, control, stripe, clock, pass, checkout, member }
}

/** The SDK as the product uses it, told of nothing but another address. */
export function sdkFor({ url }: RunningSandbox, secretKey = 'sk_test_sandbox'): Stripe {
  const { hostname, port } = new URL(url)
  return new Stripe(secretKey, { host: hostname, port: Number(port), protocol: 'http', maxNetworkRetries: 0 })
}

export function openSession(stripe: Stripe, customer: string, price = prices.monthly, options?: Stripe.RequestOptions) {
  return stripe.checkout.sessions.create(
    {
      mode: 'subscription',
      customer,
      client_reference_id: '7',
      metadata: { user_id: '7' },
      subscription_data: { metadata: { user_id: '7' } },
      line_items: [{ price, quantity: 1 }],
      success_url: 'http://site.example/success?session_id={CHECKOUT_SESSION_ID}',
      cancel_url: 'http://site.example/cancel',
    },
    options,
  )
}

/** An endpoint that verifies what it gets with the SDK, by the clock at its start, and remembers it. */
export async function tryEndpoint(answer: (count: number) => number = () => 200) {
  const stripe = new Stripe('sk_test_unused')
  const received: Stripe.Event[] = []
  let count = 0
  const server: Server = createServer((request, response) => {
    void (async () => {
      const parts: Buffer[] = []
      for await (const part of request as AsyncIterable<Buffer>) parts.push(part)
      const signature = String(request.headers['stripe-signature'])
      const body = Buffer.concat(parts)
      received.push(stripe.webhooks.constructEvent(body, signature, webhookSecret, undefined, undefined, startMs))
      count += 1
      response.writeHead(answer(count)).end()
    })().catch((error: unknown) => response.writeHead(400).end(String(error)))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`
  return { url, received, types: () => received.map(({ type }) => type) }
}
