import { type Kysely, sql } from 'kysely'

/**
 * Effects of notices on items (docs/spec/notices.md): holds, removals with the one lawful way back, and links that are
 * blocked by their fingerprints. Time is the database's.
 */
export async function createRemoval(db: Kysely<unknown>): Promise<void> {
  /*
   * A notice, or a decision on one, that keeps an item as it is. No reference to the notice: it belongs to another
   * feature. Standing while released_at is null.
   */
  await sql`
    create table item_holds (
      reference text not null,
      item_id uuid not null references items (id) on delete cascade,
      -- An open notice, or a decision to restrict, which stands until it is reversed.
      kind text not null check (kind in ('notice', 'decision')),
      hides boolean not null,
      -- When it ends, the item is published again if nothing else is against it: it was on the site before.
      gives_back boolean not null default false,
      held_at timestamptz not null default now(),
      released_at timestamptz,
      primary key (reference, item_id, kind)
    )`.execute(db)
  await sql`create index item_holds_standing on item_holds (item_id) where released_at is null`.execute(db)
  // Standing holds are counted with each notice that comes.
  await sql`create index item_holds_of_notices on item_holds (item_id) where released_at is null and kind = 'notice'`.execute(
    db,
  )
  await sql`
    create function follow_hold() returns trigger language plpgsql as $$
    begin
      perform from catalogue_state for update;
      update items i set status = 'restricted', restriction = 'notice', updated_at = now()
       where i.status = 'published' and i.id = new.item_id;
      return null;
    end $$`.execute(db)
  await sql`
    create trigger follow_hold after insert or update on item_holds
      for each row when (new.hides and new.released_at is null) execute function follow_hold()`.execute(db)

  // No reference to the item: the record stays when one that was given back is deleted later.
  await sql`
    create table item_removals (
      id uuid primary key,
      no integer generated always as identity unique,
      item_id uuid not null,
      reference text not null,
      -- The status that its page answers.
      answer smallint not null check (answer in (404, 410, 451)),
      kind text not null check (kind <> ''),
      status_before text not null check (status_before in ('draft', 'published', 'restricted', 'removed')),
      gives_back boolean not null,
      removed_by text not null,
      removed_at timestamptz not null default now()
    )`.execute(db)
  await sql`create index item_removals_by_item on item_removals (item_id, no)`.execute(db)
  await sql`create index item_removals_by_reference on item_removals (reference)`.execute(db)
  await sql`
    create trigger item_removals_are_a_record before update or delete or truncate on item_removals
      for each statement execute function refuse_change()`.execute(db)

  await sql`
    create table removal_reversals (
      removal_id uuid primary key references item_removals (id),
      reversed_by text not null,
      reversed_at timestamptz not null default now()
    )`.execute(db)
  await sql`
    create function has_standing_removal(item uuid) returns boolean language sql stable as $$
      select exists (select from item_removals r where r.item_id = item
                     and not exists (select from removal_reversals v where v.removal_id = r.id))
    $$`.execute(db)
  await sql`
    create trigger removal_reversals_are_a_record before update or delete or truncate on removal_reversals
      for each statement execute function refuse_change()`.execute(db)
  // The answer of its page has changed, on every instance, also where the item was off the site already.
  await sql`
    create function record_removal() returns trigger language plpgsql as $$
    declare
      next_version bigint;
    begin
      update catalogue_state set version = version + 1 returning version into next_version;
      if tg_table_name = 'item_removals' then
        insert into catalogue_changes (version, item_no)
        select distinct next_version, i.no from after_rows a join items i on i.id = a.item_id;
      else
        insert into catalogue_changes (version, item_no)
        select distinct next_version, i.no
          from after_rows a join item_removals r on r.id = a.removal_id join items i on i.id = r.item_id;
      end if;
      -- A version that names nothing is read as a change of everything.
      perform pg_notify('daybook_catalogue', next_version::text);
      return null;
    end $$`.execute(db)
  await sql`
    create trigger record_removal after insert on item_removals referencing new table as after_rows
      for each statement execute function record_removal()`.execute(db)
  await sql`
    create trigger record_removal after insert on removal_reversals referencing new table as after_rows
      for each statement execute function record_removal()`.execute(db)

  // A link that two removals block is blocked until both are reversed.
  await sql`
    create table blocked_links (
      fingerprint bigint not null,
      removal_id uuid not null references item_removals (id),
      primary key (fingerprint, removal_id)
    )`.execute(db)
  await sql`create index blocked_links_by_removal on blocked_links (removal_id)`.execute(db)
  await sql`
    create function keep_blocked_links() returns trigger language plpgsql as $$
    begin
      if tg_op <> 'DELETE' then
        raise exception 'Rows of % are a record and are never changed.', tg_table_name using errcode = 'DB002';
      end if;
      if exists (select from gone_rows g where not exists
                  (select from removal_reversals v where v.removal_id = g.removal_id)) then
        raise exception 'A link stays blocked until its removal is reversed.' using errcode = 'DB002';
      end if;
      return null;
    end $$`.execute(db)
  await sql`
    create trigger keep_blocked_links after delete on blocked_links referencing old table as gone_rows
      for each statement execute function keep_blocked_links()`.execute(db)
  await sql`
    create trigger blocked_links_never_change before update or truncate on blocked_links
      for each statement execute function refuse_change()`.execute(db)
  /*
   * Publishing and blocking at the same moment: both take the lock of the catalogue's state before they look, and both look
   * after they have written. So whichever comes second sees the other.
   */
  await sql`
    create function follow_blocked_links() returns trigger language plpgsql as $$
    begin
      perform from catalogue_state for update;
      -- A removal has taken its own items off before; this is for all others.
      update items i set status = 'restricted', restriction = 'gate', updated_at = now()
       where i.status = 'published' and i.link_fingerprints && array(select fingerprint from after_rows);
      return null;
    end $$`.execute(db)
  await sql`
    create trigger follow_blocked_links after insert on blocked_links referencing new table as after_rows
      for each statement execute function follow_blocked_links()`.execute(db)

  // The items that a removal has taken off, or kept off, because they have a link that it blocks.
  await sql`
    create table removal_sweeps (
      removal_id uuid not null references item_removals (id),
      item_id uuid not null references items (id) on delete cascade,
      swept_at timestamptz not null default now(),
      primary key (removal_id, item_id)
    )`.execute(db)
  await sql`create index removal_sweeps_by_item on removal_sweeps (item_id)`.execute(db)
  // Once a statement, and nothing to look for on nearly every site: an import is not slowed down.
  await sql`
    create function refuse_blocked_and_held() returns trigger language plpgsql as $$
    declare
      blocked text;
      held text;
    begin
      if exists (select from blocked_links) then
        if tg_op = 'INSERT' then
          select a.slug into blocked from after_rows a
           where a.status <> 'removed'
             and exists (select from blocked_links b where b.fingerprint = any(a.link_fingerprints)) limit 1;
        else
          -- An item off the site may keep the link that it had when that was blocked.
          select a.slug into blocked from after_rows a join before_rows o on o.id = a.id
           where a.status <> 'removed'
             and exists (select from blocked_links b where b.fingerprint = any(a.link_fingerprints)
                          and (a.status = 'published'
                               or b.fingerprint <> all(o.link_fingerprints)
                                  and (a.link, a.link2, a.link_g, a.link_p, a.link_mv1, a.link_mv2, a.link_mv3, a.link_mv4)
                                      is distinct from
                                      (o.link, o.link2, o.link_g, o.link_p, o.link_mv1, o.link_mv2, o.link_mv3, o.link_mv4)))
           limit 1;
        end if;
        if blocked is not null then
          raise exception 'Item % has a link that a removal has blocked.', blocked using errcode = 'DB014';
        end if;
      end if;
      if tg_op = 'UPDATE' and exists (select from item_holds where released_at is null) then
        select a.slug into held from after_rows a join before_rows o on o.id = a.id
          join item_holds h on h.item_id = a.id and h.released_at is null
         where a.status = 'published' and (o.status <> 'published' or h.hides) limit 1;
        if held is not null then
          raise exception 'Item % is not published while a notice about it is open.', held using errcode = 'DB015';
        end if;
      end if;
      return null;
    end $$`.execute(db)
  // After the triggers that take the lock of the catalogue's state: these run in the order of their names.
  await sql`
    create trigger refuse_blocked_and_held_inserted after insert on items referencing new table as after_rows
      for each statement execute function refuse_blocked_and_held()`.execute(db)
  await sql`
    create trigger refuse_blocked_and_held_updated after update on items
      referencing old table as before_rows new table as after_rows
      for each statement execute function refuse_blocked_and_held()`.execute(db)

  /*
   * The address of the other file that a link was found to lead to, with its fingerprints. It outlives the
   * check of the link, which ends when no published item has it any more.
   */
  await sql`
    create table link_targets (
      digest text primary key generated always as (md5(address)) stored,
      address text not null,
      leads_to text not null,
      leads_to_fingerprints bigint[] not null,
      seen_at timestamptz not null default now()
    )`.execute(db)
  await sql`create index link_targets_fingerprints on link_targets using gin (leads_to_fingerprints)`.execute(db)
  await sql`create index link_targets_seen on link_targets (seen_at)`.execute(db)
}
