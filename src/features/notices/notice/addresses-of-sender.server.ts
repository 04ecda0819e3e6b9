import { type RawBuilder, sql } from 'kysely'
import type { NoticesApp, NoticesTransaction } from '../app.ts'
import type { DecidedEntry } from './outcome-in-words.ts'

/** Whether the notice's own sender named an address: it did not come from a duplicate. */
function isOfSender(address: RawBuilder<unknown>, noticeId: RawBuilder<unknown>): RawBuilder<boolean> {
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

/** The entries that a notice's addresses led to, and that are still there, each once, in the order of the addresses. */
export async function reportedItems(trx: NoticesTransaction, noticeId: string): Promise<string[]> {
  const rows = await trx
    .selectFrom('notice_items')
    .select('item_id')
    .where('notice_id', '=', noticeId)
    .where('item_id', 'is not', null)
    .orderBy('position')
    .execute()
  return [...new Set(rows.flatMap(({ item_id }) => item_id ?? []))]
}

/**
 * Every entry that a decision is about, those that were reported first. Also those on which it had no effect, which are told as
 * they are now: on the site or not. An entry that was deleted is not on it.
 * @param noticeId the notice by whose addresses `isOfSender` is told; without it, the one that was decided
 */
export async function readDecidedEntries(
  db: NoticesApp['db'],
  decisionId: string,
  noticeId?: string,
): Promise<DecidedEntry[]> {
  const { rows } = await sql<DecidedEntry>`
    with touched as (
      select x.item_id, x.name, x.path, x.was_reported, x.effect from notice_decision_items x
       where x.decision_id = ${decisionId}::uuid),
    untouched as (
      select distinct on (r.item_id, r.snapshot ->> 'path')
             r.item_id, r.snapshot ->> 'name' as name, r.snapshot ->> 'path' as path, true as was_reported, 'unchanged' as effect
        from notice_items r join notice_decisions d on d.notice_id = r.notice_id
       where d.id = ${decisionId}::uuid and r.snapshot is not null
         and not exists (select from touched t where t.item_id = r.item_id or t.path = r.snapshot ->> 'path'))
    select e.name, e.path, e.was_reported as "wasReported", e.effect,
           exists (
             select from notice_items r join notice_decisions d on r.notice_id = coalesce(${noticeId ?? null}::uuid, d.notice_id)
              where d.id = ${decisionId}::uuid and (r.item_id = e.item_id or r.snapshot ->> 'path' = e.path)
                and ${isOfSender(sql`r.id`, sql`r.notice_id`)}) as "isOfSender",
           case e.effect when 'unchanged' then coalesce(i.status = 'published', false) else e.effect = 'published' end as "isOnSite"
      from (select * from touched union all select * from untouched) e left join items i on i.id = e.item_id
     order by e.was_reported desc, e.name, e.path`.execute(db)
  return rows
}
