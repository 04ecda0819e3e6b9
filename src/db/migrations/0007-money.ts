import { type Kysely, sql } from 'kysely'

/** The checkout that waits for its buyer, prices that the settings do not name, and bans that outlive an account. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // The last payment page of a member: a concurrent request of another process takes that answer.
  await sql`
    create table open_checkouts (
      user_id uuid primary key references users on delete cascade,
      -- Another one with each answer.
      answer_id uuid not null,
      price_id text not null,
      url text not null,
      answered_at timestamptz not null
    )`.execute(db)
  await sql`create index open_checkouts_answered_at on open_checkouts (answered_at)`.execute(db)

  // The price at Stripe, while it is none of those that the settings name; null for every other subscription.
  await sql`alter table subscriptions add column unknown_price text check (unknown_price <> '')`.execute(db)

  // Set where an account was made with the address of one whose disputed payment nobody had reviewed.
  await sql`alter table users add column purchases_blocked boolean not null default false`.execute(db)

  // Random bytes of this installation, each made when it is first needed. They leave the database only with a backup.
  await sql`
    create table installation_secrets (
      name text primary key,
      secret bytea not null check (octet_length(secret) >= 32)
    )`.execute(db)

  // The bans of an address, while nobody has an account with it.
  await sql`
    create table kept_bans (
      -- HMAC-SHA-256 of the folded address; the address itself is kept nowhere.
      email_hash bytea primary key check (octet_length(email_hash) = 32),
      vip_disabled boolean not null,
      purchases_blocked boolean not null,
      check (vip_disabled or purchases_blocked)
    )`.execute(db)
}
