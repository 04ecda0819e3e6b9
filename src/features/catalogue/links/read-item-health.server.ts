import type { CatalogueApp } from '../app.ts'
import type { SingleItem } from '../index/single-items.server.ts'
import type { ItemHealth, LinkSlot } from '../item/link-slots.ts'

/** The health of the links of an item. A link that was changed a moment ago has none yet. */
export async function readItemHealth(
  { db }: Pick<CatalogueApp, 'db'>,
  { no, links }: Pick<SingleItem, 'no' | 'links'>,
): Promise<ItemHealth> {
  const rows = await db
    .selectFrom('item_links as l')
    .innerJoin('link_checks as c', 'c.id', 'l.link_id')
    .select(['l.slot', 'c.address', 'c.state', 'c.checked_at'])
    .where('l.item_no', '=', no)
    .execute()
  return Object.fromEntries(
    rows
      .filter(({ slot, address }) => links.isAt(slot as LinkSlot, address))
      .map(({ slot, state, checked_at }) => [slot, { state, checkedAt: checked_at?.toISOString() ?? null }]),
  )
}
