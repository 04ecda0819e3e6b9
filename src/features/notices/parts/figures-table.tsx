import type { ReactNode } from 'react'
import { DataTable } from '../../../ui/data-table.tsx'
import type { Count } from '../transparency/figures-schema.ts'

/** A table of figures: what each line is about at its beginning, and the figures at the end of their columns. */
export function FiguresTable({
  caption,
  heads,
  children,
}: {
  caption: string
  /** The first head is that of the line names. */
  heads: readonly [string, ...string[]]
  children: ReactNode
}) {
  const [, ...figures] = heads
  return (
    <DataTable label={caption} hasCaption heads={heads} figures={figures} isCompact>
      {children}
    </DataTable>
  )
}

export function FiguresLine({
  name,
  cells,
  isSum = false,
}: {
  name: string
  /** Null: not published. */
  cells: readonly (string | null)[]
  isSum?: boolean
}) {
  return (
    <tr className={isSum ? 'is-sum' : undefined}>
      <th scope="row">{name}</th>
      {cells.map((cell, place) => (
        // The columns of a table never move.
        // oxlint-disable-next-line react/no-array-index-key
        <td key={place} className="data-figure">
          {cell ?? (
            <>
              <span aria-hidden="true">–</span>
              <span className="sr-only">not told</span>
            </>
          )}
        </td>
      ))}
    </tr>
  )
}

/** '1,200'; of a coarse kind 'at least 10', 'fewer than 5' */
export function countInWords(count: Count, isCoarse: boolean): string {
  if (typeof count === 'string') return count
  const text = count.toLocaleString('en-US')
  return isCoarse ? `at least ${text}` : text
}

/** '5.3 h', from two days on '2.4 days' */
export function hoursInWords(hours: number | null): string | null {
  if (hours === null) return null
  if (hours < 48) return `${hours.toLocaleString('en-US')} h`
  return `${(Math.round(hours / 2.4) / 10).toLocaleString('en-US')} days`
}

/** '97 %' */
export function percentInWords(percent: number | null): string | null {
  return percent === null ? null : `${percent} %`
}

/** The share of a part: '12.5 %'; never 0 or 100 by rounding. */
export function shareInWords(part: number, whole: number): string {
  if (part === whole) return '100 %'
  const tenths = Math.min(Math.round((1_000 * part) / whole) / 10, 99.9)
  return tenths === 0 && part > 0 ? 'under 0.1 %' : `${tenths} %`
}
