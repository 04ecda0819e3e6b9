import { sql } from 'kysely'
import type { SqlRunner } from '../../../db/queryable.ts'

/** How many entries are published, and how many have the row that lists show: the same number, always. */
export async function countPublished(db: SqlRunner): Promise<{ published: number; inLists: number }> {
  const { rows } = await sql<{ published: number; in_lists: number }>`
    select (select count(*)::int from items where status = 'published') as published,
           (select count(*)::int from item_rows) as in_lists`.execute(db)
  return { published: rows[0]?.published ?? 0, inLists: rows[0]?.in_lists ?? 0 }
}
