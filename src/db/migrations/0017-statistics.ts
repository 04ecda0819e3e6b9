import { type Kysely, sql } from 'kysely'

/** The data of the statistics (docs/spec/membership.md#statistics). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index users_created_at on users (created_at)`.execute(db)
  await sql`create index payments_paid_at on payments (paid_at) where status = 'paid'`.execute(db)

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
  await sql`
    insert into download_days (day, host, tier, downloads)
    select day, host, tier, count(*) from download_events group by 1, 2, 3`.execute(db)
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
  // The downloads of a span of days by item are read from this index alone.
  await sql`create index download_events_items on download_events (day, item_id, tier)`.execute(db)
  await sql`drop index download_events_day`.execute(db)

  // Searched texts without a result. A day and tier keeps only a limited number; the others add up under ''.
  await sql`
    create table search_misses (
      day date not null,
      -- Whether VIP entries were among those that were searched.
      tier text not null check (tier in ('free', 'vip')),
      -- Folded. Nobody's: neither who searched nor when is kept.
      text text not null check (length(text) <= 100),
      searches integer not null check (searches > 0),
      primary key (day, tier, text)
    )`.execute(db)

  // Jobs that were given up, by name: what administrators are notified of them.
  await sql`
    create table job_failures (
      name text primary key,
      failures integer not null check (failures > 0),
      failed_at timestamptz not null,
      reason text not null
    )`.execute(db)
}
