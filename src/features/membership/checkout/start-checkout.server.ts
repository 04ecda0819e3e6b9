import { hash } from 'node:crypto'
import type { Stripe } from 'stripe'
import { uuidv7 } from 'uuidv7'
import type { MembershipApp } from '../app.ts'
import { foldEmail } from '../../accounts/user/email.ts'
import { requireMember, type Viewer } from '../../office/viewer/viewer.ts'
import { type AppError, defineError } from '../../../platform/errors.ts'
import { limitCheckout } from './checkout-limits.server.ts'
import { countCheckout, originOf } from '../plans/entry-conversions.server.ts'
import type { OpenedCheckout } from './checkouts.server.ts'
import { unknownMember } from '../../accounts/user/unknown-member.server.ts'
import { lockMember, longTimeoutMs, type MemberLock } from '../access/lock-member.server.ts'
import { openPortalOf } from './open-portal.server.ts'
import { expireSession, openSessionsOf } from './open-sessions.server.ts'
import { isPlanType, type PlanType } from '../plans/plans.ts'
import { hasOpenDispute, readPurchaseBlock } from './purchase-block.server.ts'
import { type CustomerState, idOf } from '../stripe/stripe-state.ts'
import { cancelSubscription, syncLocked } from '../sync/sync-customer.server.ts'

export interface CheckoutRequest {
  /** The caller's own: so that nobody buys for another account by mistake. */
  email: string
  planType: string
  /** As `clientAddressOf` tells it. */
  address: string
  siteUrl: string
  /** The slug of the entry from whose page they came to the plans; anything else is passed over. */
  entry?: unknown
}

/**
 * The address where the caller pays for a plan. However often it is requested at once there is one checkout, and none
 * beside a living subscription (docs/spec/billing.md#checkout).
 * @throws {AppError} `checkout.plan`, 422; `checkout.other`, `.disabled`, `.blocked`, `.disputed`, 403;
 * `checkout.subscribed`, `.paying`, 409, with the `url` of the portal or the account; `limit.exceeded`, 429;
 * `payments.*`, `checkout.pending`, `billing.busy`, 503
 */
export async function startCheckout(
  app: MembershipApp,
  viewer: Viewer,
  { email, planType, address, siteUrl, entry }: CheckoutRequest,
): Promise<OpenedCheckout> {
  const member = requireMember(viewer)
  if (!isPlanType(planType)) {
    throw noSuchPlan()
  }
  if (foldEmail(email) !== foldEmail(member.email)) {
    throw otherAccount({ field: 'email' })
  }
  if (member.isVipDisabled) throw disabledForPurchases(app.texts.inForce.contactEmail)
  app.payments.refuseOff()
  await limitCheckout(app, member.id, address)
  const opened = await app.checkouts.join(`${member.id} ${planType}`, () =>
    openCheckout(app, { userId: member.id, planType, siteUrl }),
  )
  const origin = originOf(entry)
  if (origin !== undefined) {
    // No count keeps a buyer from paying.
    await countCheckout(app, member.id, origin).catch((error: unknown) =>
      app.log.warn({ err: error }, 'A checkout was not counted for its entry.'),
    )
  }
  return opened
}

interface WantedCheckout {
  userId: string
  planType: PlanType
  siteUrl: string
}

async function openCheckout(app: MembershipApp, wanted: WantedCheckout): Promise<OpenedCheckout> {
  await app.payments.requirePrices()
  return lockMember(
    app,
    wanted.userId,
    async (lock) => {
      const url = await openLocked(app, lock, wanted)
      // Without its lock a process gives no address away: another one may be giving a different address.
      await lock.commit(() => Promise.resolve())
      return { url }
    },
    { waitMs: longTimeoutMs },
  )
}

/** Stripe's record of an existing customer of ours. */
interface KnownCustomer {
  id: string
  open: Stripe.Checkout.Session[]
  /** Undefined for one who was made a moment ago, and has bought nothing. */
  state: CustomerState | undefined
}

