import { sql } from 'kysely'
import type { Queryable } from '../../../db/queryable.ts'
import type { CatalogueDatabase } from '../app.ts'
import { columnsOf, fieldNames, storedFields, valuesIn } from '../item/fields.ts'
import type { Item } from '../item/item.ts'
import type { Consent } from './publication-checks.ts'
import type { StoredRights } from './second-person.ts'

/** Items of every status as their operator wrote them, for import and export: not for visitors. */
export function storedItems(db: Queryable<CatalogueDatabase>) {
  return db
    .selectFrom('items')
    .innerJoin('categories', 'categories.id', 'items.category_id')
    .select([
      'items.id',
      'items.no',
      'items.status',
      'items.restriction',
      'items.version',
      'items.created_at',
      'items.updated_at',
      'items.rights_revoked_at',
      'items.rights_attested_by',
      'items.rights_attested_at',
      'items.rights_verified_by',
      'items.rights_verified_at',
      'categories.name as category',
      ...columnsOf(storedFields),
    ])
}

export type StoredRow = Awaited<ReturnType<ReturnType<typeof storedItems>['execute']>>[number]

/** The part of a stored row that an operator writes. */
export function itemOf(row: StoredRow): Item & { slug: string; postDate: number } {
  return valuesIn(row, fieldNames) as Item & { slug: string; postDate: number }
}

/** The rights of a stored row as the gate compares them. */
export function storedRightsOf(row: StoredRow): StoredRights {
  return { item: itemOf(row), attestedBy: row.rights_attested_by, verifiedBy: row.rights_verified_by }
}

/** The consents recorded for each of these items. */
export async function consentsOf(db: Queryable<CatalogueDatabase>, itemIds: string[]): Promise<Map<string, Consent[]>> {
  if (itemIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('consent_records')
    .selectAll()
    .where(sql<boolean>`item_id = any(${itemIds}::uuid[])`)
    .execute()
  return Map.groupBy(
    rows.map((row) => ({
      itemId: row.item_id,
      pseudonym: row.pseudonym,
      permitsPublication: row.permits_publication,
      permitsDownload: row.permits_download,
      verifiedAdult: row.verified_adult,
      validUntil: row.valid_until?.getTime() ?? null,
      withdrawnAt: row.withdrawn_at?.getTime() ?? null,
    })),
    ({ itemId }) => itemId,
  )
}
