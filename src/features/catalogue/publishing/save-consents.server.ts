import { sql, type Transaction } from 'kysely'
import { uuidv7 } from 'uuidv7'
import type { CatalogueDatabase } from '../app.ts'
import type { Consent } from './publication-checks.ts'

/** A consent as it is written; without an id it is new. */
export interface WrittenConsent extends Omit<Consent, 'withdrawnAt'> {
  id: string | undefined
  evidence: string
  isWithdrawn: boolean
}

/**
 * Makes the consents of an item these, in this order. The caller holds the catalogue's lock; the database takes a
 * published item off the site whose consents do not hold any longer.
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
  for (const { id, isWithdrawn, validUntil, ...consent } of consents) {
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
      await trx
        .updateTable('consent_records')
        .set({ ...row, ...(isWithdrawn ? {} : { withdrawn_at: null }) })
        .where('id', '=', id)
        .execute()
    }
  }
}

/** Notes that a person has withdrawn their consent. The database restricts the item in the same statement. */
export async function withdrawConsent(trx: Transaction<CatalogueDatabase>, id: string, at: number): Promise<void> {
  await trx
    .updateTable('consent_records')
    .set({ withdrawn_at: new Date(at) })
    .where('id', '=', id)
    .execute()
}
