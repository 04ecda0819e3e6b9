import { randomInt } from 'node:crypto'
import type { Stripe } from 'stripe'
import type { TestResponse } from './request.ts'
import { aMember, bearer, type MadeMember, type MemberOverrides, post, signIn } from './members.ts'
import type { SandboxServer } from './sandbox.ts'
import type { TestServer } from './test-server.ts'

/** A member who has signed in, at an address of their own: the limits of one do not reach another. */
export interface Buyer extends MadeMember {
  token: string
  address: string
  /** The headers of each request. */
  headers: Record<string, string>
}

/** The server must trust the proxy that names the address: `TRUSTED_PROXIES=127.0.0.1/32`. */
export const behindProxy = { TRUSTED_PROXIES: '127.0.0.1/32' }

export async function aBuyer(server: TestServer, overrides: MemberOverrides = {}): Promise<Buyer> {
  const member = await aMember(server.app, overrides)
  const address = anAddress()
  return { ...member, ...(await onAnotherDevice(server, member, address)) }
}

/** Signs a member in once more. */
export async function onAnotherDevice(
  server: Pick<TestServer, 'request'>,
  member: MadeMember,
  address = anAddress(),
): Promise<Pick<Buyer, 'token' | 'address' | 'headers'>> {
  const forwarded = { 'x-forwarded-for': address }
  const token = await signIn(
    { request: (path, query) => server.request(path, { ...query, headers: { ...query?.headers, ...forwarded } }) },
    member,
  )
  return { token, address, headers: { ...bearer(token), ...forwarded } }
}

export function anAddress(): string {
  return `10.${randomInt(256)}.${randomInt(256)}.${randomInt(256)}`
}

export function checkOut(
  server: Pick<TestServer, 'request'>,
  { email, headers }: Pick<Buyer, 'email' | 'headers'>,
  planType: unknown = 'monthly',
): Promise<TestResponse> {
  return post(server, '/pay/vip-payment', { email, planType }, headers)
}

/** The checkout that an answer leads to; a test fails that counts on one when there is none. */
export function sessionIn(answer: TestResponse): string {
  const [id] = /cs_\w+/.exec(answer.status === 200 ? urlIn(answer) : '') ?? []
  if (id === undefined) throw new Error(`No checkout came, but ${answer.status}: ${answer.text}`)
  return id
}

export function urlIn(answer: TestResponse): string {
  return (answer.json() as { url: string }).url
}

/** The customers that the sandbox has of a member. */
export function customersOf({ sandbox }: Pick<SandboxServer, 'sandbox'>, { id }: Pick<MadeMember, 'id'>): string[] {
  return sandbox.control
    .customers()
    .filter(({ metadata }) => metadata['user_id'] === id)
    .map((customer) => customer.id)
}

/** The subscriptions that the sandbox has of a member. */
export function subscriptionsOf(
  server: Pick<SandboxServer, 'sandbox'>,
  member: Pick<MadeMember, 'id'>,
): Stripe.Subscription[] {
  return customersOf(server, member).flatMap((customer) => server.sandbox.control.subscriptionsOf(customer))
}

/** Those that stand in the way of another purchase (docs/spec/billing.md#checkout-live-subscription). */
export function liveOf(server: Pick<SandboxServer, 'sandbox'>, member: Pick<MadeMember, 'id'>): Stripe.Subscription[] {
  const live = new Set(['active', 'trialing', 'past_due', 'unpaid', 'paused'])
  return subscriptionsOf(server, member).filter(({ status }) => live.has(status))
}

/** How often a member has been charged. */
export function chargesOf(server: Pick<SandboxServer, 'sandbox'>, member: Pick<MadeMember, 'id'>): Stripe.Charge[] {
  return customersOf(server, member)
    .flatMap((customer) => server.sandbox.control.chargesOf(customer))
    .filter(({ paid }) => paid)
}

/** The checkouts that a member could pay at this moment. */
export async function openSessionsOf(
  { app, sandbox }: Pick<SandboxServer, 'app' | 'sandbox'>,
  member: Pick<MadeMember, 'id'>,
): Promise<Stripe.Checkout.Session[]> {
  const stripe = await app.payments.stripe()
  const lists = await Promise.all(
    customersOf({ sandbox }, member).map((customer) =>
      stripe.checkout.sessions.list({ customer, status: 'open', limit: 100 }),
    ),
  )
  return lists.flatMap(({ data }) => data)
}

/** Asks what has become of a checkout until it is this, as the page does that the buyer comes back to. */
export async function waitForState(
  server: Pick<TestServer, 'request'>,
  { headers }: Pick<Buyer, 'headers'>,
  session: string,
  state: 'active' | 'failed',
): Promise<void> {
  const end = Date.now() + 60_000
  for (;;) {
    const answer = await server.request(`/pay/session/${session}`, { headers })
    if (answer.text === `{"state":"${state}"}`) return
    // Others may be at work on the same member.
    const isWaiting = answer.status === 200 && answer.text === '{"state":"confirming"}'
    if (!isWaiting || Date.now() > end) throw new Error(`The checkout is not ${state}: ${answer.status} ${answer.text}`)
    await new Promise((wake) => setTimeout(wake, 100))
  }
}

/** A member who has bought a plan, and of whom we know it. */
export async function aSubscriber(
  server: SandboxServer,
  overrides: MemberOverrides = {},
  planType: 'monthly' | 'annual' = 'monthly',
): Promise<Buyer & { customer: string; subscription: string }> {
  const buyer = await aBuyer(server, overrides)
  const session = sessionIn(await checkOut(server, buyer, planType))
  await server.sandbox.control.pay(session)
  await waitForState(server, buyer, session, 'active')
  const [customer] = customersOf(server, buyer)
  const [subscription] = subscriptionsOf(server, buyer)
  if (customer === undefined || subscription === undefined) throw new Error('The purchase left nothing at the sandbox.')
  return { ...buyer, customer, subscription: subscription.id }
}
