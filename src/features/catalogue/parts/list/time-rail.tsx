import { type ReactNode, useEffect, useEffectEvent, useState, useSyncExternalStore } from 'react'
import { Link } from 'react-router'
import type { ListingFilters } from '../../item/listing.ts'
import { searchParameters, sortOfTime, writeFilters } from '../../search/listing-address.ts'
import type { Facets } from '../../search/search-facets.server.ts'
import type { Shelf } from '../../shelves/shelf.ts'
import { monthNames } from '../../search/month-names.ts'
import type { CallSearch } from './list-query.ts'
import { callAsVisitor } from './request-page.ts'
import { readingDay } from './use-reading-place.ts'

/** The years and months of a list with their counts: each a link to its place in it (docs/spec/search.md#time). */
export function TimeRail({
  shelf,
  filters,
  callSearch = callAsVisitor,
  onFacets,
}: {
  shelf: Shelf
  filters: ListingFilters
  callSearch?: CallSearch | undefined
  /** Is told of the facets of the list, which have the years. */
  onFacets: (facets: Facets) => void
}): ReactNode {
  const { years = [] } = useFacets(pathOfFacets(shelf, filters), { callSearch, onFacets }) ?? {}
  const day = useSyncExternalStore(readingDay.subscribe, readingDay.read) ?? ''
  const most = Math.max(1, ...years.map(({ count }) => count))
  const sort = sortOfTime(filters)
  const to = (at: string) => ({ pathname: shelf.path, search: writeFilters({ ...filters, sort, at, page: 1 }) })
  const close = (): void => document.querySelector<HTMLElement>('#time:popover-open')?.hidePopover()

  return (
    <ol onClick={close}>
      {years.map(({ year, count, months }) => {
        const name = String(year).padStart(4, '0')
        const isCurrent = day.startsWith(name)
        return (
          <li key={year}>
            <Link to={to(name)} preventScrollReset aria-current={isCurrent ? 'true' : undefined}>
              {year}
              <progress value={count} max={most} aria-hidden="true" />
              <small>{count.toLocaleString('en-US')}</small>
            </Link>
            {isCurrent ? (
              <ol>
                {months.map(({ month, count: ofMonth }) => {
                  const at = `${name}-${String(month).padStart(2, '0')}`
                  return (
                    <li key={month}>
                      <Link to={to(at)} preventScrollReset aria-current={day.startsWith(at) ? 'true' : undefined}>
                        {monthNames[month - 1]}
                        <small>{ofMonth.toLocaleString('en-US')}</small>
                      </Link>
                    </li>
                  )
                })}
              </ol>
            ) : null}
          </li>
        )
      })}
    </ol>
  )
}

/** Page, order and place count for nothing: for all of them the answer is one. */
function pathOfFacets(shelf: Shelf, filters: ListingFilters): string {
  const query = searchParameters(shelf, { ...filters, at: '', sort: 'mostRecent' }, 1)
  for (const name of ['page', 'limit', 'sortBy', 'sortOrder', 'marks']) query.delete(name)
  return `/universal-search/facets?${query}`
}

/** Those of the free lists of this tab, by what was asked: they stand there at once when a list is come back to. */
const known = new Map<string, { facets: Facets; askedAt: number }>()
const maxKnown = 20
/** Within this time a list has the same facets. */
const freshMs = 60_000

/** The facets of a list (docs/spec/search.md#facets); those of the list before, until its own have come. */
function useFacets(
  path: string,
  { callSearch, onFacets }: { callSearch: CallSearch; onFacets: (facets: Facets) => void },
): Facets | undefined {
  const [facets, setFacets] = useState(known.get(path)?.facets)
  const show = useEffectEvent((found: Facets) => {
    setFacets(found)
    onFacets(found)
  })
  useEffect(() => {
    const kept = known.get(path)
    if (kept !== undefined && performance.now() - kept.askedAt < freshMs) {
      show(kept.facets)
      return undefined
    }
    const request = new AbortController()
    const ask = async (): Promise<void> => {
      // A list without its facets is whole: its menus offer what is loaded.
      const answer = await callSearch(path, request.signal).catch(() => null)
      if (request.signal.aborted || answer === null) return
      const found = answer as Facets
      if (callSearch === callAsVisitor) {
        known.set(path, { facets: found, askedAt: performance.now() })
        for (const oldest of known.keys()) if (known.size > maxKnown) known.delete(oldest)
      }
      show(found)
    }
    void ask()
    return () => request.abort()
  }, [path, callSearch])
  return facets
}
