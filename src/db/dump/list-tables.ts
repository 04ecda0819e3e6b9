import { sql } from 'kysely'
import type { SqlRunner } from '../queryable.ts'

/** A table of the site, and those of its columns that are written; the database computes the others. */
export interface SiteTable {
  name: string
  columns: { name: string; type: string }[]
}

/** The tables of the site by name, but for those of the migrations. */
export async function listTables(db: SqlRunner): Promise<SiteTable[]> {
  const { rows } = await sql<SiteTable>`
    select c.relname as name,
           json_agg(json_build_object('name', a.attname, 'type', format_type(a.atttypid, a.atttypmod))
                    order by a.attnum) as columns
      from pg_class c join pg_attribute a on a.attrelid = c.oid
     where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r' and c.relname not like 'kysely%'
       and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
     group by c.relname order by c.relname`.execute(db)
  return rows
}

/** Whether there is nothing in the database yet: no table, of whomever. */
export async function isEmptyDatabase(db: SqlRunner): Promise<boolean> {
  const { rows } = await sql<{ tables: number }>`
    select count(*)::int as tables from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where c.relkind in ('r', 'p') and n.nspname !~ '^pg_' and n.nspname <> 'information_schema'`.execute(db)
  return rows[0]?.tables === 0
}

/** Makes values the same text on every server, for the length of a transaction. */
export async function spellAlike(trx: SqlRunner): Promise<void> {
  await sql`
    select set_config(name, value, true)
      from (values ('TimeZone', 'UTC'), ('DateStyle', 'ISO, YMD'), ('IntervalStyle', 'postgres'),
                   ('extra_float_digits', '1'), ('bytea_output', 'hex')) as spelling (name, value)`.execute(trx)
}
