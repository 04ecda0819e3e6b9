import { type Kysely, sql } from 'kysely'

/** Passwords of members for their reading programs (docs/spec/accounts.md#app-passwords). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table app_passwords (
      id uuid primary key,
      user_id uuid not null references users on delete cascade,
      name text not null check (char_length(name) between 1 and 60),
      -- SHA-256: it is random and long, so that nobody finds it from its digest.
      secret_hash bytea not null unique check (octet_length(secret_hash) = 32),
      created_at timestamptz not null,
      -- To the hour; null until it was right for the first time.
      last_used_at timestamptz
    )`.execute(db)
  await sql`create index app_passwords_of_user on app_passwords (user_id)`.execute(db)
}
