import { type Kysely, sql } from 'kysely'

/** The hiding and holding of notices is bounded entry by entry (docs/spec/notices.md#hidden-at-once). */
export async function up(db: Kysely<unknown>): Promise<void> {
  // The effect that the bound leaves on the entry of this address, if weaker than the notice's: it is held and not
  // hidden, or neither. Null: the full effect.
  await sql`alter table notice_items add column bounded_to text check (bounded_to in ('holds', 'none'))`.execute(db)

  // A fact of its own, and none that follows from what is missing: asking its sender for more changes nothing of it.
  await sql`drop index notices_queue`.execute(db)
  await sql`alter table notices drop column rank, drop column is_withheld`.execute(db)
  await sql`alter table notices add column is_withheld boolean not null default false`.execute(db)
  await sql`
    update notice_items set bounded_to = 'holds'
     where item_id is not null and notice_id in (
       select id from notices where holds = 'holds'
          and (kind = 'child-safety' or (kind = 'intimate-image' and completed_at is not null)))`.execute(db)
  await sql`
    update notices set is_withheld = true, holds = 'hides'
     where holds = 'holds' and (kind = 'child-safety' or (kind = 'intimate-image' and completed_at is not null))`.execute(
    db,
  )
  await sql`alter table notices add check (not is_withheld or holds = 'hides')`.execute(db)
  // Its place among those that wait, before their time counts.
  await sql`
    alter table notices add column rank smallint not null generated always as (
      case when is_withheld then 0
           when kind in ('child-safety', 'intimate-image') and status in ('received', 'needs-info', 'in-review') then 1
           else 2 end) stored`.execute(db)
  await sql`create index notices_queue on notices
    (rank, coalesce(due_at, timestamptz 'infinity'), gravity, id) where queue = 'open'`.execute(db)
  await sql`create index notices_withheld on notices (id) where is_withheld`.execute(db)
  // Held items are counted with each new notice.
  await sql`create index item_holds_of_notices on item_holds (item_id) where released_at is null and kind = 'notice'`.execute(
    db,
  )
}
