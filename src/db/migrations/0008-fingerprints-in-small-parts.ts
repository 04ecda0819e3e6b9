import { type Kysely, sql } from 'kysely'

/**
 * PostgreSQL gathers additions to a GIN index, 4 MB by default, and writes them into it within the statement that reaches the bound:
 * an edit, and all that waited for it, took most of a second more (docs/spec/performance.md#p19).
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const index of ['items_fingerprints', 'link_targets_fingerprints'])
    await sql`alter index ${sql.ref(index)} set (gin_pending_list_limit = 64)`.execute(db)
}
