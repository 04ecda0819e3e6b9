import { sql } from 'kysely'
import type { CatalogueApp } from '../app.ts'
import { type Restriction, restrictPublished } from './change-status.server.ts'
import { lockCatalogue } from './save-items.server.ts'

/** Items of one transaction, for which edits wait (docs/spec/performance.md#p19). */
const maxAtOnce = 100

/**
 * Takes the status "published" from every item whose rights, or one of whose consents, have ended by the database's
 * clock (docs/spec/publishing.md#lapse). Readers do not depend on it: they leave a lapsed item out from that instant on.
 * @returns how many were restricted
 */
export async function restrictLapsedItems(
  app: Pick<CatalogueApp, 'db' | 'log'>,
  atOnce: number = maxAtOnce,
): Promise<number> {
  const restriction = sql<Restriction>`case when rights_valid_until <= now() then 'rights_lapsed' else 'consent' end`
  const lapsed = app.db
    .selectFrom('items')
    .select(['id', 'slug', restriction.as('restriction')])
    .where('status', '=', 'published')
    .where('lapses_at', '<=', sql<Date>`now()`)
  let total = 0
  for (;;) {
    // It runs every minute and seldom finds one: nobody has to wait for a lock meanwhile.
    if ((await lapsed.limit(1).execute()).length === 0) return total
    const restricted = await app.db.transaction().execute(async (trx) => {
      await lockCatalogue(trx)
      const { rows: items } = await trx.executeQuery(lapsed.orderBy('lapses_at').orderBy('no').limit(atOnce))
      await restrictPublished(trx, items)
      return items
    })
    // Another process was faster.
    if (restricted.length === 0) continue
    app.log.info({ slugs: restricted.map(({ slug }) => slug) }, 'Items were restricted: their rights have lapsed.')
    total += restricted.length
  }
}
