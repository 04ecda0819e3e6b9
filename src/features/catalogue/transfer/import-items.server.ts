import type { Transaction } from 'kysely'
import { recordAuditEvent } from '../../office/audit/record-audit-event.server.ts'
import { defineError } from '../../../platform/errors.ts'
import type { CatalogueApp, CatalogueDatabase } from '../app.ts'
import { createCategories } from '../item/categories.server.ts'
import { foldText } from '../item/name-text.ts'
import { checksOf } from '../publishing/publication-checks.ts'
import { isRefusedByDatabase, insertItems, lockCatalogue, updateItems } from '../publishing/save-items.server.ts'
import { recomputeMonths } from '../publishing/recompute-months.server.ts'
import { restrictLapsedItems } from '../publishing/restrict-lapsed-items.server.ts'
import { tidyAfter } from '../publishing/tidy-after.server.ts'
import { asksForCover, fetchCovers, type FetchedCovers, noCovers } from './fetch-covers.server.ts'
import type { ImportFile, ImportRow } from './import-file.server.ts'
import type { ImportTally } from './import-schema.ts'
import { readRow } from './read-row.server.ts'
import { type Plan, planBatch, type Planned } from './plan-batch.server.ts'
import {
  type ImportingApp,
  type ImportOptions,
  type ImportRun,
  noRows,
  openImportRun,
  operator,
} from './open-import-run.server.ts'
import type { RejectedRow } from './rejects-file.server.ts'

export interface ImportProgress {
  tally: ImportTally
  bytesRead: number
  /** Rows of the batch just done that were rejected or held. */
  rejected: RejectedRow[]
}

const rowsInBatch = 1_000

/**
 * Imports a file, batch by batch, each in one transaction (docs/spec/catalogue.md#import).
 *
 * The catalogue itself is the record of how far an import came: a row that stands in it as it was imported is
 * recognised by its digest and left alone. So a file can be imported again at any time, also after a kill in the middle,
 * and reports every row that is not in, each time. An item that was edited since keeps the edit until its row changes.
 *
 * A row is the item of its `externalId`, else of its `slug`. A row with neither is the item whose slug its name makes
 * and whose main link is the same: of two works with one name neither takes the other's place.
 * @throws {AppError} `import.stopped` when `signal` asks to stop, `disk.full` when there is no room for another batch; the
 *   batches until then are in
 */
export async function importItems(
  app: ImportingApp & Pick<CatalogueApp, 'diskSpace'>,
  file: ImportFile,
  options: ImportOptions,
  { onProgress, signal }: Watched = {},
): Promise<ImportTally> {
  if (!options.dryRun) {
    // The database refuses to write a published item whose rights have lapsed, whatever the write is about.
    await restrictLapsedItems(app)
    // Items are written with the months of this zone: those that are there must agree.
    await recomputeMonths(app)
  }
  const run = openImportRun(app, options)
  await importRows(app, file, run, { onProgress, signal })
  if (!options.dryRun) await tidyAfter(app.db, run.tally.created + run.tally.updated)
  return run.tally
}

interface Watched {
  onProgress?: ((progress: ImportProgress) => Promise<void> | void) | undefined
  signal?: AbortSignal | undefined
}

async function importRows(
  app: ImportingApp & Pick<CatalogueApp, 'diskSpace'>,
  file: ImportFile,
  run: ImportRun,
  { onProgress, signal }: Watched,
): Promise<void> {
  const batches = inBatches(run, file.rows, rowsInBatch)
  // The next rows are read while the database works on these.
  let next = batches.next()
  for (;;) {
    const { value: rows, done } = await next
    if (done === true) break
    next = batches.next()
    // Its failure is thrown where it is awaited; it must not count as unhandled until then.
    next.catch(() => {})
    if (!run.options.dryRun) await app.diskSpace.refuseStepWhenFull()
    const rejected = await importBatch(app, run, rows, run.options.dryRun ? undefined : recordBatch(run))
    await onProgress?.({ tally: run.tally, bytesRead: file.bytesRead(), rejected })
    if (signal?.aborted === true) throw importStopped()
  }
}

/** A line of the audit log for each batch on the command line that has written something: a later one may never come. */
function recordBatch(run: ImportRun): RecordOutcome {
  const { publish } = run.options
  return async (trx, { tally }) => {
    if (tally.created + tally.updated === 0) return
    await recordAuditEvent(trx, {
      action: 'items.imported',
      by: 'operator',
      details: { publish, ...tally, ...checksOf(tally.published) },
    })
  }
}

/** Pictures are fetched 20 at a time: a batch with some is short. */
const coversInBatch = 20

