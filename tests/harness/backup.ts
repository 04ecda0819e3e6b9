import { sql } from 'kysely'
import type { App } from '../../src/app/app.ts'

/** How an earlier backup of the whole database is put back, on either engine. */
export type Restore = () => Promise<void>

/**
 * Copies every row of the site's tables. The restore puts back the rows of `pg_restore` or of a copied data directory,
 * also past the triggers that protect records.
 */
export async function takeBackup(app: App): Promise<Restore> {
  const { rows: columns } = await sql<{ table: string; column: string }>`
    select c.table_name as table, c.column_name as column
      from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
     where c.table_schema = 'public' and t.table_type = 'BASE TABLE' and c.is_generated = 'NEVER'
     order by 1, 2`.execute(app.db)
  const tables = Map.groupBy(columns, ({ table }) => table)
  await sql`drop schema if exists backup cascade`.execute(app.db)
  await sql`create schema backup`.execute(app.db)
  for (const table of tables.keys())
    await sql.raw(`create table backup."${table}" as select * from public."${table}"`).execute(app.db)
  return async () => {
    await app.db.transaction().execute(async (trx) => {
      await sql`set local session_replication_role = replica`.execute(trx)
      for (const [table, named] of tables) {
        const list = named.map(({ column }) => `"${column}"`).join(', ')
        await sql.raw(`delete from public."${table}"`).execute(trx)
        await sql
          .raw(`insert into public."${table}" (${list}) overriding system value select ${list} from backup."${table}"`)
          .execute(trx)
      }
    })
    await app.listing.load()
  }
}
