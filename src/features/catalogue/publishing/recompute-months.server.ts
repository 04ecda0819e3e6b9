import { sql } from 'kysely'
import type { CatalogueApp } from '../app.ts'
import { lockCatalogue } from './save-items.server.ts'

/**
 * Each item carries the month of its post date in the site's time zone. When the zone has changed, the months of all
 * items are recomputed, all or none.
 */
export async function recomputeMonths(app: Pick<CatalogueApp, 'db' | 'config' | 'log'>): Promise<void> {
  const { timeZone } = app.config
  await app.db.transaction().execute(async (trx) => {
    await lockCatalogue(trx)
    const { time_zone } = await trx.selectFrom('catalogue_state').select('time_zone').executeTakeFirstOrThrow()
    if (time_zone === timeZone) return
    const month = sql<number>`extract(month from post_date at time zone ${timeZone}::text)::smallint`
    await trx.updateTable('items').set({ post_month: month }).where('post_month', '<>', month).execute()
    await trx.updateTable('catalogue_state').set({ time_zone: timeZone }).execute()
    app.log.info({ from: time_zone, to: timeZone }, 'The months of all items were recomputed in the new time zone.')
  })
}
