import { sql } from 'kysely'
import type { NoticesApp } from '../app.ts'
import { isOfSender } from './addresses-of-sender.server.ts'
import type { DecidedEntry } from './outcome-in-words.ts'

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
