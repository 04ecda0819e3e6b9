import { sql } from 'kysely'
import type { Invariant } from '../../office/contributions.ts'
import { ledgerInvariant } from './ledger-invariant.server.ts'

const pastTheRules =
  'Somebody has written into the tables past their rules: look who may write to the database, and restore the last backup where you do not know what was changed.'

/** The invariants of notices (docs/spec/notices.md#invariants). */
export const noticeInvariants: readonly Invariant[] = [
  {
    name: 'notices.deadlines',
    headline: 'Notices past a deadline that the record does not tell of',
    sentence: 'A deadline of theirs passed more than five minutes ago, and there is no event of it.',
    advice:
      'If the site stood still, start it: it works the deadlines off, the gravest first. Otherwise look whether the job notices.clocks runs, and what the log says of it.',
    over: { table: sql`notice_clocks`, key: 'id', type: 'uuid' },
    findBroken: (batch) => sql`
      select distinct c.notice_id::text as id from ${batch} c
       where c.ended_at is null and c.due_at < now() - interval '5 minutes' and not exists (
         select from notice_events e
          where e.notice_id = c.notice_id and e.type = 'overdue' and e.details ->> 'clock' = c.name and e.at >= c.due_at
            and e.details ->> 'counterNoticeId' is not distinct from c.counter_notice_id::text)`,
  },
  ledgerInvariant,
  {
    name: 'notices.removals',
    headline: 'Removed entries that are on the site',
    sentence:
      'The decision in force has removed them, and they are neither removed nor deleted, nor were they given back.',
    advice: pastTheRules,
    over: { table: sql`notices`, key: 'id', type: 'uuid' },
    findBroken: (batch) => sql`
      select distinct i.id::text as id from ${batch} n
        join lateral (select d.id, d.outcome from notice_decisions d
                       where d.notice_id = n.id order by d.no desc limit 1) d on d.outcome = 'remove'
        join notice_decision_items x on x.decision_id = d.id and x.effect = 'removed'
        join items i on i.id = x.item_id
       where i.status <> 'removed'`,
    to: (id) => `/admin/settings?edit=${id}`,
  },
  {
    name: 'notices.holds',
    headline: 'Notices that hold entries which they must not hold, or leave some on the site',
    sentence:
      'They are not open and hold an entry still, or an entry that they hide is on the site, and they do not say that too many came at once.',
    advice: pastTheRules,
    over: { table: sql`notices`, key: 'id', type: 'uuid' },
    findBroken: (batch) => sql`
      select n.id::text as id from ${batch} n
       where n.holds = 'none' and exists (
               select from item_holds h where h.reference = n.reference and h.kind = 'notice' and h.released_at is null)
          or n.holds = 'hides' and not n.is_withheld and exists (
               select from notice_items x join items i on i.id = x.item_id
                where x.notice_id = n.id and i.status = 'published')`,
  },
]
