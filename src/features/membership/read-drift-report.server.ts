import { sql } from 'kysely'
import type { Viewer } from '../accounts/viewer.ts'
import type { App } from '../../platform/app.ts'
import { type ReconcileScope, readDriftLevel } from './reconcile.server.ts'

/** One reconciliation. */
export interface BillingRunForAdmin {
  id: string
  scope: ReconcileScope
  /** `broken_off`: its process died, or was stopped. */
  state: 'under_way' | 'finished' | 'broken_off'
  startedAt: string
  finishedAt: string | null
  checked: number
  drifts: number
  failed: number
  /** Why it stopped early. */
  failure: string | null
}

/** One difference that a reconciliation has found. */
export interface DriftForAdmin {
  id: string
  /** Null for who has deleted his account, and for what belongs to nobody. */
  member: { id: string; name: string; email: string } | null
  subscriptionId: string | null
  what: string
  ours: string | null
  stripes: string | null
  /** False for what only a person can put right, such as a price that differs. */
  isHealed: boolean
  changedAt: string
}

/** How equal we are to Stripe (BILLING.md, "Staying equal"). */
export interface DriftReport {
  runs: BillingRunForAdmin[]
  drifts: DriftForAdmin[]
  /** What was healed, and what of the last week is left to a person. */
  counts: { last24h: number; last30d: number; unhealed: number }
  waitingEvents: { count: number; oldestReceivedAt: string | null }
  /** Events of the last 30 days that were none of ours, by why. */
  ignored: { outcome: string; count: number }[]
  /** How many differences in 24 hours are usual. */
  threshold: number
  isAboveThreshold: boolean
  payments: { isSandbox: boolean; isLive: boolean }
}

const mostRuns = 20
const mostDrifts = 100
const hourMs = 3_600_000
const dayMs = 24 * hourMs
/** A run ends by itself sooner; one that has said nothing for so long is gone. */
const longestRunMs = 10 * 60_000

/** What the reconciliations have found, what waits, and what was ignored, for administrators. */
export async function readDriftReport(
  app: Pick<App, 'db' | 'clock' | 'payments'>,
  _viewer: Viewer,
): Promise<DriftReport> {
  const { db, clock, payments } = app
  const now = clock.now()
  const { isSandbox, isLive } = payments.config
  const [runs, drifts, counts, waiting, ignored, level] = await Promise.all([
    readRuns(app, now),
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
  ])
  return {
    runs,
    drifts,
    counts,
    waitingEvents: { count: waiting.count, oldestReceivedAt: waiting.oldest?.toISOString() ?? null },
    ignored: ignored.map(({ outcome, count }) => ({ outcome: outcome ?? '', count })),
    threshold: level.threshold,
    isAboveThreshold: level.recent > level.threshold,
    payments: { isSandbox, isLive },
  }
}

async function readRuns({ db }: Pick<App, 'db'>, now: number): Promise<BillingRunForAdmin[]> {
  const rows = await db
    .selectFrom('billing_runs')
    .selectAll()
    .orderBy('started_at', 'desc')
    .orderBy('id', 'desc')
    .limit(mostRuns)
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

/** What a run can tell but not heal: a customer of nobody here, and a price that differs from what the plans page says. */
const isUnhealed = sql<boolean>`(what = 'customer' or what like 'price.%')`

async function readDrifts({ db }: Pick<App, 'db'>): Promise<DriftForAdmin[]> {
  const rows = await db
    .selectFrom('billing_changes as b')
    .leftJoin('users as u', 'u.id', 'b.user_id')
    .select(['b.id', 'b.subscription_id', 'b.what', 'b.ours', 'b.stripes', 'b.changed_at'])
    .select(['u.id as user_id', 'u.name', 'u.email', isUnhealed.as('is_unhealed')])
    .where('b.is_drift', '=', true)
    .orderBy('b.changed_at', 'desc')
    .orderBy('b.id', 'desc')
    .limit(mostDrifts)
    .execute()
  return rows.map(({ id, subscription_id, what, ours, stripes, changed_at, user_id, name, email, is_unhealed }) => ({
    id,
    member: user_id === null || name === null || email === null ? null : { id: user_id, name, email },
    subscriptionId: subscription_id,
    what,
    ours,
    stripes,
    isHealed: !is_unhealed,
    changedAt: changed_at.toISOString(),
  }))
}

function countDrifts({ db }: Pick<App, 'db'>, now: number): Promise<DriftReport['counts']> {
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