async function openLocked(app: MembershipApp, lock: MemberLock, wanted: WantedCheckout): Promise<string> {
  const { userId, planType, siteUrl } = wanted
  await refuseDisabled(app, userId)
  await refuseDisputed(app, userId)
  let known = await lookUp(app, lock)
  await refuseBought(app, lock, known, siteUrl)
  while (known === undefined) {
    // None yet, one that was deleted at Stripe, or one that these keys do not know.
    const { id, isRepeated } = await createCustomer(app, lock)
    if (!isRepeated) known = { id, open: await openSessionsOf(app, id), state: undefined }
    else {
      // Made by an attempt whose answer was lost, or before a backup was restored: they may have bought since.
      known = await lookUp(app, lock)
      await refuseBought(app, lock, known, siteUrl)
    }
  }
  const hanging = (known.state?.subscriptions ?? []).filter(({ status }) => status === 'incomplete')
  for (const { stripeId } of hanging) {
    if (await isBeingPaid(app, stripeId)) throw payingAlready({ details: { url: `${siteUrl}/account` } })
  }
  const price = app.payments.priceOf(planType)
  const fitting = known.open.find(
    ({ url, metadata, success_url }) =>
      url !== null && metadata?.['price'] === price && success_url?.startsWith(`${siteUrl}/`) === true,
  )
  for (const session of known.open) {
    if (session !== fitting && !(await expireSession(app, session.id))) throw await paidMeanwhile(app, lock, siteUrl)
  }
  if (fitting?.url != null) return fitting.url
  // A first payment that hangs could still be made, beside the new one.
  for (const { stripeId } of hanging) await cancelSubscription(app, stripeId)
  return createSession(app, lock, { stripeCustomerId: known.id, planType, siteUrl })
}

/**
 * Stripe is asked and not our tables: a fresh purchase may not have reached us yet.
 * @returns undefined for a member without a customer, or with one who is not at Stripe
 */
async function lookUp(app: MembershipApp, lock: MemberLock): Promise<KnownCustomer | undefined> {
  const id = lock.stripeCustomerId
  if (id === null) return undefined
  // Before the subscriptions: what is paid in between is among these, or its subscription among those.
  const open = await openSessionsOf(app, id)
  const { state } = await syncLocked(app, lock, 'checkout')
  return lock.stripeCustomerId === null || state === undefined ? undefined : { id, open, state }
}

/** @throws {AppError} 403 and 409, for a caller who already has a subscription or may not buy */
async function refuseBought(
  app: MembershipApp,
  lock: MemberLock,
  known: KnownCustomer | undefined,
  siteUrl: string,
): Promise<void> {
  await refuseDisputed(app, lock.userId)
  if (known?.state?.best !== undefined) throw await subscribedAlready(app, lock, siteUrl)
  await refuseUndecided(app, lock.userId)
}

/**
 * An administrator may have disabled the membership while the lock was waited for.
 * @throws {AppError} `checkout.disabled`, 403
 */
async function refuseDisabled(app: Pick<MembershipApp, 'db' | 'texts'>, userId: string): Promise<void> {
  const user = await app.db.selectFrom('users').select('vip_disabled').where('id', '=', userId).executeTakeFirst()
  if (user?.vip_disabled === true) throw disabledForPurchases(app.texts.inForce.contactEmail)
}

export const disabledForPurchases = defineError({
  code: 'checkout.disabled',
  status: 403,
  sentence: (contactEmail: string) =>
    `VIP access is disabled for this account, so a plan would give you nothing. Write to ${contactEmail}.`,
  remedy: 'Write to the operator.',
})

/** @throws {AppError} `checkout.blocked`, 403, after a lost dispute that nobody has reviewed */
async function refuseDisputed({ db, texts }: Pick<MembershipApp, 'db' | 'texts'>, userId: string): Promise<void> {
  const block = await readPurchaseBlock(db, userId)
  if (block === undefined) return
  // Anybody may have registered with that address: they learn nothing of an earlier account.
  const refuse = block === 'dispute_lost' ? paymentGivenBack : checkoutBlocked
  throw refuse(texts.inForce.contactEmail)
}

/**
 * A purchase during a dispute would be suspended with the rest: paid for, and worth nothing.
 * @throws {AppError} `checkout.disputed`, 403
 */
async function refuseUndecided({ db, texts }: Pick<MembershipApp, 'db' | 'texts'>, userId: string): Promise<void> {
  if (!(await hasOpenDispute(db, userId))) return
  throw checkoutDisputed(texts.inForce.contactEmail)
}

async function subscribedAlready(
  app: MembershipApp,
  { stripeCustomerId }: MemberLock,
  siteUrl: string,
): Promise<AppError> {
  let url
  try {
    url = await openPortalOf(app, stripeCustomerId ?? '', siteUrl)
  } catch (error) {
    // The answer says so all the same; their account page leads to the portal once it opens again.
    app.log.warn({ err: error }, 'The billing portal could not be opened.')
    url = `${siteUrl}/account`
  }
  return checkoutSubscribed({ details: { url } })
}

/** A checkout that could not be ended has just been paid: its result is read and answered. */
async function paidMeanwhile(app: MembershipApp, lock: MemberLock, siteUrl: string): Promise<AppError> {
  const { state } = await syncLocked(app, lock, 'checkout')
  if (state?.best !== undefined) return subscribedAlready(app, lock, siteUrl)
  return payingAlready({ details: { url: `${siteUrl}/account` } })
}

