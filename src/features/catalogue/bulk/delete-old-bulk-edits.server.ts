import { sql } from 'kysely'
import type { CatalogueApp } from '../app.ts'

const storedFor = '7 days'

/** Forgets the items of edits that were made a week ago: which were selected, and what they were before. That there was an edit stays. */
export async function deleteOldBulkEdits({ db }: Pick<CatalogueApp, 'db'>): Promise<void> {
  await sql`
    delete from bulk_edit_items using bulk_edits e
     where e.id = bulk_edit_id and e.made_at < now() - ${storedFor}::interval
       and e.state not in ('applying', 'undoing')`.execute(db)
  await sql`
    update bulk_edits set item_ids = null
     where item_ids is not null and made_at < now() - ${storedFor}::interval`.execute(db)
  await db
    .updateTable('bulk_edits')
    .set({ state: 'cancelled' })
    .where('state', '=', 'ready')
    .where('made_at', '<', sql<Date>`now() - ${storedFor}::interval`)
    .execute()
}
