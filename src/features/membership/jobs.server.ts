import type { MembershipApp } from './app.ts'
import { type JobContribution, queuedJob } from '../../platform/jobs/job-contribution.ts'
import { jobsOfRuns } from '../office/runs/work-on-run.server.ts'
import { deleteOldRecords } from './sync/delete-old-records.server.ts'
import { handleEvent } from './sync/handle-event.server.ts'
import { reconcile, reconcileJob, type ReconcileScope } from './sync/reconcile.server.ts'
import { eventJob } from './sync/receive-event.server.ts'
import { memberRuns } from './transfer/member-runs.ts'
import { deleteOldImports, memberRunSteps } from './transfer/run-import.server.ts'
import { sendExpiryNotices } from './emails/send-expiry-notices.server.ts'

/** About three days: for as long as Stripe itself sends an event again. */
const retryPolicy = { retries: 80, firstWaitSeconds: 2, longestWaitSeconds: 3_600 }

export const membershipJobs: readonly JobContribution<MembershipApp>[] = [
  queuedJob(eventJob, handleEvent, retryPolicy),
  queuedJob(reconcileJob, (app, { scope }) => compare(app, scope), { retries: 0 }),
  ...jobsOfRuns(memberRuns, memberRunSteps),
  { name: 'membership.delete-old-imports', cron: '57 4 * * *', work: (app) => deleteOldImports(app) },
  { name: 'membership.reconcile-due', cron: '7 * * * *', work: (app) => compare(app, 'due') },
  { name: 'membership.reconcile-all', cron: '37 3 * * *', work: (app) => compare(app, 'all') },
  { name: 'membership.send-expiry-notices', cron: '*/10 * * * *', work: (app) => sendExpiryNotices(app) },
  { name: 'membership.delete-old-records', cron: '47 4 * * *', work: (app) => deleteOldRecords(app) },
]

/** Nothing where payments are off, also for what was put in line before they were switched off. */
async function compare(app: MembershipApp, scope: ReconcileScope): Promise<void> {
  if (!app.payments.config.isOff) await reconcile(app, { scope })
}

/** Queues the work that a start has to make up for: the time in which nobody listened to Stripe. */
export async function catchUpWithStripe(app: Pick<MembershipApp, 'db' | 'jobs' | 'payments'>): Promise<void> {
  if (app.payments.config.isOff) return
  await app.db.transaction().execute((trx) => app.jobs.add(trx, reconcileJob, { scope: 'all' }))
}
