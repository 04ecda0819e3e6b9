import {
  memo,
  type MouseEvent,
  type PointerEvent,
  type RefObject,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { useNavigate } from 'react-router'
import type { ItemRow } from '../../item/listing.ts'
import type { RowLook } from '../../shelves/shelf.ts'
import { fromList } from '../back-to-list.tsx'
import { type DayGroup, type Entries, monthsOf, wordsOfMonth } from './by-day.ts'
import { blockHtml, dayHtml, entriesHtml } from './entry-html.ts'
import { RowPrefetch } from './row-prefetch.tsx'
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
  const list = useRef<HTMLDivElement>(null)
  const follow = useFollow()
  useSkipping(list, entries)

  return (
    <div
      ref={list}
      className={entries.category === undefined ? 'entries' : 'entries is-one-category'}
      data-stale={isStale || undefined}
      aria-busy={isStale}
      onClick={follow}
      onPointerOver={showWhole}
    >
      <RowPrefetch list={list} />
      {monthsOf(entries.days).map(({ month, days }, index, all) => (
        <div key={all.findIndex((each) => each.month === month) === index ? `${month}` : slugOf(days[0])}>
          <Folio month={month} />
          {days.map((group) => (
            <Day key={`${group.day} ${slugOf(group)}`} group={group} newest={newest} look={look} />
          ))}
        </div>
      ))}
    </div>
  )
})

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

/** A list so short is laid out and painted whole. */
const fewRows = 100

/** When a list that has appeared stands still, with its scroll position restored. */
const settledAfterMs = 300

/** How high the parts of a list were when it was left, in a window of this width. */
const heightsAtLeaving = new WeakMap<Entries, { width: number; heights: readonly (number | undefined)[] }>()

/**
 * Lets the browser skip distant parts while thousands are loaded. A skipped part needs a height: the first rows are laid out
 * once, later ones get the height of those before them, and a list that is come back to has the heights with which it was
 * left, so that Back finds its place to the pixel.
 */
function useSkipping(list: RefObject<HTMLElement | null>, entries: Entries): void {
  const known = useRef(0)
  const rowHeight = useRef<number>(undefined)
  const latest = useRef(entries)
  const [heights] = useState(() => new WeakMap<Element, number>())
  // Asked for only while nothing waits to be laid out: the answer would have the browser do that at once.
  const [widthAtFirst] = useState(() => (typeof window === 'undefined' ? 0 : window.innerWidth))
  const width = useRef(widthAtFirst)
  const observer = useRef<ResizeObserver>(undefined)

  useLayoutEffect(() => {
    const root = list.current
    const watching = new ResizeObserver((changes) => {
      for (const { target, contentRect } of changes) heights.set(target, contentRect.height)
      width.current = window.innerWidth
    })
    observer.current = watching
    return () => {
      watching.disconnect()
      // Not measured now: the style sheet of the page may have gone before its list.
      const parts = partsOf(root).map((part) => heights.get(part))
      heightsAtLeaving.set(latest.current, { width: width.current, heights: parts })
    }
  }, [list, heights])

  useLayoutEffect(() => {
    const parts = partsOf(list.current)
    const left = known.current === 0 ? heightsAtLeaving.get(entries) : undefined
    for (const [index, part] of parts.entries()) {
      if (index < known.current) continue
      const height = left?.width === width.current ? left.heights[index] : estimate(part, rowHeight.current)
      if (height !== undefined) skip(part, height)
    }
    known.current = parts.length
    latest.current = entries
  }, [list, entries])

  useEffect(() => {
    if (entries.count < fewRows) return undefined
    const timer = window.setTimeout(() => {
      const near = window.innerHeight * 2
      const seen = partsOf(list.current).map((part) => ({ part, box: part.getBoundingClientRect() }))
      for (const { part, box } of seen) {
        if (box.bottom < -near || box.top > window.innerHeight + near) skip(part, box.height)
        // Not before: whatever is observed is laid out at once.
        if (!heights.has(part)) observer.current?.observe(part)
      }
      const block = list.current?.querySelector('ul')
      if (block) rowHeight.current = block.offsetHeight / block.children.length
    }, settledAfterMs)
    return () => window.clearTimeout(timer)
  }, [list, entries, heights])
}

/** A part of the list that is skipped or shown as a whole. */
function partsOf(list: HTMLElement | null): HTMLElement[] {
  return [...(list?.querySelectorAll<HTMLElement>('section:not(:has(ul + ul)), ul + ul, ul:has(+ ul)') ?? [])]
}

function estimate(part: HTMLElement, rowHeight: number | undefined): number | undefined {
  return rowHeight && rowHeight * part.querySelectorAll('li').length
}

function skip(part: HTMLElement, height: number): void {
  if (part.classList.contains('is-far')) return
  part.classList.add('is-far')
  part.style.containIntrinsicBlockSize = `auto ${height}px`
}

/**
 * A day. Written blocks stay: later ones are put behind them, and React, which knows the text of the beginning, leaves
 * them alone.
 */
const Day = memo(function Day({ group, newest, look }: { group: DayGroup; newest: number; look: RowLook }) {
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
    section.current?.classList.remove('is-far')
    const rows = trustedRows(further.map((block) => blockHtml(block, newest, look)).join(''))
    // The compiler knows texts alone here.
    section.current?.insertAdjacentHTML('beforeend', rows as string)
  }, [group, begun, newest, look, html])

  return <section ref={section} dangerouslySetInnerHTML={html} />
})

/** The nearest names, offered when nothing matched: rows without dates. */
export function NearestList({ rows, look }: { rows: readonly ItemRow[]; look: RowLook }) {
  const follow = useFollow()
  const html = useMemo(() => ({ __html: trustedRows(entriesHtml(rows, 0, look)) }), [rows, look])
  return (
    <div className="entries entries-plain" onClick={follow} onPointerOver={showWhole}>
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

/** A name that has been cut stands whole in the title of its link, once it is pointed at. */
function showWhole({ target }: PointerEvent): void {
  const name = (target as Element).closest('a')?.querySelector<HTMLElement>(':scope > span')
  const head = name?.querySelector('i')
  if (name?.parentElement && head && head.scrollHeight > head.clientHeight) name.parentElement.title = name.textContent
}
