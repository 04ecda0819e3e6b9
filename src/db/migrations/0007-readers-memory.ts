import { type Kysely, sql } from 'kysely'

/** The library's memory of its readers (docs/spec/readers-memory.md). */
export async function up(db: Kysely<unknown>): Promise<void> {
  // One row a member, from their first visit on.
  await sql`
    create table readers (
      user_id uuid primary key references users on delete cascade,
      keeps_history boolean not null default true,
      -- The last call of the visit under way, and the end of the one before it.
      seen_at timestamptz not null default now(),
      new_since timestamptz
    )`.execute(db)

  // By slug, as pages are: an entry that is gone stays in the list, without its name.
  await sql`
    create table saved_entries (
      user_id uuid not null references users on delete cascade,
      slug text collate "C" not null,
      saved_at timestamptz not null default now(),
      primary key (user_id, slug)
    )`.execute(db)
  await sql`create index saved_entries_newest on saved_entries (user_id, saved_at desc, slug desc)`.execute(db)

  // The last download of each link by a member, as long as they want it kept.
  await sql`
    create table download_history (
      user_id uuid not null references users on delete cascade,
      slug text collate "C" not null,
      host text not null check (host <> ''),
      downloaded_at timestamptz not null default now(),
      primary key (user_id, slug, host)
    )`.execute(db)
  await sql`create index download_history_newest on download_history (user_id, downloaded_at desc, slug desc, host desc)`.execute(
    db,
  )
  await sql`create index download_history_age on download_history (downloaded_at)`.execute(db)

  await sql`
    create table saved_searches (
      id uuid primary key,
      user_id uuid not null references users on delete cascade,
      name text not null check (name <> '' and length(name) <= 120),
      -- The list, and the query part of its address, as the page writes it.
      list text not null check (list in
        ('asian', 'western', 'banned', 'unknown', 'vip', 'vip-asian', 'vip-western', 'vip-banned', 'vip-unknown')),
      query text not null check (length(query) <= 4000),
      created_at timestamptz not null default now(),
      digest text not null default 'off' check (digest in ('off', 'daily', 'weekly')),
      -- When the digest comes: by the clock of the reader's time zone.
      hour smallint not null default 8 check (hour between 0 and 23),
      time_zone text not null default 'UTC' check (time_zone <> ''),
      next_digest_at timestamptz,
      -- Entries that were new up to then have been told.
      digested_until timestamptz,
      unique (user_id, list, query),
      constraint a_digest_has_its_time check
        ((digest = 'off') = (next_digest_at is null) and (digest = 'off') = (digested_until is null))
    )`.execute(db)
  await sql`
    alter table feed_tokens add foreign key (search_id) references saved_searches on delete cascade`.execute(db)
  await sql`create index feed_tokens_of_search on feed_tokens (search_id)`.execute(db)
  await sql`create index saved_searches_due on saved_searches (next_digest_at) where next_digest_at is not null`.execute(
    db,
  )
}
