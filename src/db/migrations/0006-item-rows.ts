import { type Kysely, sql } from 'kysely'

/**
 * The ready text of each published item, in a narrow table beside it, and the old name of an item in the change feed.
 *
 * A list of 300 that nobody has read lately costs a quarter of what the wide rows cost. The database itself keeps the
 * texts equal to the items: one function writes them, and the triggers of the change feed call it after they have taken
 * the catalogue's lock, whoever changes an item or the name of a category, and by whatever SQL. Nobody else may write
 * here.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  // In the order of every writer: what another process of the version before writes meanwhile comes before or after.
  await sql`select from catalogue_state for update`.execute(db)
  await sql`create table item_rows (no integer primary key, row text not null)`.execute(db)

  // As JSON has instants: whole milliseconds. A year that has not four digits is told in milliseconds since 1970.
  await sql`
    create function instant_text(instant timestamptz) returns text language sql stable parallel safe as $$
      select case when instant >= '0001-01-01 00:00:00+00' and instant < '10000-01-01 00:00:00+00'
                  then to_char(instant at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
                  else floor(extract(epoch from instant) * 1000)::text end
    $$`.execute(db)

  // No name of an item or a category has a control character in it: the parts can be told apart.
  await sql`
    create function item_row_text(no integer, id uuid, name text, slug text, category text, content_type text,
                                  region text, rating text, post_date timestamptz, created_at timestamptz,
                                  updated_at timestamptz)
    returns text language sql stable parallel safe as $$
      select no::text || e'\\x1f' || id::text || e'\\x1f' || name || e'\\x1f' || slug || e'\\x1f' || category
             || e'\\x1f' || content_type || e'\\x1f' || region || e'\\x1f' || rating || e'\\x1f' || instant_text(post_date)
             || e'\\x1f' || instant_text(created_at) || e'\\x1f' || instant_text(updated_at)
    $$`.execute(db)

  await sql`
    insert into item_rows (no, row)
    select i.no, item_row_text(i.no, i.id, i.name, i.slug, c.name, i.content_type, i.region, i.rating, i.post_date,
                               i.created_at, i.updated_at)
      from items i join categories c on c.id = i.category_id
     where i.status = 'published'`.execute(db)

  // The former name, folded: the cache can tell whether the item was in the response to a text.
  await sql`alter table catalogue_changes add column name_before text`.execute(db)

  await sql`
    create or replace function note_catalogue_change() returns trigger language plpgsql as $$
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
      -- First the lock: what is read after it is what the commit shows, also of a category renamed at the same time.
      update catalogue_state set version = version + 1 returning version into next_version;
      if tg_op = 'TRUNCATE' then
        insert into catalogue_changes (version, item_no) values (next_version, null);
        truncate item_rows;
      elsif tg_op = 'INSERT' then
        insert into catalogue_changes (version, item_no)
        select next_version, no from after_rows where status = 'published';
        insert into item_rows (no, row)
        select i.no, item_row_text(i.no, i.id, i.name, i.slug, c.name, i.content_type, i.region, i.rating, i.post_date,
                                   i.created_at, i.updated_at)
          from after_rows i join categories c on c.id = i.category_id
         where i.status = 'published';
      else
        insert into catalogue_changes (version, item_no, name_before)
        select next_version, no, name_folded from before_rows where no = any(changed);
        if tg_op = 'DELETE' then
          delete from item_rows where no = any(changed);
        else
          delete from item_rows where no in (select no from after_rows where status <> 'published');
          insert into item_rows as known (no, row)
          select i.no, item_row_text(i.no, i.id, i.name, i.slug, c.name, i.content_type, i.region, i.rating, i.post_date,
                                     i.created_at, i.updated_at)
            from after_rows i join categories c on c.id = i.category_id
           where i.status = 'published'
              on conflict (no) do update set row = excluded.row where known.row <> excluded.row;
        end if;
      end if;
      perform pg_notify('daybook_catalogue', next_version::text);
      return null;
    end $$`.execute(db)

  await sql`
    create function note_category_renamed() returns trigger language plpgsql as $$
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
      update item_rows r
         set row = item_row_text(i.no, i.id, i.name, i.slug, c.name, i.content_type, i.region, i.rating, i.post_date,
                                 i.created_at, i.updated_at)
        from items i join categories c on c.id = i.category_id
       where i.category_id = any(renamed) and i.status = 'published' and r.no = i.no;
      perform pg_notify('daybook_catalogue', next_version::text);
      return null;
    end $$`.execute(db)
  await sql`drop trigger note_categories_renamed on categories`.execute(db)
  await sql`
    create trigger note_categories_renamed after update on categories
      referencing old table as before_rows new table as after_rows
      for each statement execute function note_category_renamed()`.execute(db)

  await sql`
    create function keep_item_rows() returns trigger language plpgsql as $$
    begin
      raise exception 'Rows of item_rows follow their items. Change the items.' using errcode = 'DB009';
    end $$`.execute(db)
  await sql`
    create trigger item_rows_follow_items before insert or update or delete or truncate on item_rows
      for each statement when (pg_trigger_depth() = 0) execute function keep_item_rows()`.execute(db)
}
