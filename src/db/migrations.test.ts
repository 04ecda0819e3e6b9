import { PGlite } from '@electric-sql/pglite'
import { type Kysely, sql } from 'kysely'
import { Migrator } from 'kysely/migration'
import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { embedded } from './embedded/embedded.ts'
import { migrations } from './migrations/index.ts'
import type { Database } from './database.ts'

const insert = (db: Kysely<Database>, id: string, slug: string, contentType: string, category: string) =>
  sql`
    with item as (
      insert into items (id, name, name_folded, name_grams, slug, category_id, content_type, region, post_date, post_month,
                         link, people, rights_basis, rights_evidence, permits_download, permits_paid_access,
                         rights_attested_by, rights_attested_at)
      select ${id}::uuid, ${slug}, ${slug}, '{}', ${slug}, c.id, ${contentType}, 'western', now(), 1, 'https://mega.nz/a', 'none',
             'public_domain', 'seen', true, true, 'me', now()
        from categories c where c.name = ${category}
      returning id, version, fingerprint)
    insert into clearances (item_id, version, fingerprint, checks, cleared_by)
    select id, version, fingerprint, '[]', 'me' from item on conflict do nothing`.execute(db)

it('0005-gate makes drafts of published items that no page shows, and takes no deleted id back', async () => {
  const { db, close } = embedded(await PGlite.create())
  try {
    const migrator = new Migrator({ db, provider: { getMigrations: () => Promise.resolve(migrations) } })
    await migrator.migrateTo('0004-membership')
    const gone = randomUUID()
    await insert(db, randomUUID(), 'misfit', 'banned', 'Film')
    await insert(db, randomUUID(), 'fits', 'banned', 'Banned')
    await insert(db, randomUUID(), 'vip-fits', 'vip-unknown', 'VIP Unknown')
    await insert(db, gone, 'gone', 'western', 'Film')
    await sql`update items set status = 'published', cleared_version = version`.execute(db)
    await sql`delete from items where slug = 'gone'`.execute(db)

    const { error } = await migrator.migrateToLatest()
    expect(error).toBeUndefined()
    const { rows } = await sql`select slug, status, cleared_version from items order by slug`.execute(db)
    expect(rows).toEqual([
      { slug: 'fits', status: 'published', cleared_version: 1 },
      { slug: 'misfit', status: 'draft', cleared_version: null },
      { slug: 'vip-fits', status: 'published', cleared_version: 1 },
    ])
    await expect(insert(db, gone, 'gone', 'western', 'Film')).rejects.toThrow(/was that of a deleted item/)
  } finally {
    await close()
  }
})

it('0006-item-rows makes the ready rows of what is published already', async () => {
  const { db, close } = embedded(await PGlite.create())
  try {
    const migrator = new Migrator({ db, provider: { getMigrations: () => Promise.resolve(migrations) } })
    await migrator.migrateTo('0005-gate')
    await insert(db, randomUUID(), 'before', 'western', 'Film')
    await insert(db, randomUUID(), 'draft', 'western', 'Film')
    await sql`update items set status = 'published', cleared_version = version where slug = 'before'`.execute(db)
    const { error } = await migrator.migrateToLatest()
    expect(error).toBeUndefined()
    await insert(db, randomUUID(), 'after', 'western', 'Film')
    await sql`update items set status = 'published', cleared_version = version where slug = 'after'`.execute(db)
    const { rows } = await sql<{ slug: string }>`
      select split_part(row, e'\\x1f', 4) as slug from item_rows order by no`.execute(db)
    expect(rows).toEqual([{ slug: 'before' }, { slug: 'after' }])
    // What the migration wrote is what the triggers write.
    await sql`update items set link = link`.execute(db)
    const { rows: same } = await sql<{ same: number }>`
      select count(*)::int as same from item_rows r join items i using (no) join categories c on c.id = i.category_id
       where row = item_row_text(i.no, i.id, i.name, i.slug, c.name, i.content_type, i.region, i.rating, i.post_date,
                                 i.created_at, i.updated_at)`.execute(db)
    expect(same).toEqual([{ same: 2 }])
  } finally {
    await close()
  }
})
