import { type ComponentProps, createElement, lazy, type RefObject, Suspense, useEffect, useRef, useState } from 'react'
import { Link, useLocation, useNavigationType } from 'react-router'
import { Icon } from '../../../../ui/icon.tsx'
import { Spinner } from '../../../../ui/spinner.tsx'
import { useIsHydrated } from '../../../../ui/use-is-hydrated.ts'
import type { ListingPage } from '../../item/listing.ts'
import { ActiveFilters } from './active-filters.tsx'
import { entriesOf } from '../list/by-day.ts'
import { countNew } from '../list/count-new.ts'
import { EntryList } from '../list/entry-list.tsx'
import type * as Aids from '../list/list-aids.tsx'
import type { CallSearch, LoadedPage, ListSite } from '../list/list-query.ts'
import type { ListStore } from '../list/list-store.ts'
import { orderOf, readFilters, unreadFilters, writeFilters } from '../../search/listing-address.ts'
import type { Facets } from '../../search/search-facets.server.ts'
import type { Shelf } from '../../shelves/shelf.ts'
import { ListingToolbar } from './listing-toolbar.tsx'
import { DidYouMean, OrderLinks } from './search-links.tsx'
import { categoryOptions } from './category-options.ts'
import { useList } from '../list/use-list.ts'
import { useShortcutSetting } from '../list/use-shortcut-setting.ts'
import { useListingFilters } from './use-listing-filters.ts'

/** The browser's memory of the lists of one audience. */
export interface ListMemory {
  openStore: () => ListStore
  /** Undefined: as a visitor. */
  callSearch?: CallSearch
}

interface ListingProps {
  shelf: Shelf
  memory: ListMemory
  /** The page the server has rendered; absent when the browser still has the list that is asked for. */
  first: ListingPage | undefined
  site: ListSite
}

let loadedAids: typeof Aids | undefined

/** Begun with the page; whoever cannot load them still has the list. */
const loadingAids =
  typeof document === 'undefined'
    ? undefined
    : import('../list/list-aids.tsx').then(
        (loaded) => (loadedAids = loaded),
        () => undefined,
      )

/** In no page's first scripts: few lists have no rows. */
const EmptyList = lazy(() => import('./empty-list.tsx').catch(() => ({ default: EmptyTitle })))

function EmptyTitle({ shelf }: { shelf: Shelf }) {
  return <h2>{shelf.empty.title}</h2>
}

const noPages: readonly LoadedPage[] = []

/** A listing: toolbar, list, more. It begins as the server's page and goes on with the HTTP interface. */
export function Listing({ shelf, memory, first, site }: ListingProps) {
  const filters = useListingFilters(shelf)
  const { requested, shown } = filters
  const [hasShortcuts, setShortcuts] = useShortcutSetting()
  const place = useRef<HTMLDivElement>(null)

  const [areFacetsWanted, setWanted] = useState(false)
  const [facets, setFacets] = useState<Facets>()

  const list = useList({ openStore: memory.openStore, site, shelf, filters: requested, first })
  const hasFailed = list.failure !== undefined

  // The list that was there stays, dimmed, until the next one has come, and also when it does not come.
  const query = writeFilters(requested)
  const [kept, setKept] = useState({ query, pages: list.pages })
  if (list.pages !== undefined && list.pages !== kept.pages) setKept({ query, pages: list.pages })
  const { query: answered, pages } = list.pages === undefined ? kept : { query, pages: list.pages }
  const isStale = list.pages === undefined || writeFilters({ ...shown, page: requested.page }) !== query

  const unread = unreadFilters(shelf, useLocation().search)
  const frame = useRef<HTMLDivElement>(null)
  useBeginning(frame, query)

  const entries = entriesOf(pages ?? noPages, orderOf(readFilters(shelf, answered)) === 'bestMatch')
  const last = pages?.at(-1)
  const firstPage = pages?.[0]?.page ?? requested.page
  const count = last === undefined ? '' : countOf(last.total)
  const { path: pathname, row: look } = shelf
  const isWaiting = isStale && !hasFailed && !list.isOffline

  return (
    <div ref={frame} className="listing">
      <ListingToolbar
        shelf={shelf}
        filters={filters}
        categories={categoryOptions(pages ?? noPages, shown.category, facets)}
        more={<LoadedMenus filters={filters} facets={facets} />}
        onUse={() => setWanted(true)}
        resultLabel={count}
        hasShortcuts={hasShortcuts}
      />
      <div className="listing-facts">
        <ActiveFilters filters={filters} pathname={pathname} />
        {unread.length === 0 ? null : (
          <p className="listing-unread">{`Ignored, because its value in the address is not valid: ${unread.join(', ')}.`}</p>
        )}
        {requested.search === '' || last === undefined ? null : (
          <DidYouMean filters={requested} pathname={pathname} last={last} />
        )}
      </div>

      {areFacetsWanted ? (
        <LoadedFacets query={{ site, shelf, filters: requested }} callSearch={memory.callSearch} onChange={setFacets} />
      ) : null}
      {list.isFurther ? null : <Trouble list={list} />}

      {entries.count > 0 ? <LoadedSwitch place={place} /> : null}
      {/* At the end of the line in which the month stands. */}
      <p className="count" role="status">
        {isWaiting ? <span className="spinner" aria-hidden="true" /> : null}
        {isWaiting ? <span className="sr-only">Loading...</span> : count}
      </p>
      {requested.search === '' || last === undefined ? null : (
        <OrderLinks filters={requested} pathname={pathname} last={last} />
      )}
      <div ref={place} id="entries" tabIndex={-1} className="listing-entries">
        {last === undefined ? (
          hasFailed ? null : (
            <FirstLoad />
          )
        ) : (
          <>
            {entries.count > 0 && firstPage > 1 ? (
              <p className="listing-earlier">
                <Link
                  className="button"
                  to={{ pathname, search: writeFilters({ ...requested, at: '', page: firstPage - 1 }) }}
                >
                  Previous page
                </Link>
              </p>
            ) : null}
            {entries.count > 0 ? (
              <EntryList
                key={answered}
                entries={entries}
                newest={countNew(answered, pages?.[0]?.rows ?? [], site.today, look)}
                look={look}
                isStale={isWaiting}
              />
            ) : (
              <div className="listing-empty" data-stale={isWaiting || undefined}>
                <Suspense>
                  <EmptyList shelf={shelf} last={last} requested={requested} />
                </Suspense>
              </div>
            )}
          </>
        )}
      </div>

      {list.hasMore && !isStale ? (
        <MoreLink
          list={list}
          href={`${pathname}${writeFilters({ ...requested, at: '', page: (last?.page ?? requested.page) + 1 })}`}
          label={shelf.moreLabel}
        />
      ) : null}

      {/* Beside the button that was pressed: the top of the list may be thousands of rows away. */}
      {list.isFurther ? <Trouble list={list} /> : null}

      <div className={entries.count > 0 ? 'key-legend with-script' : 'sr-only'}>
        <LoadedAids key={answered} place={place} entries={entries} shortcuts={[hasShortcuts, setShortcuts]} />
      </div>
    </div>
  )
}

