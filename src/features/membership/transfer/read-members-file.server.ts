import { type CsvError, parse } from 'csv-parse'
import { pipeline } from 'node:stream/promises'
import { readCell } from '../../../platform/csv/csv.ts'
import { AppError } from '../../../platform/errors.ts'
import { checkPerson } from '../../accounts/user/registration.ts'
import { foldEmail } from '../../accounts/user/email.ts'
import { memberColumns } from './members-file.ts'

/** A row of a file of members, as far as it can be told without looking at the members that there are. */
export interface MemberRow {
  /** Where it stands; the header is line 1. */
  line: number
  email: string
  emailFolded: string
  name: string
  memberSince: Date | null
  vipUntil: Date | null
  /** Why it cannot be imported. */
  fault: string | undefined
  /** What of it is not taken over. */
  remark: string | undefined
}

/** A row is longer than this only when a quotation mark is not closed. */
const maxCharactersInRow = 10_000

/**
 * Reads a file of members while it arrives: CSV with a header line. The columns email and name are needed; createdAt and
 * vipUntil are dates, and isAdmin is passed over: no file makes an administrator.
 * @throws {AppError} `members.file`, 422, for what is no such file
 */
export async function* readMembersFile(
  source: AsyncIterable<Buffer>,
  { now }: { now: number },
): AsyncGenerator<MemberRow> {
  let columns: string[] | undefined
  const parser = parse({
    bom: true,
    info: true,
    relax_column_count: true,
    skip_empty_lines: true,
    max_record_size: maxCharactersInRow,
  })
  const feeding = pipeline(source, parser)
  // What goes wrong there is thrown by the parser, too.
  feeding.catch(() => undefined)
  try {
    for await (const { record, info } of parser as AsyncIterable<{ record: string[]; info: { lines: number } }>) {
      if (columns === undefined) {
        columns = record.map((cell) => cell.trim())
        checkHeader(columns)
        continue
      }
      yield readRow(columns, record, info.lines, now)
    }
    await feeding
  } catch (error) {
    if ((error as Partial<CsvError>).code?.startsWith('CSV_') === true) {
      throw noSuchFile(`The file ceases to be CSV: ${(error as Error).message}.`, error)
    }
    throw error
  }
  if (columns === undefined) throw noSuchFile('The file is empty. Its first line must name the columns.')
}

function checkHeader(columns: readonly string[]): void {
  const unknown = columns.filter((column) => !(memberColumns as readonly string[]).includes(column))
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

function readRow(columns: readonly string[], record: readonly string[], line: number, now: number): MemberRow {
  const cell = (name: string): string => readCell(record[columns.indexOf(name)] ?? '').trim()
  // Shown in the report: not longer than an address and a name can be, and without what is no text to the database.
  const shown = (text: string): string => Array.from(text.toWellFormed().replaceAll('\0', '')).slice(0, 254).join('')
  const [email, name] = [cell('email'), cell('name')]
  const since = dateIn(cell('createdAt'))
  const until = dateIn(cell('vipUntil'))
  const fault =
    record.length > columns.length
      ? 'The row has more cells than the header has columns.'
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
    email: shown(email),
    emailFolded: foldEmail(shown(email)),
    name: shown(name),
    memberSince: since === 'invalid' ? null : since,
    vipUntil: until === 'invalid' ? null : until,
    fault,
    remark: /^(?:true|1|yes)$/i.test(cell('isAdmin'))
      ? 'isAdmin is passed over: no file makes an administrator.'
      : undefined,
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

function noSuchFile(message: string, cause?: unknown): AppError {
  return new AppError({ code: 'members.file', status: 422, message, cause })
}
