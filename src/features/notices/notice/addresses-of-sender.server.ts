import { sql } from 'kysely'
import type { NoticesApp } from '../app.ts'

/**
 * The addresses of a notice but for those that came with a notice which repeats it: what another sender has named is none of this
 * one's business.
 */
export async function addressesOfSender(
  { db }: Pick<NoticesApp, 'db'>,
  noticeId: string,
): Promise<{ url: string; itemId: string | null; wasFound: boolean }[]> {
  const { rows } = await sql<{ url: string; itemId: string | null; wasFound: boolean }>`
    select url, item_id as "itemId", snapshot is not null as "wasFound" from notice_items
     where notice_id = ${noticeId} and id::text not in (
       select json_array_elements_text(details -> 'added') from notice_events
        where notice_id = ${noticeId} and type = 'joined')
     order by position`.execute(db)
  return rows
}
