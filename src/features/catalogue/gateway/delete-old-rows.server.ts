import { sql } from 'kysely'
import { dayOf } from '../../../platform/time/site-time.ts'
import type { CatalogueApp } from '../app.ts'

const retainedDays = 400
const dayMs = 86_400_000

/** Deletes what is counted of days long past (docs/spec/catalogue.md#download-events). */
export async function deleteOldDownloads({
  db,
  clock,
  config,
}: Pick<CatalogueApp, 'db' | 'clock' | 'config'>): Promise<void> {
  const oldest = dayOf(clock.now() - retainedDays * dayMs, config.timeZone)
  await db
    .deleteFrom('download_events')
    .where(sql<boolean>`day < ${oldest}::date`)
    .execute()
}

/** Longer than a ticket is valid: its row is not read any more. */
const ticketsRetainedFor = '1 hour'

export async function deleteOldTickets({ db }: Pick<CatalogueApp, 'db'>): Promise<void> {
  await db
    .deleteFrom('gateway_tickets')
    .where(sql<boolean>`issued_at < now() - ${ticketsRetainedFor}::interval`)
    .execute()
}
