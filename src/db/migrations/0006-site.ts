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
}
