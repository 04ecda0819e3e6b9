import { type Kysely, sql, type Transaction } from 'kysely'
import type { Database } from '../../db/schema.ts'
import { foldText } from './name-text.ts'

/** More than any visitor can choose from: whoever reaches it has put another column into this one. */
export const mostCategories = 1_000

/** The ids of the categories with these names, by folded name; a name without a category is not in it. */
export async function findCategories(db: Kysely<Database>, names: Iterable<string>): Promise<Map<string, number>> {
  const folded = [...new Set([...names].map(foldText))]
  const rows = await db
    .selectFrom('categories')
    .select(['id', 'name_folded'])
    .where(sql<boolean>`name_folded = any(${folded}::text[])`)
    .execute()
  return new Map(rows.map(({ id, name_folded }) => [name_folded, id]))
}

export async function countCategories(db: Kysely<Database>): Promise<number> {
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
export async function createCategories(trx: Transaction<Database>, names: string[]): Promise<Map<string, number>> {
  if (names.length === 0) return new Map()
  const rows = await trx
    .insertInto('categories')
    .values(names.map((name) => ({ name, name_folded: foldText(name) })))
    .returning(['id', 'name_folded'])
    .execute()
  return new Map(rows.map(({ id, name_folded }) => [name_folded, id]))
}
