import { type Kysely, sql } from 'kysely'

/** The list of all content, its saved filters, and edits of entries that were selected in it (docs/spec/catalogue.md#bulk-edit). */
export async function up(db: Kysely<unknown>): Promise<void> {
  // As `items_of_section`, for the list of everything.
  await sql`
    create index items_in_order on items (post_date desc, no desc) include (content_type, status, category_id)`.execute(
    db,
  )
  // A search looks through these by their names; published ones are found in memory.
  await sql`create index items_unpublished on items (no) where status <> 'published'`.execute(db)

  // For all administrators.
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
      made_by uuid not null,
      made_at timestamptz not null default now()
    )`.execute(db)

  await sql`
    alter table bulk_edits
      -- Those that were selected by hand, as long as the edit remembers its items.
      add column item_ids uuid[],
      -- Rises when items of the preview are switched on or off.
      add column version integer not null default 1`.execute(db)
  await sql`alter table bulk_edit_items drop constraint bulk_edit_items_outcome_check`.execute(db)
  await sql`
    alter table bulk_edit_items add constraint bulk_edit_items_outcome_check check
      (outcome in ('planned', 'excluded', 'refused', 'changed', 'skipped', 'undone', 'left'))`.execute(db)
}
