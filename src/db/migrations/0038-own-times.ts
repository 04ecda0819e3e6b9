import { type Kysely, sql } from 'kysely'

/**
 * Each address of a notice has its own time, and what was added late becomes a notice of its own (docs/decisions/2026-11-23-own-times.md). The
 * desk is notified of addresses that a sender adds.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  // From when the 44 hours of this address count.
  await sql`alter table notice_items add column added_at timestamptz not null default now()`.execute(db)
  // Those of before: with the event that named them, else with the receipt, and not before the notice was whole.
  await sql`
    update notice_items i
       set added_at = greatest(n.completed_at, n.received_at, (
             select max(e.at) from notice_events e
              where e.notice_id = i.notice_id
                and (e.type = 'entries-changed' and i.url = any(string_to_array(e.details ->> 'added', ' '))
                  or e.type = 'joined' and i.id::text in (select json_array_elements_text(e.details -> 'added')))))
      from notices n where n.id = i.notice_id`.execute(db)

  // The notice that this one was a part of.
  await sql`
    alter table notices
      add column split_from uuid references notices (id) check (split_from <> id),
      -- Since when the desk is to be told that its sender has added addresses; null where it was told, or there are none.
      add column additions_at timestamptz,
      -- When it was last told of some.
      add column additions_told_at timestamptz`.execute(db)
  await sql`create index notices_parts on notices (split_from) where split_from is not null`.execute(db)
  await sql`create index notices_additions on notices (kind) where additions_at is not null`.execute(db)
  await sql`create index notices_additions_told on notices (kind, additions_told_at) where additions_told_at is not null`.execute(
    db,
  )
}
