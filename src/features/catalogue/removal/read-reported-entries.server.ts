import { sql } from 'kysely'
import type { Queryable } from '../../../db/queryable.ts'
import type { CatalogueDatabase } from '../app.ts'
import { linkSlots } from '../item/link-slots.ts'
import { pathOfAnyItem } from '../item/vip-page.ts'
import { itemOf, storedItems } from '../publishing/stored-item.server.ts'
import { isUuid } from '../../../platform/uuid.ts'

/** An item as a notice keeps it, with its direct links: for the desk alone. */
export interface ReportedEntryData {
  id: string
  name: string
  slug: string
  path: string
  category: string
  contentType: string
  status: 'draft' | 'published' | 'restricted' | 'removed'
  version: number
  /** Instant, ISO 8601. */
  postDate: string
  links: { slot: string; address: string }[]
  rights: {
    basis: string | null
    holder: string | null
    licence: string | null
    evidence: string | null
    /** The name of the member, else what was noted in its place. */
    attestedBy: string | null
  }
  people: string | null
}

/** Items of any status, as they are now, by their ids; one that does not exist is missing. */
export async function readReportedEntries(
  db: Queryable<CatalogueDatabase>,
  ids: readonly string[],
): Promise<Map<string, ReportedEntryData>> {
  if (ids.length === 0) return new Map()
  const rows = await storedItems(db)
    .where(sql<boolean>`items.id = any(${ids}::uuid[])`)
    .execute()
  const signers = rows.flatMap(({ rights_attested_by: by }) => (by !== null && isUuid(by) ? [by] : []))
  const members =
    signers.length === 0 ? [] : await db.selectFrom('users').select(['id', 'name']).where('id', 'in', signers).execute()
  const names = new Map(members.map(({ id, name }) => [id, name]))
  return new Map(
    rows.map((row) => {
      const item = itemOf(row)
      const { rights_attested_by: by } = row
      return [
        row.id,
        {
          id: row.id,
          name: item.name,
          slug: item.slug,
          path: pathOfAnyItem(item),
          category: item.category,
          contentType: item.contentType,
          status: row.status,
          version: row.version,
          postDate: row.postDate.toISOString(),
          links: linkSlots.flatMap((slot) => {
            const address = item[slot]
            return address === null || address === '' ? [] : [{ slot, address }]
          }),
          rights: {
            basis: item.rightsBasis,
            holder: item.rightsHolder,
            licence: item.licence,
            evidence: item.evidence,
            attestedBy: by === null ? null : (names.get(by) ?? by),
          },
          people: item.people,
        },
      ]
    }),
  )
}
