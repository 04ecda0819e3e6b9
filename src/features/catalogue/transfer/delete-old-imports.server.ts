import { sql } from 'kysely'
import type { CatalogueApp } from '../app.ts'

const keptFor = '7 days'
/** An upload takes an hour at most: what has no import by then broke off. */
const uploadsBreakOffAfter = '2 hours'

/**
 * Deletes files that nobody has imported within a week, with their problems, and the rest of broken uploads. Imported
 * files and their results stay.
 */
export async function deleteOldImports({ db }: Pick<CatalogueApp, 'db'>): Promise<void> {
  const ended = sql<Date>`now() - ${keptFor}::interval`
  await db.transaction().execute(async (trx) => {
    await trx
      .updateTable('imports')
      .set({ state: 'cancelled', ended_at: sql<Date>`now()` })
      .where('state', '=', 'waiting')
      .where('uploaded_at', '<', ended)
      .execute()
    await sql`
      delete from import_problems using imports i
       where i.id = import_id and i.ended_at is not null and i.uploaded_at < ${ended}`.execute(trx)
    await sql`
      delete from import_pieces using imports i
       where i.id = import_id and i.ended_at is not null and i.uploaded_at < ${ended}`.execute(trx)
  })
  await sql`
    delete from import_pieces p
     where p.import_id in (select import_id from import_pieces f
                            where f.place = 0 and f.stored_at < now() - ${uploadsBreakOffAfter}::interval
                              and not exists (select from imports i where i.id = f.import_id))`.execute(db)
}
