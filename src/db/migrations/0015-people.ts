import { type Kysely, sql } from 'kysely'

/**
 * The administration of members (docs/spec/accounts.md#people, docs/spec/membership.md#vip-lists): lists and a search
 * that stay quick with many members, notes, and imported members.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  // An imported member has no password until they set one. Nobody administers the site without one.
  await sql`alter table users alter column password_hash drop not null`.execute(db)
  await sql`alter table users alter column password_changed_at drop not null`.execute(db)
  await sql`
    alter table users
      add constraint a_password_has_its_date check ((password_hash is null) = (password_changed_at is null)),
      add constraint an_administrator_has_a_password check (not is_admin or password_hash is not null)`.execute(db)

  // To the hour.
  await sql`alter table users add column last_seen_at timestamptz`.execute(db)
  await sql`
    update users set last_seen_at = seen.at
      from (select user_id, max(last_seen_at) as at from sessions group by user_id) seen
     where seen.user_id = users.id`.execute(db)

  // Later payments are refunded.
  await sql`alter table users add column vip_disabled_at timestamptz`.execute(db)
  await sql`update users set vip_disabled_at = now() where vip_disabled`.execute(db)
  await sql`
    alter table users add constraint what_is_disabled_has_its_date
      check (vip_disabled = (vip_disabled_at is not null))`.execute(db)
  await sql`
    create function date_vip_disabled() returns trigger language plpgsql as $$
    begin
      new.vip_disabled_at := case when new.vip_disabled then coalesce(new.vip_disabled_at, now()) end;
      return new;
    end $$`.execute(db)
  await sql`
    create trigger date_vip_disabled before insert or update of vip_disabled, vip_disabled_at on users
      for each row execute function date_vip_disabled()`.execute(db)

  /* The search text of members: name and address, in lower case and without accents. Row and query are both folded
     here, so they fold alike on every engine and in every locale of it. The text is stored, so that a search only
     has to look through it. */
  await sql`
    create function fold_member_text(text text) returns text language sql immutable strict parallel safe as $$
      select regexp_replace(lower(normalize(text, NFKD)), '[\\u0300-\\u036f]', '', 'g')
    $$`.execute(db)
  await sql`
    alter table users
      add column search_text text not null generated always as (fold_member_text(name || ' ' || email_folded)) stored,
      add column name_folded text not null generated always as (fold_member_text(name)) stored`.execute(db)
  await sql`create index users_created on users (created_at desc, id desc)`.execute(db)
  await sql`create index users_seen on users (last_seen_at desc nulls last, id desc)`.execute(db)
  await sql`create index users_administrators on users (created_at desc, id desc) where is_admin`.execute(db)
  await sql`create index users_invited on users (created_at desc, id desc) where password_hash is null`.execute(db)
  await sql`create index users_vip_disabled on users (name_folded, id) where vip_disabled`.execute(db)

  // The operator's note about a member. It is part of the member's data, and goes with the account.
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
      requested_at timestamptz not null default clock_timestamp()
    )`.execute(db)
  await sql`create index member_invitations_requested on member_invitations (requested_at, user_id)`.execute(db)

  /* Access of each member as stretches: grants that overlap, or follow each other without a gap, are one. The row
     in force at an instant is the one with starts_at <= instant < next_starts_at: its end is the current end, or
     the last one. An index can order by that, and nothing has to be written when a stretch begins. A disabled
     member has a first row without an end, so that they are listed also before anything begins. The triggers below
     maintain it, whoever writes. */
  await sql`
    create table member_access (
      user_id uuid not null references users on delete cascade,
      starts_at timestamptz not null,
      next_starts_at timestamptz not null,
      ends_at timestamptz,
      effective_until timestamptz,
      is_disabled boolean not null,
      constraint member_access_pkey primary key (user_id, starts_at),
      constraint both_ends_or_none check ((ends_at is null) = (effective_until is null)),
      constraint a_stretch_begins_before_the_next check (starts_at < next_starts_at)
    )`.execute(db)
  await sql`
    create index member_access_vips on member_access (effective_until desc, user_id desc)
      include (starts_at, next_starts_at) where not is_disabled and effective_until is not null`.execute(db)
  await sql`
    create index member_access_disabled on member_access (effective_until desc nulls last, user_id desc)
      include (starts_at, next_starts_at) where is_disabled`.execute(db)
  // A grant that was revoked gave access until then.
  await sql`
    create function sum_up_member_access(member uuid) returns void language plpgsql as $$
    begin
      -- Waits for whoever else is at it; the statements after it see what they wrote.
      perform pg_advisory_xact_lock(hashtextextended('member_access ' || member, 0));
      delete from member_access where user_id = member;
      insert into member_access (user_id, starts_at, next_starts_at, ends_at, effective_until, is_disabled)
      with given as (
        select least(starts_at, revoked_at, effective_until) as starts_at, least(ends_at, revoked_at) as ends_at,
               least(effective_until, revoked_at) as effective_until
          from access_grants where user_id = member
      ), marked as (
        select *, starts_at > max(effective_until) over (
                    order by starts_at, effective_until rows between unbounded preceding and 1 preceding) as is_after_gap
          from given
      ), numbered as (
        select *, count(*) filter (where is_after_gap) over (order by starts_at, effective_until rows unbounded preceding)
                  as stretch
          from marked
      ), stretches as (
        select min(starts_at) as starts_at, max(ends_at) as ends_at, max(effective_until) as effective_until
          from numbered group by stretch
        union all
        select '-infinity', null, null from users where id = member and vip_disabled
      )
      select users.id, starts_at, coalesce(lead(starts_at) over (order by starts_at), 'infinity'), ends_at,
             effective_until, vip_disabled
        from stretches join users on users.id = member;
    end $$`.execute(db)
  await sql`
    create function keep_member_access() returns trigger language plpgsql as $$
    begin
      perform sum_up_member_access(case when tg_op = 'DELETE' then old.user_id else new.user_id end);
      return null;
    end $$`.execute(db)
  await sql`
    create trigger keep_member_access after insert or delete
      or update of starts_at, ends_at, effective_until, revoked_at
      on access_grants for each row execute function keep_member_access()`.execute(db)
  await sql`
    create function keep_member_disabled() returns trigger language plpgsql as $$
    begin
      perform sum_up_member_access(new.id);
      return null;
    end $$`.execute(db)
  await sql`
    create trigger keep_member_disabled_of_new after insert on users
      for each row when (new.vip_disabled) execute function keep_member_disabled()`.execute(db)
  await sql`
    create trigger keep_member_disabled after update of vip_disabled on users
      for each row when (old.vip_disabled <> new.vip_disabled) execute function keep_member_disabled()`.execute(db)
  await sql`
    select sum_up_member_access(id) from users
     where vip_disabled or exists (select from access_grants where user_id = users.id)`.execute(db)

  // A file of members: its rows wait here between the dry run and the import, and until the report is deleted.
  await sql`
    create table member_imports (
      id uuid primary key,
      -- The uploader of the file, and then the administrator who had it imported.
      started_by uuid not null,
      created_at timestamptz not null default clock_timestamp(),
      -- Null while the file is being read: nothing of it can be imported.
      read_at timestamptz,
      confirmed_at timestamptz,
      finished_at timestamptz,
      -- It was stopped in the middle, because whoever had it imported is no administrator any more; another one may go on.
      stopped_at timestamptz,
      format text not null check (format in ('csv', 'jsonl')),
      -- The rows by their outcome; changed in the transaction of each batch.
      new_count integer not null default 0,
      existing_count integer not null default 0,
      rejected_count integer not null default 0,
      made_count integer not null default 0,
      constraint an_import_was_read_first check (confirmed_at is null or read_at is not null),
      constraint a_stopped_import_waits check (stopped_at is null or confirmed_at is null),
      constraint an_import_was_confirmed_first check (finished_at is null or confirmed_at is not null)
    )`.execute(db)
  await sql`
    create table member_import_rows (
      import_id uuid not null references member_imports on delete cascade,
      line integer not null,
      email text not null,
      email_folded text not null,
      name text not null,
      member_since timestamptz,
      vip_until timestamptz,
      -- new: would be made. existing: has an account already, which stays as it is.
      outcome text not null check (outcome in ('new', 'existing', 'rejected', 'made')),
      reason text,
      -- The values of a rejected row, for the rejects file.
      cells json,
      primary key (import_id, line),
      constraint a_rejected_row_has_a_reason check (outcome <> 'rejected' or reason is not null)
    )`.execute(db)
  await sql`create index member_import_rows_outcome on member_import_rows (import_id, outcome, line)`.execute(db)
  // An address counts once in a file.
  await sql`
    create unique index member_import_rows_email on member_import_rows (import_id, email_folded)
      where outcome in ('new', 'made')`.execute(db)
}
