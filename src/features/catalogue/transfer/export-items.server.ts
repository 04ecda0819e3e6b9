import { sql } from 'kysely'
import type { Queryable } from '../../../db/queryable.ts'
import { csvLines } from '../../../platform/csv/csv.ts'
import type { CatalogueApp, CatalogueDatabase } from '../app.ts'
import type { ItemStatus } from '../editing/content-sections.ts'
import type { ContentType } from '../item/content-type.ts'
import { coverAddress } from '../item/cover-address.ts'
import { type Cells, cellsOf, type Item, itemColumns } from '../item/item.ts'
import { foldText } from '../item/name-text.ts'
import { itemOf, storedItems } from '../publishing/stored-item.server.ts'

export const exportFormats = ['csv', 'jsonl'] as const

export interface ExportQuery {
  format: (typeof exportFormats)[number]
  /** Only items of this status; unset: all but the removed ones. */
  status?: ItemStatus | undefined
  contentType?: ContentType | undefined
  /** The name of a category, in any case. */
  category?: string | undefined
}

const rowsAtOnce = 1_000

/**
 * The catalogue in the import format, piece by piece, in the order the items were added, as it is at one instant.
 * Importing it into the catalogue it came from changes nothing.
 */
export async function exportItems(
  app: Pick<CatalogueApp, 'config' | 'db'>,
  query: ExportQuery,
  write: (chunk: string, items: number) => Promise<void>,
): Promise<void> {
  await app.db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (trx) => {
      for await (const { text, items } of exportPieces({ config: app.config, db: trx }, query)) await write(text, items)
    })
}

/**
 * The same without a transaction, for readers who may take an hour: each item is in the file once, as it is when its piece is
 * read. Items that are added meanwhile are left out.
 */
export async function* exportPieces(
  { config, db }: { config: CatalogueApp['config']; db: Queryable<CatalogueDatabase> },
  query: ExportQuery,
): AsyncGenerator<{ text: string; items: number }> {
  const { format } = query
  const { last } = await db
    .selectFrom('items')
    .select(sql<number | null>`max(no)`.as('last'))
    .executeTakeFirstOrThrow()
  if (format === 'csv') yield { text: csvLines([itemColumns]), items: 0 }
  let after = 0
  for (;;) {
    const rows = await storedItems(db)
      .where('items.no', '>', after)
      .where('items.no', '<=', last ?? 0)
      .where((where) =>
        where.and([
          query.status === undefined
            ? where('items.status', '<>', 'removed')
            : where('items.status', '=', query.status),
          ...(query.contentType === undefined ? [] : [where('items.content_type', '=', query.contentType)]),
          ...(query.category === undefined ? [] : [where('categories.name_folded', '=', foldText(query.category))]),
        ]),
      )
      .orderBy('items.no')
      .limit(rowsAtOnce)
      .execute()
    const end = rows.at(-1)
    if (end === undefined) return
    after = end.no
    const cells = rows.map((row) => exportedCells(itemOf(row), config))
    yield { text: format === 'csv' ? csvOf(cells) : cells.map(jsonLineOf).join(''), items: rows.length }
  }
}

/** A cover stands there as the address at which another site can fetch it, once this site has one. */
function exportedCells(item: Item, { timeZone, publicUrl, publicUrlIsSet }: CatalogueApp['config']): Cells {
  const cells = cellsOf(item, timeZone)
  if (item.cover === null) return cells
  return { ...cells, cover: `${publicUrlIsSet ? publicUrl : ''}${coverAddress(item.cover, 640)}` }
}

function csvOf(cells: Cells[]): string {
  return csvLines(cells.map((row) => itemColumns.map((column) => row[column])))
}

function jsonLineOf(cells: Cells): string {
  const present = itemColumns.filter((column) => cells[column] !== null)
  return `${JSON.stringify(Object.fromEntries(present.map((column) => [column, cells[column]])))}\n`
}
