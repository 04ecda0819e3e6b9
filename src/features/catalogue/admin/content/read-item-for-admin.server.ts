import type { Queryable } from '../../../../db/queryable.ts'
import { AppError } from '../../../../platform/errors.ts'
import { isoOf } from '../../../../platform/time/iso-of.ts'
import { dayOf } from '../../../../platform/time/site-time.ts'
import type { CatalogueApp, CatalogueDatabase } from '../../app.ts'
import { type Cells, cellsOf, lastDayText } from '../../item/item-cells.ts'
import { isItemId } from '../../item/item-id.ts'
import { type Consent, findRefusals } from '../../publishing/publication-checks.ts'
import { readProhibitedTerms } from '../../publishing/read-prohibited-terms.server.ts'
import { itemOf, storedItems, type StoredRow } from '../../publishing/stored-item.server.ts'
import type { ItemForAdmin } from './content-schema.ts'
import { reasonOf } from './item-body.ts'

/** An item of any status, with everything that its form shows. */
export interface ItemOfForm {
  row: StoredRow
  cells: Cells
  item: ItemForAdmin
  /** Its consents as they are stored. */
  consents: (Consent & { id: string; evidence: string })[]
}

/**
 * An item of any status as administrators see it.
 * @throws {AppError} `item.not_found`, 404
 */
export async function readItemForAdmin(
  app: Pick<CatalogueApp, 'db' | 'config' | 'clock'>,
  id: string,
): Promise<ItemForAdmin> {
  return (await readItemOfForm(app, app.db, id)).item
}

/** The same inside of a transaction, with what its writers need. */
export async function readItemOfForm(
  app: Pick<CatalogueApp, 'config' | 'clock'>,
  db: Queryable<CatalogueDatabase>,
  id: string,
): Promise<ItemOfForm> {
  const row = isItemId(id)
    ? await storedItems(db).select('items.lapses_at').where('items.id', '=', id).executeTakeFirst()
    : undefined
  if (row === undefined) throw itemNotFound()
  const { timeZone } = app.config
  const [consents, files, terms] = [
    await db.selectFrom('consent_records').selectAll().where('item_id', '=', id).orderBy('id').execute(),
    await db.selectFrom('evidence_files').selectAll().where('item_id', '=', id).orderBy('id').execute(),
    await readProhibitedTerms(db),
  ]
  const item = itemOf(row)
  const cells = cellsOf(item, timeZone)
  const candidate = {
    item,
    rightsRevokedAt: row.rights_revoked_at?.getTime() ?? null,
    consents: consents.map((consent): ItemOfForm['consents'][number] => ({
      id: consent.id,
      evidence: consent.evidence,
      pseudonym: consent.pseudonym,
      permitsPublication: consent.permits_publication,
      permitsDownload: consent.permits_download,
      verifiedAdult: consent.verified_adult,
      validUntil: consent.valid_until?.getTime() ?? null,
      withdrawnAt: consent.withdrawn_at?.getTime() ?? null,
    })),
  }
  const { name, slug, category, contentType, region, link, link2, linkG, linkP, linkMV1, linkMV2, linkMV3, linkMV4 } =
    item
  return {
    row,
    cells,
    consents: candidate.consents,
    item: {
      id: row.id,
      name,
      slug,
      category,
      contentType,
      region,
      postDate: row.post_date.toISOString(),
      postDay: dayOf(item.postDate, timeZone),
      createdAt: row.created_at.toISOString(),
      updatedAt: row.updated_at.toISOString(),
      rating: item.rating,
      status: row.status,
      restriction: row.restriction,
      version: row.version,
      lapsesAt: isoOf(row.lapses_at),
      link: link === '' ? null : link,
      link2,
      linkG,
      linkP,
      linkMV1,
      linkMV2,
      linkMV3,
      linkMV4,
      rights: {
        basis: item.rightsBasis,
        holder: item.rightsHolder,
        licence: item.licence,
        evidence: item.evidence,
        permitsDownload: item.permitsDownload,
        permitsPaidAccess: item.permitsPaidAccess,
        validFrom: textOrNull(cells.validFrom),
        validTo: textOrNull(cells.validTo),
      },
      people: item.people,
      consents: consents.map((consent) => ({
        id: consent.id,
        pseudonym: consent.pseudonym,
        permitsPublication: consent.permits_publication,
        permitsDownload: consent.permits_download,
        evidence: consent.evidence,
        verifiedAdult: consent.verified_adult,
        validTo: lastDayText(consent.valid_until?.getTime() ?? null, timeZone),
        withdrawnAt: isoOf(consent.withdrawn_at),
      })),
      evidenceFiles: files.map((file) => ({
        id: file.id,
        consentId: file.consent_id,
        fileName: file.file_name,
        mediaType: file.media_type,
        byteSize: Number(file.byte_size),
        sha256: file.sha256,
        storedAt: file.stored_at.toISOString(),
      })),
      reasons: findRefusals(candidate, terms, app.clock.now(), timeZone).map(reasonOf),
    },
  }
}

export function itemNotFound(): AppError {
  return new AppError({ code: 'item.not_found', status: 404, message: 'There is no such item, or it was deleted.' })
}

function textOrNull(cell: Cells[keyof Cells]): string | null {
  return typeof cell === 'string' ? cell : null
}
