import type { ReactNode } from 'react'

/** A table that scrolls within itself, sideways and down, under a head that stays. */
export function BillingTable({
  label,
  heads,
  children,
}: {
  /** Names it for screen readers. */
  label: string
  /** Of the columns; one that is empty to the eye says in words what it holds. */
  heads: readonly string[]
  children: ReactNode
}) {
  return (
    // Reached by keyboard, so that it can be scrolled by it.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div className="billing-scroll" role="region" aria-label={label} tabIndex={0}>
      <table className="billing-table">
        <thead>
          <tr>
            {heads.map((head) => (
              <th key={head} scope="col">
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
