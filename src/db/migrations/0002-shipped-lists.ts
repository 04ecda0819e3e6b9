import { type Kysely, sql } from 'kysely'

/**
 * The categories every site starts with (docs/spec/catalogue.md#categories), and the terms that are never part of a
 * lawful name.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    insert into categories (name, name_folded, is_fixed)
    select name, lower(name), name in ('Banned', 'Unknown')
      from unnest(array['Asian', 'Western', 'Banned', 'Unknown', 'TikTok', 'Instagram', 'VIP Content', 'VIP Banned',
                        'VIP Unknown', 'Literature', 'Film', 'Music', 'Art']) as name`.execute(db)
  await sql`
    insert into prohibited_terms (term_folded)
    select unnest(array['leaked', 'leaks', 'warez', 'cracked software', 'hacked account', 'stolen pictures',
                        'stolen videos', 'stolen photos', 'hidden camera', 'spy cam', 'spycam', 'deepfake', 'deepfakes',
                        'non consensual', 'nonconsensual', 'revenge porn', 'porn', 'xxx', 'nsfw', 'onlyfans'])`.execute(
    db,
  )
}
