import type { Queryable } from '../../../db/queryable.ts'
import type { CatalogueDatabase } from '../app.ts'
import type { DirectLinks } from '../item/direct-links.server.ts'
import type { ItemHealth, LinkSlot, LinkState } from '../item/link-slots.ts'

/** The health of the links of some items. A link that was changed a moment ago has none yet. */
export async function readHealth(
  db: Queryable<CatalogueDatabase>,
  items: readonly { no: number; links: DirectLinks }[],
): Promise<Map<number, ItemHealth>> {
  const rows = await db
    .selectFrom('item_links as l')
    .innerJoin('link_checks as c', 'c.id', 'l.link_id')
    .select(['l.item_no', 'l.slot', 'c.address', 'c.state', 'c.checked_at'])
    .where(
      'l.item_no',
      'in',
      items.map(({ no }) => no),
    )
    .execute()
  const rowsOf = Map.groupBy(rows, ({ item_no }) => item_no)
  return new Map(items.map(({ no, links }) => [no, healthOf(rowsOf.get(no) ?? [], links)]))
}

function healthOf(
  rows: readonly { slot: string; address: string; state: LinkState; checked_at: Date | null }[],
  links: DirectLinks,
): ItemHealth {
  return Object.fromEntries(
    rows
      .filter(({ slot, address }) => links.isAt(slot as LinkSlot, address))
      .map(({ slot, state, checked_at }) => [slot, { state, checkedAt: checked_at?.toISOString() ?? null }]),
  )
}
