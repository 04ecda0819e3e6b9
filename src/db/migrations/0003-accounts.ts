import { type Kysely, sql } from 'kysely'

/** Accounts, sessions, and password resets. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table users (
      id uuid primary key,
      email text not null check (length(email) between 3 and 254),
      -- The key by which two addresses are the same: lower case, composed.
      email_folded text not null unique,
      name text not null check (name = btrim(name) and length(name) between 1 and 100),
      -- Argon2id in the PHC format: parameters, salt and digest in one text.
      password_hash text not null check (password_hash like '$argon2id$%'),
      password_changed_at timestamptz not null,
      profile_image text,
      is_admin boolean not null default false,
      -- Membership holds while this lies ahead and the member is not disabled.
      vip_expires_at timestamptz,
      vip_disabled boolean not null default false,
      created_at timestamptz not null
    )`.execute(db)

  // The last administrator stays: whoever writes, and however many write at once.
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
      expires_at timestamptz not null
    )`.execute(db)
  await sql`create index sessions_user_id on sessions (user_id)`.execute(db)
  await sql`create index sessions_expires_at on sessions (expires_at)`.execute(db)

  // One row a user: a newer link takes the place of an older one.
  await sql`
    create table password_resets (
      user_id uuid primary key references users on delete cascade,
      token_hash bytea not null unique check (length(token_hash) = 32),
      expires_at timestamptz not null
    )`.execute(db)
}
