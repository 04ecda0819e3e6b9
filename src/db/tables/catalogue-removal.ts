import type { Generated, GeneratedAlways } from 'kysely'
import type { Timestamp, TimestampByDefault } from './columns.ts'

/** Those of the catalogue that say what left the site, and what keeps it away. */
export interface RemovalTables {
  lapsed_items: LapsedItemsTable
  lapse_emails: LapseEmailsTable
  item_holds: ItemHoldsTable
  item_removals: ItemRemovalsTable
  removal_reversals: RemovalReversalsTable
  blocked_links: BlockedLinksTable
  removal_sweeps: RemovalSweepsTable
  link_targets: LinkTargetsTable
}

/** Rows are added and deleted by the database alone. */
interface LapsedItemsTable {
  item_no: GeneratedAlways<number>
  restricted_at: GeneratedAlways<Date>
  notified_at: Timestamp | null
}

interface LapseEmailsTable {
  sent_at: Timestamp | null
}

interface ItemHoldsTable {
  reference: string
  item_id: string
  kind: 'notice' | 'decision'
  hides: boolean
  gives_back: Generated<boolean>
  held_at: TimestampByDefault
  released_at: Timestamp | null
}

interface ItemRemovalsTable {
  id: string
  no: GeneratedAlways<number>
  item_id: string
  reference: string
  answer: 404 | 410 | 451
  kind: string
  status_before: 'draft' | 'published' | 'restricted' | 'removed'
  gives_back: boolean
  removed_by: string
  removed_at: TimestampByDefault
}

interface RemovalReversalsTable {
  removal_id: string
  reversed_by: string
  reversed_at: TimestampByDefault
}

interface BlockedLinksTable {
  fingerprint: string
  removal_id: string
}

interface RemovalSweepsTable {
  removal_id: string
  item_id: string
  swept_at: TimestampByDefault
}

interface LinkTargetsTable {
  digest: GeneratedAlways<string>
  address: string
  leads_to: string
  leads_to_fingerprints: string[]
  seen_at: TimestampByDefault
}
