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
  const { rows } = await sql<{ no: number }>`
    select i.no from items i
     where i.status = 'published' and i.post_date <= ${until}
       and exists (select from clearances c where c.item_id = i.id and c.cleared_at <= ${until})
       and (i.post_date > ${since}
            or i.id in (select c.item_id from clearances c
                         where c.cleared_at > ${since} and c.cleared_at <= ${until}
                           and not exists (select from clearances e where e.item_id = c.item_id and e.cleared_at <= ${since})))
     order by i.post_date desc, i.created_at desc, i.no desc
     limit ${limit ?? null}::int`.execute(db)
  return rows.map(({ no }) => no)
}
