import { isUuid } from '../../../platform/uuid.ts'
import { createHash } from 'node:crypto'
import { uuidv7 } from 'uuidv7'
import { namesGoneRow } from '../../../db/names-gone-row.ts'
import { defineError } from '../../../platform/errors.ts'
import { recordAuditEvent } from '../../office/audit/record-audit-event.server.ts'
import { requireMember, type Viewer } from '../../office/viewer/viewer.ts'
import type { CatalogueApp } from '../app.ts'
import { storeFailure } from './evidence-failures.ts'
import { evidenceMedia } from './evidence-media.ts'
import { consentNotFound, itemNotFound } from '../item/item-errors.ts'
import { sql } from 'kysely'

interface GivenFile {
  itemId: string
  /** Undefined: it proves the rights. */
  consentId: string | undefined
  fileName: string
  mediaType: string
  pieces: AsyncIterable<Buffer>
}

/**
 * Stores a file that proves the rights of an item, or the consent of a person it shows. The file comes first, its row after.
 * Before both it is recorded as one that nothing needs: what breaks in between is swept away.
 * @returns its id
 * @throws {AppError} `evidence.media_type`, 415; `evidence.empty`, 422; `item.not_found` and `item.consent_not_found`, 404;
 *   `evidence.store`, `disk.full`, 503
 */
export async function storeEvidence(
  app: Pick<CatalogueApp, 'db' | 'evidence' | 'log' | 'clock' | 'diskSpace' | 'config'>,
  viewer: Viewer,
  { itemId, consentId, fileName, mediaType, pieces }: GivenFile,
): Promise<string> {
  const { id: by } = requireMember(viewer)
  if (evidenceMedia[mediaType] === undefined) {
    const allowed = Object.values(evidenceMedia).flat().join(', ')
    throw badEvidenceType(allowed)
  }
  await assertBelongs(app, itemId, consentId)

  const digest = createHash('sha256')
  const kept: Buffer[] = []
  for await (const piece of pieces) {
    digest.update(piece)
    kept.push(piece)
  }
  const bytes = Buffer.concat(kept)
  if (bytes.length === 0) throw emptyEvidence()
  const sha256 = digest.digest('hex')

  if (app.config.evidenceUrl === undefined) await app.diskSpace.refuseFileWhenFull()
  const id = uuidv7()
  await app.db
    .insertInto('unneeded_evidence')
    .values({ id, recorded_at: new Date(app.clock.now()) })
    .execute()
  try {
    await app.evidence.put(id, bytes)
    await app.db.transaction().execute(async (trx) => {
      const deleted = await trx.deleteFrom('unneeded_evidence').where('id', '=', id).executeTakeFirstOrThrow()
      // So late that it was swept away.
      if (deleted.numDeletedRows === 0n) throw storeFailure('took too long')
      await trx
        .insertInto('evidence_files')
        .values({
          id,
          item_id: itemId,
          consent_id: consentId ?? null,
          file_name: fileName,
          media_type: mediaType,
          byte_size: bytes.length,
          sha256,
          stored_by: by,
        })
        .execute()
      const { name } = await trx.selectFrom('items').select('name').where('id', '=', itemId).executeTakeFirstOrThrow()
      await recordAuditEvent(trx, {
        action: 'evidence.stored',
        by: { memberId: by },
        subject: { kind: 'item', id: itemId },
        details: {
          name,
          file: id,
          mediaType,
          byteSize: bytes.length,
          sha256,
          ...(consentId === undefined ? {} : { consentId }),
        },
      })
    })
  } catch (error) {
    await withdraw(app, id).catch((cause: unknown) =>
      app.log.warn({ err: cause }, 'A file of evidence stays until the sweep.'),
    )
    // The item or the consent was deleted meanwhile.
    if (namesGoneRow(error)) throw itemNotFound()
    throw error
  }
  return id
}

async function withdraw({ db, evidence }: Pick<CatalogueApp, 'db' | 'evidence'>, id: string): Promise<void> {
  await evidence.delete(id)
  await db.deleteFrom('unneeded_evidence').where('id', '=', id).execute()
}

async function assertBelongs(
  { db }: Pick<CatalogueApp, 'db'>,
  itemId: string,
  consentId: string | undefined,
): Promise<void> {
  const item = isUuid(itemId)
    ? await db.selectFrom('items').select('no').where('id', '=', itemId).executeTakeFirst()
    : undefined
  if (item === undefined) throw itemNotFound()
  if (consentId === undefined) return
  const consent = await db
    .selectFrom('consent_records')
    .select('id')
    .where('id', '=', consentId)
    .where('item_id', '=', itemId)
    .executeTakeFirst()
  if (consent === undefined) throw consentNotFound()
}

export const badEvidenceType = defineError({
  code: 'evidence.media_type',
  status: 415,
  sentence: (allowed: string) => `Files of this kind are not kept as evidence. Allowed: ${allowed}.`,
  remedy: 'Send a file of one of these kinds, and its kind in the header content-type.',
})

export const emptyEvidence = defineError({
  code: 'evidence.empty',
  status: 422,
  sentence: 'The file is empty.',
  remedy: 'Send the bytes of the file as the body.',
})

/** An upload that is under way is recorded already. */
const restMs = 24 * 3_600_000
const filesAtOnce = 500

/**
 * Deletes the files of evidence that belong to nothing: those of deleted items and consents, and of interrupted uploads
 * (docs/spec/publishing.md#evidence-files). Unknown files are never touched: after a restore one may be the only proof
 * of a right. It can be repeated and run concurrently: an id is never used again.
 * @returns how many were deleted
 */
export async function sweepEvidence(app: Pick<CatalogueApp, 'db' | 'evidence' | 'log' | 'clock'>): Promise<number> {
  const before = new Date(app.clock.now() - restMs)
  let deleted = 0
  for (;;) {
    const unneeded = await app.db
      .selectFrom('unneeded_evidence')
      .select('id')
      .where('recorded_at', '<', before)
      .where(({ not, exists, selectFrom }) =>
        not(exists(selectFrom('evidence_files').whereRef('evidence_files.id', '=', 'unneeded_evidence.id'))),
      )
      .limit(filesAtOnce)
      .execute()
    if (unneeded.length === 0) break
    for (const { id } of unneeded) {
      // The file first: what is cut off in between is done again.
      await app.evidence.delete(id)
      await app.db.deleteFrom('unneeded_evidence').where('id', '=', id).execute()
    }
    deleted += unneeded.length
  }
  if (deleted > 0) app.log.info({ deleted }, 'Files of evidence that belong to nothing any more were deleted.')
  await reportUnknown(app)
  return deleted
}

/** Names that are no ids are not ours, and nobody asks about them. */
async function reportUnknown(app: Pick<CatalogueApp, 'db' | 'evidence' | 'log'>): Promise<void> {
  let count = 0
  let first: string | undefined
  let batch: string[] = []
  const look = async (): Promise<void> => {
    const { rows } = await sql<{ id: string }>`
      select id from unnest(${batch}::uuid[]) as stored (id)
       where not exists (select from evidence_files where evidence_files.id = stored.id)
         and not exists (select from unneeded_evidence where unneeded_evidence.id = stored.id)`.execute(app.db)
    count += rows.length
    first ??= rows[0]?.id
    batch = []
  }
  for await (const id of app.evidence.list()) {
    if (!isUuid(id)) continue
    batch.push(id)
    if (batch.length === filesAtOnce) await look()
  }
  if (batch.length > 0) await look()
  if (count > 0)
    app.log.warn({ count, first }, 'Files of evidence that the database does not know were found. They are kept.')
}
