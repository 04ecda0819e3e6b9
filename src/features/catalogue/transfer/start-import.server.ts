import { type Transaction, sql } from 'kysely'
import { type Viewer, requireMember } from '../../office/viewer/viewer.ts'
import { defineError } from '../../../platform/errors.ts'
import type { CatalogueApp, CatalogueDatabase } from '../app.ts'
import { catalogueRuns } from '../catalogue-runs.ts'
import { beginRun, endRun } from '../../office/runs/begin-run.server.ts'
import { fileIsGone } from './pieces-of-import.server.ts'
import { recordAuditEvent } from '../../office/audit/record-audit-event.server.ts'
import { checksOf } from '../publishing/publication-checks.ts'

interface Beginning {
  kind: 'check' | 'import'
  publish: boolean
  createCategories: boolean
}

/**
 * Begins to check an uploaded file, or to import it.
 * @throws {AppError} `import.not_found`, `import.gone` when its file is deleted, `run.underway` while it is worked on
 */
export async function startImport(
  app: Pick<CatalogueApp, 'db' | 'jobs'>,
  viewer: Viewer,
  id: string,
  beginning: Beginning,
): Promise<void> {
  await app.db.transaction().execute((trx) => beginImport(app, trx, viewer, id, beginning))
}

/**
 * The same in a transaction of the caller.
 * @throws {AppError} as `startImport`
 */
export async function beginImport(
  app: Pick<CatalogueApp, 'jobs'>,
  trx: Transaction<CatalogueDatabase>,
  viewer: Viewer,
  id: string,
  { kind, publish, createCategories }: Beginning,
): Promise<void> {
  const known = await trx.selectFrom('imports').select('id').where('id', '=', id).forUpdate().executeTakeFirst()
  if (known === undefined) throw noSuchImport()
  const file = await trx.selectFrom('import_pieces').select('place').where('import_id', '=', id).limit(1).execute()
  if (file.length === 0) throw fileIsGone()
  await beginRun(app, trx, catalogueRuns, { subjectId: id, kind: kind === 'check' ? 'import_check' : 'import', viewer })
  await trx.deleteFrom('import_problems').where('import_id', '=', id).execute()
  await trx
    .updateTable('imports')
    .set({
      state: kind === 'check' ? 'checking' : 'importing',
      publishes: publish,
      creates_categories: createCategories,
      rows_done: 0,
      bytes_done: 0,
      tally: null,
      problem_count: 0,
      was_checked: false,
      failure: null,
      ended_at: null,
    })
    .where('id', '=', id)
    .execute()
}

export const noSuchImport = defineError({
  code: 'import.not_found',
  status: 404,
  sentence: 'There is no such import.',
  remedy: 'Take the id from the list of imports.',
})

/**
 * Stops a check or an import after the step under way, or gives an uploaded file up. Rows that are in stay in. After a
 * check the file waits again; otherwise it is deleted. A failed import stays failed.
 * @throws {AppError} `import.not_found`
 */
export async function cancelImport(app: Pick<CatalogueApp, 'db'>, viewer: Viewer, id: string): Promise<void> {
  await app.db.transaction().execute(async (trx) => {
    // The run first: a step holds it until its commit, and takes the import after it.
    await endRun(trx, catalogueRuns, { subjectId: id, kinds: ['import_check', 'import'] })
    const known = await trx
      .selectFrom('imports')
      .select(['state', 'tally', 'file_name'])
      .where('id', '=', id)
      .forUpdate()
      .executeTakeFirst()
    if (known === undefined) throw noSuchImport()
    if (known.state === 'done' || known.state === 'cancelled') return
    if (known.state === 'checking') {
      await trx.updateTable('imports').set({ state: 'waiting', tally: null }).where('id', '=', id).execute()
      return
    }
    await trx
      .updateTable('imports')
      .set({ state: 'cancelled', ended_at: sql<Date>`now()` })
      .where('id', '=', id)
      .where('state', '<>', 'failed')
      .execute()
    await trx.deleteFrom('import_pieces').where('import_id', '=', id).execute()
    if (known.state !== 'importing') return
    await recordAuditEvent(trx, {
      action: 'items.imported',
      by: { memberId: requireMember(viewer).id },
      subject: { kind: 'import', id },
      details: {
        file: known.file_name,
        outcome: 'cancelled',
        ...known.tally,
        ...checksOf(known.tally?.['published'] ?? 0),
      },
    })
  })
}
