import type { MembershipApp } from '../app.ts'
import type { Stripe } from 'stripe'
import { sql } from 'kysely'
import { uuidv7 } from 'uuidv7'
import { isDatabaseUnavailable } from '../../../platform/database-outages.ts'
import { isAppError } from '../../../platform/errors.ts'
import { isUuid } from '../../../platform/uuid.ts'
import { findMissedEvents } from './find-missed-events.server.ts'
import { customerOfEvent } from './handle-event.server.ts'
import { isUnknownMember } from '../../accounts/user/unknown-member.server.ts'
import { lockMember } from '../access/lock-member.server.ts'
import { isMissing, paymentsFailure } from '../stripe/payments.server.ts'
import { planTypes, plans } from '../plans/plans.ts'
import { recordEvent, outcomeAtOnce } from './receive-event.server.ts'
import { idOf } from '../stripe/stripe-state.ts'
import { syncMember } from './sync-customer.server.ts'
import { defineJob } from '../../../platform/jobs/job.ts'

/** `due`: members whose events were missed, or may have been. `all`: also every subscription to a price of ours. */
export type ReconcileScope = 'due' | 'all'

export const reconcileJob = defineJob<{ scope: ReconcileScope }>('membership.reconcile')

export interface Reconciled {
  checked: number
  /** Differences that no event reported; all of them are healed. */
  drifts: number
  failed: number
  /** Why it could not go on, for example while Stripe is away. */
  failure: string | undefined
}

const hourMs = 3_600_000
/** The longest time between comparisons of a member with a subscription. */
const staleMs = 20 * hourMs
/** The same for a member whose period has ended, who owes something, or who has just been at a checkout. */
const urgentMs = 45 * 60_000
/** A checkout can be paid for a day. */
const checkoutMs = 26 * hourMs
/** A run ends before its job times out; the next one continues. */
const longestRunMs = 240_000
const batchSize = 100

/**
 * Compares our state with Stripe's in both directions, heals what differs, and writes down every difference and the run
 * (docs/spec/billing.md#reconciliation).
 */
export async function reconcile(app: MembershipApp, { scope }: { scope: ReconcileScope }): Promise<Reconciled> {
  const id = uuidv7()
  const startedAt = new Date(app.clock.now())
  await app.db.insertInto('billing_runs').values({ id, scope, started_at: startedAt }).execute()
  const run = new Run(app)
  try {
    await run.syncMissed()
    await run.syncDue()
    if (scope === 'all') {
      await run.compareAll()
      await run.checkPrices()
    }
  } catch (error) {
    if (!isAppError(error)) throw error
    run.result.failure = error.message
    app.log.warn({ err: error, scope }, 'A reconciliation stopped early; the next one continues.')
  } finally {
    const { checked, drifts, failed, failure = null } = run.result
    await app.db
      .updateTable('billing_runs')
      .set({
        finished_at: new Date(app.clock.now()),
        checked_count: checked,
        drift_count: drifts,
        failed_count: failed,
        failure,
      })
      .where('id', '=', id)
      .execute()
  }
  const { recent, threshold } = await readDriftLevel(app)
  if (recent > threshold)
    app.log.error({ recent, threshold }, 'More differences to Stripe than usual were corrected in a day.')
  return run.result
}

/** How many differences a day are usual: 3, or one for each hundred subscriptions that live. */
export async function readDriftLevel({
  db,
  clock,
}: Pick<MembershipApp, 'db' | 'clock'>): Promise<{ recent: number; threshold: number }> {
  const dayAgo = new Date(clock.now() - 24 * hourMs)
  const { recent } = await db
    .selectFrom('billing_changes')
    .select(sql<number>`count(*)::int`.as('recent'))
    .where('is_drift', '=', true)
    .where('changed_at', '>', dayAgo)
    .executeTakeFirstOrThrow()
  const { living } = await db
    .selectFrom('subscriptions')
    .select(sql<number>`count(*)::int`.as('living'))
    .where('status', 'in', ['active', 'trialing', 'past_due'])
    .executeTakeFirstOrThrow()
  return { recent, threshold: Math.max(3, Math.ceil(living / 100)) }
}

class Run {
  readonly result: Reconciled = { checked: 0, drifts: 0, failed: 0, failure: undefined }
  readonly #app: MembershipApp
  readonly #endsAt = performance.now() + longestRunMs
  /** The members of this run so far, and whether each could be compared. */
  readonly #seen = new Map<string, boolean>()

  constructor(app: MembershipApp) {
    this.#app = app
  }

