import { type Kysely, sql } from 'kysely'

/**
 * The catalogue and its publishing gate (docs/spec/publishing.md#database-gate).
 *
 * The gate is declarative wherever that is possible: a published row satisfies check constraints (rights, permissions,
 * people, link) and points, by foreign key, at a clearance of exactly its id, version and content. `fingerprint` is a
 * generated column over everything a clearance covers, so a raw UPDATE of a name, a link or a right breaks the key.
 * Only what depends on the time or on other rows (validity, consents) is a trigger, and its WHEN clause keeps it off
 * the ordinary write.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
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
    create table items (
      no integer not null unique generated always as identity,
      status text not null default 'draft' check (status in ('draft', 'published', 'restricted', 'removed')),
      post_month smallint not null check (post_month between 1 and 12),
      post_date timestamptz not null,
      created_at timestamptz not null default now(),
      lapses_at timestamptz,
      -- Why it is restricted, as far as that is not a person's decision.
      restriction text check (restriction in ('rights_lapsed', 'consent', 'notice')),
      category_id integer not null references categories (id),
      content_type text not null check (content_type in
        ('asian','western','banned','unknown','vip','vip-asian','vip-western','vip-banned','vip-unknown')),
      region text not null check (region in ('asian', 'western')),
      facets integer not null generated always as (pack_facets(content_type, region, post_month, category_id)) stored,
      name_folded text not null,
      name text not null check (name = btrim(name) and length(name) between 1 and 300 and name !~ '[\\x01-\\x1f]'),
      -- In byte order, so that the slugs made from one name (poems, poems-2 …) are a range of the index everywhere.
      slug text collate "C" not null unique check (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$' and length(slug) <= 120),
      id uuid primary key,
      external_id text unique check (external_id <> ''),
      updated_at timestamptz not null default now(),
      version integer not null default 1 check (version >= 1),
      rating text not null default 'general' check (rating in ('general', 'mature')),
      link text check (link ~* '^https?://'),
      link2 text check (link2 ~* '^https?://'),
      link_g text check (link_g ~* '^https?://'),
      link_p text check (link_p ~* '^https?://'),
      link_mv1 text check (link_mv1 ~* '^https?://'),
      link_mv2 text check (link_mv2 ~* '^https?://'),
      link_mv3 text check (link_mv3 ~* '^https?://'),
      link_mv4 text check (link_mv4 ~* '^https?://'),
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
      name_grams integer[] not null,
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
      )) stored,

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
        references clearances (item_id, version, fingerprint)
    )`.execute(db)

  await sql`
    create index items_listing on items (post_date desc, created_at desc, no desc) include (facets, lapses_at)
      where status = 'published'`.execute(db)
  await sql`create index items_names on items using gin (name_grams) where status = 'published'`.execute(db)
  await sql`create index items_lapsing on items (lapses_at) where status = 'published' and lapses_at is not null`.execute(
    db,
  )
  await sql`create index items_category on items (category_id)`.execute(db)

  await sql`
    create table consent_records (
      id uuid primary key,
      item_id uuid not null references items (id) on delete cascade,
      pseudonym text not null check (pseudonym <> ''),
      permits_publication boolean not null,
      permits_download boolean not null,
      evidence text not null check (evidence <> ''),
      verified_adult text not null default 'unknown' check (verified_adult in ('yes', 'no', 'unknown')),
      valid_until timestamptz,
      withdrawn_at timestamptz,
      recorded_by text not null,
      recorded_at timestamptz not null default now(),
      unique (item_id, pseudonym)
    )`.execute(db)

  await sql`
    create table evidence_files (
      id uuid primary key,
      item_id uuid not null references items (id) on delete cascade,
      consent_id uuid references consent_records (id) on delete cascade,
      file_name text not null check (file_name <> ''),
      media_type text not null,
      byte_size bigint not null check (byte_size > 0),
      sha256 text not null check (sha256 ~ '^[0-9a-f]{64}$'),
      stored_by text not null,
      stored_at timestamptz not null default now()
    )`.execute(db)
  await sql`create index evidence_files_item on evidence_files (item_id)`.execute(db)
  await sql`create index evidence_files_consent on evidence_files (consent_id)`.execute(db)

  await sql`
    create table prohibited_terms (
      term_folded text primary key check (term_folded <> ''),
      added_at timestamptz not null default now()
    )`.execute(db)

  // Clearances and their evidence are a record: rows are added and never changed.
  await sql`
    create function refuse_change() returns trigger language plpgsql as $$
    begin
      raise exception 'Rows of % are a record and are never changed.', tg_table_name using errcode = 'DB002';
    end $$`.execute(db)
  await sql`
    create trigger clearances_are_a_record before update or delete or truncate on clearances
      for each statement execute function refuse_change()`.execute(db)
  await sql`
    create trigger evidence_is_a_record before update on evidence_files
      for each statement execute function refuse_change()`.execute(db)

  await sql`
    create function keep_item_identity() returns trigger language plpgsql as $$
    begin
      raise exception 'The id, number, slug and creation time of an item never change.' using errcode = 'DB003';
    end $$`.execute(db)
  await sql`
    create trigger keep_item_identity before update on items
      for each row when (new.slug <> old.slug or new.id <> old.id or new.no <> old.no or new.created_at <> old.created_at)
      execute function keep_item_identity()`.execute(db)

  /* A clearance is for one publication. An item that leaves the site gets a new version, so that the old clearance
     fits nothing any more: to come back it has to be cleared anew, whoever restricted or removed it. */
  await sql`
    create function spend_clearance() returns trigger language plpgsql as $$
    begin
      if new.version < old.version then
        raise exception 'The version of item % cannot go back.', old.slug using errcode = 'DB003';
      end if;
      if old.status = 'removed' and new.status = 'published' then
        raise exception 'Item % was removed and cannot be published.', old.slug using errcode = 'DB005';
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
    create function check_item_in_time() returns trigger language plpgsql as $$
    declare
      missing boolean;
      consent_until timestamptz;
    begin
      new.lapses_at := null;
      if new.status <> 'published' then
        return new;
      end if;
      if new.rights_valid_from > now() then
        raise exception 'The rights of item % are not valid yet.', new.slug using errcode = 'DB004';
      end if;
      if new.rights_valid_until <= now() then
        raise exception 'The rights of item % have expired.', new.slug using errcode = 'DB004';
      end if;
      if new.people = 'identifiable' then
        select count(*) = 0 or bool_or(not (permits_publication and permits_download and verified_adult = 'yes'
                 and withdrawn_at is null and (valid_until is null or valid_until > now()))),
               min(valid_until)
          into missing, consent_until
          from consent_records where item_id = new.id;
        if missing then
          raise exception 'Item % shows people without a valid consent of each.', new.slug using errcode = 'DB004';
        end if;
      end if;
      new.lapses_at := least(new.rights_valid_until, consent_until);
      return new;
    end $$`.execute(db)
  await sql`
    create trigger check_item_in_time before insert or update on items
      for each row when (new.rights_valid_from is not null or new.rights_valid_until is not null
                         or new.people = 'identifiable' or new.lapses_at is not null)
      execute function check_item_in_time()`.execute(db)

  // A consent that is withdrawn, changed or gone takes its item off the site in the same statement.
  await sql`
    create function follow_consent() returns trigger language plpgsql as $$
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
       where id = subject and status = 'published' and people = 'identifiable'
         and exists (select from consent_records c where c.item_id = subject
                     and not (c.permits_publication and c.permits_download and c.verified_adult = 'yes'
                              and c.withdrawn_at is null and (c.valid_until is null or c.valid_until > now()))
                     union all
                     select where not exists (select from consent_records c where c.item_id = subject));
      -- A published item takes over the new end of its consents.
      update items set updated_at = now() where id = subject and status = 'published' and people = 'identifiable';
      return null;
    end $$`.execute(db)
  await sql`
    create trigger follow_consent after insert or update or delete on consent_records
      for each row execute function follow_consent()`.execute(db)
  await sql`
    create trigger consents_are_not_swept_away before truncate on consent_records
      for each statement execute function refuse_change()`.execute(db)

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
      changed_at timestamptz not null default now()
    )`.execute(db)
  await sql`create index catalogue_changes_version on catalogue_changes (version)`.execute(db)

  await sql`
    create function note_catalogue_change() returns trigger language plpgsql as $$
    declare
      changed integer[];
      next_version bigint;
    begin
      if tg_table_name = 'categories' or tg_op = 'TRUNCATE' then
        changed := array[null::integer];
      elsif tg_op = 'INSERT' then
        select array_agg(no) into changed from after_rows where status = 'published';
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
      update catalogue_state set version = version + 1 returning version into next_version;
      insert into catalogue_changes (version, item_no) select next_version, unnest(changed);
      perform pg_notify('daybook_catalogue', next_version::text);
      return null;
    end $$`.execute(db)
  await sql`
    create trigger note_items_inserted after insert on items referencing new table as after_rows
      for each statement execute function note_catalogue_change()`.execute(db)
  await sql`
    create trigger note_items_updated after update on items
      referencing old table as before_rows new table as after_rows
      for each statement execute function note_catalogue_change()`.execute(db)
  await sql`
    create trigger note_items_deleted after delete on items referencing old table as before_rows
      for each statement execute function note_catalogue_change()`.execute(db)
  await sql`
    create trigger note_items_truncated after truncate on items
      for each statement execute function note_catalogue_change()`.execute(db)
  await sql`
    create trigger note_categories_renamed after update of name on categories
      for each statement execute function note_catalogue_change()`.execute(db)
}
