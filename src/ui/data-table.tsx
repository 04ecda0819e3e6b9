import type { ReactNode } from 'react'
import './data-table.css'

/**
 * A table of work: it scrolls within itself, under a head that stays. Rows are the caller's `<tr>`; their classes
 * `is-danger`, `is-good` and `is-off` tint them.
 */
export function DataTable({
  label,
  heads,
  figures,
  isBusy = false,
  children,
}: {
  /** Names the table for screen readers. */
  label: string
  heads: readonly string[]
  /** Those heads whose column holds figures: they stand at its end. */
  figures?: readonly string[]
  /** Newer rows are on their way. */
  isBusy?: boolean
  children: ReactNode
}) {
  return (
    // Focusable, so that the keyboard can scroll it.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div className="data-scroll" role="region" aria-label={label} tabIndex={0}>
      <table className="data-table" aria-busy={isBusy}>
        <thead>
          <tr>
            {heads.map((head) => (
              <th key={head} scope="col" className={figures?.includes(head) === true ? 'data-figure' : undefined}>
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  )
}
