import { sql, type Transaction } from 'kysely'
import type { Queryable } from '../../../db/queryable.ts'
import type { CatalogueDatabase } from '../app.ts'
import { foldText } from './name-text.ts'

/** More than any visitor can choose from: a file that reaches it has another column in this place. */
export const maxCategories = 1_000

/** The ids of the categories with these names, by folded name; a name without a category is not in it. */
export async function findCategories(
  db: Queryable<CatalogueDatabase>,
  names: Iterable<string>,
): Promise<Map<string, number>> {
  const folded = [...new Set([...names].map(foldText))]
  const rows = await db
    .selectFrom('categories')
    .select(['id', 'name_folded'])
    .where(sql<boolean>`name_folded = any(${folded}::text[])`)
    .execute()
  return new Map(rows.map(({ id, name_folded }) => [name_folded, id]))
}

export async function listCategoryNames(db: Queryable<CatalogueDatabase>): Promise<string[]> {
  const rows = await db.selectFrom('categories').select('name').orderBy('name_folded').execute()
  return rows.map(({ name }) => name)
}

export async function countCategories(db: Queryable<CatalogueDatabase>): Promise<number> {
  const { count } = await db
    .selectFrom('categories')
    .select(sql<number>`count(*)::int`.as('count'))
    .executeTakeFirstOrThrow()
  return count
}

/**
 * Creates categories that do not exist; the caller holds the catalogue's lock and has looked.
 * @returns their ids by folded name
 */
export async function createCategories(
  trx: Transaction<CatalogueDatabase>,
  names: string[],
): Promise<Map<string, number>> {
  if (names.length === 0) return new Map()
  const rows = await trx
    .insertInto('categories')
    .values(names.map((name) => ({ name, name_folded: foldText(name) })))
    .returning(['id', 'name_folded'])
    .execute()
  return new Map(rows.map(({ id, name_folded }) => [name_folded, id]))
}
