import { type Kysely, sql } from 'kysely'

/** Categories, and the names that are prohibited (docs/spec/publishing.md#prohibited-terms), with those that every site has. */
export async function createNames(db: Kysely<unknown>): Promise<void> {
  // An item whose type and category do not go together is on no page.
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
    create table categories (
      id integer primary key generated always as identity,
      name text not null check (name = btrim(name) and length(name) between 1 and 60 and name !~ '[\\x01-\\x1f]'),
      name_folded text not null unique,
      is_fixed boolean not null default false,
      created_at timestamptz not null default now(),
      -- Sixteen bits of items.facets hold it.
      constraint categories_id_fits check (id between 1 and 65535)
    )`.execute(db)
  await sql`
    insert into categories (name, name_folded, is_fixed)
    select name, lower(name), name in ('Banned', 'Unknown')
      from unnest(array['Asian', 'Western', 'Banned', 'Unknown', 'TikTok', 'Instagram', 'VIP Content', 'VIP Banned',
                        'VIP Unknown', 'Literature', 'Film', 'Music', 'Art']) as name`.execute(db)
  await sql`
    create function keep_fixed_categories() returns trigger language plpgsql as $$
    begin
      raise exception 'The category % is part of the site and cannot be removed or renamed.', old.name
        using errcode = 'DB001';
    end $$`.execute(db)
  await sql`
    create trigger keep_fixed_on_delete before delete on categories
      for each row when (old.is_fixed) execute function keep_fixed_categories()`.execute(db)
  await sql`
    create trigger keep_fixed_on_update before update on categories
      for each row when (old.is_fixed and (new.name <> old.name or not new.is_fixed))
      execute function keep_fixed_categories()`.execute(db)
  await sql`
    create function check_category_name() returns trigger language plpgsql as $$
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
  await sql`
    create trigger check_category_name before insert or update of name, name_folded on categories
      for each row execute function check_category_name()`.execute(db)

  // The lists that administrators extend: refused terms, and pairs of a word of minority and a word of sex.
  await sql`
    create table prohibited_terms (
      term_folded text not null check (term_folded <> ''),
      added_at timestamptz not null default now(),
      list text not null default 'refused' check (list in ('refused', 'minority', 'sexual')),
      is_built_in boolean not null default false,
      -- Whether a category may be called so and nothing else.
      names_category boolean not null default false,
      primary key (list, term_folded)
    )`.execute(db)
  await sql`
    insert into prohibited_terms (list, term_folded, is_built_in)
    select 'refused', unnest(array[
      'leaked', 'leaks', 'warez', 'cracked software', 'hacked account', 'stolen pictures', 'stolen videos',
      'stolen photos', 'hidden camera', 'spy cam', 'spycam', 'deepfake', 'deepfakes', 'non consensual', 'nonconsensual',
      'revenge porn', 'porn', 'xxx', 'nsfw', 'onlyfans',
      'anal sex', 'barely legal', 'big boobs', 'blowjob', 'blowjobs', 'camgirl', 'camgirls', 'creampie', 'cumshot',
      'cumshots', 'gangbang', 'handjob', 'hentai', 'jailbait', 'lolicon', 'milf', 'milfs', 'porno', 'pornstar',
      'pornstars', 'sex tape', 'sex tapes', 'sextape', 'sextapes', 'shotacon', 'tits', 'upskirt']), true
    union all
    select 'sexual', unnest(array[
      'boobs', 'erotic', 'erotica', 'masturbation', 'naked', 'nude', 'nudes', 'nudity', 'pornographic', 'pornography',
      'sex', 'sexy', 'striptease', 'topless']), true
    on conflict (list, term_folded) do update set is_built_in = true`.execute(db)
  // Some of these name a genre by themselves: 'Children'.
  await sql`
    insert into prohibited_terms (list, term_folded, is_built_in, names_category)
    select 'minority', term, true, term = any (array['child', 'children', 'childrens', 'infant', 'infants', 'juvenile',
                                                     'kid', 'kids', 'toddler', 'toddlers'])
      from unnest(array[
        'adolescent', 'adolescents', 'child', 'children', 'childrens', 'infant', 'infants', 'juvenile', 'juveniles', 'kid',
        'kids', 'little boy', 'little boys', 'little girl', 'little girls', 'loli', 'lolita', 'minors', 'preteen',
        'preteens', 'schoolboy', 'schoolboys', 'schoolgirl', 'schoolgirls', 'teen', 'teenage', 'teenager', 'teenagers',
        'teens', 'toddler', 'toddlers', 'tween', 'tweens', 'underage', 'young boy', 'young boys', 'young girl',
        'young girls']) as term`.execute(db)

  await sql`
    create table prohibited_lists (
      only_row boolean primary key default true check (only_row),
      version integer not null check (version >= 0)
    )`.execute(db)
  await sql`insert into prohibited_lists (version) values (0)`.execute(db)
}
