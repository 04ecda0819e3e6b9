import { type ExpressionBuilder, type ExpressionWrapper, type SqlBool, sql } from 'kysely'
import type { Queryable } from '../../../db/queryable.ts'
import type { CatalogueDatabase } from '../app.ts'
import { candidatesOf, type StoredCandidate, storedItems } from './stored-item.server.ts'

export interface ChangeableItem extends StoredCandidate {
  id: string
  no: number
  version: number
  slug: string
  status: 'draft' | 'published' | 'restricted' | 'removed'
  /** Why it is restricted; null for one that a person restricted. */
  restriction: 'rights_lapsed' | 'consent' | 'gate' | 'notice' | null
  categoryId: number
  importDigest: string | null
}

type Where = (
  where: ExpressionBuilder<CatalogueDatabase, 'items' | 'categories'>,
) => ExpressionWrapper<CatalogueDatabase, 'items' | 'categories', SqlBool>

/** The items of which something is true, in the order they were added. */
export async function readChangeableItems(
  db: Queryable<CatalogueDatabase>,
  where: Where,
  limit: number,
): Promise<ChangeableItem[]> {
  const rows = await storedItems(db)
    .select(['items.category_id as categoryId', 'items.import_digest as importDigest'])
    .where(where)
    .orderBy('items.no')
    .limit(sql.lit(limit))
    .execute()
  const candidates = await candidatesOf(db, rows)
  return rows.map(({ id, no, version, slug, status, restriction, categoryId, importDigest }) => ({
    ...(candidates.get(id) as StoredCandidate),
    id,
    no,
    version,
    slug,
    status,
    restriction,
    categoryId,
    importDigest,
  }))
}

/** Whether a person or a notice restricted it: that is lifted only where it was made. */
export function isRestrictedByPeople({ status, restriction }: Pick<ChangeableItem, 'status' | 'restriction'>): boolean {
  return status === 'restricted' && (restriction === null || restriction === 'notice')
}
