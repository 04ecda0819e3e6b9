import { sql } from 'kysely'
import type { CatalogueApp } from '../app.ts'
import { lockCatalogue } from '../publishing/save-items.server.ts'

/**
 * Has every instance read its settings anew where the gateway has become idle, or is so no longer: the plans promise nothing that
 * everybody has (docs/spec/pages.md#promises).
 * @param gathered the version up to which links are gathered: this process looks once at each
 */
export async function followIdleGateway(
  app: Pick<CatalogueApp, 'db' | 'gateway'>,
  gathered: string | undefined,
): Promise<void> {
  if (gathered === undefined || gathered === app.gateway.comparedAt) return
  app.gateway.comparedAt = gathered
  if ((await app.gateway.readIsIdle(app.db)) === app.gateway.isIdle) return
  await app.db.transaction().execute(async (trx) => {
    await lockCatalogue(trx)
    // The number 0 stands for the settings, as where they are saved.
    await sql`
      with raised as (
        update catalogue_state set version = version + 1 returning version),
      recorded as (
        insert into catalogue_changes (version, item_no) select version, 0 from raised)
      select pg_notify('daybook_catalogue', version::text) from raised`.execute(trx)
  })
}
