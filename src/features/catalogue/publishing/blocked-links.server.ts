import { sql } from 'kysely'
import type { Queryable } from '../../../db/queryable.ts'
import type { CatalogueDatabase } from '../app.ts'
import { fingerprintsOf, fingerprintsOfItem } from '../item/link-fingerprints.server.ts'
import type { ItemLinks } from '../item/link-slots.ts'
import type { BlockedLinks } from './publication-checks.ts'

/**
 * Which links of these items a removal has blocked, in whatever spelling (docs/spec/publishing.md#removed). Inside a
 * transaction that holds the catalogue's lock it stays so until the commit.
 */
export async function readBlockedLinks(
  db: Queryable<CatalogueDatabase>,
  items: readonly { item: ItemLinks }[],
): Promise<BlockedLinks> {
  // On nearly every site nothing is blocked, and nothing has to be computed.
  const any = await db.selectFrom('blocked_links').select('removal_id').limit(1).execute()
  if (any.length === 0 || items.length === 0) return nothingBlocked
  const fingerprints = new Set(items.flatMap(({ item }) => fingerprintsOfItem(item)))
  const { rows } = await sql<{ fingerprint: string }>`
    select distinct fingerprint::text as fingerprint from blocked_links
     where fingerprint = any(${[...fingerprints]}::bigint[])`.execute(db)
  if (rows.length === 0) return nothingBlocked
  const blocked = new Set(rows.map(({ fingerprint }) => fingerprint))
  return { has: (address) => fingerprintsOf(address).some((fingerprint) => blocked.has(fingerprint)) }
}

const nothingBlocked: BlockedLinks = { has: () => false }
