import { type Kysely, sql } from 'kysely'

/** Rehearsals (docs/spec/backups.md#rehearsal) and the runs of scheduled backups. */
export async function up(db: Kysely<unknown>): Promise<void> {
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
}
