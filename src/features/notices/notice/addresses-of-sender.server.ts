import { type RawBuilder, sql } from 'kysely'
import type { NoticesApp } from '../app.ts'

/** The ids of a notice and of those that it was split from, one from the other: a query in parentheses. */
export function lineOf(noticeId: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`(
    with recursive line as (
      select l.id, l.split_from from notices l where l.id = ${noticeId}
       union select o.id, o.split_from from notices o join line on o.id = line.split_from)
    select line.id from line)`
}

/**
 * Whether an address was named by the sender of its notice: it did not come with a notice that repeats this one, nor with one that
 * repeats a notice which this one was split from.
 */
export function isOfSender(address: RawBuilder<unknown>, noticeId: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`${address}::text not in (
    select json_array_elements_text(v.details -> 'added') from notice_events v
     where v.type = 'joined' and v.notice_id in ${lineOf(noticeId)})`
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
