import type { ReactNode } from 'react'
import { DataTable } from '../../../ui/data-table.tsx'

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
