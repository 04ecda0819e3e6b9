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
