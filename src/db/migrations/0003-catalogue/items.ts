import { type Kysely, sql } from 'kysely'

/** Items, their clearances, and the ids that are never used again (docs/spec/publishing.md). */
export async function createItems(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table clearances (
      item_id uuid not null,
      version integer not null,
      fingerprint text not null,
      checks jsonb not null,
      cleared_by text not null check (cleared_by <> ''),
      cleared_at timestamptz not null default now(),
      primary key (item_id, version, fingerprint)
    )`.execute(db)
  await sql`
    create trigger clearances_are_a_record before update or delete or truncate on clearances
      for each statement execute function refuse_change()`.execute(db)
  // By it everything is found that became new in a span of time.
  await sql`create index clearances_cleared_at on clearances (cleared_at)`.execute(db)

  // type (4 bits), region (1), vip (1), month (4), category (16): one masked comparison answers every filter.
  await sql`
    create function pack_facets(content_type text, region text, month integer, category_id integer)
    returns integer language sql immutable parallel safe as $$
      select array_position(
               array['asian','western','banned','unknown','vip','vip-asian','vip-western','vip-banned','vip-unknown'],
               content_type) - 1
           | case region when 'western' then 16 else 0 end
           | case when content_type like 'vip%' then 32 else 0 end
           | (month << 6)
           | (category_id << 10)
    $$`.execute(db)
  await sql`
    create function exact_fingerprint(link text) returns bigint language sql immutable parallel safe as $$
      select ('x' || left(md5('exact ' || link), 16))::bit(64)::bigint
    $$`.execute(db)
  await sql`
    create function exact_fingerprints(links text[]) returns bigint[] language sql immutable parallel safe as $$
      select coalesce(array_agg(distinct exact_fingerprint(link)), '{}') from unnest(links) link where link is not null
    $$`.execute(db)
  // The pictures of entries in the store of files (docs/spec/publishing.md#covers). A sweep deletes those that no item has.
  await sql`
    create table covers (
      hash text primary key check (hash ~ '^[0-9a-f]{32}$'),
      stored_at timestamptz not null default now()
    )`.execute(db)
  await sql`create index covers_stored_at on covers (stored_at)`.execute(db)
  await sql`
    create table items (
      no integer not null unique generated always as identity,
      status text not null default 'draft' check (status in ('draft', 'published', 'restricted', 'removed')),
      post_month smallint not null check (post_month between 1 and 12),
      post_date timestamptz not null,
      created_at timestamptz not null default now(),
      lapses_at timestamptz,
      -- The reason of a restriction that is no person's decision.
      restriction text check (restriction in ('rights_lapsed', 'consent', 'gate', 'notice')),
      category_id integer not null references categories (id),
      content_type text not null check (content_type in
        ('asian','western','banned','unknown','vip','vip-asian','vip-western','vip-banned','vip-unknown')),
      region text not null check (region in ('asian', 'western')),
      facets integer not null generated always as (pack_facets(content_type, region, post_month, category_id)) stored,
      -- The text in which it is looked for, folded, with further spellings of its words.
      searched text not null,
      name text not null check (name = btrim(name) and length(name) between 1 and 300 and name !~ '[\\x01-\\x1f]'),
      -- In byte order, so that the slugs made from one name (poems, poems-2 …) are a range of the index everywhere.
      slug text collate "C" not null unique check (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$' and length(slug) <= 120),
      id uuid primary key,
      external_id text unique check (external_id <> ''),
      updated_at timestamptz not null default now(),
      version integer not null default 1 check (version >= 1),
      rating text not null default 'general' check (rating in ('general', 'mature')),
      creators text[] constraint creators_are_names check
        (cardinality(creators) between 1 and 10 and array_to_string(creators, '') !~ '[\\x01-\\x1f;]'),
      description text check (length(description) between 1 and 5000),
      language text[] check (cardinality(language) between 1 and 3),
      -- As it was typed; it holds exactly one whole number.
      year text constraint year_has_one_number check (year ~ '^[^0-9]*[0-9]+[^0-9]*$' and length(year) <= 20),
      series text check (length(series) between 1 and 200),
      series_number double precision check (series_number between 0 and 9999),
      tags text[] constraint tags_are_texts check
        (cardinality(tags) between 1 and 20 and array_to_string(tags, '') !~ '[\\x01-\\x1f;]'),
      also_known_as text[] constraint other_titles_are_texts check
        (cardinality(also_known_as) between 1 and 10 and array_to_string(also_known_as, '') !~ '[\\x01-\\x1f;]'),
      cover text references covers (hash),
      link text check (link ~* '^https?://'),
      link2 text check (link2 ~* '^https?://'),
      link_g text check (link_g ~* '^https?://'),
      link_p text check (link_p ~* '^https?://'),
      link_mv1 text check (link_mv1 ~* '^https?://'),
      link_mv2 text check (link_mv2 ~* '^https?://'),
      link_mv3 text check (link_mv3 ~* '^https?://'),
      link_mv4 text check (link_mv4 ~* '^https?://'),
      link_format text check (link_format <> ''),
      link_size bigint check (link_size >= 0),
      link_sha256 text check (length(link_sha256) = 64),
      link2_format text check (link2_format <> ''),
      link2_size bigint check (link2_size >= 0),
      link2_sha256 text check (length(link2_sha256) = 64),
      link_g_format text check (link_g_format <> ''),
      link_g_size bigint check (link_g_size >= 0),
      link_g_sha256 text check (length(link_g_sha256) = 64),
      link_p_format text check (link_p_format <> ''),
      link_p_size bigint check (link_p_size >= 0),
      link_p_sha256 text check (length(link_p_sha256) = 64),
      link_mv1_format text check (link_mv1_format <> ''),
      link_mv1_size bigint check (link_mv1_size >= 0),
      link_mv1_sha256 text check (length(link_mv1_sha256) = 64),
      link_mv2_format text check (link_mv2_format <> ''),
      link_mv2_size bigint check (link_mv2_size >= 0),
      link_mv2_sha256 text check (length(link_mv2_sha256) = 64),
      link_mv3_format text check (link_mv3_format <> ''),
      link_mv3_size bigint check (link_mv3_size >= 0),
      link_mv3_sha256 text check (length(link_mv3_sha256) = 64),
      link_mv4_format text check (link_mv4_format <> ''),
      link_mv4_size bigint check (link_mv4_size >= 0),
      link_mv4_sha256 text check (length(link_mv4_sha256) = 64),
      people text check (people in ('none', 'not_identifiable', 'identifiable')),
      rights_basis text check (rights_basis in ('own_work', 'work_for_hire', 'license', 'assignment',
        'public_domain', 'open_license', 'statutory_exception')),
      rights_holder text check (rights_holder <> ''),
      rights_licence text check (rights_licence <> ''),
      rights_evidence text check (rights_evidence <> ''),
      permits_download boolean not null default false,
      permits_paid_access boolean not null default false,
      rights_valid_from timestamptz,
      rights_valid_until timestamptz,
      rights_revoked_at timestamptz,
      rights_attested_by text,
      rights_attested_at timestamptz,
      rights_verified_by text,
      rights_verified_at timestamptz,
      import_digest text,
      cleared_version integer,
      -- Detects change, not malice: whoever can write SQL could also write a clearance. md5 is the only digest of
      -- text that PostgreSQL 15 calls immutable.
      fingerprint text not null generated always as (md5(
        name || e'\x1f' || content_type || e'\x1f' || region || e'\x1f' || category_id
        || e'\x1f' || coalesce(link, '') || e'\x1f' || coalesce(link2, '') || e'\x1f' || coalesce(link_g, '')
        || e'\x1f' || coalesce(link_p, '') || e'\x1f' || coalesce(link_mv1, '') || e'\x1f' || coalesce(link_mv2, '')
        || e'\x1f' || coalesce(link_mv3, '') || e'\x1f' || coalesce(link_mv4, '') || e'\x1f' || coalesce(people, '')
        || e'\x1f' || rating || e'\x1f' || coalesce(rights_basis, '') || e'\x1f' || coalesce(rights_holder, '')
        || e'\x1f' || coalesce(rights_licence, '') || e'\x1f' || coalesce(rights_evidence, '')
        || e'\x1f' || permits_download::int || permits_paid_access::int
        || e'\x1f' || coalesce(extract(epoch from rights_valid_from at time zone 'UTC')::text, '')
        || e'\x1f' || coalesce(extract(epoch from rights_valid_until at time zone 'UTC')::text, '')
        || coalesce(e'\x1f' || cover, '')
      )) stored,
      -- The links are looked up by these among blocked ones (item/link-fingerprints.server.ts).
      link_fingerprints bigint[] not null default '{}',
      -- Null: computed by the database alone, from the exact texts; a job completes them.
      fingerprint_edition smallint,
      constraint restriction_is_of_a_restricted_item check (restriction is null or status = 'restricted'),
      constraint item_validity_is_a_span check (rights_valid_from < rights_valid_until),
      constraint item_attestation_is_whole check ((rights_attested_by is null) = (rights_attested_at is null)),
      constraint item_verification_is_whole check ((rights_verified_by is null) = (rights_verified_at is null)),
      constraint published_has_rights check (status <> 'published' or
        (rights_basis is not null and rights_attested_at is not null and rights_revoked_at is null
         and (rights_holder is not null or rights_basis not in ('license', 'assignment', 'work_for_hire')))),
      constraint published_has_evidence check (status <> 'published' or rights_evidence is not null),
      constraint published_permits_download check (status <> 'published' or permits_download),
      constraint published_permits_paid_access check
        (status <> 'published' or content_type not like 'vip%' or permits_paid_access),
      constraint published_states_people check (status <> 'published' or people is not null),
      constraint published_has_link check (status <> 'published' or link is not null),
      constraint published_is_cleared check (status <> 'published' or cleared_version is not distinct from version),
      constraint item_clearance foreign key (id, cleared_version, fingerprint)
        references clearances (item_id, version, fingerprint),
      -- An instant that JSON cannot tell would take every list down that the item is on.
      constraint post_date_has_four_digits check
        (post_date >= '0001-01-01 00:00:00+00' and post_date < '10000-01-01 00:00:00+00')
    )`.execute(db)
  await sql`
    create index items_listing on items (post_date desc, created_at desc, no desc) include (facets, lapses_at)
      where status = 'published'`.execute(db)
  await sql`create index items_of_cover on items (cover) where cover is not null`.execute(db)
  // To count the items of each category, and to find those of one.
  await sql`create index items_of_category on items (category_id, no) include (status)`.execute(db)
  await sql`
    create index items_to_verify on items (status, content_type, rights_attested_by)
      where rights_attested_by is not null and rights_verified_by is null and status in ('draft', 'restricted')`.execute(
    db,
  )
  await sql`create index items_lapsing on items (lapses_at, no) where status = 'published' and lapses_at is not null`.execute(
    db,
  )
  await sql`create index items_fingerprints on items using gin (link_fingerprints) where status in ('published', 'restricted')`.execute(
    db,
  )
  // Those that a job completes: none, until a later edition moves the bound.
  await sql`
    create index items_of_old_fingerprints on items (no)
      where fingerprint_edition is null or fingerprint_edition < 4`.execute(db)
  // The public figures count what is published by the basis of its rights: one look through this, and at no entry.
  await sql`create index items_published_by_basis on items (rights_basis) where status = 'published'`.execute(db)
  await sql`
    create function keep_item_identity() returns trigger language plpgsql as $$
    begin
      raise exception 'The id, number, slug and creation time of an item never change.' using errcode = 'DB003';
    end $$`.execute(db)
  await sql`
    create trigger keep_item_identity before update on items
      for each row when (new.slug <> old.slug or new.id <> old.id or new.no <> old.no or new.created_at <> old.created_at)
      execute function keep_item_identity()`.execute(db)
  /*
   * A clearance is for one publication. An item that leaves the site takes a new version, so that the old clearance fits
   * nothing any more. A removed item comes back in one way: to restricted, when each of its removals is reversed.
   */
  await sql`
    create function spend_clearance() returns trigger language plpgsql as $$
    begin
      if new.version < old.version then
        raise exception 'The version of item % cannot go back.', old.slug using errcode = 'DB003';
      end if;
      if old.status = 'removed' and new.status <> 'removed' then
        if new.status <> 'restricted' or has_standing_removal(old.id)
           or not exists (select from item_removals r where r.item_id = old.id) then
          raise exception 'Item % was removed and cannot come back.', old.slug using errcode = 'DB005';
        end if;
        -- An edit that was begun before it was removed is not one of what comes back.
        new.version := greatest(new.version, old.version + 1);
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
  await sql`
    create trigger spend_clearance before update on items
      for each row when (new.status <> old.status or new.version < old.version)
      execute function spend_clearance()`.execute(db)
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
  // A link that is written without its fingerprints gets the exact ones, which the database can compute. Whether it lacks
  // them is asked without a call of a function: an import asks it of every row.
  const lacksOne = ['link', 'link2', 'link_g', 'link_p', 'link_mv1', 'link_mv2', 'link_mv3', 'link_mv4']
    .map((link) => `(new.${link} is not null and exact_fingerprint(new.${link}) <> all (new.link_fingerprints))`)
    .join(' or ')
  await sql`
    create function keep_fingerprints() returns trigger language plpgsql as $$
    begin
      new.link_fingerprints := exact_fingerprints(array[new.link, new.link2, new.link_g, new.link_p,
                                                        new.link_mv1, new.link_mv2, new.link_mv3, new.link_mv4]);
      new.fingerprint_edition := null;
      return new;
    end $$`.execute(db)
  await sql`
    create trigger keep_fingerprints before insert or update of link, link2, link_g, link_p, link_mv1, link_mv2, link_mv3,
      link_mv4, link_fingerprints, fingerprint_edition on items
      for each row when (${sql.raw(lacksOne)}) execute function keep_fingerprints()`.execute(db)

  /*
   * A removed item is its own tombstone and is never deleted. The id of any other deleted item is never used again:
   * its clearances are still there, and an item of the same content under that id would be published on one of them.
   */
  await sql`
    create table deleted_items (
      item_id uuid primary key,
      deleted_at timestamptz not null default now()
    )`.execute(db)
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
      if exists (select from item_holds h where h.item_id = old.id and h.released_at is null) then
        raise exception 'Item % stays while a notice about it is open.', old.slug using errcode = 'DB015';
      end if;
      if exists (select from consent_records c where c.item_id = old.id and bars_publication(c)) then
        raise exception 'Item % stays as the record of a consent that was withdrawn, or of somebody who was no adult.', old.slug
          using errcode = 'DB013';
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
