import { sql } from 'kysely'
import { dayOf } from '../../../platform/time/site-time.ts'
import type { CatalogueApp } from '../app.ts'

const retainedDays = 400
const dayMs = 86_400_000

/** Deletes the counts of downloads and of missed searches of days long past (docs/spec/catalogue.md#download-events). */
export async function deleteOldCounts({
  db,
  clock,
  config,
}: Pick<CatalogueApp, 'db' | 'clock' | 'config'>): Promise<void> {
  const oldest = dayOf(clock.now() - retainedDays * dayMs, config.timeZone)
  const isOld = sql<boolean>`day < ${oldest}::date`
  await db.deleteFrom('download_events').where(isOld).execute()
  await db.deleteFrom('search_misses').where(isOld).execute()
}

/** Longer than a ticket is valid: its row is not read any more. */
const ticketsRetainedFor = '1 hour'

export async function deleteOldTickets({ db }: Pick<CatalogueApp, 'db'>): Promise<void> {
  await db
    .deleteFrom('gateway_tickets')
    .where(sql<boolean>`issued_at < now() - ${ticketsRetainedFor}::interval`)
    .execute()
}
