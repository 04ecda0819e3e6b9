import { type Kysely, sql } from 'kysely'

/**
 * The audit log (docs/spec/security.md#audit-log): events that are written once, and a chain of hashes over them.
 *
 * An event is written in the transaction of its cause. It gets its place in the chain when that commits, by a deferred
 * trigger: the head of the chain is locked for the length of a commit alone, and never before a row that somebody else
 * holds. A role that owns nothing (docs/spec/security.md#database-roles) may write an event; the chain and the cut are
 * made by functions that run as the owner, and the triggers judge them, too.
 */
export async function createAudit(db: Kysely<unknown>): Promise<void> {
  // For every table that is a record: rows are added and never changed.
  await sql`
    create function refuse_change() returns trigger language plpgsql as $$
    begin
      raise exception 'Rows of % are a record and are never changed.', tg_table_name using errcode = 'DB002';
    end $$`.execute(db)
  await sql`
    create table audit_events (
      id uuid primary key,
      recorded_at timestamptz not null default clock_timestamp(),
      action text not null check (action ~ '^[a-z_]+(\\.[a-z_]+)+$'),
      -- A member by id, the operator on the command line, or the site by itself.
      actor text not null check (actor in ('member', 'operator', 'system')),
      actor_id uuid,
      -- The object of the act. No foreign keys: the record outlives what it names.
      subject text,
      subject_id text,
      -- The text is hashed as it stands, so it is not jsonb, which would write it anew.
      details json not null default '{}',
      constraint a_member_has_an_id check ((actor = 'member') = (actor_id is not null)),
      constraint a_subject_has_an_id check ((subject is null) = (subject_id is null))
    )`.execute(db)
  await sql`create index audit_events_recorded on audit_events (recorded_at desc, id desc)`.execute(db)
  await sql`create index audit_events_action on audit_events (action, recorded_at desc, id desc)`.execute(db)
  await sql`
    create index audit_events_actor on audit_events (actor_id, recorded_at desc, id desc)
      where actor_id is not null`.execute(db)
  await sql`
    create index audit_events_subject on audit_events (subject_id, recorded_at desc, id desc)
      where subject_id is not null`.execute(db)

  await sql`
    create table audit_chain (
      position bigint primary key,
      event_id uuid not null unique,
      hash bytea not null check (octet_length(hash) = 32)
    )`.execute(db)

  /*
   * The ends of the chain. Events before first_position were deleted when their time was over: previous_hash is the
   * hash that the first kept one continues.
   */
  await sql`
    create table audit_head (
      only_row boolean primary key default true check (only_row),
      first_position bigint not null default 1,
      previous_hash bytea not null default sha256(''),
      position bigint not null default 0,
      hash bytea not null default sha256('')
    )`.execute(db)
  await sql`insert into audit_head default values`.execute(db)

  // The findings of the last check of the whole chain.
  await sql`
    create table audit_checks (
      only_row boolean primary key default true check (only_row),
      checked_at timestamptz not null,
      events bigint not null,
      faults json not null
    )`.execute(db)

  // Each part with its length in bytes before it, so no two events have the same text.
  await sql`
    create function audit_part(part text) returns text language sql immutable parallel safe as $$
      select case when part is null then '-' else octet_length(part) || ':' || part end
    $$`.execute(db)
  await sql`
    create function audit_text(event audit_events) returns text language sql stable as $$
      select audit_part(event.id::text)
          || audit_part(to_char(event.recorded_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'))
          || audit_part(event.action) || audit_part(event.actor) || audit_part(event.actor_id::text)
          || audit_part(event.subject) || audit_part(event.subject_id) || audit_part(event.details::text)
    $$`.execute(db)
  await sql`
    create function chain_audit_event() returns trigger language plpgsql as $$
    declare
      head audit_head%rowtype;
    begin
      update audit_head
         set position = position + 1, hash = sha256(hash || convert_to(audit_text(new), 'UTF8'))
       returning * into head;
      insert into audit_chain (position, event_id, hash) values (head.position, new.id, head.hash);
      return null;
    end $$`.execute(db)
  await sql`
    create constraint trigger chain_audit_event after insert on audit_events
      deferrable initially deferred for each row execute function chain_audit_event()`.execute(db)
  // Written once. Events before the chain's first position may be deleted.
  await sql`
    create function keep_audit_events() returns trigger language plpgsql as $$
    begin
      if tg_op <> 'DELETE' or not exists (
        select from audit_chain, audit_head where event_id = old.id and audit_chain.position < first_position
      ) then
        raise exception 'The audit log is append-only.' using errcode = 'DB012';
      end if;
      return old;
    end $$`.execute(db)
  await sql`
    create trigger keep_audit_events before update or delete on audit_events
      for each row execute function keep_audit_events()`.execute(db)
  await sql`
    create trigger audit_events_are_not_swept_away before truncate on audit_events
      for each statement execute function refuse_change()`.execute(db)
  await sql`
    create function keep_audit_chain() returns trigger language plpgsql as $$
    begin
      if tg_op <> 'DELETE' or old.position >= (select first_position from audit_head) then
        raise exception 'The audit log is append-only.' using errcode = 'DB012';
      end if;
      return old;
    end $$`.execute(db)
  await sql`
    create trigger keep_audit_chain before update or delete on audit_chain
      for each row execute function keep_audit_chain()`.execute(db)
  await sql`
    create trigger audit_chain_is_not_swept_away before truncate on audit_chain
      for each statement execute function refuse_change()`.execute(db)
  // Writers of events wait until the transaction ends.
  await sql`
    create function hold_audit_head() returns audit_head language sql as $$
      select * from audit_head for update
    $$`.execute(db)
  await sql`
    create function cut_audit_log(first bigint) returns bigint language plpgsql strict as $$
    declare
      gone bigint;
    begin
      update audit_head
         set first_position = first, previous_hash = (select hash from audit_chain where position = first - 1);
      delete from audit_events using audit_chain c where audit_events.id = c.event_id and c.position < first;
      get diagnostics gone = row_count;
      delete from audit_chain where position < first;
      return gone;
    end $$`.execute(db)
  /*
   * The head follows from the events. By itself only the beginning of the chain moves, over events that are older than 30
   * days, the shortest time that AUDIT_DAYS may name.
   */
  await sql`
    create function keep_audit_head() returns trigger language plpgsql as $$
    begin
      if tg_op = 'UPDATE' and pg_trigger_depth() > 1 then
        return new;
      end if;
      if tg_op = 'DELETE'
        or new.position <> old.position or new.hash <> old.hash
        or new.first_position <= old.first_position or new.first_position > old.position + 1
        or new.previous_hash is distinct from (select hash from audit_chain where position = new.first_position - 1)
        or exists (
          select from audit_chain join audit_events on audit_events.id = event_id
           where position >= old.first_position and position < new.first_position
             and recorded_at > now() - interval '30 days'
        )
      then
        raise exception 'The audit log is append-only.' using errcode = 'DB012';
      end if;
      return new;
    end $$`.execute(db)
  await sql`
    create trigger keep_audit_head before update or delete on audit_head
      for each row execute function keep_audit_head()`.execute(db)
  await sql`
    create trigger audit_head_is_not_swept_away before truncate on audit_head
      for each statement execute function refuse_change()`.execute(db)
  // The path is fixed, the temporary schema last: nobody puts a table of their own in the way.
  await sql`
    do $$
    declare
      name text;
    begin
      foreach name in array array['chain_audit_event()', 'hold_audit_head()', 'cut_audit_log(bigint)'] loop
        execute format(
          'alter function %1$I.%2$s security definer set search_path = %1$I, pg_temp', current_schema(), name);
      end loop;
    end $$`.execute(db)
}
