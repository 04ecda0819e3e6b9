import { type Kysely, sql } from 'kysely'

/** Private feeds (docs/spec/found-from-outside.md#private-feeds). */
export async function up(db: Kysely<unknown>): Promise<void> {
  // A member has at most one of their own, and one of each saved search: a new one takes its place.
  await sql`
    create table feed_tokens (
      -- SHA-256 of the token: whoever reads this table cannot open a feed with it.
      token_hash bytea primary key check (octet_length(token_hash) = 32),
      user_id uuid not null references users on delete cascade,
      search_id uuid,
      created_at timestamptz not null,
      -- To the hour: a reading program asks every few minutes.
      last_used_at timestamptz,
      unique nulls not distinct (user_id, search_id)
    )`.execute(db)
}