export const payingAlready = defineError({
  code: 'checkout.paying',
  status: 409,
  sentence: 'Another checkout of yours is being paid. Look at your account in a minute.',
  members: { url: 'the address of the account page.' },
  remedy: 'Open the url of the answer: the account shows what the payment gave.',
})

/**
 * Whether the first payment of a subscription is on its way, as a bank's transfer is for days: nobody can call it back,
 * so another purchase would be paid for twice.
 */
async function isBeingPaid({ payments }: MembershipApp, subscription: string): Promise<boolean> {
  return payments.request(async (stripe) => {
    const invoices = await stripe.invoices.list({ subscription, limit: 100, expand: ['data.payments'] })
    const intents = invoices.data.flatMap((invoice) =>
      (invoice.payments?.data ?? []).flatMap(({ payment }) => idOf(payment.payment_intent) ?? []),
    )
    const found = await Promise.all(intents.map((id) => stripe.paymentIntents.retrieve(id)))
    return found.some(({ status }) => status === 'processing')
  })
}

/**
 * One customer for each user: an attempt whose answer was lost is repeated with the key that it had, and gets the same.
 * A changed name needs another key: Stripe refuses a known key with other parameters.
 * @returns also whether the customer was made by an earlier attempt
 */
async function createCustomer(app: MembershipApp, lock: MemberLock): Promise<{ id: string; isRepeated: boolean }> {
  const { userId } = lock
  const row = await app.db
    .selectFrom('users')
    .innerJoin('billing_customers', 'billing_customers.user_id', 'users.id')
    .select(['users.email', 'users.name', 'billing_customers.customers_made'])
    .where('users.id', '=', userId)
    .executeTakeFirstOrThrow(() => unknownMember())
  const { email, name, customers_made: made } = row
  const wanted = hash('sha256', JSON.stringify([email, name]), 'hex').slice(0, 16)
  const customer = await app.payments.request((stripe) =>
    stripe.customers.create(
      { email, name, metadata: { user_id: userId } },
      { idempotencyKey: `daybook-customer-${userId}-${made}-${wanted}` },
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
  return { id: customer.id, isRepeated: customer.lastResponse.headers['idempotent-replayed'] === 'true' }
}

async function createSession(
  app: MembershipApp,
  lock: MemberLock,
  { stripeCustomerId, planType, siteUrl }: { stripeCustomerId: string; planType: PlanType; siteUrl: string },
): Promise<string> {
  const { userId } = lock
  const startedAt = new Date(app.clock.now())
  await lock.commit((trx) =>
    trx
      .updateTable('billing_customers')
      .set((set) => ({ checkouts_made: set('checkouts_made', '+', 1), checkout_started_at: startedAt }))
      .where('user_id', '=', userId)
      .execute(),
  )
  const price = app.payments.priceOf(planType)
  const metadata = { user_id: userId, plan_type: planType, price }
  const session = await app.payments.request((stripe) =>
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
      // The SDK's repeats of this one call are one attempt. Every other finds its checkout in Stripe's list; with a key
      // made of what our tables count, a restored backup would meet what was asked for before, and be given that.
      { idempotencyKey: `daybook-checkout-${userId}-${uuidv7()}` },
    ),
  )
  if (session.url === null) throw new Error('Stripe has made a checkout without an address.')
  return session.url
}

export const noSuchPlan = defineError({
  code: 'checkout.plan',
  status: 422,
  field: 'planType',
  sentence: 'Choose a plan: monthly or annual.',
  remedy: 'Send monthly or annual as planType.',
})

export const otherAccount = defineError({
  code: 'checkout.other',
  status: 403,
  sentence: 'You are signed in with another address. Sign in again, then choose your plan.',
  remedy: 'Send the address of the account whose session it is.',
})

const blocked = {
  code: 'checkout.blocked',
  status: 403,
  remedy: 'Write to the operator: an administrator reviews the dispute.',
}
const paymentGivenBack = defineError({
  ...blocked,
  sentence: (contactEmail: string) =>
    `A payment of yours was disputed and given back by the bank. Write to ${contactEmail} before you buy again.`,
})
export const checkoutBlocked = defineError({
  ...blocked,
  sentence: (contactEmail: string) =>
    `Purchases are blocked for this account until somebody has looked at it. Write to ${contactEmail} before you buy.`,
})

export const checkoutDisputed = defineError({
  code: 'checkout.disputed',
  status: 403,
  sentence: (contactEmail: string) =>
    `A payment of yours is disputed, and access is suspended until the bank has decided. Write to ${contactEmail} if that is a mistake.`,
  remedy: 'Wait until the bank has decided.',
})

export const checkoutSubscribed = defineError({
  code: 'checkout.subscribed',
  status: 409,
  sentence: 'You have a subscription already. Change or cancel it in the billing portal.',
  members: { url: 'the address of the billing portal.' },
  remedy: 'Open the url of the answer, the billing portal.',
})
