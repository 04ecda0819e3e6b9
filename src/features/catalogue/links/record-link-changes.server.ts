import { sql, type Transaction } from 'kysely'
import type { CatalogueDatabase } from '../app.ts'

/**
 * Raises the catalogue's version for items whose links have another state, so that their cached pages are rendered again on every
 * instance. Lists do not depend on it and stay (docs/spec/links.md#version). The caller holds the catalogue's lock.
 */
export async function recordLinkChanges(
  trx: Transaction<CatalogueDatabase>,
  itemNumbers: readonly number[],
): Promise<void> {
  if (itemNumbers.length === 0) return
  await sql`
    with named as (
      select no from items where no = any(${itemNumbers}::int[]) and status = 'published'),
    raised as (
      update catalogue_state set version = version + 1 where exists (select from named) returning version),
    recorded as (
      insert into catalogue_changes (version, item_no, links_only)
      select raised.version, named.no, true from named cross join raised)
    select pg_notify('daybook_catalogue', version::text) from raised`.execute(trx)
}
