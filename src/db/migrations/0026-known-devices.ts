import { type Kysely, sql } from 'kysely'

/** The devices that are known for an account, when its limits were cleared, and alarms (docs/spec/accounts.md#known-devices). */
export async function up(db: Kysely<unknown>): Promise<void> {
  // A secret belongs to one account: the accounts of a browser have one each, so none leads to another.
  await sql`
    create table known_devices (
      id uuid primary key,
      user_id uuid not null references users on delete cascade,
      secret_hash bytea not null unique check (octet_length(secret_hash) = 32),
      user_agent text not null,
      created_at timestamptz not null,
      last_used_at timestamptz not null
    )`.execute(db)
  await sql`create index known_devices_of_user on known_devices (user_id, last_used_at desc)`.execute(db)
  await sql`create index known_devices_last_used on known_devices (last_used_at)`.execute(db)
  // Each instance that still refuses the account clears its limits then.
  await sql`alter table users add column unlocked_at timestamptz`.execute(db)
  await sql`
    create table alarms (
      name text primary key,
      headline text not null,
      sentence text not null,
      advice text not null,
      leads_to text,
      first_at timestamptz not null,
      last_at timestamptz not null,
      times integer not null,
      -- Since the last email.
      untold_times integer not null,
      told_at timestamptz
    )`.execute(db)
}
