import { sql } from 'kysely'
import type { MembershipApp } from '../app.ts'
import { readDriftLevel } from '../sync/reconcile.server.ts'
import type { BillingRunForAdmin, DriftForAdmin, DriftReport } from './billing-schema.ts'

const maxRuns = 20
const maxDrifts = 100
const hourMs = 3_600_000
const dayMs = 24 * hourMs
/** A run ends by itself sooner; one that has said nothing for so long is gone. */
const longestRunMs = 10 * 60_000

/** The findings of the reconciliations, waiting and ignored events, for administrators. */
export async function readDriftReport(app: Pick<MembershipApp, 'db' | 'clock' | 'payments'>): Promise<DriftReport> {
  const { db, clock, payments } = app
  const now = clock.now()
  const { isSandbox, isLive, isOff } = payments.config
  // First: the page looks on until a run is over, and shows what that has found.
  const runs = await readRuns(app, now)
  const [drifts, counts, waiting, ignored, level, unknownPrices] = await Promise.all([
    readDrifts(app),
    countDrifts(app, now),
    db
      .selectFrom('stripe_events')
      .select((from) => [sql<number>`count(*)::int`.as('count'), from.fn.min('received_at').as('oldest')])
      .where('handled_at', 'is', null)
      .executeTakeFirstOrThrow(),
    db
      .selectFrom('stripe_events')
      .select(['outcome', sql<number>`count(*)::int`.as('count')])
      .where('handled_at', '>', new Date(now - 30 * dayMs))
      .where('outcome', '<>', 'synced')
      .groupBy('outcome')
      .orderBy('count', 'desc')
      .execute(),
    readDriftLevel(app),
    readUnknownPrices(app),
  ])
  return {
    runs,
    drifts,
    counts,
    waitingEvents: { count: waiting.count, oldestReceivedAt: waiting.oldest?.toISOString() ?? null },
    ignored: ignored.map(({ outcome, count }) => ({ outcome: outcome ?? '', count })),
    threshold: level.threshold,
    isAboveThreshold: level.recent > level.threshold,
    unknownPrices,
    settingsFault: payments.fault?.message ?? null,
    payments: { isSandbox, isLive, ...(isOff ? { isOff } : {}) },
  }
}

async function readRuns({ db }: Pick<MembershipApp, 'db'>, now: number): Promise<BillingRunForAdmin[]> {
  const rows = await db
    .selectFrom('billing_runs')
    .selectAll()
    .orderBy('started_at', 'desc')
    .orderBy('id', 'desc')
    .limit(maxRuns)
    .execute()
  return rows.map(({ id, scope, started_at, finished_at, checked_count, drift_count, failed_count, failure }) => ({
    id,
    scope,
    state: finished_at !== null ? 'finished' : now - started_at.getTime() < longestRunMs ? 'under_way' : 'broken_off',
    startedAt: started_at.toISOString(),
    finishedAt: finished_at?.toISOString() ?? null,
    checked: checked_count,
    drifts: drift_count,
    failed: failed_count,
    failure,
  }))
}

async function readUnknownPrices({ db }: Pick<MembershipApp, 'db'>): Promise<DriftReport['unknownPrices']> {
  const rows = await db
    .selectFrom('subscriptions')
    .select(['unknown_price', sql<number>`count(*)::int`.as('count')])
    .where('unknown_price', 'is not', null)
    .where('user_id', 'is not', null)
    .where('status', 'in', ['active', 'trialing', 'past_due', 'unpaid', 'paused'])
    .groupBy('unknown_price')
    .orderBy('count', 'desc')
    .execute()
  return rows.map(({ unknown_price, count }) => ({ price: unknown_price ?? '', count }))
}

/**
 * The differences that a run finds but cannot heal: a customer without a member, a price that differs from the plans
 * page, a price that the settings do not name.
 */
export const isUnhealed = sql<boolean>`(what = 'customer' or what like 'price.%')`

async function readDrifts({ db }: Pick<MembershipApp, 'db'>): Promise<DriftForAdmin[]> {
  const rows = await db
    .selectFrom('billing_changes as b')
    .leftJoin('users as u', 'u.id', 'b.user_id')
    .select(['b.id', 'b.subscription_id', 'b.what', 'b.local', 'b.remote', 'b.changed_at'])
    .select(['u.id as user_id', 'u.name', 'u.email', isUnhealed.as('is_unhealed')])
    .where('b.is_drift', '=', true)
    .orderBy('b.changed_at', 'desc')
    .orderBy('b.id', 'desc')
    .limit(maxDrifts)
    .execute()
  return rows.map(({ id, subscription_id, what, local, remote, changed_at, user_id, name, email, is_unhealed }) => ({
    id,
    member: user_id === null || name === null || email === null ? null : { id: user_id, name, email },
    subscriptionId: subscription_id,
    what,
    local,
    remote,
    isHealed: !is_unhealed,
    changedAt: changed_at.toISOString(),
  }))
}

function countDrifts({ db }: Pick<MembershipApp, 'db'>, now: number): Promise<DriftReport['counts']> {
  const after = (ms: number) => sql<boolean>`changed_at > ${new Date(now - ms)}`
  return db
    .selectFrom('billing_changes')
    .select([
      sql<number>`(count(*) filter (where not ${isUnhealed} and ${after(dayMs)}))::int`.as('last24h'),
      sql<number>`(count(*) filter (where not ${isUnhealed}))::int`.as('last30d'),
      sql<number>`(count(*) filter (where ${isUnhealed} and ${after(7 * dayMs)}))::int`.as('unhealed'),
    ])
    .where('is_drift', '=', true)
    .where('changed_at', '>', new Date(now - 30 * dayMs))
    .executeTakeFirstOrThrow()
}
