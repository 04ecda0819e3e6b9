import { CsvError, parse } from 'csv-parse'
import { createReadStream } from 'node:fs'
import { extname } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { readCell } from '../../../platform/csv/csv.ts'
import { boundHeader, refuseLargeHeader } from '../../../platform/csv/csv-header.ts'
import { defineError } from '../../../platform/errors.ts'
import { LongLineError, linesOf } from '../../../platform/lines-of.ts'
import { lineOf } from '../item/fields.ts'
import { itemColumns } from '../item/item.ts'
import { checkColumns, repeatedIn } from './check-columns.ts'

export interface ImportRow {
  /** Its first line; the header is line 1. */
  line: number
  /** Its texts by column, without the columns that it leaves out. */
  cells: Record<string, string>
  /** Why it is no row of this format at all; undefined when its cells can be looked at. */
  fault?: string
}

export interface ImportFile {
  format: 'csv' | 'jsonl'
  /** The columns that its rows have, in the file's order. */
  columns: string[]
  rows: AsyncIterable<ImportRow>
  bytesRead(): number
}

/** A rejects file, mended, is imported as it is: what it says about its rows is passed over. */
const passedOver = new Set(['line', 'reason'])
/** A field that has to have a text is one for which another can stand. */
const requiredColumns: readonly string[] = itemColumns.filter((column) => lineOf(column).sample !== undefined)
/** No row that can be imported is longer. */
const maxCharactersInRow = 1_000_000
/** A row is longer than this only when a quotation mark is not closed; without the bound it would fill the memory. */
const maxCharactersRead = 16_000_000
/** Beyond this a chunk that is mostly separators ends the import: the CSV parser does not count them. */
const maxBytesInRow = 4 * maxCharactersInRow
/** Nobody reads more sentences about one row, or about one header. */
const maxFaultsInRow = 20
/** A line in JSON has as many keys as a header has columns, and may hold a hundred thousand. */
const maxKeysInRow = 200

/**
 * Opens a file of the import format, CSV or JSON lines, and reads its header; rows are read as they are asked for, so
 * that a file of any size takes the same memory. `-` is standard input.
 * @param known the columns it may have
 * @throws {AppError} `import.file` when it cannot be read, `import.header` when its header is out of bounds, `import.columns` when
 *   that is not of this format; while rows are read `import.csv` where it ceases to be CSV
 */
export async function openImportFile(path: string, known: readonly string[] = itemColumns): Promise<ImportFile> {
  const source = path === '-' ? process.stdin : createReadStream(path, { highWaterMark: 256 * 1024 })
  return readImportFile(source as AsyncIterable<Buffer>, { path, known })
}

/**
 * The same for a file that comes from elsewhere.
 * @param path its name, whose ending tells its format
 */
