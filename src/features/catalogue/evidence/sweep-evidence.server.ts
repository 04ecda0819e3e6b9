import { isUuid } from '../../../platform/uuid.ts'
import { sql } from 'kysely'
import type { CatalogueApp } from '../app.ts'

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
