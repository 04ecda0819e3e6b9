import { sql } from 'kysely'
import type { CatalogueApp } from '../app.ts'
import { blockingFingerprintsOf, fingerprintsOf } from '../item/link-fingerprints.server.ts'
import { namesOneFile, spellingsOf } from '../item/link-spellings.ts'
import { lockCatalogue } from '../publishing/save-items.server.ts'
import { blockLinks } from './block-links.server.ts'

/** An address that no check has seen for so long is forgotten. */
const targetsRetainedFor = '400 days'

/**
 * Records the target of a link. If the target is blocked, the link is blocked with it, and its items are restricted
 * (docs/spec/publishing.md#redirects).
 * @param address as it is stored
 * @param target the address that has answered at the end of its redirects
 */
export async function recordLinkTarget(
  app: Pick<CatalogueApp, 'db' | 'log'>,
  address: string,
  target: string,
): Promise<void> {
  if (!isAnotherFile(address, target)) {
    await app.db
      .deleteFrom('link_targets')
      .where('digest', '=', sql<string>`md5(${address}::text)`)
      .execute()
    return
  }
  // Known already, and seen by every removal since: that needs no lock.
  const known = await app.db
    .updateTable('link_targets')
    .set({ seen_at: sql<Date>`now()` })
    .where('digest', '=', sql<string>`md5(${address}::text)`)
    .where('leads_to', '=', target)
    .executeTakeFirst()
  if (known.numUpdatedRows > 0n) return
  const fingerprints = fingerprintsOf(target)
  const swept = await app.db.transaction().execute(async (trx) => {
    // A removal at the same moment either sees this target, or is seen below.
    await lockCatalogue(trx)
    await sql`
      insert into link_targets as known (address, leads_to, leads_to_fingerprints)
      values (${address}, ${target}, ${fingerprints}::bigint[])
          on conflict (digest) do update
         set leads_to = excluded.leads_to, leads_to_fingerprints = excluded.leads_to_fingerprints, seen_at = now()`.execute(
      trx,
    )
    const { rows: removals } = await sql<{ id: string }>`
      select distinct removal_id as id from blocked_links where fingerprint = any(${fingerprints}::bigint[])`.execute(
      trx,
    )
    if (removals.length === 0) return []
    const own = blockingFingerprintsOf(address)
    return blockLinks(
      trx,
      removals.map(({ id }) => ({ removalId: id, fingerprints: own })),
      'system',
    )
  })
  if (swept.length > 0)
    app.log.warn(
      { items: swept.map(({ id }) => id) },
      'Items were restricted: a link of theirs leads to what was removed.',
    )
}

export async function deleteOldTargets({ db }: Pick<CatalogueApp, 'db'>): Promise<void> {
  await db
    .deleteFrom('link_targets')
    .where(sql<boolean>`seen_at < now() - ${targetsRetainedFor}::interval`)
    .execute()
}

/** Whether a redirect led from one file's address to another's: not to another spelling of it, nor to a page of a host. */
function isAnotherFile(address: string, target: string): boolean {
  return namesOneFile(target) && spellingsOf(target)[0] !== spellingsOf(address)[0]
}
