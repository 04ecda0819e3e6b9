import { CsvError, parse } from 'csv-parse'
import { pipeline } from 'node:stream/promises'
import { readCell } from '../../../platform/csv/csv.ts'
import { boundHeader, longestHeader, refuseLargeHeader } from '../../../platform/csv/csv-header.ts'
import { defineError } from '../../../platform/errors.ts'
import { LongLineError, linesOf } from '../../../platform/lines-of.ts'
import { checkPerson } from '../../accounts/user/registration.ts'
import { foldEmail } from '../../accounts/user/email.ts'
import { memberColumns, type MembersFileFormat } from './members-file.ts'

export type MemberCells = Partial<Record<(typeof memberColumns)[number], string>>

/** A row of a file of members, as far as it can be judged without the present members. */
export interface MemberRow {
  /** Its line; the header is line 1. */
  line: number
  /** As the file has it, for the rejects file. */
  cells: MemberCells
  email: string
  emailFolded: string
  name: string
  memberSince: Date | null
  vipUntil: Date | null
  fault: string | undefined
  /** The part of the row that is not imported. */
  remark: string | undefined
}

/** Characters of a line in JSON, and of white space before the first character. */
const maxCharactersInRow = 10_000
/** A rejects file, mended, is imported as it is: what it says about its rows is passed over. */
const passedOver = new Set(['line', 'reason'])

/**
 * Reads the beginning of a file of members, CSV with a header line or JSON lines; its rows are read while it arrives.
 * The columns email and name are needed; createdAt and vipUntil are dates; isAdmin is ignored.
 * @throws {AppError} `members.file`, 422, for any other file, also while its rows are read; `import.header`, 422
 */
