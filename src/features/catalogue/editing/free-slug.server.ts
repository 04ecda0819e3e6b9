import { sql } from 'kysely'
import type { Queryable } from '../../../db/queryable.ts'
import type { CatalogueDatabase } from '../app.ts'
import type { Item } from '../item/item.ts'
import { freeSlug, makeLongerSlug, makeSlug } from '../item/make-slug.ts'

export async function isSlugTaken(db: Queryable<CatalogueDatabase>, slug: string): Promise<boolean> {
  const found = await db.selectFrom('items').select('no').where('slug', '=', slug).executeTakeFirst()
  return found !== undefined
}

/** The slug of a new item: of its name; where that is taken with its first creator, and with the first number that is free. */
export async function freeSlugFor(
  db: Queryable<CatalogueDatabase>,
  item: Pick<Item, 'name' | 'creators'>,
): Promise<string> {
  const short = makeSlug(item.name)
  if (!(await isSlugTaken(db, short))) return short
  const base = makeLongerSlug(item)
  if (!(await isSlugTaken(db, base))) return base
  const { rows } = await sql<{ slug: string }>`
    select slug from items where slug > ${base}::text || '-' and slug < ${base}::text || '-:'`.execute(db)
  const taken = new Set([base, ...rows.map(({ slug }) => slug)])
  return freeSlug(base, (slug) => taken.has(slug))
}
