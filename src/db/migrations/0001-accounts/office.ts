import { type Kysely, sql } from 'kysely'

/** Long work, alarms, grave acts and texts: the tables behind the administration of every feature. */
export async function createOffice(db: Kysely<unknown>): Promise<void> {
  /*
   * Work that is under way. A worker writes its own lease into the run, and each step counts in its transaction only while
   * that lease stands there: a second process that takes the run over ends the first, and nothing is done twice. The row
   * goes with the last step. The primary key is the import, edit or merge: it has one run at a time.
   */
  await sql`
    create table runs (
      subject_id uuid primary key,
      kind text not null check (kind in ('import_check', 'import', 'bulk_preview', 'bulk_apply', 'bulk_undo', 'merge', 'member_import')),
      -- How far it is: rows of the file, or the number of the last item that was looked at.
      position integer not null default 0,
      lease uuid,
      -- The administrator whose work it is.
      begun_by uuid not null,
      begun_at timestamptz not null default now(),
      advanced_at timestamptz not null default now()
    )`.execute(db)

  await sql`
    create table alarms (
      name text primary key,
      headline text not null,
      sentence text not null,
      advice text not null,
      leads_to text,
      first_at timestamptz not null,
      last_at timestamptz not null,
      times integer not null,
      -- Since the last email.
      times_since_email integer not null,
      notified_at timestamptz
    )`.execute(db)

  // The acts that administrators hear of by email. Ids alone name people: a deleted account leaves no name here.
  await sql`
    create table grave_acts (
      id bigint generated always as identity primary key,
      done_at timestamptz not null,
      -- Null while it waits for an email about many.
      notified_at timestamptz,
      act jsonb not null
    )`.execute(db)

  // A text without a row, or whose value is null, is the first one: of the environment, of a file, or of the software.
  await sql`
    create table site_texts (
      key text primary key check (key ~ '^[a-z]+[.][a-z]+$'),
      value text constraint site_texts_length check (char_length(value) <= 40000),
      -- It goes on when the first value is taken back, so that an older edit is still recognised.
      version integer not null check (version >= 1),
      changed_at timestamptz not null default now()
    )`.execute(db)

  // Random bytes of this installation, each made when it is first needed. They leave the database only with a backup.
  await sql`
    create table installation_secrets (
      name text primary key,
      secret bytea not null check (octet_length(secret) >= 32)
    )`.execute(db)

  // Templates of answers (docs/spec/pages.md#answer-templates).
  await sql`
    create table answer_templates (
      id uuid primary key,
      name text not null check (char_length(name) between 1 and 60),
      text text not null check (char_length(text) between 1 and 5000),
      version integer not null default 1 check (version >= 1),
      changed_at timestamptz not null
    )`.execute(db)
  await sql`create unique index answer_templates_name on answer_templates (lower(name))`.execute(db)
}