export async function* inBatches(
  run: ImportRun,
  rows: AsyncIterable<ImportRow>,
  size: number,
): AsyncGenerator<ImportRow[], void> {
  let batch: ImportRow[] = []
  let covers = 0
  for await (const row of rows) {
    readRow(run, row)
    batch.push(row)
    if (asksForCover(row)) covers += 1
    if (batch.length === size || covers === coversInBatch) {
      yield batch
      batch = []
      covers = 0
    }
  }
  if (batch.length > 0) yield batch
}

export interface BatchOutcome {
  rows: ImportRow[]
  rejected: RejectedRow[]
  /** The counts of these rows alone. */
  tally: ImportTally
}

type RecordOutcome = (trx: Transaction<CatalogueDatabase>, outcome: BatchOutcome) => Promise<void>

/**
 * Imports some rows in one transaction, and adds them to the run's tally.
 * @param record is called in that transaction; more than once where the database refuses rows that the checks let pass
 * @returns the rows that are not in, or not published though that was asked
 */
export async function importBatch(
  app: ImportingApp,
  run: ImportRun,
  rows: ImportRow[],
  record?: RecordOutcome,
): Promise<RejectedRow[]> {
  const covers = run.options.dryRun ? noCovers : await fetchCovers(app, run, rows)
  return importTogether(app, run, { rows, covers }, record)
}

interface Batch {
  rows: ImportRow[]
  covers: FetchedCovers
}

async function importTogether(
  app: ImportingApp,
  run: ImportRun,
  { rows, covers }: Batch,
  record?: RecordOutcome,
): Promise<RejectedRow[]> {
  try {
    const plan = run.options.dryRun
      ? await checkBatch(app, run, rows, record)
      : await writeBatch(app, run, { rows, covers }, record)
    remember(run, plan)
    for (const key of Object.keys(plan.tally) as (keyof ImportTally)[]) run.tally[key] += plan.tally[key]
    return plan.rejected
  } catch (error) {
    if (!isRefusedByDatabase(error)) throw error
    // The checks above should have found this. Halves lead to the row that is rejected; the others go on together.
    if (rows.length > 1) {
      const middle = rows.length >> 1
      const first = await importTogether(app, run, { rows: rows.slice(0, middle), covers }, record)
      return first.concat(await importTogether(app, run, { rows: rows.slice(middle), covers }, record))
    }
    const reason = `The database refuses this row: ${(error as Error).message}`
    const rejected = rows.map((row) => ({ row, reasons: [reason], columns: [null] }))
    if (record !== undefined) {
      const tally = { ...noRows(), rejected: rejected.length }
      await app.db.transaction().execute((trx) => record(trx, { rows, rejected, tally }))
    }
    run.tally.rejected += rejected.length
    return rejected
  }
}

/**
 * Reads rows again that an earlier process has imported, so that what stands twice in the file is known. Writes and counts
 * nothing.
 */
export async function recallBatch(app: ImportingApp, run: ImportRun, rows: ImportRow[]): Promise<void> {
  remember(run, await planBatch(app, app.db, run, rows))
}

function remember(run: ImportRun, { seen, firstNumbers }: Plan): void {
  for (const [key, met] of seen) run.seen.set(key, met)
  for (const [base, number] of firstNumbers) run.firstNumbers.set(base, number)
}

async function checkBatch(app: ImportingApp, run: ImportRun, rows: ImportRow[], record?: RecordOutcome): Promise<Plan> {
  const plan = await planBatch(app, app.db, run, rows)
  if (record !== undefined) await app.db.transaction().execute((trx) => record(trx, { rows, ...plan }))
  return plan
}

async function writeBatch(
  app: ImportingApp,
  run: ImportRun,
  { rows, covers }: Batch,
  record?: RecordOutcome,
): Promise<Plan> {
  return app.db.transaction().execute(async (trx) => {
    await lockCatalogue(trx)
    const plan = await planBatch(app, trx, run, rows, covers)
    const created = await createCategories(trx, [...plan.newCategories.values()])
    const complete = <T extends Planned>(planned: T[]) =>
      planned.map((one) => ({
        ...one,
        categoryId: one.categoryId ?? (created.get(foldText(one.item.category)) as number),
      }))
    for (const name of plan.newCategories.values()) {
      await recordAuditEvent(trx, {
        action: 'category.created',
        by: run.by === operator ? 'operator' : { memberId: run.by },
        subject: { kind: 'category', id: String(created.get(foldText(name))) },
        details: { name, import: true },
      })
    }
    const attestation = { by: run.by, at: app.clock.now() }
    await insertItems(app, trx, complete(plan.inserts), attestation)
    await updateItems(app, trx, complete(plan.updates), attestation)
    await record?.(trx, { rows, ...plan })
    return plan
  })
}

const importStopped = defineError({
  code: 'import.stopped',
  status: 409,
  sentence: 'The import was stopped. Imported rows stay; the same command continues from there.',
  remedy: 'Start the same command again.',
  isOfCommand: true,
})
