import type { CatalogueApp } from '../app.ts'
import type { ItemHealth, ItemLinks, LinkSlot } from '../item/link-slots.ts'

/**
 * What is known of the links of an item. A link that was changed a moment ago has no health yet, whatever the one before it
 * had.
 * @param links as the item has them now
 */
export async function readItemHealth(
  { db }: Pick<CatalogueApp, 'db'>,
  itemNumber: number,
  links: ItemLinks,
): Promise<ItemHealth> {
  const rows = await db
    .selectFrom('item_links as l')
    .innerJoin('link_checks as c', 'c.id', 'l.link_id')
    .select(['l.slot', 'c.address', 'c.state', 'c.checked_at'])
    .where('l.item_no', '=', itemNumber)
    .execute()
  return Object.fromEntries(
    rows
      .filter(({ slot, address }) => links[slot as LinkSlot] === address)
      .map(({ slot, state, checked_at }) => [slot, { state, checkedAt: checked_at?.toISOString() ?? null }]),
  )
}
