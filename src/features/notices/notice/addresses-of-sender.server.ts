import { type RawBuilder, sql } from 'kysely'
import type { NoticesApp } from '../app.ts'

/** Whether an address was named by the sender of its notice: it did not come with a notice that repeats this one. */
export function isOfSender(address: RawBuilder<unknown>, noticeId: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`${address}::text not in (
    select json_array_elements_text(v.details -> 'added') from notice_events v
     where v.type = 'joined' and v.notice_id = ${noticeId})`
}

/**
 * The addresses of a notice but for those that came with a notice which repeats it: what another sender has named is none of this
 * one's business.
 */
export async function addressesOfSender(
  { db }: Pick<NoticesApp, 'db'>,
  noticeId: string,
): Promise<{ url: string; itemId: string | null; wasFound: boolean }[]> {
  const { rows } = await sql<{ url: string; itemId: string | null; wasFound: boolean }>`
    select url, item_id as "itemId", snapshot is not null as "wasFound" from notice_items i
     where notice_id = ${noticeId} and ${isOfSender(sql`i.id`, sql`${noticeId}::uuid`)}
     order by position`.execute(db)
  return rows
}
