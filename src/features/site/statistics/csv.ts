/** A number that always has the same decimals, such as an amount of money. Its unit has a column of its own. */
interface Figure {
  figure: number
  decimals: number
}

export type Cell = string | number | Figure

/** A table as it is shown and saved: texts and numbers. */
export interface Table {
  /** Names it for screen readers, and its file. */
  name: string
  heads: readonly string[]
  rows: readonly (readonly Cell[])[]
}

/**
 * CSV for spreadsheets (RFC 4180). A text that a spreadsheet would take for a formula gets an apostrophe before it: what
 * visitors have typed must not be computed on an administrator's machine.
 */
export function csvOf({ heads, rows }: Pick<Table, 'heads' | 'rows'>): string {
  return [heads, ...rows].map((row) => `${row.map(cell).join(',')}\r\n`).join('')
}

function cell(value: Cell): string {
  if (typeof value === 'object') return value.figure.toFixed(value.decimals)
  if (typeof value === 'number') return String(value)
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
