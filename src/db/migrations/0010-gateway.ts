import { type Kysely, sql } from 'kysely'

/** The gateway: what administrators have saved, the tickets of those who wait, and the downloads that were begun. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // Without a row the settings of the environment are in force.
  await sql`
    create table gateway_settings (
      only_row boolean primary key default true check (only_row),
      version integer not null check (version >= 1),
      provider text not null check (provider in ('local', 'linkvertise', 'off')),
      account text not null check (account ~ '^[0-9]{0,18}$'),
      public_key text not null,
      raw boolean not null,
      wait_seconds integer not null check (wait_seconds between 0 and 600)
    )`.execute(db)

  // Every page of an item holds what the settings make of its links. The number 0, which no item has, stands for all of them.
  await sql`
    create function note_gateway_change() returns trigger language plpgsql as $$
    declare
      next_version bigint;
    begin
      update catalogue_state set version = version + 1 returning version into next_version;
      insert into catalogue_changes (version, item_no) values (next_version, 0);
      perform pg_notify('daybook_catalogue', next_version::text);
      return null;
    end $$`.execute(db)
  // For each row: a save that is refused changes none.
  await sql`
    create trigger note_gateway_changed after insert or update or delete on gateway_settings
      for each row execute function note_gateway_change()`.execute(db)
  await sql`
    create trigger note_gateway_emptied after truncate on gateway_settings
      for each statement execute function note_gateway_change()`.execute(db)

  // A row from the first look at the ticket on: its wait has begun. The ticket itself says its target.
  await sql`
    create table gateway_tickets (
      id uuid primary key,
      issued_at timestamptz not null,
      ready_at timestamptz not null,
      served_at timestamptz,
      check (served_at >= ready_at)
    )`.execute(db)
  await sql`create index gateway_tickets_issued_at on gateway_tickets (issued_at)`.execute(db)

  // No address and no time of day. The item is no foreign key: what was downloaded stays counted when it is gone.
  await sql`
    create table download_events (
      -- The ticket's, where there was one: it counts once.
      id uuid primary key,
      item_id uuid not null,
      slot text not null check (slot in ('link', 'link2', 'linkG', 'linkP', 'linkMV1', 'linkMV2', 'linkMV3', 'linkMV4')),
      host text not null check (host <> ''),
      tier text not null check (tier in ('free', 'vip')),
      -- In the time zone of the site.
      day date not null,
      -- The member whose history it is part of; null once the account is deleted.
      user_id uuid references users on delete set null
    )`.execute(db)
  await sql`create index download_events_day on download_events (day, tier)`.execute(db)
  await sql`create index download_events_item on download_events (item_id, day)`.execute(db)
  await sql`
    create unique index download_events_once_a_day on download_events (user_id, item_id, slot, day)
      where user_id is not null`.execute(db)
}
