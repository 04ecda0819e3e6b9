import type { Viewer } from '../accounts/viewer.ts'
import type { App } from '../../platform/app.ts'
import type { LimitRule } from '../../platform/rate-limits.ts'

/** Each run asks Stripe about every subscription. */
const ordersForSite: LimitRule = { name: 'reconcile.site', points: 6, seconds: 3_600 }

/**
 * Puts a reconciliation of everything in line.
 * @throws {AppError} `limit.exceeded`, 429, after six in an hour, whoever ordered them
 */
export async function orderReconciliation(app: Pick<App, 'db' | 'jobs' | 'limits'>, _viewer: Viewer): Promise<void> {
  await app.limits.limit(ordersForSite).take('site')
  await app.db.transaction().execute((trx) => app.jobs.add(trx, 'membership.reconcile', { scope: 'all' }))
}
