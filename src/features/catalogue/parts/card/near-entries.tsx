import { type ReactNode, useId, useEffect, useRef, useCallback, useSyncExternalStore } from 'react'
import { Link, useLocation } from 'react-router'
import { TextLink } from '../../../../ui/button.tsx'
import type { NearEntry, Neighbours } from '../../item/neighbours-schema.ts'
import { languageOf } from '../list/language-of.ts'
import { filteredList } from './filtered-list.ts'
import './near-entries.css'
import { fromList } from '../back-to-list.tsx'
import { lastList, type SeenList } from '../list/last-list.ts'

/**
 * The way on from an entry: its series, others by its creators and of its day, and the rows next to it in its list. A part
 * without entries leaves no gap.
 */
export function NearEntries({
  neighbours,
  path,
  list,
  day,
}: {
  /** Undefined until they are known. */
  neighbours: Neighbours | undefined
  path: string
  list: string
  /** Its day, `YYYY-MM-DD`. */
  day: string
}) {
  const { volumes = [], moreBy, sameDay, previous, next } = neighbours ?? {}
  return (
    <>
      {volumes.length === 0 ? null : <Volumes volumes={volumes} path={path} />}
      {moreBy === undefined && sameDay === undefined ? null : (
        <div className="near">
          {moreBy === undefined ? null : (
            <Near
              title={
                <>
                  More by <bdi lang={languageOf(moreBy.creator)}>{moreBy.creator}</bdi>
                </>
              }
              {...moreBy}
              isOfOne
              all={
                <>
                  See all<span className="sr-only"> by {moreBy.creator}</span>
                </>
              }
              to={filteredList(list, 'creator', moreBy.creator)}
            />
          )}
          {sameDay === undefined ? null : (
            <Near
              title="Entered the same day"
              {...sameDay}
              all="See the whole day"
              to={filteredList(list, 'at', day)}
            />
          )}
        </div>
      )}
      <Pager previous={previous} next={next} path={path} />
    </>
  )
}

function Volumes({ volumes, path }: Pick<Neighbours, 'volumes'> & { path: string }) {
  const isNumbered = volumes.every(({ number }) => number !== undefined)
  return (
    <nav className="volumes" aria-label="Series">
      <p aria-hidden="true">{isNumbered ? 'Volumes' : 'In this series'}</p>
      <ul>
        {volumes.map((volume) => (
          <li key={volume.path} data-gap={volume.isBehindGap}>
            <Link
              to={volume.path}
              title={volume.name}
              aria-current={volume.path === path ? 'page' : undefined}
              data-named={volume.number === undefined || undefined}
            >
              {volume.number === undefined ? null : volume.number}
              <span className={volume.number === undefined ? undefined : 'sr-only'} lang={languageOf(volume.name)}>
                {volume.number === undefined ? volume.name : `: ${volume.name}`}
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}

/**
 * @param isOfOne whether all are by the one who is named above
 * @param all says where the rest is
 */
function Near({
  title,
  entries,
  hasMore,
  isOfOne = false,
  all,
  to,
}: {
  title: ReactNode
  entries: readonly NearEntry[]
  hasMore: boolean
  isOfOne?: boolean
  all: ReactNode
  to: { pathname: string; search: string }
}) {
  const id = useId()
  return (
    <section aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      <ul>
        {entries.map((entry) => (
          <li key={entry.path}>
            <Link to={entry.path}>
              <bdi lang={languageOf(entry.name)}>{entry.name}</bdi>
              {isOfOne || entry.creators === undefined ? null : <small>{entry.creators}</small>}
            </Link>
          </li>
        ))}
      </ul>
      {hasMore ? (
        <p>
          <TextLink to={to}>{all}</TextLink>
        </p>
      ) : null}
    </section>
  )
}

/**
 * The rows next to an entry in the list from which one came, else in its own. The arrow keys lead there.
 */
function Pager({ previous, next, path }: Pick<Neighbours, 'previous' | 'next'> & { path: string }) {
  const place = usePlaceInList(path)
  const shown = place ?? { previous, next }
  const nav = useRef<HTMLElement>(null)
  useArrowKeys(nav)
  if (shown.previous === undefined && shown.next === undefined) return null
  return (
    <nav ref={nav} className="card-pager" aria-label="Previous and next">
      <Way entry={shown.previous} rel="prev" isInList={place !== undefined} />
      <Way entry={shown.next} rel="next" isInList={place !== undefined} />
    </nav>
  )
}

/** From entry to entry of a list the way back to the list stays one step. */
function Way({ entry, rel, isInList }: { entry: NearEntry | undefined; rel: 'prev' | 'next'; isInList: boolean }) {
  if (entry === undefined) return null
  return (
    <Link to={entry.path} rel={rel} {...(isInList ? { state: fromList, replace: true } : {})}>
      <small>{rel === 'prev' ? 'Previous' : 'Next'}</small>
      <bdi lang={languageOf(entry.name)}>{entry.name}</bdi>
    </Link>
  )
}

const ownKeys = 'input, textarea, select, [contenteditable], dialog, [role="menu"], [role="listbox"], audio, video'

/** ← and → go where the links go; not while somebody types, nor where the keys have a meaning of their own. */
function useArrowKeys(nav: { readonly current: HTMLElement | null }): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return
      const rel = event.key === 'ArrowLeft' ? 'prev' : event.key === 'ArrowRight' ? 'next' : undefined
      if (rel === undefined || (event.target instanceof Element && event.target.closest(ownKeys) !== null)) return
      const link = nav.current?.querySelector<HTMLElement>(`a[rel="${rel}"]`)
      if (link == null) return
      event.preventDefault()
      link.click()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [nav])
}

interface PlaceInList {
  previous: NearEntry | undefined
  next: NearEntry | undefined
}

/**
 * The place of an entry in the very list from which it was opened, with its filters and in its order. Undefined where it was
 * opened otherwise, and where the list is not in memory any more.
 */
function usePlaceInList(path: string): PlaceInList | undefined {
  const { state } = useLocation() as { state: { fromList?: boolean } | null }
  const list = state?.fromList === true ? lastList() : undefined
  useSyncExternalStore(
    useCallback(
      (listener) => {
        const end = list && placeIn(list, path)?.end
        // Elsewhere in the list nothing of it has to be asked for.
        if (list === undefined || end === undefined) return () => undefined
        const leave = list.store.subscribe(list.query, listener)
        list.store[end](list.query)
        return leave
      },
      [list, path],
    ),
    () => list?.store.read(list.query),
    () => undefined,
  )
  return list && placeIn(list, path)
}

/** With the end of the rows that have come, where the entry stands there and the list goes on. */
function placeIn(
  { store, query }: SeenList,
  path: string,
): (PlaceInList & { end: 'earlier' | 'more' | undefined }) | undefined {
  const { pages = [], hasEarlier, hasMore } = store.read(query)
  const rows = pages.flatMap((page) => page.rows)
  const { pathOf } = query.shelf.row
  const at = rows.findIndex((row) => pathOf(row) === path)
  if (at === -1) return undefined
  const entryAt = (place: number): NearEntry | undefined => {
    const row = rows[place]
    return row && { name: row.name, path: pathOf(row) }
  }
  return {
    previous: entryAt(at - 1),
    next: entryAt(at + 1),
    end: at === 0 && hasEarlier ? 'earlier' : at === rows.length - 1 && hasMore ? 'more' : undefined,
  }
}
