import { sql, type Transaction } from 'kysely'
import { recordAuditEvent } from '../../office/audit/record-audit-event.server.ts'
import type { CatalogueApp, CatalogueDatabase } from '../app.ts'
import { checksOf } from '../publishing/publication-checks.ts'
import { recomputeMonths } from '../publishing/recompute-months.server.ts'
import { restrictLapsedItems } from '../publishing/restrict-lapsed-items.server.ts'
import { tidyAfter } from '../publishing/tidy-after.server.ts'
import type { HeldRun, RunSteps } from '../../office/runs/work-on-run.server.ts'
import { type ImportRow, readImportFile } from './import-file.server.ts'
import { type BatchOutcome, importBatch, inBatches, recallBatch } from './import-items.server.ts'
import { noRows, openImportRun } from './open-import-run.server.ts'
import type { ImportTally } from './import-schema.ts'
import { readPieces } from './pieces-of-import.server.ts'

/**
 * Rows that are written in one transaction. Fewer than on the command line: edits of other administrators wait for it
 * (docs/spec/performance.md#p19).
 */
export const rowsInStep = 250

/**
 * An uploaded file, batch by batch. How far it is, its counts and its problems are written in the transaction of the rows, so
 * none is lost and none is counted twice, wherever the process is killed.
 */
export const importSteps: RunSteps<CatalogueApp> = {
  async *open(app, held) {
    const imported = await app.db
      .selectFrom('imports')
      .selectAll()
      .where('id', '=', held.subjectId)
      .executeTakeFirstOrThrow()
    const dryRun = imported.state === 'checking'
    if (!dryRun) {
      await restrictLapsedItems(app)
      await recomputeMonths(app)
    }
    const options = { publish: imported.publishes, createCategories: imported.creates_categories, dryRun }
    const run = openImportRun(app, options, held.begunBy)
    const file = await readImportFile(readPieces(app, held.subjectId), { path: imported.file_name })
    const before = { ...noRows(), ...imported.tally }
    run.tally = { ...before }
    let read = 0
    for await (const rows of inBatches(run, file.rows, rowsInStep)) {
      const known = Math.max(0, Math.min(rows.length, held.position - read))
      if (known > 0) await recallBatch(app, run, rows.slice(0, known))
      const rest = rows.slice(known)
      if (rest.length > 0) {
        const first = read
        await importBatch(app, run, rest, (trx, outcome) =>
          noteRows(trx, held, {
            outcome,
            tally: sumOf(run.tally, outcome.tally),
            problemsBefore: run.tally.rejected + run.tally.held,
            // A batch that the database refuses comes in halves.
            position: first + rows.indexOf(outcome.rows.at(-1) as ImportRow) + 1,
            bytesDone: Math.min(file.bytesRead(), Number(imported.byte_size)),
          }),
        )
        yield
      }
      read += rows.length
    }
    if (!dryRun) await tidyAfter(app.db, run.tally.created + run.tally.updated)
    await finish(app, held, { dryRun, tally: run.tally })
  },

  async fail(trx, { subjectId: id, begunBy }, sentence) {
    const before = await trx
      .selectFrom('imports')
      .select(['state', 'file_name', 'tally'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    await trx
      .updateTable('imports')
      .set({ state: 'failed', failure: sentence, ended_at: sql<Date>`now()` })
      .where('id', '=', id)
      .execute()
    if (before.state !== 'importing') return
    await recordAuditEvent(trx, {
      action: 'items.imported',
      by: { memberId: begunBy },
      subject: { kind: 'import', id },
      details: {
        file: before.file_name,
        outcome: 'failed',
        ...before.tally,
        ...checksOf(before.tally?.['published'] ?? 0),
      },
    })
  },
}

function sumOf(a: ImportTally, b: ImportTally): ImportTally {
  const sum = noRows()
  for (const key of Object.keys(sum) as (keyof ImportTally)[]) sum[key] = a[key] + b[key]
  return sum
}

async function noteRows(
  trx: Transaction<CatalogueDatabase>,
  held: HeldRun,
  {
    outcome: { rejected },
    tally,
    problemsBefore,
    position,
    bytesDone,
  }: { outcome: BatchOutcome; tally: ImportTally; problemsBefore: number; position: number; bytesDone: number },
): Promise<void> {
  await held.advance(trx, position)
  if (rejected.length > 0) {
    await trx
      .insertInto('import_problems')
      .values(
        rejected.map(({ row, reasons, columns }, i) => ({
          import_id: held.subjectId,
          place: problemsBefore + i,
          line: row.line,
          reasons: JSON.stringify(reasons.map((reason, j) => [columns[j] ?? null, storable(reason)])),
          cells: JSON.stringify(
            Object.fromEntries(Object.entries(row.cells).map(([column, text]) => [storable(column), storable(text)])),
          ),
        })),
      )
      .execute()
  }
  await trx
    .updateTable('imports')
    .set({
      rows_done: position,
      bytes_done: bytesDone,
      tally: JSON.stringify(tally),
      problem_count: problemsBefore + rejected.length,
    })
    .where('id', '=', held.subjectId)
    .execute()
}

/** A file may hold what is no text to the database. The sign in its place is refused too when the row comes again. */
function storable(text: string): string {
  return text.toWellFormed().replaceAll('\0', '\ufffd')
}

async function finish(
  app: CatalogueApp,
  held: HeldRun,
  { dryRun, tally }: { dryRun: boolean; tally: ImportTally },
): Promise<void> {
  const id = held.subjectId
  await app.db.transaction().execute(async (trx) => {
    await held.finish(trx)
    const ended = dryRun
      ? { state: 'waiting' as const, was_checked: true }
      : { state: 'done' as const, ended_at: sql<Date>`now()` }
    const imported = await trx
      .updateTable('imports')
      .set({ ...ended, bytes_done: sql<number>`byte_size`, tally: JSON.stringify(tally) })
      .where('id', '=', id)
      .returning(['file_name', 'publishes'])
      .executeTakeFirstOrThrow()
    if (dryRun) return
    await trx.deleteFrom('import_pieces').where('import_id', '=', id).execute()
    await recordAuditEvent(trx, {
      action: 'items.imported',
      by: { memberId: held.begunBy },
      subject: { kind: 'import', id },
      details: { file: imported.file_name, publish: imported.publishes, ...tally, ...checksOf(tally.published) },
    })
  })
}
