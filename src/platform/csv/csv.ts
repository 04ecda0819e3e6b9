/**
 * CSV for spreadsheets (RFC 4180, with line feeds). A spreadsheet takes a cell that begins with one of these for a
 * formula, and would compute members' text on an administrator's machine. Such a cell gets an apostrophe before it, and
 * one that already begins with apostrophes gets one more, so that `readCell` restores every text.
 */
const beginsFormula = /^'*[=+\-@\t\r\n＝＋－＠]/
const guarded = /^'+[=+\-@\t\r\n＝＋－＠]/

/** A number that always has the same decimals, such as an amount of money. Its unit has a column of its own. */
export interface Figure {
  figure: number
  decimals: number
}

type Cell = string | number | boolean | Figure | null | undefined

/** Rows as lines of CSV. Numbers and truth values are no texts: they stand as they are. */
export function csvLines(rows: readonly (readonly Cell[])[]): string {
  return rows.map((row) => `${row.map(writeCell).join(',')}\n`).join('')
}

function writeCell(value: Cell): string {
  if (typeof value === 'object' && value !== null) return value.figure.toFixed(value.decimals)
  if (typeof value !== 'string') return String(value ?? '')
  const text = beginsFormula.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** The text of a cell that has been read, without the guard. */
export function readCell(cell: string): string {
  return guarded.test(cell) ? cell.slice(1) : cell
}
