import type { App } from '../../platform/app.ts'
import { forgetOldRecords } from './forget-old-records.server.ts'
import { handleEvent } from './handle-event.server.ts'
import { reconcile } from './reconcile.server.ts'
import { tellEndings } from './tell-endings.server.ts'

/** About three days: for as long as Stripe itself sends an event again. */
const patience = { retries: 80, firstWaitSeconds: 2, longestWaitSeconds: 3_600 }

/** Says what the membership does later, and by the clock. */
export function registerMembershipJobs(app: App): void {
  const { jobs } = app
  jobs.define('membership.event', ({ eventId }) => handleEvent(app, { eventId: String(eventId) }), patience)
  jobs.define(
    'membership.reconcile',
    async ({ scope }) => {
      await reconcile(app, { scope: scope === 'all' ? 'all' : 'due' })
    },
    { retries: 0 },
  )
  jobs.repeat('membership.reconcile-due', '7 * * * *', async () => {
    await reconcile(app, { scope: 'due' })
  })
  jobs.repeat('membership.reconcile-all', '37 3 * * *', async () => {
    await reconcile(app, { scope: 'all' })
  })
  jobs.repeat('membership.tell-endings', '*/10 * * * *', () => tellEndings(app))
  jobs.repeat('membership.forget', '47 4 * * *', () => forgetOldRecords(app))
}

/** Puts in line what a start has to make up for: the time in which nobody listened to Stripe. */
export async function catchUpWithStripe(app: Pick<App, 'db' | 'jobs'>): Promise<void> {
  await app.db.transaction().execute((trx) => app.jobs.add(trx, 'membership.reconcile', { scope: 'all' }))
}
