import { sql } from 'kysely'
import type { Queryable } from '../../../db/queryable.ts'
import type { CatalogueDatabase } from '../app.ts'
import type { ItemHold } from './publication-checks.ts'

/** The hold on each of these items now; items without one are missing. */
export async function readHolds(
  db: Queryable<CatalogueDatabase>,
  itemIds: readonly string[],
): Promise<Map<string, ItemHold>> {
  if (itemIds.length === 0) return new Map()
  const { rows } = await sql<ItemHold & { itemId: string }>`
    select item_id as "itemId", max(kind) as kind, bool_or(hides) as hides
      from item_holds where released_at is null and item_id = any(${itemIds}::uuid[])
     group by item_id`.execute(db)
  return new Map(rows.map(({ itemId, ...hold }) => [itemId, hold]))
}
