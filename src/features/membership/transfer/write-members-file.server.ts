import { csvLines } from '../../../platform/csv/csv.ts'
import type { MembersFileFormat } from './members-file.ts'

type Row = Readonly<Record<string, string | number | boolean | null | undefined>>

export function headerOfMembers(format: MembersFileFormat, columns: readonly string[]): string {
  return format === 'csv' ? csvLines([columns]) : ''
}

/** Rows of a file of members. JSON lines leave out what is empty. */
export function linesOfMembers(format: MembersFileFormat, columns: readonly string[], rows: readonly Row[]): string {
  if (format === 'csv') {
    return csvLines(rows.map((row) => columns.map((column) => row[column])))
  }
  return rows
    .map((row) => {
      const present = columns.filter((column) => (row[column] ?? '') !== '')
      return `${JSON.stringify(Object.fromEntries(present.map((column) => [column, row[column]])))}\n`
    })
    .join('')
}
