import { sql } from 'kysely'
import type { CatalogueApp } from '../app.ts'

/**
 * The numbers of the published items that became new after one instant and by another, the latest post date first: those
 * whose post date or first clearance lies there (docs/spec/readers-memory.md#new). A reader may see some of them only.
 */
export async function newItemNumbers(
  { db }: Pick<CatalogueApp, 'db'>,
  { since, until, limit }: { since: Date; until: Date; limit?: number },
): Promise<number[]> {
  const most = limit ?? null
  // Each half by an index of its own: neither looks at more than it gives.
  const { rows } = await sql<{ no: number }>`
    with posted as (
      select i.no, i.post_date, i.created_at from items i
       where i.status = 'published' and i.post_date > ${since} and i.post_date <= ${until}
         and exists (select from clearances c where c.item_id = i.id and c.cleared_at <= ${until})
       order by i.post_date desc
       limit ${most}::int),
    cleared as (
      select i.no, i.post_date, i.created_at from clearances c join items i on i.id = c.item_id
       where c.cleared_at > ${since} and c.cleared_at <= ${until}
         and not exists (select from clearances e where e.item_id = c.item_id and e.cleared_at <= ${since})
         and i.status = 'published' and i.post_date <= ${until}
       order by c.cleared_at desc
       limit ${most}::int)
    select no from (select * from posted union select * from cleared) fresh
     order by post_date desc, created_at desc, no desc
     limit ${most}::int`.execute(db)
  return rows.map(({ no }) => no)
}
