import type { Stripe } from 'stripe'
import { foldEmail } from '../accounts/email.ts'
import { invalidSession } from '../accounts/recognise-session.server.ts'
import { memberOf, type Viewer } from '../accounts/viewer.ts'
import type { App } from '../../platform/app.ts'
import { AppError } from '../../platform/errors.ts'
import { limitCheckout } from './checkout-limits.server.ts'
import { lockMember, type MemberLock } from './lock-member.server.ts'
import { openPortalOf } from './open-portal.server.ts'
import { isMissing } from './payments.server.ts'
import { isPlanType, type PlanType } from './plans.ts'
import { idOf } from './stripe-state.ts'
import { cancelSubscription, syncLocked } from './sync-customer.server.ts'

export interface CheckoutWish {
  /** The caller's own: so that nobody buys for another account than he means. */
  email: string
  planType: string
  /** As `clientAddressOf` tells it. */
  address: string
  /** Origin of the site, to come back to. */
  siteUrl: string
}

/**
 * The address where the caller pays for a plan. However often, and from however many tabs and devices it is asked for at
 * once, there is one checkout, and none at all beside a subscription that lives (BILLING.md, "Checkout").
 * @throws {AppError} `checkout.plan`, 422; `checkout.other`, `checkout.disabled`, `checkout.blocked`, `checkout.disputed`, 403;
 *   `checkout.subscribed`, `checkout.paying`, 409, with the `url` of the portal or the account; `limit.exceeded`, 429;
 *   `payments.unavailable`, `billing.busy`, 503
 */
export async function startCheckout(
  app: App,
  viewer: Viewer,
  { email, planType, address, siteUrl }: CheckoutWish,
): Promise<{ url: string }> {
  const member = memberOf(viewer)
  if (!isPlanType(planType)) {
    throw new AppError({
      code: 'checkout.plan',
      status: 422,
      message: 'Choose a plan: monthly or annual.',
      field: 'planType',
    })
  }
  if (foldEmail(email) !== foldEmail(member.email)) {
    throw new AppError({
      code: 'checkout.other',
      status: 403,
      message: 'You are signed in with another address. Sign in again, then choose your plan.',
      field: 'email',
    })
  }
  if (member.isVipDisabled) {
    throw new AppError({
      code: 'checkout.disabled',
      status: 403,
      message: `VIP access is disabled for this account, so a plan would give you nothing. Write to ${app.config.contactEmail}.`,
    })
  }
  await limitCheckout(app, member.id, address)
  return lockMember(app, member.id, async (lock) => {
    await refuseDisputed(app, member.id)
    // Before the subscriptions: what is paid in between is among these, or its subscription among those.
    const former = lock.stripeCustomerId
    const formerSessions = former === null ? [] : await openSessionsOf(app, former)
    // Stripe is asked and not our tables: what has just been bought may not have been told to us yet.
    const state = former === null ? undefined : (await syncLocked(app, lock, 'checkout')).state
    await refuseDisputed(app, member.id)
    if (lock.stripeCustomerId !== null && state?.best !== undefined) throw await subscribedAlready(app, lock, siteUrl)
    await refuseUndecided(app, member.id)
    // None yet, one that was deleted at Stripe, or one that these keys do not know.
    const stripeCustomerId =
      lock.stripeCustomerId === null || state === undefined ? await createCustomer(app, lock) : lock.stripeCustomerId
    const open = stripeCustomerId === former ? formerSessions : await openSessionsOf(app, stripeCustomerId)
    const hanging = (state?.subscriptions ?? []).filter(({ status }) => status === 'incomplete')
    for (const { stripeId } of hanging) {
      if (await isBeingPaid(app, stripeId)) throw payingAlready(siteUrl)
    }
    const price = app.payments.priceOf(planType)
    const fitting = open.find(
      ({ url, metadata, success_url }) =>
        url !== null && metadata?.['price'] === price && success_url?.startsWith(`${siteUrl}/`) === true,
    )
    for (const session of open) {
      if (session !== fitting && !(await expireSession(app, session.id))) throw await paidMeanwhile(app, lock, siteUrl)
    }
    if (fitting?.url != null) return { url: fitting.url }
    // A first payment that hangs could still be made, beside the new one.
    for (const { stripeId } of hanging) await cancelSubscription(app, stripeId)
    return { url: await createSession(app, lock, { stripeCustomerId, planType, siteUrl }) }
  })
}

/** @throws {AppError} `checkout.blocked`, 403, after a lost dispute that nobody has reviewed */
async function refuseDisputed({ db, config }: Pick<App, 'db' | 'config'>, userId: string): Promise<void> {
  const lost = await db
    .selectFrom('payments')
    .select('id')
    .where('user_id', '=', userId)
    .where('dispute', '=', 'lost')
    .where('dispute_reviewed_at', 'is', null)
    .limit(1)
    .executeTakeFirst()
  if (lost === undefined) return
  throw new AppError({
    code: 'checkout.blocked',
    status: 403,
    message: `A payment of yours was disputed and given back by the bank. Write to ${config.contactEmail} before you buy again.`,
  })
}

/**
 * What is bought while a payment is disputed would be suspended with the rest: paid for, and worth nothing.
 * @throws {AppError} `checkout.disputed`, 403
 */
async function refuseUndecided({ db, config }: Pick<App, 'db' | 'config'>, userId: string): Promise<void> {
  const open = await db
    .selectFrom('payments')
    .select('id')
    .where('user_id', '=', userId)
    .where('dispute', '=', 'open')
    .limit(1)
    .executeTakeFirst()
  if (open === undefined) return
  throw new AppError({
    code: 'checkout.disputed',
    status: 403,
    message: `A payment of yours is disputed, and access is suspended until the bank has decided. Write to ${config.contactEmail} if that is a mistake.`,
  })
}

