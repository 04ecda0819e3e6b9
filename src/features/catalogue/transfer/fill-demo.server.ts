import { join } from 'node:path'
import { addDays, dayOf } from '../../../platform/time/site-time.ts'
import type { CatalogueApp } from '../app.ts'
import { importBatch } from './import-items.server.ts'
import { openImportRun } from './open-import-run.server.ts'
import { openImportFile } from './import-file.server.ts'
import { itemColumns } from '../item/item.ts'

const demoFile = join(import.meta.dirname, '..', '..', '..', '..', 'demo', 'catalogue.csv')

/**
 * Fills an empty catalogue with the demo catalogue, published and dated back from today, in one transaction: wholly or
 * not at all. Does nothing when the configuration wants no demo, or when any item exists.
 */
export async function fillDemo(app: Pick<CatalogueApp, 'config' | 'db' | 'clock' | 'log'>): Promise<void> {
  if (!app.config.demo) return
  const items = await app.db.selectFrom('items').select('no').limit(1).execute()
  if (items.length > 0) return
  const today = dayOf(app.clock.now(), app.config.timeZone)
  const file = await openImportFile(demoFile, [...itemColumns, 'daysAgo'])
  const rows = []
  for await (const row of file.rows) {
    rows.push({ ...row, cells: { ...row.cells, postDate: addDays(today, -Number(row.cells['daysAgo'])) } })
  }
  const run = openImportRun(app, { publish: true, createCategories: true, dryRun: false })
  const rejected = await importBatch(app, run, rows)
  const waiting = rejected.filter(({ reasons }) => reasons.every((reason) => reason.startsWith('rights.unverified:')))
  if (waiting.length > 0)
    app.log.warn(
      { items: waiting.length },
      'Items of the demo catalogue are drafts until an administrator verifies them.',
    )
  for (const { row, reasons } of rejected.filter((one) => !waiting.includes(one)))
    app.log.warn({ line: row.line, reasons }, 'A row of the demo catalogue is not published.')
  app.log.info({ items: run.tally.created }, 'The demo catalogue was imported.')
}