export async function readImportFile(
  source: AsyncIterable<Buffer>,
  { path, known = itemColumns }: { path: string; known?: readonly string[] },
): Promise<ImportFile> {
  let bytes = 0
  const chunks = source[Symbol.asyncIterator]()
  const first = await chunks.next().catch((cause: NodeJS.ErrnoException) => {
    throw fileUnreadable(path, reasonOf(cause), { cause })
  })
  if (first.done === true) throw fileIsEmpty(path)
  async function* all(): AsyncGenerator<Buffer> {
    for (let next: IteratorResult<Buffer> = first; next.done !== true; next = await chunks.next()) {
      bytes += next.value.length
      yield next.value
    }
  }
  const isJson =
    /^\.(jsonl|ndjson)$/i.test(extname(path)) ||
    (extname(path) !== '.csv' && /^\ufeff?\s*\{/.test(first.value.toString('utf8')))
  const bytesRead = (): number => bytes
  if (isJson) return { format: 'jsonl', columns: [...known], rows: jsonRows(all(), known), bytesRead }
  return { format: 'csv', ...(await csvRows(all(), known)), bytesRead }
}

function reasonOf(error: NodeJS.ErrnoException): string {
  if (error.code === 'ENOENT') return 'it does not exist'
  if (error.code === 'EISDIR') return 'it is a directory'
  if (error.code === 'EACCES') return 'permission is denied'
  return error.message
}

async function csvRows(
  chunks: AsyncIterable<Buffer>,
  known: readonly string[],
): Promise<Pick<ImportFile, 'columns' | 'rows'>> {
  let bytesSinceRecord = 0
  let hasHeader = false
  const parser = parse({
    bom: true,
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    // A quotation mark inside an unquoted cell is a character like others: 12" records.
    relax_quotes: true,
    max_record_size: maxCharactersRead,
    on_record(record: string[]) {
      bytesSinceRecord = 0
      hasHeader = true
      return record
    },
  })
  // The parser asks for the next piece when it has worked the one before off.
  async function* bounded(): AsyncGenerator<Buffer> {
    for await (const chunk of boundHeader(chunks, () => hasHeader)) {
      if (bytesSinceRecord > maxBytesInRow && isMostlySeparators(chunk)) throw new LongRowError()
      bytesSinceRecord += chunk.length
      yield chunk
    }
  }
  // A failure of the pipeline is thrown where the records are read.
  pipeline(bounded(), parser).catch(() => {})
  const records = (parser as AsyncIterable<string[]>)[Symbol.asyncIterator]()
  let line = 1

  async function nextRecord(): Promise<string[] | undefined> {
    try {
      const { value, done } = await records.next()
      return done === true ? undefined : value
    } catch (error) {
      throw unreadable(error as Error, line)
    }
  }

  const header = await nextRecord()
  const columns = (header ?? []).map((name) => name.trim())
  checkHeader(columns, known)
  async function* rows(): AsyncGenerator<ImportRow> {
    let previous = header
    for (;;) {
      line += 1 + lineBreaksIn(previous ?? [])
      const record = await nextRecord()
      if (record === undefined) return
      previous = record
      if (record.length === 1 && record[0] === '') continue
      const cells: Record<string, string> = {}
      for (const [i, column] of columns.entries()) cells[column] = readCell(record[i] ?? '')
      const length = record.reduce((sum, cell) => sum + cell.length, 0)
      if (length > maxCharactersInRow) yield { line, ...tooLong('row', length, cells) }
      else if (record.length === columns.length) yield { line, cells }
      else yield { line, cells, fault: `The row has ${record.length} cells, the header has ${columns.length}.` }
    }
  }
  return { columns: columns.filter((column) => !passedOver.has(column)), rows: rows() }
}

/** A long text has few commas; cells without end would fill the memory. */
function isMostlySeparators(chunk: Buffer): boolean {
  return chunk.reduce((count, byte) => count + (byte === 0x2c ? 1 : 0), 0) > chunk.length / 4
}

function lineBreaksIn(record: string[]): number {
  let count = 0
  for (const cell of record) {
    // Few cells hold one: the cheap question comes first.
    if (cell.includes('\n') || cell.includes('\r')) count += cell.match(/\r\n|\r|\n/g)?.length ?? 0
  }
  return count
}

/** A row that is told and never kept whole. */
function tooLong(what: string, length: number, cells: ImportRow['cells']): Omit<ImportRow, 'line'> {
  const [has, most] = [length, maxCharactersInRow].map((count) => count.toLocaleString('en-US'))
  const cut = Object.entries(cells).map(([key, text]) => [key, text.length > 1_000 ? `${text.slice(0, 1_000)}…` : text])
  return { cells: Object.fromEntries(cut), fault: `The ${what} has ${has} characters. At most ${most} are allowed.` }
}

class LongRowError extends Error {}

function unreadable(error: Error, line: number): Error {
  if (error instanceof LongRowError) {
    return rowTooLong(line, { cause: error })
  }
  // Its codes do not all begin alike; the class and the parser come from one import.
  if (!(error instanceof CsvError)) return error
  if (error.code === 'CSV_QUOTE_NOT_CLOSED' || error.code === 'CSV_MAX_RECORD_SIZE') {
    return quoteStaysOpen(line, { cause: error })
  }
  return noCsv(line, error.message, { cause: error })
}

function checkHeader(columns: string[], known: readonly string[]): void {
  const separator = columns.length === 1 ? / ?([;\t])/.exec(columns[0] ?? '')?.[1] : undefined
  if (separator !== undefined) throw otherSeparator(separator === ';' ? 'semicolons' : 'tabs')
  if (columns.length < 2 && !known.includes(columns[0] ?? '')) throw noHeader()
  refuseLargeHeader(columns)
  const refuse = (problem: string): never => {
    throw unfitColumns(problem, known.join(', '), {
      details: { columns: checkColumns(columns, { known, required: requiredColumns, passedOver }) },
    })
  }
  const unknown = columns.filter((column) => !known.includes(column) && !passedOver.has(column))
  if (unknown.length > 0) {
    refuse(
      `The header has ${unknown.length === 1 ? 'a column that is' : 'columns that are'} not known: ${namesOf(unknown)}.`,
    )
  }
  const [repeated] = repeatedIn(columns)
  if (repeated !== undefined) refuse(`The header has the column '${repeated}' twice.`)
  const missing = requiredColumns.filter((column) => !columns.includes(column))
  if (missing.length > 0) refuse(`The header lacks ${missing.map((name) => `'${name}'`).join(', ')}.`)
}

function namesOf(unknown: readonly string[]): string {
  const names = unknown.slice(0, maxFaultsInRow).map((name) => `'${name}'`)
  const more = unknown.length - names.length
  return more === 0 ? names.join(', ') : `${names.join(', ')} and ${more} more`
}

async function* jsonRows(chunks: AsyncIterable<Buffer>, known: readonly string[]): AsyncGenerator<ImportRow> {
  let line = 0
  try {
    for await (const text of linesOf(chunks, { maxCharacters: maxCharactersRead })) {
      line += 1
      if (text.length > maxCharactersInRow) yield { line, ...tooLong('line', text.length, {}) }
      else if (text.trim() !== '') yield { line, ...readJsonRow(text, known) }
    }
  } catch (error) {
    if (!(error instanceof LongLineError)) throw error
    throw lineTooLong({ cause: error })
  }
}

function readJsonRow(text: string, known: readonly string[]): Omit<ImportRow, 'line'> {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return { cells: {}, fault: 'The line is not JSON.' }
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return { cells: {}, fault: 'The line is not a JSON object.' }
  }
  const cells: Record<string, string> = {}
  const faults: string[] = []
  const keys = Object.keys(value)
  if (keys.length > maxKeysInRow) {
    const count = keys.length.toLocaleString('en-US')
    return { cells, fault: `The line has ${count} keys; a row has up to ${maxKeysInRow}.` }
  }
  for (const [key, given] of Object.entries(value)) {
    if (passedOver.has(key)) continue
    const fault = !known.includes(key)
      ? `The key '${key.slice(0, 60)}' is not known. Known keys: ${known.join(', ')}.`
      : typeof given === 'object' && given !== null && !isListOf(key, given)
        ? isListColumn(key)
          ? `${key} must be a list of texts without semicolons, a text or null.`
          : `${key} must be a text, a number, true, false or null.`
        : undefined
    if (fault !== undefined && faults.length < maxFaultsInRow) faults.push(fault)
    // Unknown values too: the rejects file has them. How deep one is nested depends on the file alone.
    if (isListOf(key, given)) cells[key] = given.join('; ')
    else
      cells[key] = given === null ? '' : typeof given === 'object' ? JSON.stringify(given, withoutDepth) : String(given)
  }
  return faults.length === 0 ? { cells } : { cells, fault: faults.join(' ') }
}

