import { type RawBuilder, sql } from 'kysely'
import type { NoticesApp } from '../app.ts'

/** Whether the notice's own sender named an address: it did not come from a duplicate. */
export function isOfSender(address: RawBuilder<unknown>, noticeId: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`${address}::text not in (
    select json_array_elements_text(v.details -> 'added') from notice_events v
     where v.type = 'joined' and v.notice_id = ${noticeId})`
}

/** The addresses of a notice without those of its duplicates: what another sender named is private. */
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
