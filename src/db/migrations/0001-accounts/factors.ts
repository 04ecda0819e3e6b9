import { type Kysely, sql } from 'kysely'

/** Passkeys, authenticator apps and recovery codes (docs/spec/accounts.md#second-factor). */
export async function createFactors(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table passkeys (
      id uuid primary key,
      user_id uuid not null references users on delete cascade,
      credential_id text not null unique,
      -- As COSE writes it.
      public_key bytea not null,
      -- How often the authenticator says it was used; 0 where it does not count.
      counter bigint not null check (counter >= 0),
      transports text[] not null,
      name text not null,
      added_at timestamptz not null,
      last_used_at timestamptz
    )`.execute(db)
  await sql`create index passkeys_of_user on passkeys (user_id, added_at)`.execute(db)

  await sql`
    create table totp_factors (
      user_id uuid primary key references users on delete cascade,
      secret bytea not null check (octet_length(secret) >= 16),
      -- The time step of the last code: neither it nor an earlier one is accepted again.
      last_step integer not null,
      added_at timestamptz not null,
      last_used_at timestamptz
    )`.execute(db)

  // Not in force before its session has shown a code.
  await sql`
    create table totp_setups (
      user_id uuid primary key references users on delete cascade,
      session_id uuid not null references sessions on delete cascade,
      secret bytea not null check (octet_length(secret) >= 16),
      made_at timestamptz not null
    )`.execute(db)
  await sql`create index totp_setups_of_session on totp_setups (session_id)`.execute(db)

  await sql`
    create table recovery_codes (
      user_id uuid not null references users on delete cascade,
      code_hash bytea not null check (octet_length(code_hash) = 32),
      primary key (user_id, code_hash)
    )`.execute(db)

  await sql`
    create table factor_challenges (
      challenge_hash bytea primary key check (octet_length(challenge_hash) = 32),
      user_id uuid not null references users on delete cascade,
      -- Null for a sign-in, which has none yet.
      session_id uuid references sessions on delete cascade,
      purpose text not null check (purpose in ('sign-in', 'proof', 'registration')),
      made_at timestamptz not null,
      check ((session_id is null) = (purpose = 'sign-in'))
    )`.execute(db)
  await sql`create index factor_challenges_of_user on factor_challenges (user_id, purpose, made_at desc)`.execute(db)
  await sql`create index factor_challenges_of_session on factor_challenges (session_id)`.execute(db)
  await sql`create index factor_challenges_made on factor_challenges (made_at)`.execute(db)

  // Right passwords after which no second factor was shown (docs/spec/accounts.md#unfinished).
  await sql`
    create table unfinished_sign_ins (
      user_id uuid not null references users on delete cascade,
      -- SHA-256 over the account, the network and the program: the caller who goes on is recognised by it.
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

  // When a sign-in that stopped at the second factor was last recorded, and when the owner was last notified.
  await sql`
    create table notified_sign_ins (
      user_id uuid primary key references users on delete cascade,
      recorded_at timestamptz not null,
      notified_at timestamptz
    )`.execute(db)
}
