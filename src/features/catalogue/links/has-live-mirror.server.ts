import { sql } from 'kysely'
import { mirrorSlots } from '../item/link-slots.ts'

/**
 * Whether the item of a row `l` of `item_links` has a mirror that is not dead (docs/spec/links.md#states). The offset keeps the
 * planner from gathering the live mirrors of all items: few are asked about, and an index finds theirs.
 */
export const hasLiveMirror = sql<boolean>`
  exists (select from item_links o join link_checks oc on oc.id = o.link_id
           where o.item_no = l.item_no and o.slot = any(${mirrorSlots}::text[]) and oc.state <> 'dead' offset 0)`
