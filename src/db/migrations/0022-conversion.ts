import { type Kysely, sql } from 'kysely'

/** The statistics of purchases by entry (docs/spec/membership.md#conversion): only an entry counts. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // The entries from whose pages a member came to a checkout. They go when they pay, and after a day.
  await sql`
    create table checkout_origins (
      user_id uuid not null references users (id) on delete cascade,
      slug text collate "C" not null references items (slug) on delete cascade,
      began_at timestamptz not null,
      primary key (user_id, slug)
    )`.execute(db)
  await sql`create index checkout_origins_began_at on checkout_origins (began_at)`.execute(db)
  // Counts alone: nothing in them leads to a member.
  await sql`
    create table entry_conversions (
      day date not null,
      slug text collate "C" not null references items (slug) on delete cascade,
      checkouts integer not null default 0 check (checkouts >= 0),
      purchases integer not null default 0 check (purchases >= 0),
      primary key (day, slug)
    )`.execute(db)
  await sql`create index checkout_origins_slug on checkout_origins (slug)`.execute(db)
  await sql`create index entry_conversions_slug on entry_conversions (slug)`.execute(db)
}
