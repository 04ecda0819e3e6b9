import { type Kysely, sql } from 'kysely'

/**
 * The text of a row in lists is made of the item as a whole: a further column changes `item_row_text` and none of its
 * callers. A transition table has no row type of its own, so its rows are cast. PostgreSQL takes the function apart: no
 * whole row is built.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  // In the order of every writer.
  await sql`select from catalogue_state for update`.execute(db)

  // No name of an item or a category has a control character in it: the parts can be told apart.
  await sql`
    create function item_row_text(i items, category text) returns text language sql stable parallel safe as $$
      select i.no::text || e'\\x1f' || i.id::text || e'\\x1f' || i.name || e'\\x1f' || i.slug || e'\\x1f' || category
             || e'\\x1f' || i.content_type || e'\\x1f' || i.region || e'\\x1f' || instant_text(i.post_date)
             || e'\\x1f' || i.rating || e'\\x1f' || instant_text(i.created_at) || e'\\x1f' || instant_text(i.updated_at)
    $$`.execute(db)

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
      -- The lock comes first: what is read after it is what the commit shows, also of a category renamed at the same time.
      update catalogue_state set version = version + 1 returning version into next_version;
      if tg_op = 'TRUNCATE' then
        insert into catalogue_changes (version, item_no) values (next_version, null);
        truncate item_rows;
      elsif tg_op = 'INSERT' then
        insert into catalogue_changes (version, item_no)
        select next_version, no from after_rows where status = 'published';
        insert into item_rows (no, row)
        select i.no, item_row_text(i::items, c.name)
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
          select i.no, item_row_text(i::items, c.name)
            from after_rows i join categories c on c.id = i.category_id
           where i.status = 'published'
              on conflict (no) do update set row = excluded.row where known.row <> excluded.row;
        end if;
      end if;
      perform pg_notify('daybook_catalogue', next_version::text);
      return null;
    end $$`.execute(db)

  await sql`
    create or replace function note_category_renamed() returns trigger language plpgsql as $$
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
         set row = item_row_text(i::items, c.name)
        from items i join categories c on c.id = i.category_id
       where i.category_id = any(renamed) and i.status = 'published' and r.no = i.no;
      perform pg_notify('daybook_catalogue', next_version::text);
      return null;
    end $$`.execute(db)

  await sql`drop function item_row_text(integer, uuid, text, text, text, text, text, text, timestamptz, timestamptz,
    timestamptz)`.execute(db)
  await sql`alter table item_rows disable trigger item_rows_follow_items`.execute(db)
  await sql`
    update item_rows r set row = item_row_text(i, c.name)
      from items i join categories c on c.id = i.category_id where i.no = r.no`.execute(db)
  await sql`alter table item_rows enable trigger item_rows_follow_items`.execute(db)
}
