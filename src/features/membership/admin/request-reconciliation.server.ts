import { defineLimit } from '../../../platform/rate-limit/consume-all.ts'
import type { MembershipApp } from '../app.ts'
import { reconcileJob } from '../sync/reconcile.server.ts'

/** Each run asks Stripe about every subscription. */
const ordersForSite = defineLimit({ name: 'reconcile.site', points: 6, seconds: 3_600 })

/**
 * Queues a reconciliation of everything.
 * @throws {AppError} `limit.exceeded`, 429, after six in an hour by all administrators; `payments.off`, 503
 */
export async function orderReconciliation(
  app: Pick<MembershipApp, 'db' | 'jobs' | 'limits' | 'payments'>,
): Promise<void> {
  app.payments.refuseOff()
  await app.limits.limit(ordersForSite).consume('site')
  await app.db.transaction().execute((trx) => app.jobs.add(trx, reconcileJob, { scope: 'all' }))
}
