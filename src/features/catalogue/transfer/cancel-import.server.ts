import { sql } from 'kysely'
import { recordAuditEvent } from '../../office/audit/record-audit-event.server.ts'
import { requireMember, type Viewer } from '../../office/viewer/viewer.ts'
import type { CatalogueApp } from '../app.ts'
import { endRun } from '../../office/runs/begin-run.server.ts'
import { catalogueRuns } from '../catalogue-runs.ts'
import { checksOf } from '../publishing/publication-checks.ts'
import { noSuchImport } from './start-import.server.ts'

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