async function subscribedAlready(app: App, { stripeCustomerId }: MemberLock, siteUrl: string): Promise<AppError> {
  let url
  try {
    url = await openPortalOf(app, stripeCustomerId ?? '', siteUrl)
  } catch (error) {
    // He is told all the same; his account page leads to the portal too, once it opens again.
    app.log.warn({ err: error }, 'The billing portal could not be opened.')
    url = `${siteUrl}/account`
  }
  return new AppError({
    code: 'checkout.subscribed',
    status: 409,
    message: 'You have a subscription already. Change or cancel it in the billing portal.',
    details: { url },
  })
}

/** A checkout that could not be ended has just been paid: what it gave is read, and told. */
async function paidMeanwhile(app: App, lock: MemberLock, siteUrl: string): Promise<AppError> {
  const { state } = await syncLocked(app, lock, 'checkout')
  if (state?.best !== undefined) return subscribedAlready(app, lock, siteUrl)
  return payingAlready(siteUrl)
}

function payingAlready(siteUrl: string): AppError {
  return new AppError({
    code: 'checkout.paying',
    status: 409,
    message: 'Another checkout of yours is being paid. Look at your account in a minute.',
    details: { url: `${siteUrl}/account` },
  })
}

/**
 * Whether the first payment of a subscription is on its way, as a bank's transfer is for days: nobody can call it back,
 * so another purchase would be paid for twice.
 */
async function isBeingPaid({ payments }: App, subscription: string): Promise<boolean> {
  return payments.ask(async (stripe) => {
    const invoices = await stripe.invoices.list({ subscription, limit: 100, expand: ['data.payments'] })
    const intents = invoices.data.flatMap((invoice) =>
      (invoice.payments?.data ?? []).flatMap(({ payment }) => idOf(payment.payment_intent) ?? []),
    )
    const found = await Promise.all(intents.map((id) => stripe.paymentIntents.retrieve(id)))
    return found.some(({ status }) => status === 'processing')
  })
}

/** One customer for each user: the key makes a repeat after a crash the same one. */
async function createCustomer(app: App, lock: MemberLock): Promise<string> {
  const { userId } = lock
  const row = await app.db
    .selectFrom('users')
    .innerJoin('billing_customers', 'billing_customers.user_id', 'users.id')
    .select(['users.email', 'users.name', 'billing_customers.customers_made'])
    .where('users.id', '=', userId)
    .executeTakeFirst()
  if (row === undefined) throw invalidSession()
  const { email, name, customers_made: made } = row
  const customer = await app.payments.ask((stripe) =>
    stripe.customers.create(
      { email, name, metadata: { user_id: userId } },
      { idempotencyKey: `daybook-customer-${userId}-${made}` },
    ),
  )
  await lock.commit((trx) =>
    trx
      .updateTable('billing_customers')
      .set({ stripe_customer_id: customer.id, customers_made: made + 1 })
      .where('user_id', '=', userId)
      .execute(),
  )
  lock.stripeCustomerId = customer.id
  return customer.id
}

/** Stripe's list is the truth: it also has the checkout whose answer a crash has lost. An unknown customer has none. */
async function openSessionsOf({ payments }: App, customer: string): Promise<Stripe.Checkout.Session[]> {
  return payments.ask(async (stripe) => {
    try {
      const sessions = await stripe.checkout.sessions.list({ customer, status: 'open', limit: 100 })
      return sessions.data
    } catch (error) {
      if (isMissing(error)) return []
      throw error
    }
  })
}

/** @returns false when it could not be ended, because it is over or has been paid */
async function expireSession({ payments }: App, sessionId: string): Promise<boolean> {
  return payments.ask(async (stripe) => {
    try {
      await stripe.checkout.sessions.expire(sessionId)
      return true
    } catch (error) {
      if ((error as { type?: unknown }).type !== 'StripeInvalidRequestError') throw error
      return (await stripe.checkout.sessions.retrieve(sessionId)).status === 'expired'
    }
  })
}

async function createSession(
  app: App,
  lock: MemberLock,
  { stripeCustomerId, planType, siteUrl }: { stripeCustomerId: string; planType: PlanType; siteUrl: string },
): Promise<string> {
  const { userId } = lock
  const startedAt = new Date(app.clock.now())
  // Counted before the call: a key is never used for another checkout, whatever becomes of this one.
  const { checkouts_made: made } = await lock.commit((trx) =>
    trx
      .updateTable('billing_customers')
      .set((set) => ({ checkouts_made: set('checkouts_made', '+', 1), checkout_started_at: startedAt }))
      .where('user_id', '=', userId)
      .returning('checkouts_made')
      .executeTakeFirstOrThrow(),
  )
  const price = app.payments.priceOf(planType)
  const metadata = { user_id: userId, plan_type: planType, price }
  const session = await app.payments.ask((stripe) =>
    stripe.checkout.sessions.create(
      {
        mode: 'subscription',
        // A payment that takes days could neither be told nor called back; whatever the dashboard allows elsewhere.
        allowed_payment_method_types: ['card'],
        customer: stripeCustomerId,
        client_reference_id: userId,
        metadata,
        subscription_data: { metadata },
        line_items: [{ price, quantity: 1 }],
        success_url: `${siteUrl}/success?session_id={CHECKOUT_SESSION_ID}`,
        cancel_url: `${siteUrl}/cancel`,
      },
      { idempotencyKey: `daybook-checkout-${userId}-${made}` },
    ),
  )
  if (session.url === null) throw new Error('Stripe has made a checkout without an address.')
  return session.url
}
