import { type Kysely, sql } from 'kysely'

/** The consents of people (docs/spec/publishing.md#people), and files that prove rights. */
export async function createPeople(db: Kysely<unknown>): Promise<void> {
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
       where id = subject and status = 'published'
         and (exists (select from consent_records c where c.item_id = subject and bars_publication(c))
              or people = 'identifiable'
                 and (not exists (select from consent_records c where c.item_id = subject)
                      or exists (select from consent_records c where c.item_id = subject
                                 and not (c.permits_publication and c.permits_download and c.verified_adult = 'yes'
                                          and (c.valid_until is null or c.valid_until > now())))));
      -- An item that remains published takes the new end of its consents.
      update items set updated_at = now() where id = subject and status = 'published' and people = 'identifiable';
      return null;
    end $$`.execute(db)
  await sql`
    create trigger follow_consent after insert or update or delete on consent_records
      for each row execute function follow_consent()`.execute(db)
  await sql`
    create trigger consents_are_not_swept_away before truncate on consent_records
      for each statement execute function refuse_change()`.execute(db)
  await sql`
    create function keep_barring_record() returns trigger language plpgsql as $$
    begin
      if tg_op = 'DELETE' then
        -- With its item it goes; keep_removed_items says which items stay.
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
    create function refuse_barred_items() returns trigger language plpgsql as $$
    begin
      if exists (select from consent_records c where c.item_id = new.id and bars_publication(c)) then
        raise exception 'Item % shows somebody who withdrew the consent, or was no adult at production.', new.slug
          using errcode = 'DB004';
      end if;
      return new;
    end $$`.execute(db)
  // With identifiable people every consent is examined anyway.
  await sql`
    create trigger refuse_barred_items before update of status, people on items
      for each row when (new.status = 'published' and new.people is distinct from 'identifiable')
      execute function refuse_barred_items()`.execute(db)

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
    create trigger evidence_is_a_record before update on evidence_files
      for each statement execute function refuse_change()`.execute(db)
  await sql`
    create function record_unneeded_evidence() returns trigger language plpgsql as $$
    begin
      insert into unneeded_evidence (id) select id from before_rows on conflict (id) do nothing;
      return null;
    end $$`.execute(db)
  // With its item or consent a file goes too: that deletes its row by a statement of its own.
  await sql`
    create trigger record_unneeded_evidence after delete on evidence_files referencing old table as before_rows
      for each statement execute function record_unneeded_evidence()`.execute(db)

  /*
   * The files of evidence that nothing needs any more, or that an upload has not finished: the sweep deletes these alone
   * (docs/spec/publishing.md#evidence-files). After a restore of an older database, files that it does not know stay.
   */
  await sql`
    create table unneeded_evidence (
      id uuid primary key,
      recorded_at timestamptz not null default now()
    )`.execute(db)
  await sql`create index unneeded_evidence_recorded_at on unneeded_evidence (recorded_at)`.execute(db)
}
