import { type Selectable, sql, type ExpressionBuilder, type ExpressionWrapper, type SqlBool } from 'kysely'
import type { Queryable } from '../../../db/queryable.ts'
import type { CatalogueDatabase } from '../app.ts'
import { columnsOf, fieldNames, storedFields, valuesIn } from '../item/fields.ts'
import type { Item } from '../item/item.ts'
import type { Candidate, Consent, ItemHold } from './publication-checks.ts'
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

export function itemOf(row: StoredRow): Item & { slug: string; postDate: number } {
  return valuesIn(row, fieldNames) as Item & { slug: string; postDate: number }
}

export function storedRightsOf(row: StoredRow): StoredRights {
  return { item: itemOf(row), attestedBy: row.rights_attested_by, verifiedBy: row.rights_verified_by }
}

export interface StoredCandidate extends Candidate {
  item: Item & { slug: string; postDate: number }
  storedRights: StoredRights
}

export async function candidatesOf(
  db: Queryable<CatalogueDatabase>,
  rows: readonly StoredRow[],
): Promise<Map<string, StoredCandidate>> {
  if (rows.length === 0) return new Map()
  const ids = rows.map(({ id }) => id)
  const stored = await db
    .selectFrom('consent_records')
    .selectAll()
    .where(sql<boolean>`item_id = any(${ids}::uuid[])`)
    .execute()
  const consents = Map.groupBy(stored, ({ item_id }) => item_id)
  const holds = await readHolds(db, ids)
  return new Map(
    rows.map((row) => [
      row.id,
      {
        item: itemOf(row),
        rightsRevokedAt: row.rights_revoked_at?.getTime() ?? null,
        storedRights: storedRightsOf(row),
        consents: (consents.get(row.id) ?? []).map(consentOf),
        hold: holds.get(row.id) ?? null,
      },
    ]),
  )
}

export function consentOf(row: Selectable<CatalogueDatabase['consent_records']>): Consent {
  return {
    pseudonym: row.pseudonym,
    permitsPublication: row.permits_publication,
    permitsDownload: row.permits_download,
    verifiedAdult: row.verified_adult,
    validUntil: row.valid_until?.getTime() ?? null,
    withdrawnAt: row.withdrawn_at?.getTime() ?? null,
  }
}

/** The hold on each of these items now; items without one are missing. */
export async function readHolds(
  db: Queryable<CatalogueDatabase>,
  itemIds: readonly string[],
): Promise<Map<string, ItemHold>> {
  if (itemIds.length === 0) return new Map()
  const { rows } = await sql<ItemHold & { itemId: string }>`
    select item_id as "itemId", max(kind) as kind, bool_or(hides) as hides
      from item_holds where released_at is null and item_id = any(${itemIds}::uuid[])
     group by item_id`.execute(db)
  return new Map(rows.map(({ itemId, ...hold }) => [itemId, hold]))
}

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
