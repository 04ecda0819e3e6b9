import { type Kysely, sql } from 'kysely'

/**
 * The list of items for administrators (docs/spec/catalogue.md#list-for-administrators): an index in its order, the counts of
 * its filters, and an index for names that are not published. And what is final about consents,
 * and which files of evidence may be deleted.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  // The tab of the administrators' list, and the endpoint, that an item belongs to.
  await sql`
    create function section_of(content_type text) returns text language sql immutable parallel safe as $$
      select case when content_type like 'vip%' then 'vip' else content_type end
    $$`.execute(db)
  // The included columns answer every filter, so that far pages are found without a look at the items themselves.
  await sql`
    create index items_of_section on items (section_of(content_type), post_date desc, no desc)
      include (content_type, status, category_id)`.execute(db)
  // Published names have an index of their own.
  await sql`create index items_unpublished_names on items using gin (name_grams) where status <> 'published'`.execute(
    db,
  )

  // How many items each filter of the list has. The database counts along with every statement.
  await sql`
    create table item_counts (
      section text not null,
      status text not null,
      category_id integer not null,
      count integer not null constraint item_counts_are_no_debts check (count >= 0),
      primary key (section, status, category_id)
    )`.execute(db)
  await sql`
    insert into item_counts (section, status, category_id, count)
    select section_of(content_type), status, category_id, count(*) from items group by 1, 2, 3`.execute(db)
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
        -- Most updates change none of the three, and write nothing here. What grows comes first: no count falls below zero.
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

  /*
   * That somebody was no adult is final (docs/spec/publishing.md#people): the record stays as long as its item, and whatever
   * is stated of the people later, the item is never published.
   */
  await sql`
    create function keep_minors_record() returns trigger language plpgsql as $$
    begin
      if tg_op = 'UPDATE' and new.verified_adult = 'no' then
        return new;
      end if;
      -- With its item it goes.
      if tg_op = 'DELETE' and not exists (select from items where id = old.item_id) then
        return old;
      end if;
      raise exception 'That % was no adult at production is final.', old.pseudonym using errcode = 'DB013';
    end $$`.execute(db)
  await sql`
    create trigger keep_minors_record before update or delete on consent_records
      for each row when (old.verified_adult = 'no') execute function keep_minors_record()`.execute(db)
  await sql`
    create function refuse_minors() returns trigger language plpgsql as $$
    begin
      if exists (select from consent_records where item_id = new.id and verified_adult = 'no') then
        raise exception 'Item % shows somebody who was no adult at production.', new.slug using errcode = 'DB004';
      end if;
      return new;
    end $$`.execute(db)
  // Of identifiable people every consent is looked at anyway.
  await sql`
    create trigger refuse_minors before update of status, people on items
      for each row when (new.status = 'published' and new.people is distinct from 'identifiable')
      execute function refuse_minors()`.execute(db)

  /*
   * The files of evidence that nothing needs any more, or that an upload has not finished: the sweep deletes these alone
   * (docs/spec/publishing.md#evidence-files). After a restore of an older database, files that it does not know stay.
   */
  await sql`
    create table unneeded_evidence (
      id uuid primary key,
      noted_at timestamptz not null default now()
    )`.execute(db)
  await sql`create index unneeded_evidence_noted_at on unneeded_evidence (noted_at)`.execute(db)
  await sql`
    create function note_unneeded_evidence() returns trigger language plpgsql as $$
    begin
      insert into unneeded_evidence (id) select id from before_rows on conflict (id) do nothing;
      return null;
    end $$`.execute(db)
  // With its item or consent a file goes too: that deletes its row by a statement of its own.
  await sql`
    create trigger note_unneeded_evidence after delete on evidence_files referencing old table as before_rows
      for each statement execute function note_unneeded_evidence()`.execute(db)
}
