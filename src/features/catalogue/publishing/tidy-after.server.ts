import { type Kysely, sql } from 'kysely'
import type { CatalogueDatabase } from '../app.ts'

/** After this many written items the planner needs new statistics, and the embedded engine needs a vacuum. */
const itemsWorthTidying = 1_000

/**
 * The tables that the writing of items writes to. One at a time: callers of the embedded engine get a turn in between.
 */
const statements = [
  sql`vacuum (analyze) items`,
  sql`vacuum (analyze) item_links`,
  sql`vacuum (analyze) link_checks`,
  sql`vacuum (analyze) item_counts`,
  sql`vacuum (analyze) clearances`,
  sql`vacuum (analyze) catalogue_changes`,
  sql`vacuum (analyze) catalogue_state`,
]

/** Statistics for the planner and room for the engine, after many writes. Not in a transaction. */
export async function tidyAfter(db: Kysely<CatalogueDatabase>, writtenItems: number): Promise<void> {
  if (writtenItems < itemsWorthTidying) return
  for (const statement of statements) await statement.execute(db)
}
