import { stringify } from 'csv-stringify/sync'
import type { CatalogueApp } from '../app.ts'
import { type Cells, cellsOf } from '../item/item-cells.ts'
import { itemColumns } from '../item/item.ts'
import { itemOf, storedItems } from '../publishing/stored-item.server.ts'

export const itemStatuses = ['draft', 'published', 'restricted', 'removed'] as const

export interface ExportQuery {
  format: 'csv' | 'jsonl'
  /** Only items of this status; unset: all but the removed ones. */
  status?: (typeof itemStatuses)[number]
}

const rowsAtOnce = 1_000

/**
 * The catalogue in the import format, piece by piece, in the order the items were added, as it is at one instant.
 * Importing it into the catalogue it came from changes nothing.
 */
export async function exportItems(
  app: Pick<CatalogueApp, 'config' | 'db'>,
  { format, status }: ExportQuery,
  write: (chunk: string, items: number) => Promise<void>,
): Promise<void> {
  if (format === 'csv') await write(stringify([itemColumns]), 0)
  await app.db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (trx) => {
      let after = 0
      for (;;) {
        const rows = await storedItems(trx)
          .where('items.no', '>', after)
          .$if(status === undefined, (query) => query.where('items.status', '<>', 'removed'))
          .$if(status !== undefined, (query) => query.where('items.status', '=', status as NonNullable<typeof status>))
          .orderBy('items.no')
          .limit(rowsAtOnce)
          .execute()
        const last = rows.at(-1)
        if (last === undefined) return
        after = last.no
        const cells = rows.map((row) => cellsOf(itemOf(row), app.config.timeZone))
        await write(format === 'csv' ? csvOf(cells) : cells.map(jsonLineOf).join(''), rows.length)
      }
    })
}

function csvOf(cells: Cells[]): string {
  return stringify(
    cells.map((row) => itemColumns.map((column) => row[column])),
    { cast: { boolean: String } },
  )
}

function jsonLineOf(cells: Cells): string {
  const present = itemColumns.filter((column) => cells[column] !== null)
  return `${JSON.stringify(Object.fromEntries(present.map((column) => [column, cells[column]])))}\n`
}
