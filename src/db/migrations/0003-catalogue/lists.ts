import { type Kysely, sql } from 'kysely'

/** The change feed, the counts of the list for administrators, and items whose rights have lapsed. */
export async function createLists(db: Kysely<unknown>): Promise<void> {
  /*
   * The change feed. Every statement that touches a published item raises the one version number of the catalogue and
   * names the items, so that each process can drop cached answers and mend its listing. The state row is locked until
   * commit: versions become visible in their order, and a reader that asks for "all after v" misses nothing.
   */
  await sql`
    create table catalogue_state (
      only_row boolean primary key default true check (only_row),
      version bigint not null,
      time_zone text not null
    )`.execute(db)
  await sql`insert into catalogue_state (version, time_zone) values (1, 'UTC')`.execute(db)

  // item_no null: everything may have changed.
  await sql`
    create table catalogue_changes (
      version bigint not null,
      item_no integer,
      changed_at timestamptz not null default now(),
      -- Such a change is of an item's own page alone: lists stay as they are.
      links_only boolean not null default false
    )`.execute(db)
  await sql`create index catalogue_changes_version on catalogue_changes (version)`.execute(db)

  await sql`
    create function record_catalogue_change() returns trigger language plpgsql as $$
    declare
      changed integer[];
      next_version bigint;
    begin
      if tg_op = 'TRUNCATE' then
        changed := array[null::integer];
      elsif tg_op = 'INSERT' then
        -- Their numbers are not gathered: an import inserts thousands.
        if exists (select from after_rows where status = 'published') then
          changed := array[null::integer];
        end if;
      elsif tg_op = 'DELETE' then
        select array_agg(no) into changed from before_rows where status = 'published';
      else
        select array_agg(distinct no) into changed from
          (select no from before_rows where status = 'published'
           union all select no from after_rows where status = 'published') touched;
      end if;
      if changed is null then
        return null;
      end if;
      -- The lock comes first: what is read after it is what the commit shows, also of a category renamed at the same time.
      update catalogue_state set version = version + 1 returning version into next_version;
      if tg_op = 'TRUNCATE' then
        insert into catalogue_changes (version, item_no) values (next_version, null);
      elsif tg_op = 'INSERT' then
        insert into catalogue_changes (version, item_no)
        select next_version, no from after_rows where status = 'published';
      else
        insert into catalogue_changes (version, item_no)
        select next_version, no from before_rows where no = any(changed);
      end if;
      perform pg_notify('daybook_catalogue', next_version::text);
      return null;
    end $$`.execute(db)
  await sql`
    create trigger record_items_inserted after insert on items referencing new table as after_rows
      for each statement execute function record_catalogue_change()`.execute(db)
  await sql`
    create trigger record_items_updated after update on items
      referencing old table as before_rows new table as after_rows
      for each statement execute function record_catalogue_change()`.execute(db)
  await sql`
    create trigger record_items_deleted after delete on items referencing old table as before_rows
      for each statement execute function record_catalogue_change()`.execute(db)
  await sql`
    create trigger record_items_truncated after truncate on items
      for each statement execute function record_catalogue_change()`.execute(db)
  await sql`
    create function record_category_renamed() returns trigger language plpgsql as $$
    declare
      renamed integer[];
      next_version bigint;
    begin
      select array_agg(id) into renamed from after_rows join before_rows using (id)
       where after_rows.name <> before_rows.name;
      if renamed is null then
        return null;
      end if;
      update catalogue_state set version = version + 1 returning version into next_version;
      insert into catalogue_changes (version, item_no) values (next_version, null);
      perform pg_notify('daybook_catalogue', next_version::text);
      return null;
    end $$`.execute(db)
  await sql`
    create trigger record_categories_renamed after update on categories
      referencing old table as before_rows new table as after_rows
      for each statement execute function record_category_renamed()`.execute(db)

  // The tab of the administrators' list, and the endpoint, that an item belongs to.
  await sql`
    create function section_of(content_type text) returns text language sql immutable parallel safe as $$
      select case when content_type like 'vip%' then 'vip' else content_type end
    $$`.execute(db)
  // How many items each filter of the list has. The database counts along with every statement.
  await sql`
    create table item_counts (
      section text not null,
      status text not null,
      category_id integer not null,
      count integer not null constraint item_counts_are_no_debts check (count >= 0),
      primary key (section, status, category_id)
    )`.execute(db)
  // The included columns answer every filter, so that far pages are found without a look at the items themselves.
  await sql`
    create index items_of_section on items (section_of(content_type), post_date desc, no desc)
      include (content_type, status, category_id)`.execute(db)
  // As `items_of_section`, for the list of everything.
  await sql`
    create index items_in_order on items (post_date desc, no desc) include (content_type, status, category_id)`.execute(
    db,
  )
  // A search looks through these by their names; published ones are found in memory.
  await sql`create index items_unpublished on items (no) where status <> 'published'`.execute(db)
  await sql`
    create function count_items() returns trigger language plpgsql as $$
    begin
      if tg_op = 'DELETE' then
        update item_counts c set count = c.count - gone.count
          from (select section_of(content_type) as section, status, category_id, count(*) as count
                  from before_rows group by 1, 2, 3) gone
         where (c.section, c.status, c.category_id) = (gone.section, gone.status, gone.category_id);
      elsif tg_op = 'INSERT' then
        insert into item_counts as c (section, status, category_id, count)
        select section_of(content_type), status, category_id, count(*) from after_rows group by 1, 2, 3
            on conflict (section, status, category_id) do update set count = c.count + excluded.count;
      else
        -- Most updates change none of the three, and write nothing here. Growing counts come first: none falls below zero.
        with moved as materialized (
          select section, status, category_id, sum(change) as change from (
            select section_of(content_type) as section, status, category_id, 1 as change from after_rows
            union all
            select section_of(content_type), status, category_id, -1 from before_rows) changes
           group by 1, 2, 3 having sum(change) <> 0),
        grown as (
          insert into item_counts as c (section, status, category_id, count)
          select section, status, category_id, change from moved where change > 0
              on conflict (section, status, category_id) do update set count = c.count + excluded.count)
        update item_counts c set count = c.count + moved.change from moved
         where moved.change < 0
           and (c.section, c.status, c.category_id) = (moved.section, moved.status, moved.category_id);
      end if;
      return null;
    end $$`.execute(db)
  await sql`
    create trigger count_items_inserted after insert on items referencing new table as after_rows
      for each statement execute function count_items()`.execute(db)
  await sql`
    create trigger count_items_updated after update on items
      referencing old table as before_rows new table as after_rows
      for each statement execute function count_items()`.execute(db)
  await sql`
    create trigger count_items_deleted after delete on items referencing old table as before_rows
      for each statement execute function count_items()`.execute(db)

  // The entries that the site has taken off by itself, until somebody has dealt with them.
  await sql`
    create table lapsed_items (
      item_no integer primary key references items (no) on delete cascade,
      restricted_at timestamptz not null default now(),
      -- When the email that tells the administrators of it was queued.
      notified_at timestamptz
    )`.execute(db)
  await sql`create index lapsed_items_latest on lapsed_items (restricted_at desc, item_no desc)`.execute(db)
  await sql`create index lapsed_items_unnotified on lapsed_items (restricted_at) where notified_at is null`.execute(db)
  // Every restriction and every lifting of one.
  await sql`
    create function record_lapsed_item() returns trigger language plpgsql as $$
    begin
      if new.restriction in ('rights_lapsed', 'consent', 'gate') then
        insert into lapsed_items (item_no) values (new.no) on conflict (item_no) do nothing;
      else
        delete from lapsed_items where item_no = new.no;
      end if;
      return null;
    end $$`.execute(db)
  await sql`
    create trigger record_lapsed_item after update on items
      for each row when (old.restriction is distinct from new.restriction) execute function record_lapsed_item()`.execute(
    db,
  )

  // When administrators were last notified by email; the job locks it while it notifies them.
  await sql`
    create table lapse_emails (
      only_row boolean primary key default true check (only_row),
      sent_at timestamptz
    )`.execute(db)
  await sql`insert into lapse_emails default values`.execute(db)

  // Texts that were searched and found nothing. The number of rows a day and tier is limited; the others add up under ''.
  await sql`
    create table search_misses (
      day date not null,
      -- Whether VIP entries were among those that were searched.
      tier text not null check (tier in ('free', 'vip')),
      -- Folded. Neither the person nor the time is stored.
      text text not null check (length(text) <= 100),
      searches integer not null check (searches > 0),
      primary key (day, tier, text)
    )`.execute(db)
}
