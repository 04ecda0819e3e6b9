import { sql } from 'kysely'
import type { Queryable } from '../../../db/queryable.ts'
import type { CatalogueDatabase } from '../app.ts'
import type { DirectLinks } from '../item/direct-links.server.ts'
import { type ItemHealth, type LinkSlot, linkSlots, type LinkState } from '../item/link-slots.ts'

/** The health of the links of some items. A link that was changed a moment ago has none yet. */
export async function readHealth(
  db: Queryable<CatalogueDatabase>,
  items: readonly { no: number; links: DirectLinks }[],
): Promise<Map<number, ItemHealth>> {
  // Item by item: of many at once the planner would read all links.
  const { rows } = await sql<HealthRow>`
    select wanted.no, l.slot, l.address, l.state, l.checked_at
      from unnest(${items.map(({ no }) => no)}::int[]) wanted(no)
     cross join lateral (
       select l.slot, c.address, c.state, c.checked_at
         from item_links l join link_checks c on c.id = l.link_id
        where l.item_no = wanted.no limit ${linkSlots.length}) l`.execute(db)
  const rowsOf = Map.groupBy(rows, ({ no }) => no)
  return new Map(items.map(({ no, links }) => [no, healthOf(rowsOf.get(no) ?? [], links)]))
}

interface HealthRow {
  no: number
  slot: LinkSlot
  address: string
  state: LinkState
  checked_at: Date | null
}

function healthOf(rows: readonly HealthRow[], links: DirectLinks): ItemHealth {
  return Object.fromEntries(
    rows
      .filter(({ slot, address }) => links.isAt(slot, address))
      .map(({ slot, state, checked_at }) => [slot, { state, checkedAt: checked_at?.toISOString() ?? null }]),
  )
}
