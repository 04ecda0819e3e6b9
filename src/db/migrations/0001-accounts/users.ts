import { type Kysely, sql } from 'kysely'

/** Members, their sessions, devices, links and addresses (docs/spec/accounts.md). */
export async function createUsers(db: Kysely<unknown>): Promise<void> {
  /*
   * Members are searched by name and address, in lower case and without accents. The row and the search text are both
   * folded here, so they fold alike on every engine and in every locale of it.
   */
  await sql`
    create function fold_member_text(text text) returns text language sql immutable strict parallel safe as $$
      select regexp_replace(lower(normalize(text, NFKD)), '[\\u0300-\\u036f]', '', 'g')
    $$`.execute(db)
  await sql`
    create table users (
      id uuid primary key,
      email text not null check (length(email) between 3 and 254),
      -- Two addresses are the same if this is: lower case, composed, a domain of other scripts as A-labels.
      email_folded text not null unique,
      name text not null check (name = btrim(name) and length(name) between 1 and 100),
      -- Argon2id in the PHC format: parameters, salt and digest in one text. Null until an imported member sets one.
      password_hash text check (password_hash like '$argon2id$%'),
      password_changed_at timestamptz,
      profile_image text,
      is_admin boolean not null default false,
      vip_disabled boolean not null default false,
      created_at timestamptz not null,
      -- Set where an account was made with the address of one whose disputed payment nobody had reviewed.
      purchases_blocked boolean not null default false,
      -- To the hour.
      last_seen_at timestamptz,
      -- Payments from then on are refunded.
      vip_disabled_at timestamptz,
      name_folded text not null generated always as (fold_member_text(name)) stored,
      -- When the account's limits were cleared: each instance that still refuses the account clears its own.
      unlocked_at timestamptz,
      -- Null until the member has confirmed the address (docs/spec/accounts.md#address-confirmation).
      email_confirmed_at timestamptz,
      -- When a link that confirms the address was last put in line.
      confirmation_asked_at timestamptz,
      search_text text not null generated always as (
        fold_member_text(name || ' ' || email_folded || case when email ~ '[^ -~]' then ' ' || email else '' end)
      ) stored,
      -- Written with every change of factors, with the account locked: a sign-in that is under way reads it again and opens
      -- no session without a factor.
      has_second_factor boolean not null default false,
      -- While there is an administrator, at least one has the mark (docs/spec/accounts.md#safety-officer).
      is_safety_officer boolean not null default false,
      constraint a_password_has_its_date check ((password_hash is null) = (password_changed_at is null)),
      constraint an_administrator_has_a_password check (not is_admin or password_hash is not null),
      constraint what_is_disabled_has_its_date
        check (vip_disabled = (vip_disabled_at is not null)),
      constraint a_safety_officer_is_an_administrator check (not is_safety_officer or is_admin)
    )`.execute(db)
  await sql`create index users_administrators on users (created_at desc, id desc) where is_admin`.execute(db)
  await sql`create index users_invited on users (created_at desc, id desc) where password_hash is null`.execute(db)
  await sql`create index users_vip_disabled on users (name_folded, id) where vip_disabled`.execute(db)
  await sql`create index users_created_at on users (created_at)`.execute(db)
  await sql`create index users_unconfirmed on users (created_at desc, id desc) where email_confirmed_at is null`.execute(
    db,
  )
  // The lists of members read nothing but these two indexes, a third of the table.
  await sql`create index users_created on users (created_at desc, id desc) include (search_text, is_admin)`.execute(db)
  await sql`create index users_seen on users (last_seen_at desc nulls last, id desc) include (search_text, is_admin)`.execute(
    db,
  )
  await sql`create index users_unfolded on users (id) where split_part(email_folded, '@', 2) ~ '[^ -~]'`.execute(db)
  await sql`create index users_safety_officers on users (id) where is_safety_officer`.execute(db)
  // The last administrator stays, however many write at once.
  await sql`
    create function keep_an_administrator() returns trigger language plpgsql as $$
    begin
      perform 1 from users where is_admin order by id for update;
      if not exists (select from users where is_admin and id <> old.id) then
        raise exception 'The last administrator can be neither deleted nor demoted.'
          using errcode = 'DB006';
      end if;
      return case when tg_op = 'DELETE' then old else new end;
    end $$`.execute(db)
  await sql`
    create trigger keep_an_administrator_on_delete before delete on users
      for each row when (old.is_admin) execute function keep_an_administrator()`.execute(db)
  await sql`
    create trigger keep_an_administrator_on_update before update of is_admin on users
      for each row when (old.is_admin and not new.is_admin) execute function keep_an_administrator()`.execute(db)
  await sql`
    create function date_vip_disabled() returns trigger language plpgsql as $$
    begin
      new.vip_disabled_at := case when new.vip_disabled then coalesce(new.vip_disabled_at, now()) end;
      return new;
    end $$`.execute(db)
  await sql`
    create trigger date_vip_disabled before insert or update of vip_disabled, vip_disabled_at on users
      for each row execute function date_vip_disabled()`.execute(db)
  // While there are administrators, one is the safety officer, however many write at once.
  await sql`
    create function keep_a_safety_officer() returns trigger language plpgsql as $$
    begin
      if tg_op = 'UPDATE' and old.is_admin and not new.is_admin then
        new.is_safety_officer := false;
      end if;
      if not old.is_safety_officer or (tg_op = 'UPDATE' and new.is_safety_officer) then
        return case when tg_op = 'DELETE' then old else new end;
      end if;
      perform 1 from users where is_admin order by id for update;
      if exists (select from users where is_safety_officer and id <> old.id) then
        return case when tg_op = 'DELETE' then old else new end;
      end if;
      -- That the last administrator of all goes is refused by keep_an_administrator.
      if (tg_op = 'UPDATE' and new.is_admin) or exists (select from users where is_admin and id <> old.id) then
        raise exception 'While there are administrators, one of them is the safety officer. Name another one first.'
          using errcode = 'DB016';
      end if;
      return case when tg_op = 'DELETE' then old else new end;
    end $$`.execute(db)
  await sql`
    create trigger keep_a_safety_officer_on_delete before delete on users
      for each row when (old.is_safety_officer) execute function keep_a_safety_officer()`.execute(db)
  await sql`
    create trigger keep_a_safety_officer_on_update before update of is_admin, is_safety_officer on users
      for each row when (old.is_safety_officer) execute function keep_a_safety_officer()`.execute(db)
  await sql`
    create function name_first_safety_officer() returns trigger language plpgsql as $$
    begin
      if not exists (select from users where is_safety_officer) then
        new.is_safety_officer := true;
      end if;
      return new;
    end $$`.execute(db)
  await sql`
    create trigger name_first_safety_officer before insert or update of is_admin on users
      for each row when (new.is_admin) execute function name_first_safety_officer()`.execute(db)

  await sql`
    create table sessions (
      id uuid primary key,
      user_id uuid not null references users on delete cascade,
      -- SHA-256 of the token: whoever reads this table cannot sign in with it.
      token_hash bytea not null unique check (length(token_hash) = 32),
      is_remembered boolean not null,
      user_agent text not null check (length(user_agent) <= 400),
      created_at timestamptz not null,
      last_seen_at timestamptz not null,
      -- The end that no use can put off.
      expires_at timestamptz not null,
      -- When the member behind it last proved who they are. A sign-in is a proof.
      proved_at timestamptz not null
    )`.execute(db)
  await sql`create index sessions_user_id on sessions (user_id)`.execute(db)
  await sql`create index sessions_expires_at on sessions (expires_at)`.execute(db)

  // An account may have several links at once: a request for one ends nobody else's.
  await sql`
    create table password_resets (
      user_id uuid not null references users on delete cascade,
      token_hash bytea not null unique check (length(token_hash) = 32),
      expires_at timestamptz not null,
      -- The id of the email that carries the link: an email that is written again replaces only its own.
      id uuid not null primary key,
      kind text not null check (kind in ('forgotten', 'administrator', 'invitation')),
      issued_at timestamptz not null
    )`.execute(db)
  await sql`create index password_resets_of_user on password_resets (user_id, kind)`.execute(db)

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

  // The bans of an address, while nobody has an account with it.
  await sql`
    create table kept_bans (
      -- HMAC-SHA-256 of the folded address; the address itself is kept nowhere.
      email_hash bytea primary key check (octet_length(email_hash) = 32),
      vip_disabled boolean not null,
      purchases_blocked boolean not null,
      check (vip_disabled or purchases_blocked)
    )`.execute(db)

  // The operator's note on a member. It is part of the member's data, and goes with the account.
  await sql`
    create table member_notes (
      user_id uuid primary key references users on delete cascade,
      note text not null check (length(note) <= 10000),
      version integer not null check (version > 0),
      changed_at timestamptz not null
    )`.execute(db)

  // Invitations that wait to be sent: some each minute, so that a large import floods no mail server.
  await sql`
    create table member_invitations (
      user_id uuid primary key references users on delete cascade,
      requested_at timestamptz not null default clock_timestamp(),
      -- No reference: accounts know nothing of files of members.
      import_id uuid
    )`.execute(db)
  await sql`create index member_invitations_requested on member_invitations (requested_at, user_id)`.execute(db)
  await sql`create index member_invitations_import on member_invitations (import_id)`.execute(db)

  // Passwords of members for their reading programs (docs/spec/accounts.md#app-passwords).
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

  // Private feeds (docs/spec/found-from-outside.md#private-feeds).
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
