import { type Kysely, sql } from 'kysely'

/** Right passwords after which no second factor was shown (docs/spec/accounts.md#unfinished). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table unfinished_sign_ins (
      user_id uuid not null references users on delete cascade,
      -- SHA-256 over the account, the network and the program: whoever goes on is known by it, and nobody else.
      caller_hash bytea not null check (octet_length(caller_hash) = 32),
      begun_at timestamptz not null default now(),
      times integer not null default 1 check (times >= 1),
      is_known_device boolean not null,
      user_agent text not null check (length(user_agent) <= 400),
      -- Cut, as the audit log has it.
      network text,
      request_id text,
      primary key (user_id, caller_hash)
    )`.execute(db)
  await sql`create index unfinished_sign_ins_begun on unfinished_sign_ins (begun_at)`.execute(db)
  // For an account: the time of the last record, and of its owner's last email.
  await sql`
    create table told_sign_ins (
      user_id uuid primary key references users on delete cascade,
      recorded_at timestamptz not null,
      told_at timestamptz
    )`.execute(db)
}
