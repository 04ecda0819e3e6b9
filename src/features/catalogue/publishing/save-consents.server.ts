import { sql, type Transaction } from 'kysely'
import { uuidv7 } from 'uuidv7'
import type { CatalogueDatabase } from '../app.ts'
import type { Consent } from './publication-checks.ts'

export interface WrittenConsent extends Omit<Consent, 'withdrawnAt'> {
  id: string | undefined
  evidence: string
  isWithdrawn: boolean
}

/**
 * Makes the consents of an item these, in this order. The caller holds the catalogue's lock; the database takes a
 * published item off the site whose consents do not hold any longer. Withdrawn consents stay withdrawn.
 */
export async function saveConsents(
  trx: Transaction<CatalogueDatabase>,
  itemId: string,
  consents: readonly WrittenConsent[],
  by: string,
): Promise<void> {
  const kept = consents.flatMap(({ id }) => id ?? [])
  await trx
    .deleteFrom('consent_records')
    .where('item_id', '=', itemId)
    .where(sql<boolean>`id <> all(${kept}::uuid[])`)
    .execute()
  // Two may exchange their names: those that change give theirs up first.
  const named = consents.filter(({ id }) => id !== undefined)
  await trx
    .updateTable('consent_records')
    .set({ pseudonym: sql<string>`id::text` })
    .where('item_id', '=', itemId)
    .where(
      sql<boolean>`(id, pseudonym) not in (
        select * from unnest(${named.map(({ id }) => id)}::uuid[], ${named.map(({ pseudonym }) => pseudonym)}::text[]))`,
    )
    .execute()
  for (const { id, isWithdrawn: _flag, validUntil, ...consent } of consents) {
    const row = {
      pseudonym: consent.pseudonym,
      permits_publication: consent.permitsPublication,
      permits_download: consent.permitsDownload,
      evidence: consent.evidence,
      verified_adult: consent.verifiedAdult,
      valid_until: validUntil === null ? null : new Date(validUntil),
    }
    if (id === undefined) {
      await trx
        .insertInto('consent_records')
        .values({ ...row, id: uuidv7(), item_id: itemId, recorded_by: by })
        .execute()
    } else {
      await trx.updateTable('consent_records').set(row).where('id', '=', id).execute()
    }
  }
}

interface ConsentOfItem {
  id: string
  itemId: string
  /** The version of the item, which the caller has read under the lock. */
  version: number
}

/** Notes that a person has withdrawn their consent. The database restricts the item in the same statement. */
export async function withdrawConsent(
  trx: Transaction<CatalogueDatabase>,
  consent: ConsentOfItem,
  at: number,
): Promise<void> {
  await changeConsent(trx, consent, { withdrawn_at: new Date(at) }, at)
}

/** Notes that a person who had withdrawn their consent has given it anew. The item stays off the site. */
export async function renewConsent(
  trx: Transaction<CatalogueDatabase>,
  consent: ConsentOfItem,
  { evidence, by }: { evidence: string; by: string },
  at: number,
): Promise<void> {
  await changeConsent(trx, consent, { withdrawn_at: null, evidence, recorded_by: by }, at)
}

/** The item takes a new version with it, also one that the database has not restricted: who edits the one before must see it. */
async function changeConsent(
  trx: Transaction<CatalogueDatabase>,
  { id, itemId, version }: ConsentOfItem,
  change: { withdrawn_at: Date | null; evidence?: string; recorded_by?: string },
  at: number,
): Promise<void> {
  await trx.updateTable('consent_records').set(change).where('id', '=', id).execute()
  await trx
    .updateTable('items')
    .set({ version: version + 1, updated_at: new Date(at) })
    .where('id', '=', itemId)
    .where('version', '=', version)
    // The clearance of a published one is for its version.
    .where('status', '<>', 'published')
    .execute()
}
