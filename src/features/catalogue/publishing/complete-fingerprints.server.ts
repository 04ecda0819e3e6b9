import { sql, type Transaction } from 'kysely'
import type { CatalogueApp, CatalogueDatabase } from '../app.ts'
import { fingerprintEdition, fingerprintsOfItem } from '../item/link-fingerprints.server.ts'
import { restrictPublished } from './change-status.server.ts'
import { blockedLinkCode, blockedLinkRefusals } from './publication-checks.ts'
import { lockCatalogue } from './save-items.server.ts'
import { itemOf, storedItems } from './stored-item.server.ts'
import { readBlockedLinks } from './read-gate.server.ts'

/** In one transaction, for which edits wait (docs/spec/performance.md#p19). */
const itemsAtOnce = 100

/**
 * Computes the fingerprints of items whose links were written past this code, or by an earlier edition of it. Runs
 * inside a transaction that holds the catalogue's lock. Items that lapse this minute are left until they are
 * restricted: the database refuses any write to them.
 * @param maxItems so many at the most
 * @returns how many there were
 */
export async function completeFingerprints(trx: Transaction<CatalogueDatabase>, maxItems = Infinity): Promise<number> {
  let total = 0
  for (let last = 0; total < maxItems;) {
    const rows = await storedItems(trx)
      .where('items.no', '>', last)
      .where(
        sql<boolean>`(items.fingerprint_edition is null or items.fingerprint_edition < ${sql.lit(fingerprintEdition)})`,
      )
      .where(sql<boolean>`(items.status <> 'published' or items.lapses_at is null or items.lapses_at > now())`)
      .orderBy('items.no')
      .limit(Math.min(itemsAtOnce, maxItems - total))
      .execute()
    if (rows.length === 0) break
    const items = rows.map((row) => ({ id: row.id, no: row.no, item: itemOf(row) }))
    // A link that was written past this code may be blocked in another spelling.
    const blocked = await readBlockedLinks(trx, items)
    await restrictPublished(
      trx,
      items
        .filter(({ item }) => blockedLinkRefusals(item, blocked).length > 0)
        .map(({ id }) => ({ id, restriction: 'gate', reasons: [blockedLinkCode] })),
    )
    await sql`
      update items i set link_fingerprints = given.fingerprints::bigint[], fingerprint_edition = ${fingerprintEdition}::smallint
        from unnest(${items.map(({ no }) => no)}::int[],
                    ${items.map(({ item }) => `{${fingerprintsOfItem(item).join(',')}}`)}::text[]) as given (no, fingerprints)
       where i.no = given.no`.execute(trx)
    total += rows.length
    last = rows.at(-1)?.no ?? last
  }
  return total
}

/** The same for all items, some hundred in a transaction: other writers have their turn in between. */
export async function completeAllFingerprints({ db }: Pick<CatalogueApp, 'db'>): Promise<void> {
  for (;;) {
    const count = await db.transaction().execute(async (trx) => {
      await lockCatalogue(trx)
      return completeFingerprints(trx, itemsAtOnce)
    })
    if (count < itemsAtOnce) return
  }
}
