import { memo, type MouseEvent, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import { isPlainClick } from '../../../../ui/is-plain-click.ts'
import { type ItemRow, rowsPerPage } from '../../item/listing.ts'
import type { RowLook } from '../../shelves/shelf.ts'
import { fromList } from '../back-to-list.tsx'
import { type DayGroup, type Entries, monthsOf, wordsOfMonth } from './by-day.ts'
import { blockHtml, dayHtml, entriesHtml } from './entry-html.ts'
import { trustedRows } from './trusted-rows.ts'
import './entry-list.css'

/**
 * The entries under their dates. Rows are text that was written in one go; one handler serves them all.
 * @param newest how many of the first rows are marked as new
 */
export const EntryList = memo(function EntryList({
  entries,
  newest,
  look,
  isStale,
}: {
  entries: Entries
  newest: number
  look: RowLook
  isStale: boolean
}) {
  const follow = useFollow()
  const begin = beginOf(entries.days[0])

  return (
    <div
      className={entries.category === undefined ? 'entries' : 'entries is-one-category'}
      data-stale={isStale || undefined}
      aria-busy={isStale}
      // The names are those of the works, and `rows-on-page.ts` reads them off the page.
      translate="no"
      onClick={follow}
    >
      {monthsOf(entries.days).map(({ month, days }, index, all) => (
        <div key={all.findIndex((each) => each.month === month) === index ? `${month}` : slugOf(days[0])}>
          <Folio month={month} />
          {days.map((group) => (
            <Day
              key={`${group.day} ${slugOf(group)}`}
              group={group}
              newest={newest}
              look={look}
              isFurther={beginOf(group) - begin >= rowsPerPage}
            />
          ))}
        </div>
      ))}
    </div>
  )
})

function beginOf(group: DayGroup | undefined): number {
  return group?.blocks[0]?.before ?? 0
}

function slugOf(group: DayGroup | undefined): string | undefined {
  return group?.blocks[0]?.rows[0]?.slug
}

/** The month over its days, once. It is there for the eye: the heading of each day says the month as well. */
function Folio({ month }: { month: string | undefined }) {
  const words = wordsOfMonth(month)
  return words === undefined ? null : (
    <p className="folio" aria-hidden="true">
      {`${words.month} `}
      <b>{words.year}</b>
    </p>
  )
}

/**
 * A day. Written blocks stay: later ones are put behind them, and React, which knows the text of the beginning, leaves
 * them alone.
 */
const Day = memo(function Day({
  group,
  newest,
  look,
  isFurther,
}: {
  group: DayGroup
  newest: number
  look: RowLook
  /** Whether it has come after the page that the server rendered. */
  isFurther: boolean
}) {
  const section = useRef<HTMLElement>(null)
  const [begun, setBegun] = useState(group)
  const isContinued = begun.blocks.every((block, index) => block === group.blocks[index])
  if (!isContinued) setBegun(group)
  const html = useMemo(() => ({ __html: trustedRows(dayHtml(begun, newest, look)) }), [begun, newest, look])
  const written = useRef({ html, blocks: begun.blocks.length })

  useLayoutEffect(() => {
    // Text that has changed was written whole by React.
    if (written.current.html !== html) written.current = { html, blocks: begun.blocks.length }
    const further = group.blocks.slice(written.current.blocks)
    if (further.length === 0) return
    written.current.blocks = group.blocks.length
    const rows = trustedRows(further.map((block) => blockHtml(block, newest, look)).join(''))
    // The compiler knows texts alone here.
    section.current?.insertAdjacentHTML('beforeend', rows as string)
  }, [group, begun, newest, look, html])

  return <section ref={section} className={isFurther ? 'is-further' : undefined} dangerouslySetInnerHTML={html} />
})

/** The nearest names, offered when nothing matched: rows without dates. */
export function NearestList({ rows, look }: { rows: readonly ItemRow[]; look: RowLook }) {
  const follow = useFollow()
  const html = useMemo(() => ({ __html: trustedRows(entriesHtml(rows, 0, look)) }), [rows, look])
  return (
    <div className="entries entries-plain" onClick={follow}>
      <ul dangerouslySetInnerHTML={html} />
    </div>
  )
}

/** Lets plain clicks on the links inside go by the router, with one handler for all of them. */
function useFollow(): (event: MouseEvent<HTMLElement>) => void {
  const navigate = useNavigate()
  return (event) => {
    const link = (event.target as Element).closest('a')
    if (link === null || !isPlainClick(event) || event.defaultPrevented) return
    event.preventDefault()
    void navigate(link.pathname, { state: fromList })
  }
}
