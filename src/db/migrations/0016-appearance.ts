import { type Kysely, sql } from 'kysely'

/** Uploaded marks of the site (docs/spec/pages.md#appearance). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table brand_marks (
      hash text primary key check (hash ~ '^[0-9a-f]{32}$'),
      -- WebP, written anew by the site.
      picture bytea not null check (octet_length(picture) <= 2097152),
      stored_at timestamptz not null
    )`.execute(db)
}
