import { sql, type Transaction } from 'kysely'
import type { CatalogueDatabase } from '../app.ts'

export interface ReportedStanding {
  id: string
  isPublished: boolean
  /** The effect of the notice itself. */
  own: 'none' | 'holds' | 'hides'
  /** Whether an open notice, this one or another, keeps administrators from editing it. */
  isHeld: boolean
}

/**
 * How these items stand before a notice holds or hides them: drafts and restricted items too, because a hold keeps their operator
 * from them as well. The caller holds the catalogue's lock.
 * @param reference that of the notice
 */
export async function readReportedStanding(
  trx: Transaction<CatalogueDatabase>,
  reference: string,
  ids: readonly string[],
): Promise<Map<string, ReportedStanding>> {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<ReportedStanding>`
    select i.id::text as id, i.status = 'published' as "isPublished",
           coalesce(max(case when h.reference = ${reference} then case when h.hides then 'hides' else 'holds' end end), 'none') as own,
           count(h.item_id) > 0 as "isHeld"
      from items i
      left join item_holds h on h.item_id = i.id and h.released_at is null and h.kind = 'notice'
     where i.id = any(${[...ids]}::uuid[]) group by i.id, i.status`.execute(trx)
  return new Map(rows.map((row) => [row.id, row]))
}

/** Counts of the whole catalogue, up to `atMost` of each. */
export interface CatalogueCount {
  published: number
  items: number
  /** Those that open notices keep administrators from editing, without having taken them off the site. */
  held: number
}

export async function countForBounds(trx: Transaction<CatalogueDatabase>, atMost: number): Promise<CatalogueCount> {
  const { rows } = await sql<CatalogueCount>`
    select (select count(*)::int from (select from items where status = 'published' limit ${atMost}) p) as published,
           (select count(*)::int from (select from items limit ${atMost}) a) as items,
           (select count(*)::int from (
              select item_id from item_holds where released_at is null and kind = 'notice'
               group by item_id having not bool_or(gives_back) limit ${atMost}) h) as held`.execute(trx)
  return rows[0] ?? { published: 0, items: 0, held: 0 }
}
