import { sql } from 'kysely'
import type { Queryable } from '../../../../db/queryable.ts'
import type { CatalogueDatabase } from '../../app.ts'

export async function isSlugTaken(db: Queryable<CatalogueDatabase>, slug: string): Promise<boolean> {
  const found = await db.selectFrom('items').select('no').where('slug', '=', slug).executeTakeFirst()
  return found !== undefined
}

/** The slug, or with the first number that is free. */
export async function freeSlugFor(db: Queryable<CatalogueDatabase>, base: string): Promise<string> {
  if (!(await isSlugTaken(db, base))) return base
  const { rows } = await sql<{ slug: string }>`
    select ${base}::text || '-' || number as slug
      from generate_series(2, (select count(*) + 2 from items
                                where slug > ${base}::text || '-' and slug < ${base}::text || '-:')) as number
     where not exists (select from items where slug = ${base}::text || '-' || number)
     order by number limit 1`.execute(db)
  return rows[0]?.slug ?? base
}
