import { hash } from 'node:crypto'
import { regionOfType } from '../item/content-type.ts'
import { categoryName } from '../item/field-readers.ts'
import { fieldsWith } from '../item/fields.ts'
import { faultsTogether, followingFields, type Item, type ItemColumn, itemColumns } from '../item/item.ts'
import { makeSlug } from '../item/make-slug.ts'
import { foldText } from '../item/name-text.ts'
import { splitName } from '../item/split-name.ts'
import type { ImportRow } from './import-file.server.ts'
import type { ImportRun } from './open-import-run.server.ts'

/** A row that can be read, with the digest of its content. */
export interface ReadRow {
  row: ImportRow
  item: Item
  /** The columns that it leaves out: they change nothing of an item that is there. */
  leftOut: readonly ItemColumn[]
  digest: string
  /** The slug that it gives, else the one its name makes; where that is taken, it is made with the first creator. */
  slug: string
}

export interface UnreadRow {
  row: ImportRow
  reasons: string[]
  category?: string | undefined
}

export function readRow(run: ImportRun, row: ImportRow): ReadRow | UnreadRow {
  const read = run.read.get(row) ?? readAnew(run, row)
  run.read.set(row, read)
  return read
}

function readAnew(run: ImportRun, row: ImportRow): ReadRow | UnreadRow {
  if (row.fault !== undefined) return { row, reasons: [row.fault] }
  const cells = splitCells(row.cells, run.options.splitNames)
  const { data: item, error } = run.schema.safeParse({ ...emptyCells, ...cells })
  const unread = (reasons: string[]): UnreadRow => ({
    row,
    reasons,
    category: categoryName.safeParse(row.cells['category']).data,
  })
  if (item === undefined) return unread(error.issues.map(({ path, message }) => `${path.join('.')} ${message}`))
  const leftOut = itemColumns.filter((column) => cells[column] === undefined)
  // A field that the row leaves out may be stored: together they are judged once that is known.
  const faults = reasonsTogether(item, leftOut)
  if (faults.length > 0) return unread(faults)
  // A name that is split makes the slug that it made before.
  const slug = item.slug ?? makeSlug(cells === row.cells ? item.name : String(row.cells['name']))
  return { row, item, leftOut, digest: digestOf(item, leftOut), slug }
}

/** Which fields do not go together, without those that go with a field that is left out. */
export function reasonsTogether(item: Item, leftOut: readonly ItemColumn[] = []): string[] {
  return faultsTogether(item).flatMap(({ field, other, message }) =>
    leftOut.includes(other) ? [] : `${field} ${message}`,
  )
}

function splitCells(cells: ImportRow['cells'], separator: string | undefined): ImportRow['cells'] {
  if (separator === undefined || (cells['creators'] ?? '').trim() !== '') return cells
  const split = splitName(cells['name'] ?? '', separator)
  return split === undefined ? cells : { ...cells, ...split }
}

const emptyCells = Object.fromEntries(itemColumns.map((column) => [column, '']))

/** An item as its row makes it: with the values that the row leaves as they are. A region that the type has goes with it. */
export function overStored({ item, leftOut }: ReadRow, before: Item): Item {
  const kept: Partial<Item> = Object.fromEntries(leftOut.map((column) => [column, before[column]]))
  // Rights begin before they end: of the two, one alone is not left as it is.
  const { validFrom, validTo } = leftOut.includes('validFrom') && leftOut.includes('validTo') ? before : item
  const region = regionOfType(item.contentType) ?? kept.region ?? item.region
  const all = { ...item, ...kept, validFrom, validTo, region }
  const gone = followingFields.filter(([field, other]) => all[other] === null && leftOut.includes(field))
  return { ...all, ...Object.fromEntries(gone.map(([field]) => [field, null])) }
}

const digested = fieldsWith({ isDigested: true })

/**
 * The same for items of the same content, without their identity, whatever spelling they were read from. Only what a row says
 * counts, by the names of the fields: an edition with a further field knows the files of the edition before.
 */
export function digestOf(item: Item, leftOut: readonly ItemColumn[] = []): string {
  const said: [string, unknown][] = []
  for (const field of digested) {
    if (!leftOut.includes(field)) said.push([field, field === 'category' ? foldText(item.category) : item[field]])
  }
  return hash('md5', JSON.stringify(said), 'base64url')
}
