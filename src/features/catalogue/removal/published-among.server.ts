import { sql, type Transaction } from 'kysely'
import type { CatalogueDatabase } from '../app.ts'

/**
 * Which of these items are published, and how many are at all: what a notice would take off the site, and of how much. The caller
 * holds the catalogue's lock.
 * @param atMost so many of all are counted
 */
export async function readPublishedAmong(
  trx: Transaction<CatalogueDatabase>,
  ids: readonly string[],
  atMost: number,
): Promise<{ ids: string[]; onSite: number }> {
  if (ids.length === 0) return { ids: [], onSite: 0 }
  const { rows } = await sql<{ ids: string[]; onSite: number }>`
    select array(select id::text from items where id = any(${[...ids]}::uuid[]) and status = 'published') as ids,
           (select count(*)::int from (select from items where status = 'published' limit ${atMost}) p) as "onSite"`.execute(
    trx,
  )
  return rows[0] ?? { ids: [], onSite: 0 }
}
