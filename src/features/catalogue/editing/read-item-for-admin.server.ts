import { isUuid } from '../../../platform/uuid.ts'
import type { Queryable } from '../../../db/queryable.ts'
import { isoOf } from '../../../platform/time/iso-of.ts'
import { dayOf } from '../../../platform/time/site-time.ts'
import { requireMember, type Viewer } from '../../office/viewer/viewer.ts'
import type { CatalogueApp, CatalogueDatabase } from '../app.ts'
import { lastDayText } from '../item/field-kinds.ts'
import { adminFields, rightsFields } from '../item/fields.ts'
import { answererOf } from '../item/field-answers.ts'
import { type Cells, cellsOf } from '../item/item.ts'
import { type Consent, findRefusals, type ItemHold } from '../publishing/publication-checks.ts'
import { readGate } from '../publishing/read-gate.server.ts'
import { hasSecondPerson } from '../publishing/second-person.ts'
import {
  consentOf,
  itemOf,
  storedItems,
  storedRightsOf,
  type StoredRow,
  readHolds,
} from '../publishing/stored-item.server.ts'
import type { ItemForAdmin } from './content-schema.ts'
import { reasonOf } from './item-body.ts'
import { itemNotFound } from '../item/item-errors.ts'

export interface ItemOfForm {
  row: StoredRow
  cells: Cells
  item: ItemForAdmin
  consents: (Consent & { id: string; evidence: string })[]
  hold: ItemHold | null
}

/**
 * An item of any status as administrators see it.
 * @throws {AppError} `item.not_found`, 404
 */
export async function readItemForAdmin(
  app: Pick<CatalogueApp, 'db' | 'config' | 'clock'>,
  id: string,
  viewer: Viewer,
): Promise<ItemForAdmin> {
  return (await readItemOfForm(app, app.db, id, requireMember(viewer).id)).item
}

/**
 * The same inside of a transaction, with what its writers need.
 * @param by the id of the administrator who reads it
 */
export async function readItemOfForm(
  app: Pick<CatalogueApp, 'config' | 'clock'>,
  db: Queryable<CatalogueDatabase>,
  id: string,
  by: string,
): Promise<ItemOfForm> {
  const row = isUuid(id)
    ? await storedItems(db).select('items.lapses_at').where('items.id', '=', id).executeTakeFirst()
    : undefined
  if (row === undefined) throw itemNotFound()
  const { timeZone } = app.config
  const consents = await db.selectFrom('consent_records').selectAll().where('item_id', '=', id).orderBy('id').execute()
  const files = await db.selectFrom('evidence_files').selectAll().where('item_id', '=', id).orderBy('id').execute()
  const attestedBy = await signatureOf(db, row.rights_attested_by, row.rights_attested_at)
  const item = itemOf(row)
  const cells = cellsOf(item, timeZone)
  const gate = await readGate(app.config, db, [{ item }])
  const hold = (await readHolds(db, [id])).get(id) ?? null
  const candidate = {
    hold,
    item,
    rightsRevokedAt: row.rights_revoked_at?.getTime() ?? null,
    storedRights: storedRightsOf(row),
    hasEvidenceFile: files.some(({ consent_id }) => consent_id === null),
    consents: consents.map((consent) => ({ ...consentOf(consent), id: consent.id, evidence: consent.evidence })),
  }
  return {
    row,
    cells,
    hold,
    consents: candidate.consents,
    item: {
      id: row.id,
      ...answererOf(adminFields, timeZone)(item),
      rights: answererOf(rightsFields, timeZone)(item),
      postDay: dayOf(item.postDate, timeZone),
      createdAt: row.created_at.toISOString(),
      updatedAt: row.updated_at.toISOString(),
      status: row.status,
      restriction: row.restriction,
      heldBy: hold?.kind ?? null,
      version: row.version,
      lapsesAt: isoOf(row.lapses_at),
      attestation: attestedBy === null ? null : { ...attestedBy, isOwn: attestedBy.by === by },
      verification: hasSecondPerson(candidate.storedRights)
        ? await signatureOf(db, row.rights_verified_by, row.rights_verified_at)
        : null,
      requiresSecondPerson: app.config.requiresSecondPerson,
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
      reasons: findRefusals(candidate, gate, app.clock.now()).map(reasonOf),
    },
  }
}

/** The name of the person who attested the rights, and the time; null while nobody has. */
async function signatureOf(
  db: Queryable<CatalogueDatabase>,
  by: string | null,
  at: Date | null,
): Promise<ItemForAdmin['verification']> {
  if (by === null || at === null) return null
  const member = isUuid(by)
    ? await db.selectFrom('users').select('name').where('id', '=', by).executeTakeFirst()
    : undefined
  return { by, name: member?.name ?? null, at: at.toISOString() }
}
