import { type ReactNode, type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react'
import './data-table.css'

/**
 * A table of work under a head that stays: it scrolls with the page, within itself where columns lie beyond an edge, which
 * a shadow marks. Rows are the caller's `<tr>`; their classes `is-danger`, `is-good` and `is-off` tint them. On a phone a
 * row is a record: its first cell as the title, then each value beside its column's name, the actions last.
 */
export function DataTable({
  label,
  heads,
  figures,
  isCompact = false,
  isBusy = false,
  hasCaption = false,
  children,
}: {
  /** Names the table for screen readers. */
  label: string
  /** Whether the label stands above it for everybody. */
  hasCaption?: boolean
  heads: readonly string[]
  /** Those heads whose column holds figures: they stand at its end. */
  figures?: readonly string[]
  /** A few short columns, or figures to compare: it is a table on a telephone too. */
  isCompact?: boolean
  isBusy?: boolean
  children: ReactNode
}) {
  const region = useRef<HTMLDivElement>(null)
  const beyond = useBeyond(region)
  const names = heads.join('\n')
  useLayoutEffect(() => {
    // For the records. The page's policy allows no styles in its markup.
    for (const [place, head] of names.split('\n').entries()) {
      region.current?.style.setProperty(`--head-${place + 1}`, JSON.stringify(head))
    }
  }, [names])
  return (
    <div className={`data-frame ${isCompact ? '' : 'data-records '}${beyond}`}>
      {/* Focusable, so that the keyboard can scroll it. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <div ref={region} className="data-scroll" role="region" aria-label={label} tabIndex={0}>
        <table className="data-table" aria-busy={isBusy}>
          {hasCaption ? <caption className="data-caption">{label}</caption> : null}
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
    </div>
  )
}

/** The edges behind which columns wait, as classes: there a shadow says so. */
function useBeyond(region: RefObject<HTMLDivElement | null>): string {
  const [beyond, setBeyond] = useState('')
  useEffect(() => {
    const box = region.current
    if (box === null) return
    const look = (): void => {
      // Counted from where the text begins, whichever side that is.
      const at = Math.abs(box.scrollLeft)
      const rest = box.scrollWidth - box.clientWidth - at
      setBeyond([...(at > 1 ? ['is-more-before'] : []), ...(rest > 1 ? ['is-more-after'] : [])].join(' '))
    }
    const observer = new ResizeObserver(look)
    observer.observe(box)
    for (const table of box.children) observer.observe(table)
    box.addEventListener('scroll', look, { passive: true })
    return () => {
      observer.disconnect()
      box.removeEventListener('scroll', look)
    }
  }, [region])
  return beyond
}
