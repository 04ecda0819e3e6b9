import { type RefObject, useEffect, useLayoutEffect, useMemo, useRef } from 'react'
import { useLocation, useNavigationType } from 'react-router'
import type { ItemRow, ListingFilters } from '../../item/listing.ts'
import { orderOf, writeFilters } from '../../search/listing-address.ts'
import type { Shelf } from '../../shelves/shelf.ts'
import type { Entries } from './by-day.ts'

/** How long the list stands still before the address follows. */
const followsAfterMs = 300

/** Rows that are drawn for the first time have their heights by then. */
const settledAfterMs = 400

/** A list that settles moves less than this; whoever reads, more. */
const nearPx = 40

/** The first row in sight, and how far from the top of the window. It is kept in the entry of the history. */
interface Place {
  path: string
  top: number
}

interface KnownRow {
  number: number
  day: string
}

let dayInSight: string | undefined
const listeners = new Set<() => void>()

export const readingDay = {
  subscribe(listener: () => void): () => void {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
  read: (): string | undefined => dayInSight,
  set(day: string | undefined): void {
    if (day === dayInSight) return
    dayInSight = day
    for (const listener of listeners) listener()
  },
}

export interface ReadList {
  place: RefObject<HTMLElement | null>
  entries: Entries
  shelf: Shelf
  filters: ListingFilters
  total: number
  isStale: boolean
  hasMore: boolean
  more: () => void
  addAddress: (filters: ListingFilters) => void
}

/**
 * Follows whoever reads: says which entry they are at, writes that place into the address, and goes there when the list is come
 * to by such an address (docs/spec/search.md#time).
 */
export function useReadingPlace({
  place: root,
  entries,
  shelf,
  filters,
  total,
  isStale,
  hasMore,
  more,
  addAddress,
}: ReadList): void {
  const { key } = useLocation()
  const navigation = useNavigationType()
  const rows = useMemo(() => rowsByPath(entries, shelf), [entries, shelf])
  const seen = useRef<Place>(undefined)
  const firstRow = useRef(firstOf(entries))
  /** Where the page was scrolled to by the address, until somebody scrolls. */
  const landed = useRef<number>(undefined)
  /** A place so near the end of what is loaded that the next page has to come before it can be gone to. */
  const awaited = useRef<Place>(undefined)

  /** Scrolls so that a row stands where it did. @returns it, unless it is not in the list */
  const land = (at: Place | undefined): Element | undefined => {
    const row = at && rowAt(root.current, at.path)
    if (row === undefined || at === undefined) return undefined
    window.scrollBy(0, row.getBoundingClientRect().top - at.top)
    landed.current = window.scrollY
    return row
  }
  const look = (): void => {
    const row = rowInSight(root.current)
    const known = row && rows.get(row.pathname)
    if (row === undefined || known === undefined) return
    seen.current = { path: row.pathname, top: row.getBoundingClientRect().top }
    readingDay.set(known.day)
    const inWords = `${known.number.toLocaleString('en-US')} of ${total.toLocaleString('en-US')}`
    show(root.current, known.number === 1 ? '' : inWords)
  }

  const write = (): void => {
    const at = seen.current
    const known = at && rows.get(at.path)
    if (at === undefined || known === undefined || isStale) return
    // The next page has its address before this one is gone.
    if (window.location.pathname !== shelf.path) return
    const isByFit = orderOf(filters) === 'bestMatch'
    const there = isByFit ? filters : { ...filters, at: known.number === 1 ? '' : known.day.slice(0, 7), page: 1 }
    // The router is not told: nothing of the page changes.
    window.history.replaceState({ ...window.history.state, place: at }, '', shelf.path + writeFilters(there))
    addAddress(there)
  }
  const latest = useRef({ look, write })
  useLayoutEffect(() => {
    latest.current = { look, write }
  })

  // A page that has come before the others moves nothing in sight; one that was waited for brings its place.
  useLayoutEffect(() => {
    const [before, now] = [firstRow.current, firstOf(entries)]
    firstRow.current = now
    land(awaited.current ?? (before === now ? undefined : seen.current))
    awaited.current = undefined
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [root, entries])

  // Another list begins at its beginning; one that is come back to is where it was left.
  useLayoutEffect(() => {
    const top = root.current?.closest('.listing')?.getBoundingClientRect().top ?? 0
    if (navigation !== 'POP' && filters.at === '' && top < 0) window.scrollBy(0, top)
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [root, key])

  useLayoutEffect(() => {
    if (isStale) return undefined
    const wanted = placeOf(root.current, { rows, filters })
    const row = land(wanted)
    if (hasMore && wanted !== undefined && row !== undefined && row.getBoundingClientRect().top > wanted.top + 4) {
      awaited.current = wanted
      more()
    }
    latest.current.look()
    // The router restores a scroll position of its own, which may be that of another window of the list. A frame later the
    // row has its own height: a browser that keeps the rows below it in place has moved it up.
    let frame = requestAnimationFrame(() => {
      land(wanted)
      frame = requestAnimationFrame(() => land(wanted))
    })
    const timer = window.setTimeout(() => latest.current.look(), settledAfterMs)
    return () => {
      cancelAnimationFrame(frame)
      window.clearTimeout(timer)
    }
    // Each navigation lands once; rows that come later move nothing.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [root, key, isStale])

  useFollowing(root, latest, landed)
}

/** Looks where somebody reads, and writes the place once they stand still. */
function useFollowing(
  root: RefObject<HTMLElement | null>,
  latest: RefObject<{ look: () => void; write: () => void }>,
  landed: RefObject<number | undefined>,
): void {
  useEffect(() => {
    let frame = 0
    let timer: number | undefined
    const onScroll = (): void => {
      cancelAnimationFrame(frame)
      frame = requestAnimationFrame(() => latest.current.look())
      if (landed.current !== undefined && Math.abs(window.scrollY - landed.current) < nearPx) return
      landed.current = undefined
      window.clearTimeout(timer)
      timer = window.setTimeout(() => latest.current.write(), followsAfterMs)
    }
    // An entry that is opened leads back to this place.
    const onClick = (): void => {
      latest.current.look()
      latest.current.write()
    }
    const list = root.current
    window.addEventListener('scroll', onScroll, { passive: true })
    list?.addEventListener('click', onClick, true)
    return () => {
      cancelAnimationFrame(frame)
      window.clearTimeout(timer)
      window.removeEventListener('scroll', onScroll)
      list?.removeEventListener('click', onClick, true)
    }
  }, [root, latest, landed])
}

function show(root: HTMLElement | null, place: string): void {
  const shown = root?.parentElement?.querySelector('.count-place')
  if (shown) shown.textContent = place
}

function rowsByPath({ days }: Entries, { row: { pathOf } }: Shelf): Map<string, KnownRow> {
  const rows = new Map<string, KnownRow>()
  for (const { blocks } of days)
    for (const block of blocks)
      for (const [index, row] of block.rows.entries())
        rows.set(pathOf(row), { number: block.before + index + 1, day: row.day })
  return rows
}

function firstOf({ days }: Entries): ItemRow | undefined {
  return days[0]?.blocks[0]?.rows[0]
}

/** Below the bars that stick to the top. */
function topOfSight(root: HTMLElement): number {
  const folio = root.closest('.listing')?.querySelector<HTMLElement>('.folio')
  return folio ? (Number.parseFloat(getComputedStyle(folio).top) || 0) + folio.offsetHeight : 0
}

function rowInSight(root: HTMLElement | null): HTMLAnchorElement | undefined {
  if (root === null) return undefined
  const { left, width, top } = root.getBoundingClientRect()
  const from = Math.max(top, topOfSight(root)) + 4
  // Between two rows there may be a day's end, a month, or the way to the page before.
  for (let y = from; y < from + 320; y += 12) {
    // By its item: the browser may not have drawn what is in it yet.
    const item = document.elementFromPoint(left + width / 2, y)?.closest('.entries li')
    const row = item?.querySelector<HTMLAnchorElement>(':scope > a')
    if (row && root.contains(row)) return row
  }
  return undefined
}

function rowAt(root: HTMLElement | null, path: string): HTMLAnchorElement | undefined {
  return root?.querySelector<HTMLAnchorElement>(`.entries a[href="${CSS.escape(path)}"]`) ?? undefined
}

/** The row that was in sight, or the first one of the address; undefined if neither names a place. */
function placeOf(
  root: HTMLElement | null,
  { rows, filters }: { rows: ReadonlyMap<string, KnownRow>; filters: ListingFilters },
): Place | undefined {
  const kept = (window.history.state as { place?: Place } | null)?.place
  if (kept !== undefined && rows.has(kept.path)) return kept
  const path = pathAt(rows, filters)
  // The first entry of all is seen with everything above it.
  if (root === null || path === undefined || rows.get(path)?.number === 1) return undefined
  return { path, top: topOfSight(root) }
}

/** The first row not after a year, a month or a day; of a list with the oldest first the last one. */
function pathAt(rows: ReadonlyMap<string, KnownRow>, filters: ListingFilters): string | undefined {
  const { at } = filters
  if (at === '') return undefined
  const isNotAfter = ([, { day }]: [string, KnownRow]): boolean => day.slice(0, at.length) <= at
  const found = orderOf(filters) === 'oldest' ? [...rows].findLast(isNotAfter) : [...rows].find(isNotAfter)
  return found?.[0]
}
