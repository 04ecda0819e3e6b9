import { type ExpressionBuilder, type ExpressionWrapper, type SqlBool, sql } from 'kysely'
import type { Queryable } from '../../../db/queryable.ts'
import type { CatalogueDatabase } from '../app.ts'
import type { Item } from '../item/item.ts'
import type { Consent, ItemHold } from './publication-checks.ts'
import type { StoredRights } from './second-person.ts'
import { readHolds } from './standing-holds.server.ts'
import { consentsOf, itemOf, storedItems, storedRightsOf } from './stored-item.server.ts'

/** A stored item with everything that a change of it, and the gate, have to know. */
export interface ChangeableItem {
  id: string
  no: number
  version: number
  slug: string
  status: 'draft' | 'published' | 'restricted' | 'removed'
  /** Why it is restricted; null for one that a person restricted. */
  restriction: 'rights_lapsed' | 'consent' | 'gate' | 'notice' | null
  categoryId: number
  importDigest: string | null
  item: Item & { slug: string; postDate: number }
  rightsRevokedAt: number | null
  storedRights: StoredRights
  consents: Consent[]
  hold: ItemHold | null
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
  const ids = rows.map(({ id }) => id)
  const consents = await consentsOf(db, ids)
  const holds = await readHolds(db, ids)
  return rows.map(({ categoryId, importDigest, ...row }) => ({
    id: row.id,
    no: row.no,
    version: row.version,
    slug: row.slug,
    status: row.status,
    restriction: row.restriction,
    categoryId,
    importDigest,
    item: itemOf(row),
    rightsRevokedAt: row.rights_revoked_at?.getTime() ?? null,
    storedRights: storedRightsOf(row),
    consents: consents.get(row.id) ?? [],
    hold: holds.get(row.id) ?? null,
  }))
}

/** Whether a person or a notice restricted it: that is lifted only where it was made. */
export function isRestrictedByPeople({ status, restriction }: Pick<ChangeableItem, 'status' | 'restriction'>): boolean {
  return status === 'restricted' && (restriction === null || restriction === 'notice')
}