function LoadedAids(props: ComponentProps<typeof Aids.ListAids>) {
  const aids = useAids()
  return aids ? createElement(aids.ListAids, props) : null
}

function LoadedFacets(props: ComponentProps<typeof Aids.ListFacets>) {
  const aids = useAids()
  return aids ? createElement(aids.ListFacets, props) : null
}

function LoadedMenus(props: ComponentProps<typeof Aids.ValueMenus>) {
  const aids = useAids()
  return aids ? createElement(aids.ValueMenus, props) : null
}

function LoadedSwitch(props: ComponentProps<typeof Aids.ViewSwitch>) {
  const aids = useAids()
  return aids ? createElement(aids.ViewSwitch, props) : null
}

function useAids(): typeof loadedAids {
  const isHydrated = useIsHydrated()
  const [aids, setAids] = useState(loadedAids)
  useEffect(() => void loadingAids?.then(setAids), [])
  return isHydrated ? aids : undefined
}

/** Another list begins at its beginning; one that is come back to is where it was left. */
function useBeginning(frame: RefObject<HTMLDivElement | null>, query: string): void {
  const navigation = useNavigationType()
  const begun = useRef(query)
  useEffect(() => {
    if (begun.current === query) return
    begun.current = query
    const top = frame.current?.getBoundingClientRect().top ?? 0
    if (navigation !== 'POP' && top < 0) window.scrollBy(0, top)
  }, [frame, navigation, query])
}

/** The next page, below this one. Without JavaScript it is a page of its own. */
function MoreLink({ list, href, label }: { list: ReturnType<typeof useList>; href: string; label: string }) {
  const isFetchingMore = list.fetching === 'more' && !list.isOffline
  return (
    <p className="listing-more">
      <a
        className="button"
        href={href}
        aria-disabled={isFetchingMore || undefined}
        role="button"
        onClick={(event) => {
          if (event.metaKey || event.ctrlKey || event.shiftKey) return
          event.preventDefault()
          list.more()
        }}
        onKeyDown={(event) => {
          if (event.key !== ' ') return
          event.preventDefault()
          list.more()
        }}
      >
        {isFetchingMore ? 'Loading...' : label}
      </a>
    </p>
  )
}

/** Why what was asked has not come, and the way to ask again. */
function Trouble({ list }: { list: ReturnType<typeof useList> }) {
  return (
    <>
      {list.isOffline ? (
        <p className="notice notice-calm" role="status">
          You are offline. This is the list as it was; it goes on by itself when the connection is back.
        </p>
      ) : null}
      {list.failure === undefined ? null : (
        <div className="notice" role="alert">
          <span>{list.failure}</span>
          <button type="button" className="button" onClick={list.retry}>
            Try again
          </button>
        </div>
      )}
    </>
  )
}

function countOf(total: number): string {
  return `${total.toLocaleString('en-US')} ${total === 1 ? 'entry' : 'entries'}`
}

function FirstLoad() {
  return (
    <div className="skeleton">
      <Spinner />
      <ul aria-hidden="true">
        {Array.from({ length: 12 }, (_, index) => (
          <li key={index} />
        ))}
      </ul>
    </div>
  )
}

export function ListingHead({ shelf: { title, subtitle, twin }, level = 1 }: { shelf: Shelf; level?: 1 | 2 }) {
  const Heading = level === 1 ? 'h1' : 'h2'
  return (
    <div className="listing-head">
      <div>
        <Heading>{title}</Heading>
        {subtitle === undefined ? null : <p>{subtitle}</p>}
      </div>
      {twin === undefined ? null : (
        <Link className="button" to={twin.path} prefetch="intent">
          {`Switch to ${twin.name}`}
          <Icon name="on" size={16} />
        </Link>
      )}
    </div>
  )
}
