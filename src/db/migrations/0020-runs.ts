import { type Kysely, sql } from 'kysely'

/**
 * Long work of every feature is a run (docs/spec/catalogue.md#long-work), that on files of members too: it is taken up by
 * any process, can be stopped, and says why it was given up.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table catalogue_runs rename to runs`.execute(db)
  await sql`alter index catalogue_runs_pkey rename to runs_pkey`.execute(db)
  await sql`alter table runs drop constraint catalogue_runs_kind_check`.execute(db)
  await sql`
    alter table runs add constraint runs_kind_check
      check (kind in ('import_check', 'import', 'bulk_preview', 'bulk_apply', 'bulk_undo', 'merge', 'member_import'))`.execute(
    db,
  )

  // Why it was given up. It may be started again, and goes on with what is left.
  await sql`alter table member_imports add column failure text`.execute(db)
  await sql`
    alter table member_imports add constraint an_import_that_failed_was_stopped
      check (failure is null or stopped_at is not null)`.execute(db)

  // Running work continues as a run: nobody has moved it for long, so it is queued soon.
  await sql`
    insert into runs (subject_id, kind, position, begun_by, advanced_at)
    select id, 'member_import', made_count, started_by, '-infinity'
      from member_imports where confirmed_at is not null and finished_at is null`.execute(db)
}
