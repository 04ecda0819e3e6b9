import { sql } from 'kysely'
import type { Queryable } from '../../../db/queryable.ts'
import type { CatalogueDatabase } from '../app.ts'
import type { ContentType, Region } from '../item/content-type.ts'
import type { Item } from '../item/item.ts'
import type { RightsBasis } from '../item/rights.ts'
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
      'items.name',
      'items.slug',
      'categories.name as category',
      sql<ContentType>`items.content_type`.as('contentType'),
      sql<Region>`items.region`.as('region'),
      'items.post_date',
      // The import format and the gate know no item without its main link.
      sql<string>`coalesce(items.link, '')`.as('link'),
      'items.link2',
      'items.link_g as linkG',
      'items.link_p as linkP',
      'items.link_mv1 as linkMV1',
      'items.link_mv2 as linkMV2',
      'items.link_mv3 as linkMV3',
      'items.link_mv4 as linkMV4',
      'items.rating',
      sql<RightsBasis | null>`items.rights_basis`.as('rightsBasis'),
      'items.rights_holder as rightsHolder',
      'items.rights_licence as licence',
      'items.rights_evidence as evidence',
      'items.permits_download as permitsDownload',
      'items.permits_paid_access as permitsPaidAccess',
      'items.rights_valid_from',
      'items.rights_valid_until',
      'items.people',
      'items.external_id as externalId',
    ])
}

export type StoredRow = Awaited<ReturnType<ReturnType<typeof storedItems>['execute']>>[number]

/** The part of a stored row that an operator writes. */
export function itemOf(row: StoredRow): Item & { slug: string; postDate: number } {
  const {
    id: _id,
    no: _number,
    status: _status,
    restriction: _restriction,
    version: _version,
    created_at: _created,
    updated_at: _updated,
    rights_revoked_at: _revoked,
    rights_attested_by: _attestedBy,
    rights_attested_at: _attestedAt,
    rights_verified_by: _verifiedBy,
    rights_verified_at: _verifiedAt,
    post_date,
    rights_valid_from,
    rights_valid_until,
    ...item
  } = row
  return {
    ...item,
    postDate: post_date.getTime(),
    validFrom: rights_valid_from?.getTime() ?? null,
    validUntil: rights_valid_until?.getTime() ?? null,
  }
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
