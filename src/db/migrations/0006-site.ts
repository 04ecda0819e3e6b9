import { type Kysely, sql } from 'kysely'

/** Findings about the site itself, and the demo. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // Jobs that were given up, by name, for administrators.
  await sql`
    create table job_failures (
      name text primary key,
      failures integer not null check (failures > 0),
      failed_at timestamptz not null,
      reason text not null
    )`.execute(db)

  // The findings of the last nightly check of each invariant (docs/spec/operations.md#invariants).
  await sql`
    create table invariant_checks (
      name text primary key,
      checked_at timestamptz not null,
      broken integer not null check (broken >= 0),
      -- The first of them.
      ids json not null
    )`.execute(db)

  // One row while the database holds the demo, whatever the settings say now, with the parts that are filled in.
  await sql`
    create table demo (
      only_row boolean primary key default true check (only_row),
      began_at timestamptz not null default now(),
      filled text[] not null default '{}'
    )`.execute(db)

  // One row while this database is a copy that speaks to nobody.
  await sql`
    create table rehearsal (
      only_row boolean primary key default true check (only_row),
      began_at timestamptz not null default now()
    )`.execute(db)
  // Every page says so. The change feed tells every instance, as it does for the texts.
  await sql`
    create trigger record_rehearsal_changed after insert or delete on rehearsal
      for each row execute function record_gateway_change()`.execute(db)

  // One row from the first start on: how the backups of the clock stand.
  await sql`
    create table backup_schedule (
      only_row boolean primary key default true check (only_row),
      -- Backups that were due before are not made up for.
      since timestamptz not null default now(),
      -- The process that makes one; another takes over when it is silent for so long.
      claimed_until timestamptz,
      made_at timestamptz,
      name text,
      byte_size bigint,
      failed_at timestamptz,
      failure text,
      constraint what_was_made_has_a_name check ((made_at is null) = (name is null) and (made_at is null) = (byte_size is null)),
      constraint what_failed_says_why check ((failed_at is null) = (failure is null))
    )`.execute(db)

  // First steps that an administrator has skipped, each with the reason.
  await sql`
    create table skipped_steps (
      name text primary key,
      note text not null check (note <> '' and length(note) <= 500)
    )`.execute(db)

  // Uploaded marks of the site (docs/spec/pages.md#appearance).
  await sql`
    create table brand_marks (
      hash text primary key check (hash ~ '^[0-9a-f]{32}$'),
      -- WebP, written anew by the site.
      picture bytea not null check (octet_length(picture) <= 2097152),
      stored_at timestamptz not null
    )`.execute(db)
}
