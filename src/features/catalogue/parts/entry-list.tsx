import { memo, useEffect, useMemo, useRef, type MouseEvent } from 'react'
import { useNavigate } from 'react-router'
import type { ItemRow } from '../listing.ts'
import { fromList } from './back-to-list.tsx'
import { type DayGroup, groupByDay } from './by-day.ts'
import { dayHtml, entriesHtml } from './entry-html.ts'
import { RowPrefetch } from './row-prefetch.tsx'
import './entry-list.css'

/** How many of the rows loaded first are marked as new (PRODUCT.md, section 9). */
const newest = 5

/** The entries under their dates. Rows are text that was written in one go; one handler serves them all. */
export const EntryList = memo(function EntryList({ rows, isStale }: { rows: readonly ItemRow[]; isStale: boolean }) {
  const groups = useMemo(() => groupByDay(rows), [rows])
  const list = useRef<HTMLDivElement>(null)
  const follow = useFollow()
  let before = 0

  useEffect(() => {
    if (rows.length < fewRows) return undefined
    const timer = window.setTimeout(() => skipFarDays(list.current), settledAfterMs)
    return () => window.clearTimeout(timer)
  }, [rows])

  return (
    <div ref={list} className="entries" data-stale={isStale || undefined} aria-busy={isStale} onClick={follow}>
      <RowPrefetch list={list} />
      {groups.map((group) => {
        const fresh = Math.min(Math.max(0, newest - before), group.rows.length)
        before += group.rows.length
        return <Day key={`${group.day} ${group.rows[0]?.slug}`} group={group} fresh={fresh} />
      })}
    </div>
  )
})

/** A list so short is laid out and painted whole. */
const fewRows = 100

/** When a list that has appeared stands still, with its scroll position restored. */
const settledAfterMs = 300

/**
 * Lets the browser leave out days that are far from what is seen, while thousands are loaded. Not before the list has
 * been laid out once: only then are true heights known, and Back finds its place to the pixel. Not what is near: to
 * leave it out and bring it back would count as a jump.
 */
function skipFarDays(list: HTMLElement | null): void {
  const near = window.innerHeight * 2
  const far = [...(list?.children ?? [])].filter((day) => {
    const { top, bottom } = day.getBoundingClientRect()
    return bottom < -near || top > window.innerHeight + near
  })
  for (const day of far) day.classList.add('is-far')
}

const Day = memo(
  function Day({ group, fresh }: { group: DayGroup; fresh: number }) {
    const html = useMemo(() => ({ __html: dayHtml(group, fresh) }), [group, fresh])
    return <section dangerouslySetInnerHTML={html} />
  },
  (one, other) =>
    one.fresh === other.fresh &&
    (one.group === other.group ||
      (one.group.rows.length === other.group.rows.length &&
        one.group.rows.every((row, index) => row === other.group.rows[index]))),
)

/** The nearest names, offered when nothing matched: rows without dates. */
export function NearestList({ rows }: { rows: readonly ItemRow[] }) {
  const follow = useFollow()
  const html = useMemo(() => ({ __html: entriesHtml(rows, 0) }), [rows])
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
    const isPlain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey
    if (link === null || !isPlain || event.defaultPrevented) return
    event.preventDefault()
    void navigate(link.pathname, { state: fromList })
  }
}
