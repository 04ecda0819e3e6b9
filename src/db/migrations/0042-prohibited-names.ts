import { type Kysely, sql } from 'kysely'

/**
 * The lists of prohibited names that administrators extend: refused ones, and pairs of a word of minority and a word of
 * sex (docs/spec/publishing.md#prohibited-terms).
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table prohibited_terms
      add column list text not null default 'refused' check (list in ('refused', 'minority', 'sexual')),
      add column is_built_in boolean not null default false,
      -- Whether a category may be called so and nothing else.
      add column names_category boolean not null default false,
      drop constraint prohibited_terms_pkey,
      add primary key (list, term_folded)`.execute(db)
  await sql`
    create table prohibited_lists (
      only_row boolean primary key default true check (only_row),
      version integer not null check (version >= 0)
    )`.execute(db)

  await sql`
    create or replace function check_category_name() returns trigger language plpgsql as $$
    declare
      prohibited text;
    begin
      with forms as materialized (
        select words_of(spelling) as apart,
               words_of(regexp_replace(spelling, '[\\u0021-\\u002f\\u003a-\\u0040\\u005b-\\u0060\\u007b-\\u007e\\u2010-\\u2027]+', '', 'g')) as joined
          from unnest(spellings_of(new.name) || spellings_of(new.name_folded)) as spelling
      ), terms as materialized (
        select t.list, t.term_folded, t.names_category, words_of(t.term_folded) as words,
               replace(words_of(t.term_folded), ' ', '') as letters
          from prohibited_terms t
      ), ways as materialized (
        select list, term_folded, names_category, way
          from terms, unnest(array[words, ' ' || letters || ' ', ' ' || regexp_replace(letters, '(.)', '\\1 ', 'g')]) as way
      ), found as materialized (
        select w.list, w.term_folded, not w.names_category and f.apart = w.way as is_alone
          from ways w, forms f where position(w.way in f.apart) > 0
        union all
        select t.list, t.term_folded, not t.names_category and f.joined = ' ' || t.letters || ' '
          from terms t, forms f where length(t.letters) >= 4 and position(' ' || t.letters || ' ' in f.joined) > 0
      )
      select coalesce(
        (select term_folded from found where list = 'refused' limit 1),
        (select m.term_folded || ' beside ' || s.term_folded
           from found m, found s where m.list = 'minority' and s.list = 'sexual' limit 1),
        (select term_folded from found where is_alone limit 1)) into prohibited;
      -- A number is no disguise.
      if prohibited is not null and new.name ~ '[^[:digit:][:punct:][:space:]]' then
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
  await sql`drop function holds_term(text, text)`.execute(db)
}
