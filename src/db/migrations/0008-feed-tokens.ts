import { type Kysely, sql } from 'kysely'

/** Private feeds (docs/spec/found-from-outside.md#private-feeds). */
export async function up(db: Kysely<unknown>): Promise<void> {
  // A member has at most one: a new one takes its place.
  await sql`
    create table feed_tokens (
      user_id uuid primary key references users on delete cascade,
      -- SHA-256 of the token: whoever reads this table cannot open a feed with it.
      token_hash bytea not null unique check (octet_length(token_hash) = 32),
      created_at timestamptz not null,
      -- To the hour: a reading program asks every few minutes.
      last_used_at timestamptz
    )`.execute(db)
}
