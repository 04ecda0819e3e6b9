import type { MembershipApp } from '../app.ts'
import { handledEventTypes, type ReceivedEvent, readEvent } from './receive-event.server.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs
/** How long Stripe keeps its events. */
const longestMs = 30 * dayMs
/** For the first check: as long as Stripe itself repeats an event. */
const firstMs = 3 * dayMs
/** The events that were on their way at the last check. */
const overlapMs = hourMs
/** Events of one check; the older ones are left to the comparison of the members. */
const max = 10_000

/**
 * Stripe's events since the last complete reconciliation that have not come here, the oldest first.
 * @throws {AppError} 503, why Stripe fails
 */
export async function findMissedEvents({
  db,
  clock,
  payments,
}: Pick<MembershipApp, 'db' | 'clock' | 'payments'>): Promise<ReceivedEvent[]> {
  const now = clock.now()
  const last = await db
    .selectFrom('billing_runs')
    .select('started_at')
    .where('finished_at', 'is not', null)
    .where('failure', 'is', null)
    .where('failed_count', '=', 0)
    .orderBy('started_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  const since = Math.max(last === undefined ? now - firstMs : last.started_at.getTime() - overlapMs, now - longestMs)
  const reported = await payments.request((stripe) =>
    stripe.events
      .list({ types: [...handledEventTypes], created: { gte: Math.floor(since / 1_000) }, limit: 100 })
      .autoPagingToArray({ limit: max }),
  )
  if (reported.length === 0) return []
  const ids = reported.map(({ id }) => id)
  const rows = await db.selectFrom('stripe_events').select('id').where('id', 'in', ids).execute()
  const come = new Set(rows.map(({ id }) => id))
  return reported
    .filter(({ id }) => !come.has(id))
    .toReversed()
    .map(readEvent)
}