  /** The members whose events never came here: a refund or a dispute may show nowhere else. */
  async syncMissed(): Promise<void> {
    for (const event of await findMissedEvents(this.#app)) {
      if (this.#isOver()) return
      const stripeCustomerId = await customerOfEvent(this.#app, event)
      const owner =
        stripeCustomerId === undefined
          ? undefined
          : await this.#app.db
              .selectFrom('billing_customers')
              .select('user_id')
              .where('stripe_customer_id', '=', stripeCustomerId)
              .executeTakeFirst()
      const outcome = outcomeAtOnce(this.#app, event) ?? (owner === undefined ? 'unknown_customer' : 'synced')
      if (outcome === 'synced' && owner !== undefined && !(await this.#sync(owner.user_id))) continue
      const customerId = stripeCustomerId ?? null
      await recordEvent(
        this.#app.db,
        { ...event, customerId },
        { receivedAt: new Date(this.#app.clock.now()), outcome },
      )
    }
  }

  /** The members whose events may have been missed, in the order of their ids. */
  async syncDue(): Promise<void> {
    let after = '00000000-0000-0000-0000-000000000000'
    while (!this.#isOver()) {
      const due = await this.#dueAfter(after)
      for (const userId of due) {
        if (this.#isOver()) return
        await this.#sync(userId)
      }
      if (due.length < batchSize) return
      after = due.at(-1) ?? after
    }
  }

  #isOver(): boolean {
    if (performance.now() < this.#endsAt) return false
    this.result.failure = 'There was more to compare than one run has time for.'
    return true
  }

  async #dueAfter(after: string): Promise<string[]> {
    const now = this.#app.clock.now()
    const stale = new Date(now - staleMs)
    const urgent = new Date(now - urgentMs)
    const rows = await this.#app.db
      .selectFrom('billing_customers as c')
      .select('c.user_id')
      .where('c.stripe_customer_id', 'is not', null)
      .where('c.user_id', '>', after)
      .where(({ and, or, eb, exists, selectFrom }) => {
        const subscription = selectFrom('subscriptions as s')
          .select('s.stripe_id')
          .whereRef('s.user_id', '=', 'c.user_id')
        const isLive = subscription.where('s.status', 'in', ['active', 'trialing', 'past_due', 'unpaid', 'paused'])
        const isUrgent = subscription.where((where) =>
          where.or([
            where('s.status', 'in', ['past_due', 'incomplete']),
            where.and([
              where('s.status', 'in', ['active', 'trialing']),
              where('s.period_ends_at', '<=', new Date(now)),
            ]),
          ]),
        )
        const waits = selectFrom('stripe_events as e')
          .select('e.id')
          .whereRef('e.stripe_customer_id', '=', 'c.stripe_customer_id')
          .where('e.handled_at', 'is', null)
        return or([
          eb('c.synced_at', 'is', null),
          exists(waits),
          and([eb('c.synced_at', '<', stale), exists(isLive)]),
          and([eb('c.synced_at', '<', urgent), exists(isUrgent)]),
          and([eb('c.synced_at', '<=', urgent), eb('c.checkout_started_at', '>', new Date(now - checkoutMs))]),
        ])
      })
      .orderBy('c.user_id')
      .limit(batchSize)
      .execute()
    return rows.map(({ user_id }) => user_id)
  }

  /**
   * One member; a fault that concerns only them does not keep the others waiting.
   * @returns whether they have been compared in this run
   */
  async #sync(userId: string): Promise<boolean> {
    const before = this.#seen.get(userId)
    if (before !== undefined) return before
    this.#seen.set(userId, false)
    try {
      const { changed } = await syncMember(this.#app, { userId, cause: 'reconciliation' })
      this.result.checked += 1
      this.result.drifts += changed
      this.#seen.set(userId, true)
      return true
    } catch (error) {
      if (isDatabaseUnavailable(error)) throw error
      if (paymentsFailure(error) !== undefined) throw error
      // Their account was deleted meanwhile: there is nothing left to compare.
      if (isUnknownMember(error)) return false
      this.result.failed += 1
      this.#app.log.error({ err: error, userId }, 'A member could not be compared with Stripe.')
      return false
    }
  }

  /** Every live subscription to a price of ours at Stripe, and every one that we believe to live. */
  async compareAll(): Promise<void> {
    const found = new Set<string>()
    for (const price of planTypes.flatMap((plan) => this.#app.payments.config.prices[plan])) {
      for (const subscription of await this.#livingAt(price)) {
        if (this.#isOver()) return
        found.add(subscription.id)
        await this.#compare(subscription)
      }
    }
    const local = await this.#app.db
      .selectFrom('subscriptions')
      .select(['stripe_id', 'user_id'])
      .where('status', 'in', ['active', 'trialing', 'past_due', 'unpaid', 'paused'])
      .where('user_id', 'is not', null)
      .execute()
    for (const { stripe_id, user_id } of local) {
      if (this.#isOver()) return
      if (!found.has(stripe_id) && user_id !== null) await this.#sync(user_id)
    }
  }

  async #livingAt(price: string): Promise<Stripe.Subscription[]> {
    return this.#app.payments.request(async (stripe) => {
      try {
        return await stripe.subscriptions.list({ price, limit: 100 }).autoPagingToArray({ limit: 10_000 })
      } catch (error) {
        // Nobody can have bought what there is not; `checkPrices` tells of it.
        if (isMissing(error)) return []
        throw error
      }
    })
  }

  async #compare(subscription: Stripe.Subscription): Promise<void> {
    const customer = idOf(subscription.customer) ?? ''
    const owner = await this.#app.db
      .selectFrom('billing_customers')
      .select('user_id')
      .where('stripe_customer_id', '=', customer)
      .executeTakeFirst()
    if (owner === undefined) return this.#adopt(subscription, customer)
    const local = await this.#app.db
      .selectFrom('subscriptions')
      .select(['status', 'period_ends_at', 'cancels_at'])
      .where('stripe_id', '=', subscription.id)
      .executeTakeFirst()
    const item = subscription.items.data.find(({ price }) => this.#app.payments.planOf(price.id) !== undefined)
    const periodEndsAt = (item?.current_period_end ?? 0) * 1_000
    const willEnd = subscription.cancel_at !== null || subscription.cancel_at_period_end
    const isEqual =
      local !== undefined &&
      local.status === subscription.status &&
      local.period_ends_at.getTime() === periodEndsAt &&
      (local.cancels_at !== null) === willEnd
    if (!isEqual) {
      await this.#sync(owner.user_id)
      return
    }
    if (this.#seen.has(owner.user_id)) return
    this.#seen.set(owner.user_id, true)
    this.result.checked += 1
  }

  /**
   * A subscription of a customer whom we do not know. Its metadata, which we have written, may name a user who has no
   * customer yet; addresses are never compared. Otherwise it is reported and left alone: it may belong to another
   * installation.
   */
  async #adopt({ id, metadata }: Stripe.Subscription, customer: string): Promise<void> {
    const userId = metadata['user_id'] ?? ''
    const user = isUuid(userId)
      ? await this.#app.db.selectFrom('users').select('id').where('id', '=', userId).executeTakeFirst()
      : undefined
    if (user !== undefined) {
      const isAdopted = await lockMember(this.#app, user.id, async (lock) => {
        if (lock.stripeCustomerId !== null) return false
        await lock.commit((trx) =>
          trx
            .updateTable('billing_customers')
            .set({ stripe_customer_id: customer })
            .where('user_id', '=', user.id)
            .execute(),
        )
        return true
      })
      if (isAdopted) {
        await this.#sync(user.id)
        return
      }
    }
    await this.#report({ subscriptionId: id, what: 'customer', local: null, remote: customer })
  }

  /** A difference that cannot be corrected automatically: reported once a week, until somebody has looked. */
  async #report(change: {
    subscriptionId: string | null
    what: string
    local: string | null
    remote: string
  }): Promise<void> {
    const now = this.#app.clock.now()
    const { subscriptionId, ...difference } = change
    const reported = await this.#app.db
      .selectFrom('billing_changes')
      .select('id')
      .where('is_drift', '=', true)
      .where('what', '=', change.what)
      .where('remote', '=', change.remote)
      .where('changed_at', '>', new Date(now - 7 * 24 * hourMs))
      .limit(1)
      .executeTakeFirst()
    if (reported !== undefined) return
    this.result.drifts += 1
    const line =
      change.what === 'customer'
        ? 'Stripe has a subscription to a plan of ours that belongs to nobody here.'
        : 'A price at Stripe is not what the plans page says.'
    this.#app.log.warn(change, line)
    await this.#app.db
      .insertInto('billing_changes')
      .values({
        id: uuidv7(),
        subscription_id: subscriptionId,
        cause: 'reconciliation',
        is_drift: true,
        ...difference,
        changed_at: new Date(now),
      })
      .execute()
  }

  /** The plans page must show the price that Stripe charges. */
  async checkPrices(): Promise<void> {
    for (const type of planTypes) {
      const { priceCents, currency, interval } = plans[type]
      const id = this.#app.payments.priceOf(type)
      const price = await this.#app.payments.request(async (stripe) => {
        try {
          return await stripe.prices.retrieve(id)
        } catch (error) {
          if (isMissing(error)) return undefined
          throw error
        }
      })
      const local = `${priceCents} ${currency} a ${interval}`
      const remote =
        price === undefined
          ? `no price ${id}`
          : `${price.unit_amount} ${price.currency} a ${price.recurring?.interval ?? 'time'}`
      if (local !== remote) await this.#report({ subscriptionId: null, what: `price.${type}`, local, remote })
    }
  }
}
