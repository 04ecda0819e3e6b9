import { type Kysely, sql } from 'kysely'

/**
 * The list of items for administrators (docs/spec/catalogue.md#list-for-administrators): an index in its order, the counts of
 * its filters, and an index for names that are not published. And the records of people that nothing undoes,
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
        -- Most updates change none of the three, and write nothing here. Growing counts come first: none falls below
        -- zero.
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
   * Two records of a person stand whatever is stated of the people later (docs/spec/publishing.md#people): that they were no
   * adult, which is final, and that they withdrew their consent, until it is given anew with other evidence. With either the
   * item is never published, and it is not deleted: it is where the record stands.
   */
  await sql`
    create function bars_publication(consent consent_records) returns boolean language sql immutable parallel safe as $$
      select consent.withdrawn_at is not null or consent.verified_adult = 'no'
    $$`.execute(db)
  await sql`
    create function keep_barring_record() returns trigger language plpgsql as $$
    begin
      if tg_op = 'DELETE' then
        -- With its item it goes; which items stay, keep_removed_items says.
        if not exists (select from items where id = old.item_id) then
          return old;
        end if;
        raise exception 'The record that % withdrew the consent, or was no adult, is final.', old.pseudonym
          using errcode = 'DB013';
      end if;
      if old.verified_adult = 'no' and new.verified_adult <> 'no' then
        raise exception 'That % was no adult at production is final.', old.pseudonym using errcode = 'DB013';
      end if;
      if old.withdrawn_at is not null and new.withdrawn_at is null and new.evidence = old.evidence then
        raise exception '% withdrew the consent that this evidence proves.', old.pseudonym using errcode = 'DB013';
      end if;
      return new;
    end $$`.execute(db)
  await sql`
    create trigger keep_barring_record before update or delete on consent_records
      for each row when (old.verified_adult = 'no' or old.withdrawn_at is not null)
      execute function keep_barring_record()`.execute(db)
  await sql`
    create or replace function keep_removed_items() returns trigger language plpgsql as $$
    begin
      if old.status = 'removed' then
        raise exception 'Item % was removed: it stays as the record of that.', old.slug using errcode = 'DB005';
      end if;
      if exists (select from consent_records c where c.item_id = old.id and bars_publication(c)) then
        raise exception 'Item % stays as the record of a consent that was withdrawn, or of somebody who was no adult.', old.slug
          using errcode = 'DB013';
      end if;
      insert into deleted_items (item_id) values (old.id);
      return old;
    end $$`.execute(db)
  await sql`
    create function refuse_barred_items() returns trigger language plpgsql as $$
    begin
      if exists (select from consent_records c where c.item_id = new.id and bars_publication(c)) then
        raise exception 'Item % shows somebody who withdrew the consent, or was no adult at production.', new.slug
          using errcode = 'DB004';
      end if;
      return new;
    end $$`.execute(db)
  // Every consent of identifiable people is looked at anyway.
  await sql`
    create trigger refuse_barred_items before update of status, people on items
      for each row when (new.status = 'published' and new.people is distinct from 'identifiable')
      execute function refuse_barred_items()`.execute(db)
  await sql`
    create or replace function follow_consent() returns trigger language plpgsql as $$
    declare
      subject uuid := case tg_op when 'DELETE' then old.item_id else new.item_id end;
    begin
      if tg_op = 'UPDATE' and old.item_id <> new.item_id then
        raise exception 'A consent record belongs to one item.' using errcode = 'DB003';
      end if;
      -- In the order of every writer, and before looking: a publication under way is waited for, and seen.
      perform from catalogue_state for update;
      perform from items where id = subject for update;
      update items set status = 'restricted', restriction = 'consent', updated_at = now()
       where id = subject and status = 'published'
         and (exists (select from consent_records c where c.item_id = subject and bars_publication(c))
              or people = 'identifiable'
                 and (not exists (select from consent_records c where c.item_id = subject)
                      or exists (select from consent_records c where c.item_id = subject
                                 and not (c.permits_publication and c.permits_download and c.verified_adult = 'yes'
                                          and (c.valid_until is null or c.valid_until > now())))));
      -- A published item takes over the new end of its consents.
      update items set updated_at = now() where id = subject and status = 'published' and people = 'identifiable';
      return null;
    end $$`.execute(db)
  await sql`
    update items set status = 'restricted', restriction = 'consent', updated_at = now()
     where status = 'published' and people is distinct from 'identifiable'
       and exists (select from consent_records c where c.item_id = items.id and bars_publication(c))`.execute(db)

  /*
   * A text in every spelling in which a prohibited term is looked for (docs/spec/publishing.md#prohibited-terms): as it is, and
   * with what looks like a Latin letter replaced by it, each also without its punctuation. A 1 may be an l or an i.
   */
  await sql`
    create function plain_letters(content text, one text) returns text language sql immutable parallel safe as $$
      select translate(lower(normalize(content, NFKD)),
        '1!|іιӏІΙӀ' || '4@аαАΑɑᴀ8вьβВΒʙсСᴄԁԀᴅ3€еєεЕΕᴇƒꜰ9ɡɢнһНΗʜɪјЈᴊкκКΚᴋʟмμМΜᴍпɴ0оοσОΟօᴏрρРΡᴘԛгʀ5$ѕЅꜱ7+тτТΤᴛսᴜνѵᴠωԝѡᴡх×χХΧуүγυУΥʏ2ζΖᴢ',
        repeat(one, 9) || 'aaaaaaaabbbbbbbcccdddeeeeeeeeffggghhhhhijjjkkkkklmmmmmnnoooooooopppppqrrssssstttttttuuvvvwwwwxxxxxyyyyyyyzzzz')
    $$`.execute(db)
  await sql`
    create function spellings_of(content text) returns text[] language sql immutable parallel safe as $$
      select array[content, plain_letters(content, 'l'), plain_letters(content, 'i')]
    $$`.execute(db)
  await sql`
    create function holds_term(content text, term text) returns boolean language sql immutable parallel safe as $$
      select bool_or(position(words_of(term) in words_of(spelling)) > 0
                     or position(' ' || joined || ' ' in words_of(spelling)) > 0
                     or position(' ' || regexp_replace(joined, '(.)', '\\1 ', 'g') in words_of(spelling)) > 0
                     or (length(joined) >= 4 and position(' ' || joined || ' ' in words_of(
                           regexp_replace(spelling, '[\\u0021-\\u002f\\u003a-\\u0040\\u005b-\\u0060\\u007b-\\u007e\\u2010-\\u2027]+', '', 'g'))) > 0))
        from replace(words_of(term), ' ', '') as joined, unnest(spellings_of(content)) as spelling
    $$`.execute(db)
  await sql`
    create or replace function check_category_name() returns trigger language plpgsql as $$
    declare
      prohibited text;
    begin
      select term_folded into prohibited from prohibited_terms
       where holds_term(new.name, term_folded) or holds_term(new.name_folded, term_folded)
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
