import { type Kysely, sql } from 'kysely'

/** Long work that an administrator begins in the browser (docs/spec/catalogue.md#long-work): imports, edits of many items, merges. */
export async function createWork(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table imports (
      id uuid primary key,
      file_name text not null check (length(file_name) between 1 and 255),
      format text not null check (format in ('csv', 'jsonl')),
      -- Those of its header, in the order of the file.
      columns json not null,
      byte_size bigint not null check (byte_size > 0),
      state text not null default 'waiting' check (state in ('waiting', 'checking', 'importing', 'done', 'failed', 'cancelled')),
      publishes boolean not null default false,
      creates_categories boolean not null default false,
      -- The last check or import.
      rows_done integer not null default 0,
      bytes_done bigint not null default 0,
      tally json,
      problem_count integer not null default 0,
      was_checked boolean not null default false,
      -- Why it failed, in a sentence.
      failure text,
      uploaded_by uuid not null,
      uploaded_at timestamptz not null default now(),
      ended_at timestamptz,
      constraint an_ended_import_says_when check ((state in ('done', 'failed', 'cancelled')) = (ended_at is not null)),
      constraint a_failed_import_says_why check ((state = 'failed') <= (failure is not null))
    )`.execute(db)
  await sql`create index imports_uploaded on imports (uploaded_at desc, id desc)`.execute(db)

  // The file, until the import has ended. Each instance can read on where another has stopped.
  await sql`
    create table import_pieces (
      -- No foreign key: the pieces are there before the import, which begins with the last of them.
      import_id uuid not null,
      place integer not null,
      bytes bytea not null,
      stored_at timestamptz not null default now(),
      primary key (import_id, place)
    )`.execute(db)
  await sql`create index import_pieces_stored on import_pieces (stored_at) where place = 0`.execute(db)

  // The rows that an import or its check could not take or publish, with their cells for the rejects file.
  await sql`
    create table import_problems (
      import_id uuid not null references imports (id) on delete cascade,
      place integer not null,
      line integer not null,
      -- Pairs of a column, or null, and a sentence.
      reasons json not null,
      cells json not null,
      primary key (import_id, place)
    )`.execute(db)

  await sql`
    create table bulk_edits (
      id uuid primary key,
      filter json not null,
      changes json not null,
      state text not null default 'previewing' check
        (state in ('previewing', 'ready', 'applying', 'done', 'undoing', 'undone', 'failed', 'cancelled')),
      selected integer not null default 0,
      unchanged integer not null default 0,
      failure text,
      made_by uuid not null,
      -- Those that were selected by hand, as long as the edit remembers its items.
      item_ids uuid[],
      -- Rises when items of the preview are switched on or off.
      version integer not null default 1,
      made_at timestamptz not null default now(),
      applied_at timestamptz,
      undone_at timestamptz,
      constraint a_failed_edit_says_why check ((state = 'failed') <= (failure is not null)),
      constraint what_is_undone_was_applied check (undone_at is null or applied_at is not null)
    )`.execute(db)
  await sql`create index bulk_edits_made on bulk_edits (made_at desc, id desc)`.execute(db)

  /*
   * The items that a preview would change or refuse, at the versions it saw, and their outcome. An item is
   * changed at that version or not at all. The content before is kept for the undo.
   */
  await sql`
    create table bulk_edit_items (
      bulk_edit_id uuid not null references bulk_edits (id) on delete cascade,
      item_no integer not null,
      item_id uuid not null,
      name text not null,
      slug text not null,
      version integer not null,
      outcome text not null check
        (outcome in ('planned', 'excluded', 'refused', 'changed', 'skipped', 'undone', 'left')),
      -- A field, its value before and after.
      difference json not null,
      reasons json not null default '[]',
      before json,
      version_after integer,
      constraint a_changed_item_can_be_undone check
        ((outcome in ('changed', 'undone', 'left')) = (before is not null and version_after is not null)),
      primary key (bulk_edit_id, item_no)
    )`.execute(db)
  await sql`create index bulk_edit_items_outcome on bulk_edit_items (bulk_edit_id, outcome, item_no)`.execute(db)

  await sql`
    create table category_merges (
      id uuid primary key,
      -- The one that goes. Its name is kept for the record.
      from_id integer,
      from_name text not null,
      into_id integer not null,
      into_name text not null,
      state text not null default 'merging' check (state in ('merging', 'done', 'failed')),
      moved integer not null default 0,
      -- Items that the gate refuses: their names and reasons, the first of them.
      refused json not null default '[]',
      refused_count integer not null default 0,
      failure text,
      begun_at timestamptz not null default now(),
      ended_at timestamptz,
      constraint not_into_itself check (from_id <> into_id)
    )`.execute(db)
  // A category goes into one other, and none goes into a category that goes itself.
  await sql`create unique index category_merges_underway on category_merges (from_id) where state = 'merging'`.execute(
    db,
  )

  // Saved filters of the list of all content, for all administrators.
  await sql`
    create table saved_filters (
      id uuid primary key,
      name text not null check (name <> '' and length(name) <= 60),
      -- Folded: no two have names that differ in case alone.
      name_folded text not null unique,
      section text not null,
      search text not null,
      -- Its name may change; a filter goes with it.
      category_id integer references categories on delete cascade,
      status text not null,
      made_at timestamptz not null default now()
    )`.execute(db)
}
