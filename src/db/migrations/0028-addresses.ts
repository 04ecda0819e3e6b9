import { type Kysely, sql } from 'kysely'
import { domainToASCII } from 'node:url'

/** Addresses are confirmed, can be changed, and are one for each mailbox (docs/spec/accounts.md#address-confirmation). */
export async function up(db: Kysely<unknown>): Promise<void> {
  // Existing accounts count as confirmed, except those that have never answered their invitation.
  await sql`
    alter table users
      add column email_confirmed_at timestamptz,
      -- When a link that confirms the address was last put in line.
      add column confirmation_asked_at timestamptz`.execute(db)
  await sql`update users set email_confirmed_at = created_at where password_hash is not null`.execute(db)
  await sql`
    create index users_unconfirmed on users (created_at desc, id desc) where email_confirmed_at is null`.execute(db)

  // The address that a member wants in place of theirs, until they confirm it.
  await sql`
    create table address_changes (
      user_id uuid primary key references users on delete cascade,
      email text not null check (length(email) between 3 and 254),
      requested_at timestamptz not null
    )`.execute(db)
  await sql`
    create table address_links (
      -- That of the email that carries the link: one that is written again replaces only its own.
      id uuid primary key,
      user_id uuid not null references users on delete cascade,
      -- The address that it was sent to, and that it confirms.
      email text not null check (length(email) between 3 and 254),
      -- SHA-256 of the token: whoever reads this table cannot confirm anything with it.
      token_hash bytea not null unique check (length(token_hash) = 32),
      issued_at timestamptz not null,
      expires_at timestamptz not null
    )`.execute(db)
  await sql`create index address_links_of_user on address_links (user_id, issued_at)`.execute(db)
  await sql`create index address_links_expire on address_links (expires_at)`.execute(db)

  // The addresses that an account had before, as keyed hashes: no ban is shed by changing an address.
  await sql`
    create table former_addresses (
      user_id uuid not null references users on delete cascade,
      email_hash bytea not null check (length(email_hash) = 32),
      replaced_at timestamptz not null,
      primary key (user_id, email_hash)
    )`.execute(db)
  await sql`create index former_addresses_hash on former_addresses (email_hash)`.execute(db)

  await foldDomains(db)

  // Members are found by their address as it is written, too: the folded one has A-labels.
  await sql`alter table users drop column search_text`.execute(db)
  await sql`
    alter table users add column search_text text not null generated always as (
      fold_member_text(name || ' ' || email_folded || case when email ~ '[^ -~]' then ' ' || email else '' end)
    ) stored`.execute(db)
  // They went with the column: the lists of members read nothing else (0021).
  await sql`
    create index users_created on users (created_at desc, id desc) include (search_text, is_admin)`.execute(db)
  await sql`
    create index users_seen on users (last_seen_at desc nulls last, id desc) include (search_text, is_admin)`.execute(
    db,
  )
}

/**
 * Domains in other scripts become A-labels. If that address has an account already, the second one stays as it is:
 * nobody is made somebody else. The home of the administration names it.
 */
async function foldDomains(db: Kysely<unknown>): Promise<void> {
  const { rows } = await sql<{ id: string; email_folded: string }>`
    select id, email_folded from users
     where split_part(email_folded, '@', 2) ~ '[^ -~]' order by created_at, id`.execute(db)
  for (const { id, email_folded: before } of rows) {
    const at = before.lastIndexOf('@') + 1
    const domain = before.slice(at)
    const ascii = /^[\p{L}\p{M}\p{N}.\u3002-]+$/u.test(domain) ? domainToASCII(domain) : ''
    if (ascii === '') continue
    const after = before.slice(0, at) + ascii
    await sql`
      update users set email_folded = ${after}
       where id = ${id} and not exists (select from users other where other.email_folded = ${after})`.execute(db)
  }
  await sql`
    create index users_unfolded on users (id) where split_part(email_folded, '@', 2) ~ '[^ -~]'`.execute(db)
}
