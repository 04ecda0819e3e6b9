import { join } from 'node:path'
import { packageRoot } from '../../../platform/package-files.ts'
import { addDays, dayOf } from '../../../platform/time/site-time.ts'
import type { CatalogueApp } from '../app.ts'
import { itemColumns } from '../item/item.ts'
import { openImportFile, type ImportRow } from '../transfer/import-file.server.ts'
import { importBatch } from '../transfer/import-items.server.ts'
import { type ImportingApp, openImportRun } from '../transfer/open-import-run.server.ts'

const demoFile = join(packageRoot, 'demo', 'catalogue.csv')

/**
 * Fills an empty catalogue with the demo catalogue, dated back from today: what is published in one transaction, wholly or
 * not at all, and then its drafts, also where a start was cut short between the two. Does nothing when the configuration wants
 * no demo, or when an item exists that the demo has not made.
 */
export async function fillDemoCatalogue(app: ImportingApp): Promise<void> {
  if (!app.config.demo) return
  const other = await app.db
    .selectFrom('items')
    .select('no')
    .where((is) => is.or([is('external_id', 'is', null), is('external_id', 'not like', 'demo-%')]))
    .limit(1)
    .execute()
  if (other.length > 0) return
  const { published, drafts } = await readRows(app)
  const run = openImportRun(app, { publish: true, createCategories: true, dryRun: false })
  const rejected = await importBatch(app, run, published)
  const waiting = rejected.filter(({ reasons }) => reasons.every((reason) => reason.startsWith('rights.unverified:')))
  if (waiting.length > 0)
    app.log.warn(
      { items: waiting.length },
      'Items of the demo catalogue are drafts until an administrator verifies them.',
    )
  for (const { row, reasons } of rejected.filter((one) => !waiting.includes(one)))
    app.log.warn({ line: row.line, reasons }, 'A row of the demo catalogue is not published.')
  const second = openImportRun(app, { publish: false, createCategories: true, dryRun: false })
  await importBatch(app, second, drafts)
  app.log.info({ items: run.tally.created + second.tally.created }, 'The demo catalogue was imported.')
}

/** The rows of the file with their days reckoned from today. */
async function readRows({
  clock,
  config,
}: Pick<CatalogueApp, 'clock' | 'config'>): Promise<{ published: ImportRow[]; drafts: ImportRow[] }> {
  const today = dayOf(clock.now(), config.timeZone)
  const file = await openImportFile(demoFile, [...itemColumns, 'daysAgo', 'isDraft', 'lapsesInDays'])
  const published: ImportRow[] = []
  const drafts: ImportRow[] = []
  for await (const row of file.rows) {
    const { daysAgo, isDraft, lapsesInDays = '', ...cells } = row.cells
    const dated = {
      ...cells,
      postDate: addDays(today, -Number(daysAgo)),
      ...(lapsesInDays === '' ? {} : { validTo: addDays(today, Number(lapsesInDays)) }),
    }
    const rows = isDraft === 'true' ? drafts : published
    rows.push({ ...row, cells: dated })
  }
  return { published, drafts }
}
