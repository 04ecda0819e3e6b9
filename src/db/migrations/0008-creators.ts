import { type Kysely, sql } from 'kysely'

/** The creators of an item, in lists and details. No clearance covers them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // In the order of every writer.
  await sql`select from catalogue_state for update`.execute(db)
  await sql`
    alter table items add column creators text[] constraint creators_are_names check
      (cardinality(creators) between 1 and 10 and array_to_string(creators, '') !~ '[\\x01-\\x1f;]')`.execute(db)

  // No name has a control character in it: parts and names can be told apart.
  await sql`
    create or replace function item_row_text(i items, category text) returns text language sql stable parallel safe as $$
      select i.no::text || e'\\x1f' || i.id::text || e'\\x1f' || i.name || e'\\x1f' || i.slug || e'\\x1f' || category
             || e'\\x1f' || i.content_type || e'\\x1f' || i.region || e'\\x1f' || instant_text(i.post_date)
             || e'\\x1f' || i.rating || e'\\x1f' || coalesce(array_to_string(i.creators, e'\\x1d'), '') || e'\\x1f'
             || instant_text(i.created_at) || e'\\x1f' || instant_text(i.updated_at)
    $$`.execute(db)

  await sql`alter table item_rows disable trigger item_rows_follow_items`.execute(db)
  await sql`
    update item_rows r set row = item_row_text(i, c.name)
      from items i join categories c on c.id = i.category_id where i.no = r.no`.execute(db)
  await sql`alter table item_rows enable trigger item_rows_follow_items`.execute(db)
}
