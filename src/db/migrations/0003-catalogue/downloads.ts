import { type Kysely, sql } from 'kysely'

/** The gateway, downloads, and the purchases that an entry led to (docs/spec/membership.md#conversion). */
export async function createDownloads(db: Kysely<unknown>): Promise<void> {
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
    create function record_gateway_change() returns trigger language plpgsql as $$
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
    create trigger record_gateway_changed after insert or update or delete on gateway_settings
      for each row execute function record_gateway_change()`.execute(db)
  await sql`
    create trigger record_gateway_emptied after truncate on gateway_settings
      for each statement execute function record_gateway_change()`.execute(db)
  // Every page shows some of them. The change feed tells every instance to read them, as it does for the gateway's settings.
  await sql`
    create trigger record_text_changed after insert or update or delete on site_texts
      for each row execute function record_gateway_change()`.execute(db)
  await sql`
    create trigger record_texts_emptied after truncate on site_texts
      for each statement execute function record_gateway_change()`.execute(db)

  // A row from the first look at the ticket on: its wait has begun. The ticket itself says what it is for.
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
      -- The member in whose history it stands; nobody's any more once the account is deleted.
      user_id uuid references users on delete set null
    )`.execute(db)
  await sql`create index download_events_item on download_events (item_id, day)`.execute(db)
  await sql`
    create unique index download_events_once_a_day on download_events (user_id, item_id, slot, day)
      where user_id is not null`.execute(db)
  // The downloads of a span of days by item are read from this index alone.
  await sql`create index download_events_items on download_events (day, item_id, tier)`.execute(db)

  /*
   * Downloads by day. The events are deleted after 400 days, these sums stay. The database adds them up in the transaction
   * of the event, so that both tell the same.
   */
  await sql`
    create table download_days (
      -- In the time zone of the site.
      day date not null,
      host text not null,
      tier text not null check (tier in ('free', 'vip')),
      downloads integer not null check (downloads > 0),
      primary key (day, host, tier)
    )`.execute(db)
  // In one order, so that two statements of many events never wait for each other in a circle.
  await sql`
    create function add_up_downloads() returns trigger language plpgsql as $$
    begin
      insert into download_days (day, host, tier, downloads)
      select day, host, tier, count(*) from added group by 1, 2, 3 order by 1, 2, 3
          on conflict (day, host, tier) do update set downloads = download_days.downloads + excluded.downloads;
      return null;
    end $$`.execute(db)
  await sql`
    create trigger add_up_downloads after insert on download_events
      referencing new table as added for each statement execute function add_up_downloads()`.execute(db)

  // The entries from whose pages a member came to a checkout. They go when they pay, and after a day.
  await sql`
    create table checkout_origins (
      user_id uuid not null references users (id) on delete cascade,
      slug text collate "C" not null references items (slug) on delete cascade,
      began_at timestamptz not null,
      primary key (user_id, slug)
    )`.execute(db)
  await sql`create index checkout_origins_began_at on checkout_origins (began_at)`.execute(db)
  await sql`create index checkout_origins_slug on checkout_origins (slug)`.execute(db)

  // Counts alone: nothing in them leads to a member.
  await sql`
    create table entry_conversions (
      day date not null,
      slug text collate "C" not null references items (slug) on delete cascade,
      checkouts integer not null default 0 check (checkouts >= 0),
      purchases integer not null default 0 check (purchases >= 0),
      primary key (day, slug)
    )`.execute(db)
  await sql`create index entry_conversions_slug on entry_conversions (slug)`.execute(db)
}
