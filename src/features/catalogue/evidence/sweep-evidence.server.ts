import { sql } from 'kysely'
import type { CatalogueApp } from '../app.ts'

/** An upload that is under way has no row yet. */
const restMs = 24 * 3_600_000
const filesAtOnce = 500

/**
 * Deletes the files of evidence that no row names: those of deleted items, and of uploads that broke off. It can be
 * repeated, and run beside another: a file is deleted by its id, which is never used again.
 * @returns how many were deleted
 */
export async function sweepEvidence(app: Pick<CatalogueApp, 'db' | 'evidence' | 'log' | 'clock'>): Promise<number> {
  const before = app.clock.now() - restMs
  let deleted = 0
  let batch: string[] = []
  const sweep = async (): Promise<void> => {
    const { rows } = await sql<{ id: string }>`
      select id from unnest(${batch}::text[]) as stored (id)
       where not exists (select from evidence_files where evidence_files.id::text = stored.id)`.execute(app.db)
    for (const { id } of rows) await app.evidence.delete(id)
    deleted += rows.length
    batch = []
  }
  for await (const { id, storedAt } of app.evidence.list()) {
    if (storedAt > before) continue
    batch.push(id)
    if (batch.length === filesAtOnce) await sweep()
  }
  if (batch.length > 0) await sweep()
  if (deleted > 0) app.log.info({ deleted }, 'Files of evidence that belong to nothing any more were deleted.')
  return deleted
}