/** Fields of several texts may have them as a list. */
function isListOf(key: string, given: unknown): given is string[] {
  const isList = isListColumn(key) && Array.isArray(given)
  return isList && given.every((text) => typeof text === 'string' && !text.includes(';'))
}

function isListColumn(key: string): boolean {
  return itemColumns.some((column) => column === key && lineOf(column).kind.columnType === 'text[]')
}

/** A replacer of `JSON.stringify`, which overflows the stack on deep values: only the first level is written. */
function withoutDepth(key: string, value: unknown): unknown {
  return key !== '' && typeof value === 'object' && value !== null ? '…' : value
}

const badFile = {
  code: 'import.file',
  status: 400,
  remedy: 'Name a file that can be read, in the format of the command.',
}

const fileUnreadable = defineError({
  ...badFile,
  sentence: (path: string, reason: string) => `The file ${path} cannot be read: ${reason}.`,
})

export const fileIsEmpty = defineError({
  ...badFile,
  sentence: (path: string) => `The file ${path} is empty. Its first line must name the columns.`,
})

const badCsv = {
  code: 'import.csv',
  status: 400,
  remedy: 'Correct the file from that line on, and start the import again.',
}

export const rowTooLong = defineError({
  ...badCsv,
  sentence: (line: number) =>
    `The file cannot be read from line ${line} on: the row there does not end within ${maxBytesInRow.toLocaleString('en-US')} bytes.`,
})

const quoteStaysOpen = defineError({
  ...badCsv,
  sentence: (line: number) =>
    `The file cannot be read from line ${line} on: a quotation mark that is opened there is never closed. Close it, or double it where it belongs to the text.`,
})

const noCsv = defineError({
  ...badCsv,
  sentence: (line: number, message: string) => `The file is no CSV from line ${line} on: ${message}.`,
})

const badColumns = {
  code: 'import.columns',
  status: 400,
  members: { columns: 'the columns that are unknown, with the one that was probably meant, missing or given twice' },
  remedy: 'Correct the first line of the file.',
}

export const otherSeparator = defineError({
  ...badColumns,
  sentence: (separators: string) =>
    `The columns are separated by ${separators}. Save the file as CSV whose cells are separated by commas.`,
})

const noHeader = defineError({
  ...badColumns,
  sentence:
    'This is not a CSV or JSON lines file. The first line of a CSV file names its columns, separated by commas.',
})

const unfitColumns = defineError({
  ...badColumns,
  sentence: (problem: string, known: string) => `${problem} Known columns: ${known}.`,
})

const lineTooLong = defineError({
  ...badFile,
  sentence: 'The file holds a line of more than 16,000,000 characters. It is not in JSON lines.',
})