export async function readMembersFile(
  source: AsyncIterable<Buffer>,
  { now }: { now: number },
): Promise<{ format: MembersFileFormat; rows: AsyncIterable<MemberRow> }> {
  const chunks = source[Symbol.asyncIterator]()
  let start = Buffer.alloc(0)
  let isOver = false
  // No CSV of members begins with a brace: that is no column.
  while (!isOver && !/[^\s\uFEFF\uFFFD]/u.test(start.toString('utf8')) && start.length < maxCharactersInRow) {
    const next = await chunks.next()
    if (next.done === true) isOver = true
    else start = Buffer.concat([start, next.value])
  }
  async function* all(): AsyncGenerator<Buffer> {
    yield start
    if (!isOver) for await (const chunk of { [Symbol.asyncIterator]: () => chunks }) yield chunk
  }
  const format = /^\uFEFF?\s*\{/u.test(start.toString('utf8')) ? 'jsonl' : 'csv'
  return { format, rows: format === 'jsonl' ? jsonRows(all(), now) : csvRows(all(), now) }
}

async function* csvRows(source: AsyncIterable<Buffer>, now: number): AsyncGenerator<MemberRow> {
  let columns: string[] | undefined
  let hasHeader = false
  const parser = parse({
    bom: true,
    info: true,
    relax_column_count: true,
    // A quotation mark inside an unquoted cell is a character like others: Bob "Bobby" Smith.
    relax_quotes: true,
    skip_empty_lines: true,
    // No row is longer than the header may be.
    max_record_size: longestHeader,
    on_record(record: string[]) {
      hasHeader = true
      return record
    },
  })
  const feeding = pipeline(
    boundHeader(source, () => hasHeader),
    parser,
  )
  // The parser throws the same error.
  feeding.catch(() => undefined)
  try {
    for await (const { record, info } of parser as AsyncIterable<{ record: string[]; info: { lines: number } }>) {
      if (columns === undefined) {
        columns = record.map((cell) => cell.trim())
        checkHeader(columns)
        continue
      }
      const cells: MemberCells = {}
      for (const [i, column] of columns.entries()) {
        if (isKnown(column)) cells[column] = readCell(record[i] ?? '').trim()
      }
      const fault = record.length > columns.length ? 'The row has more cells than the header has columns.' : undefined
      yield readRow({ line: info.lines, cells, fault }, now)
    }
    await feeding
  } catch (error) {
    // Its codes do not all begin alike; the class and the parser come from one import.
    if (error instanceof CsvError) throw noSuchFile(`The file ceases to be CSV: ${error.message}.`, { cause: error })
    throw error
  }
  if (columns === undefined) throw noSuchFile('The file is empty. Its first line must name the columns.')
}

async function* jsonRows(source: AsyncIterable<Buffer>, now: number): AsyncGenerator<MemberRow> {
  let line = 0
  try {
    for await (const text of linesOf(source, { maxCharacters: maxCharactersInRow })) {
      line += 1
      if (text.trim() !== '') yield readRow({ line, ...readJsonRow(text) }, now)
    }
  } catch (error) {
    if (!(error instanceof LongLineError)) throw error
    throw noSuchFile(`Line ${line + 1} of the file is longer than any member's. It is not in JSON lines.`, {
      cause: error,
    })
  }
}

function readJsonRow(text: string): { cells: MemberCells; fault: string | undefined } {
  let value: unknown
  try {
    value = JSON.parse(text.replace(/^\uFEFF/u, ''))
  } catch {
    return { cells: {}, fault: 'The line is not JSON.' }
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return { cells: {}, fault: 'The line is not a JSON object.' }
  }
  const cells: MemberCells = {}
  let fault: string | undefined
  for (const [key, given] of Object.entries(value)) {
    if (passedOver.has(key) || given === null) continue
    if (!isKnown(key)) fault ??= `The key '${key.slice(0, 40)}' is not known. Known are ${memberColumns.join(', ')}.`
    else if (typeof given === 'object') fault ??= `${key} is no single value.`
    else cells[key] = String(given).trim()
  }
  return { cells, fault }
}

function isKnown(column: string): column is (typeof memberColumns)[number] {
  return (memberColumns as readonly string[]).includes(column)
}

function checkHeader(columns: readonly string[]): void {
  refuseLargeHeader(columns)
  const unknown = columns.filter((column) => !isKnown(column) && !passedOver.has(column))
  if (unknown.length > 0) {
    const shown = unknown.slice(0, 3).map((column) => `'${column.slice(0, 40)}'`)
    throw noSuchFile(
      `The file has columns that are not known here: ${shown.join(', ')}. Known are ${memberColumns.join(', ')}.`,
    )
  }
  const missing = ['email', 'name'].filter((column) => !columns.includes(column))
  if (missing.length > 0) throw noSuchFile(`The file has no column ${missing.join(' and no column ')}.`)
  if (new Set(columns).size < columns.length) throw noSuchFile('The file has a column twice.')
}

function readRow(
  { line, cells, fault: faultOfRow }: { line: number; cells: MemberCells; fault: string | undefined },
  now: number,
): MemberRow {
  // Shown in the report: not longer than an address and a name can be, and without what is no text to the database.
  const shown = (text: string): string => Array.from(text.toWellFormed().replaceAll('\0', '')).slice(0, 254).join('')
  const { email = '', name = '', createdAt = '', vipUntil = '', isAdmin = '' } = cells
  const since = dateIn(createdAt)
  const until = dateIn(vipUntil)
  const fault =
    faultOfRow !== undefined
      ? faultOfRow
      : /[\0\uFFFD]/u.test(email + name)
        ? 'The row is no text in UTF-8.'
        : (checkPerson({ name, email })?.message ??
          (since === 'invalid'
            ? 'createdAt is no date: write it as 2024-03-05 or 2024-03-05T12:00:00Z.'
            : until === 'invalid'
              ? 'vipUntil is no date: write it as 2024-03-05 or 2024-03-05T12:00:00Z.'
              : since !== null && since.getTime() > now
                ? 'createdAt lies in the future.'
                : undefined))
  return {
    line,
    cells: Object.fromEntries(Object.entries(cells).map(([column, text]) => [column, shown(text)])),
    email: shown(email),
    emailFolded: foldEmail(shown(email)),
    name: shown(name),
    memberSince: since === 'invalid' ? null : since,
    vipUntil: until === 'invalid' ? null : until,
    fault,
    remark: /^(?:true|1|yes)$/i.test(isAdmin) ? 'isAdmin is passed over: no file makes an administrator.' : undefined,
  }
}

/** A day, or an instant with its zone, between the years 2000 and 2100. */
function dateIn(text: string): Date | null | 'invalid' {
  if (text === '') return null
  if (!/^20\d\d-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,6})?)?(?:Z|[+-]\d\d:\d\d))?$/.test(text)) return 'invalid'
  const date = new Date(text)
  // The 31st of a shorter month would become another day.
  const isDay = !Number.isNaN(date.getTime()) && new Date(text.slice(0, 10)).toISOString().startsWith(text.slice(0, 10))
  return isDay ? date : 'invalid'
}

export const noSuchFile = defineError({
  code: 'members.file',
  status: 422,
  remedy: 'Correct the file and upload it again. Nothing of it was kept.',
})
