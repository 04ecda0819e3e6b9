import { type Kysely, sql } from 'kysely'

/** No deadline removes for good (docs/spec/notices.md#deadlines): what is hidden stays hidden until a person decides. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // The clock that removed: it hides what is on the site still, and ends where nothing is.
  await sql`
    update notice_clocks c set name = 'hide', overdue_at = null, told_at = null, failures = 0, work_at = c.due_at
      from notices n
     where n.id = c.notice_id and c.name = 'remove' and c.ended_at is null and (n.holds <> 'hides' or n.is_withheld)`.execute(
    db,
  )
  await sql`
    update notice_clocks set ended_at = now(), outcome = 'cancelled', work_at = null
     where name = 'remove' and ended_at is null`.execute(db)

  // A copyright notice waits for a decision, also when its entries are hidden.
  await sql`
    insert into notice_clocks (id, notice_id, name, gravity, started_at, due_at, work_at)
    select gen_random_uuid(), n.id, 'decide', c.gravity, c.started_at, c.due_at, c.due_at
      from notices n
      join lateral (select * from notice_clocks h where h.notice_id = n.id and h.name = 'hide'
                     order by h.started_at desc limit 1) c on true
     where n.kind = 'copyright' and n.status in ('received', 'needs-info', 'in-review')`.execute(db)
  await sql`
    update notices n set due_at = (select min(due_at) from notice_clocks c where c.notice_id = n.id and c.ended_at is null)
     where n.kind in ('intimate-image', 'copyright')`.execute(db)

  // Addresses have no times of their own, so no notice is split.
  await sql`alter table notice_items drop column added_at`.execute(db)
  await sql`drop index notices_parts`.execute(db)
  await sql`alter table notices drop column split_from`.execute(db)
}
