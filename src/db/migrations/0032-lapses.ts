import { type Kysely, sql } from 'kysely'

/**
 * The findings of the last nightly check of each invariant (docs/spec/operations.md#invariants), and the entries that
 * the site has taken off by itself, until somebody has dealt with them (docs/spec/publishing.md#lapse).
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table invariant_checks (
      name text primary key,
      checked_at timestamptz not null,
      broken integer not null check (broken >= 0),
      -- The first of them.
      ids json not null
    )`.execute(db)

  // The gate, asked anew of what is published, is a reason of its own.
  await sql`alter table items drop constraint items_restriction_check`.execute(db)
  await sql`
    alter table items add constraint items_restriction_check
      check (restriction in ('rights_lapsed', 'consent', 'gate', 'notice'))`.execute(db)
  // Read on from any place, also among many that end at one instant.
  await sql`drop index items_lapsing`.execute(db)
  await sql`
    create index items_lapsing on items (lapses_at, no) where status = 'published' and lapses_at is not null`.execute(
    db,
  )

  await sql`
    create table lapsed_items (
      item_no integer primary key references items (no) on delete cascade,
      restricted_at timestamptz not null default now(),
      -- When the email that tells the administrators of it was queued.
      told_at timestamptz
    )`.execute(db)
  await sql`create index lapsed_items_latest on lapsed_items (restricted_at desc, item_no desc)`.execute(db)
  await sql`create index lapsed_items_untold on lapsed_items (restricted_at) where told_at is null`.execute(db)
  // Those of before are listed, and nobody is notified of them now.
  await sql`
    insert into lapsed_items (item_no, restricted_at, told_at)
    select no, updated_at, now() from items where status = 'restricted' and restriction in ('rights_lapsed', 'consent')`.execute(
    db,
  )
  // For any writer that restricts it, and any that lifts the restriction.
  await sql`
    create function note_lapsed_item() returns trigger language plpgsql as $$
    begin
      if new.restriction in ('rights_lapsed', 'consent', 'gate') then
        insert into lapsed_items (item_no) values (new.no) on conflict (item_no) do nothing;
      else
        delete from lapsed_items where item_no = new.no;
      end if;
      return null;
    end $$`.execute(db)
  await sql`
    create trigger note_lapsed_item after update on items
      for each row when (old.restriction is distinct from new.restriction) execute function note_lapsed_item()`.execute(
    db,
  )
  // When administrators were last notified by email; locked by whoever tells them.
  await sql`
    create table lapse_emails (
      only_row boolean primary key default true check (only_row),
      sent_at timestamptz
    )`.execute(db)
  await sql`insert into lapse_emails default values`.execute(db)
}
