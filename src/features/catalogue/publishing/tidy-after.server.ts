import { type Kysely, sql } from 'kysely'
import type { CatalogueDatabase } from '../app.ts'

/** After this many written items the planner needs new statistics, and the embedded engine needs a vacuum. */
const itemsWorthTidying = 1_000

/** What the writing of items writes to. */
const tables = [
  'items',
  'item_rows',
  'item_links',
  'link_checks',
  'item_counts',
  'clearances',
  'catalogue_changes',
  'catalogue_state',
] as const

/** Statistics for the planner and room for the engine, after many writes. Not in a transaction. */
export async function tidyAfter(db: Kysely<CatalogueDatabase>, writtenItems: number): Promise<void> {
  if (writtenItems < itemsWorthTidying) return
  // One at a time: whoever waits for the embedded engine gets a turn in between.
  for (const table of tables) await sql`vacuum (analyze) ${sql.table(table)}`.execute(db)
}
