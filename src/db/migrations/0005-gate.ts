import { type Kysely, sql } from 'kysely'

/**
 * The remaining holes of the publishing gate (docs/spec/publishing.md#gate): a published item whose type and category
 * do not go together, a prohibited word in the name of a category, and ways back for removed or deleted items.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  // An instant that JSON cannot tell would take every list down that the item is on.
  await sql`
    alter table items add constraint post_date_has_four_digits check
      (post_date >= '0001-01-01 00:00:00+00' and post_date < '10000-01-01 00:00:00+00')`.execute(db)

  // An item whose type and category do not go together was on no page: it becomes a draft, and its operator decides.
  await sql`
    create function category_suits(content_type text, category_folded text) returns boolean
    language sql immutable parallel safe as $$
      select case content_type
        when 'banned' then category_folded = 'banned'
        when 'unknown' then category_folded = 'unknown'
        when 'vip-banned' then category_folded in ('banned', 'vip banned')
        when 'vip-unknown' then category_folded in ('unknown', 'vip unknown')
        else true end
    $$`.execute(db)
  await sql`
    update items set status = 'draft'
      from categories c
     where c.id = items.category_id and items.status = 'published'
       and not category_suits(items.content_type, c.name_folded)`.execute(db)
  await sql`
    create function check_category_of_type() returns trigger language plpgsql as $$
    declare
      category categories%rowtype;
    begin
      -- The lock makes a renaming at the same moment wait, and then see this item.
      select * into category from categories where id = new.category_id for share;
      -- Pages go by the name, lists by what it was folded to.
      if not (category_suits(new.content_type, category.name_folded)
              and category_suits(new.content_type, lower(category.name))) then
        raise exception 'Item % of type % cannot be published in the category %.', new.slug, new.content_type, category.name
          using errcode = 'DB010';
      end if;
      return new;
    end $$`.execute(db)
  await sql`
    create trigger check_category_of_type before insert or update of status, content_type, category_id on items
      for each row when (new.status = 'published'
                         and new.content_type in ('banned', 'unknown', 'vip-banned', 'vip-unknown'))
      execute function check_category_of_type()`.execute(db)

  /*
   * A text as the prohibited terms see it: its words in small letters, without accents, between single spaces. The
   * code folds more scripts than this; what it has folded is looked at as well.
   */
  await sql`
    create function words_of(content text) returns text language sql immutable parallel safe as $$
      select ' ' || btrim(regexp_replace(
        regexp_replace(lower(normalize(content, NFKD)), '[\\u00ad\\u0300-\\u036f\\u200b-\\u200f\\u2060-\\u2064\\ufe00-\\ufe0f\\ufeff]', '', 'g'),
        '[\\u0001-\\u002f\\u003a-\\u0040\\u005b-\\u0060\\u007b-\\u00bf\\u115f\\u1160\\u2000-\\u2bff\\u2e00-\\u2e7f\\u3000-\\u303f\\u3164]+', ' ', 'g')) || ' '
    $$`.execute(db)
  await sql`
    create function check_category_name() returns trigger language plpgsql as $$
    declare
      prohibited text;
    begin
      select term_folded into prohibited from prohibited_terms
       where position(words_of(term_folded) in words_of(new.name)) > 0
          or position(words_of(term_folded) in words_of(new.name_folded)) > 0
       limit 1;
      if prohibited is not null then
        raise exception 'The category % holds the prohibited term %.', new.name, prohibited using errcode = 'DB007';
      end if;
      if tg_op = 'UPDATE' and (new.name_folded <> old.name_folded or new.name <> old.name) then
        -- In the order of every writer: a publication under way is waited for, and seen.
        perform from catalogue_state for update;
        if exists (select from items where category_id = new.id and status = 'published'
                   and not (category_suits(content_type, new.name_folded)
                            and category_suits(content_type, lower(new.name)))) then
          raise exception 'Published items have a type that needs the category %.', old.name using errcode = 'DB010';
        end if;
      end if;
      return new;
    end $$`.execute(db)
  await sql`
    create trigger check_category_name before insert or update of name, name_folded on categories
      for each row execute function check_category_name()`.execute(db)

  // A removed item stays removed, whatever status it is given first.
  await sql`
    create or replace function spend_clearance() returns trigger language plpgsql as $$
    begin
      if new.version < old.version then
        raise exception 'The version of item % cannot go back.', old.slug using errcode = 'DB003';
      end if;
      if old.status = 'removed' and new.status <> 'removed' then
        raise exception 'Item % was removed and cannot come back.', old.slug using errcode = 'DB005';
      end if;
      if old.status = 'published' and new.status <> 'published' then
        new.version := greatest(new.version, old.version + 1);
        new.cleared_version := null;
      end if;
      if new.status <> 'restricted' then
        new.restriction := null;
      end if;
      return new;
    end $$`.execute(db)

  /*
   * A removed item is its own tombstone and is never deleted. The id of any other deleted item is never used again:
   * its clearances are still there, and an item of the same content under that id would be published on one of them.
   */
  await sql`
    create table deleted_items (
      item_id uuid primary key,
      deleted_at timestamptz not null default now()
    )`.execute(db)
  // An id that has a clearance and no item was deleted before this record began.
  await sql`
    insert into deleted_items (item_id)
    select distinct item_id from clearances c where not exists (select from items where id = c.item_id)`.execute(db)
  await sql`
    create trigger deleted_items_are_a_record before update or delete or truncate on deleted_items
      for each statement execute function refuse_change()`.execute(db)
  // Row by row and at once: within one statement an insert may follow a delete, and its check must find the id.
  await sql`
    create function keep_removed_items() returns trigger language plpgsql as $$
    begin
      if old.status = 'removed' then
        raise exception 'Item % was removed: it stays as the record of that.', old.slug using errcode = 'DB005';
      end if;
      insert into deleted_items (item_id) values (old.id);
      return old;
    end $$`.execute(db)
  await sql`
    create trigger keep_removed_items before delete on items
      for each row execute function keep_removed_items()`.execute(db)
  await sql`
    create trigger items_are_not_swept_away before truncate on items
      for each statement execute function refuse_change()`.execute(db)
  // Once a statement: a check of each row would slow an import down.
  await sql`
    create function refuse_deleted_ids() returns trigger language plpgsql as $$
    declare
      used uuid;
    begin
      select id into used from after_rows join deleted_items on item_id = id limit 1;
      if used is not null then
        raise exception 'The id % was that of a deleted item and is never used again.', used using errcode = 'DB008';
      end if;
      return null;
    end $$`.execute(db)
  await sql`
    create trigger refuse_deleted_ids after insert on items referencing new table as after_rows
      for each statement execute function refuse_deleted_ids()`.execute(db)
}
