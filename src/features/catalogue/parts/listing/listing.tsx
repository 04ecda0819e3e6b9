import {
  type ComponentProps,
  type ComponentType,
  createElement,
  lazy,
  memo,
  type ReactNode,
  Suspense,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react'
import { Link, useLocation } from 'react-router'
import { Icon } from '../../../../ui/icon.tsx'
import { isPlainClick } from '../../../../ui/is-plain-click.ts'
import { Spinner } from '../../../../ui/spinner.tsx'
import type { ListingFilters, ListingPage } from '../../item/listing.ts'
import { type Entries, entriesOf } from '../list/by-day.ts'
import { countNew } from '../list/count-new.ts'
import { EntryList } from '../list/entry-list.tsx'
import type * as Aids from '../list/list-aids.tsx'
import type { CallSearch, LoadedPage, ListSite } from '../list/list-query.ts'
import type { ListStore } from '../list/list-store.ts'
import { orderOf, readFilters, sortOfTime, unreadFilters, writeFilters } from '../../search/listing-address.ts'
import type { Facets } from '../../search/search-facets.server.ts'
import type { Shelf } from '../../shelves/shelf.ts'
import { ListingToolbar, ActiveFilters } from './listing-toolbar.tsx'
import { DidYouMean, OrderLinks } from './search-links.tsx'
import { YearsWithoutScript } from './years-without-script.tsx'
import { categoryOptions } from './category-options.ts'
import { loadAids, useList } from '../list/use-list.ts'
import './time-rail.css'
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
const loadingAids = import.meta.env.SSR
  ? undefined
  : loadAids()
      .then((loaded) => (loadedAids = loaded))
      .catch(() => undefined)

/** In no page's first scripts: few lists have no rows. */
const EmptyList = lazy(() => import('./empty-list.tsx').catch(() => ({ default: EmptyTitle })))

/** Drawn again only for another answer: else React would take away what the server has written until the script is here. */
const KeptEmptyList = memo((props: ComponentProps<typeof EmptyList>) => (
  <Suspense>
    <EmptyList {...props} />
  </Suspense>
))

function EmptyTitle({ shelf }: { shelf: Shelf }) {
  return <h2>{shelf.empty.title}</h2>
}

const noPages: readonly LoadedPage[] = []

/** A listing: toolbar, list, more. It begins as the server's page and goes on with the HTTP interface. */
export function Listing({ shelf, memory, first, site }: ListingProps) {
  const filters = useListingFilters(shelf)
  const { requested, shown } = filters
  const shortcuts = useState(true)
  const place = useRef<HTMLDivElement>(null)

  const [facets, setFacets] = useState<Facets>()

  const list = useList({ openStore: memory.openStore, site, shelf, filters: requested, first })

  // The list that was there stays, dimmed, until the next one has come, and also when it does not come.
  const query = writeFilters(requested)
  const [kept, setKept] = useState({ query, pages: list.pages })
  if (list.pages !== undefined && list.pages !== kept.pages) setKept({ query, pages: list.pages })
  const { query: answered, pages = noPages } = list.pages === undefined ? kept : { query, pages: list.pages }
  const isStale = list.pages === undefined || writeFilters({ ...shown, page: requested.page }) !== query

  const unread = unreadFilters(shelf, useLocation().search)

  const { category, language, format, decade } = shown
  const categories = useMemo(() => categoryOptions(pages, category, facets), [pages, category, facets])
  const entries = entriesOf(pages, orderOf(readFilters(shelf, answered)) === 'bestMatch')
  const last = pages.at(-1)
  const total = last?.total ?? 0
  const count = last === undefined ? '' : `${total.toLocaleString('en-US')} ${total === 1 ? 'entry' : 'entries'}`
  const { path: pathname } = shelf
  const isWaiting = isStale && list.failure === undefined && !list.isOffline

  return (
    <div className="listing">
      <ListingToolbar
        shelf={shelf}
        filters={filters}
        categories={categories}
        more={<LoadedMenus {...{ language, format, decade, facets }} change={filters.change} />}
        resultLabel={count}
        hasShortcuts={shortcuts[0]}
      />
      <div className="listing-facts">
        <ActiveFilters filters={filters} pathname={pathname} />
        <LoadedSaveSearch shelf={shelf} filters={requested} />
        {unread.length === 0 ? null : (
          <p className="listing-unread">{`Ignored in the address: ${unread.join(', ')}.`}</p>
        )}
        {requested.search === '' || last === undefined ? null : (
          <DidYouMean filters={requested} pathname={pathname} last={last} />
        )}
      </div>

      {list.isFurther ? null : <Trouble list={list} />}

      <div className="listing-body">
        <TimePane shelf={shelf} filters={requested} callSearch={memory.callSearch} onFacets={setFacets}>
          {import.meta.env.SSR && first?.firstYear !== undefined ? (
            <YearsWithoutScript firstYear={first.firstYear} today={site.today} filters={requested} />
          ) : null}
        </TimePane>

        <div className="listing-list">
          {entries.count > 0 ? <LoadedSwitch place={place} /> : null}
          {/* At the end of the line in which the month stands; which entry is read follows, said by the page's script. */}
          <p className="count" role="status">
            {isWaiting ? <span className="spinner" aria-hidden="true" /> : null}
            {isWaiting ? <span className="sr-only">Loading...</span> : count}
          </p>
          <p className="count count-place" />
          {requested.search === '' || last === undefined ? null : (
            <OrderLinks filters={requested} pathname={pathname} last={last} />
          )}
          <div ref={place} id="entries" tabIndex={-1} className="listing-entries">
            <Pane {...{ shelf, list, requested, pages, entries, answered, site, isWaiting }} />
          </div>

          <ListEnd {...{ shelf, list, requested, last, isStale }} />

          <div className={entries.count > 0 ? 'key-legend with-script' : 'sr-only'}>
            <LoadedAids
              key={answered}
              {...list}
              {...{ place, entries, shelf, filters: requested, isStale, total }}
              shortcuts={shortcuts}
            />
          </div>
        </div>
      </div>
    </div>
  )
}

function Pane({
  shelf,
  list,
  requested,
  pages,
  entries,
  answered,
  site,
  isWaiting,
}: {
  shelf: Shelf
  list: ReturnType<typeof useList>
  requested: ListingFilters
  pages: readonly LoadedPage[]
  entries: Entries
  /** The query whose answer this is. */
  answered: string
  site: ListSite
  isWaiting: boolean
}) {
  const { path: pathname, row: look } = shelf
  const [first, last] = [pages[0], pages.at(-1)]
  if (first === undefined || last === undefined) return list.failure === undefined ? <FirstLoad /> : null
  if (entries.count === 0) {
    return (
      <div className="listing-empty" data-stale={isWaiting || undefined}>
        <KeptEmptyList shelf={shelf} last={last} requested={requested} />
      </div>
    )
  }
  return (
    <>
      {list.hasEarlier ? (
        <FurtherLink
          className="listing-earlier"
          href={`${pathname}${writeFilters({ ...requested, at: '', page: first.page - 1 })}`}
          label="Previous page"
          isFetching={list.fetching === 'earlier' && !list.isOffline}
          onPress={list.earlier}
        />
      ) : null}
      <EntryList
        key={answered}
        entries={entries}
        newest={countNew(answered, first.page > 1 ? [] : first.rows, site.today)}
        look={look}
        isStale={isWaiting}
      />
    </>
  )
}

/** In an element of its own: one that comes or goes beside the rows has a browser look at the style of each of them. */
function ListEnd({
  shelf,
  list,
  requested,
  last,
  isStale,
}: {
  shelf: Shelf
  list: ReturnType<typeof useList>
  requested: ListingFilters
  last: LoadedPage | undefined
  isStale: boolean
}) {
  return (
    <div>
      {list.hasMore && !isStale ? (
        <FurtherLink
          className="listing-more"
          href={`${shelf.path}${writeFilters({ ...requested, at: '', page: (last?.page ?? requested.page) + 1 })}`}
          label={shelf.moreLabel}
          isFetching={list.fetching === 'more' && !list.isOffline}
          onPress={list.more}
        />
      ) : null}
      {/* Beside the button that was pressed: the top of the list may be thousands of rows away. */}
      {list.isFurther ? <Trouble list={list} /> : null}
    </div>
  )
}

type Part = 'ListAids' | 'ValueMenus' | 'SaveSearch' | 'ViewSwitch' | 'TimeRail'
type PropsOf = { [Name in Part]: ComponentProps<(typeof Aids)[Name]> }

function loadedPart<Name extends Part>(name: Name) {
  return memo(function Loaded(props: PropsOf[Name]) {
    const parts: { [Each in Part]: ComponentType<PropsOf[Each]> } | undefined = useAids()
    return parts ? createElement<object>(parts[name] as ComponentType<object>, props) : null
  })
}

const LoadedAids = loadedPart('ListAids')
const LoadedMenus = loadedPart('ValueMenus')
const LoadedSaveSearch = loadedPart('SaveSearch')
const LoadedSwitch = loadedPart('ViewSwitch')
const LoadedRail = loadedPart('TimeRail')

/** Undefined until the page has come to life, so that it begins as the server has written it. */
function useAids(): typeof loadedAids {
  return useSyncExternalStore(
    onAids,
    () => loadedAids,
    () => undefined,
  )
}

function onAids(listener: () => void): () => void {
  void loadingAids?.then(listener)
  return () => undefined
}

/** The way through time: a rail beside the list on wide screens, else a sheet. A day is chosen without a script as well. */
const TimePane = memo(function TimePane(rail: ComponentProps<typeof Aids.TimeRail> & { children: ReactNode }) {
  const kept = new URLSearchParams(writeFilters({ ...rail.filters, sort: sortOfTime(rail.filters), at: '', page: 1 }))
  return (
    <nav id="time" className="sheet rail" aria-label="Time" popover="auto">
      <form method="get">
        {[...kept].map(([name, value]) => (
          <input key={name} type="hidden" name={name} value={value} />
        ))}
        <label>
          <span>Go to</span>
          <input type="date" name="at" required />
        </label>
        <button type="submit" className="button">
          Go
        </button>
      </form>
      {/* A browser with scripts reads none of it: the page's own need not write it. */}
      <noscript>{rail.children}</noscript>
      <LoadedRail {...rail} />
    </nav>
  )
})

/** The next page below the others, or the one before above them. Without JavaScript it is a page of its own. */
function FurtherLink({
  className,
  href,
  label,
  isFetching,
  onPress,
}: {
  className: string
  href: string
  label: string
  isFetching: boolean
  onPress: () => void
}) {
  return (
    <p className={className}>
      <a
        className="button"
        href={href}
        aria-disabled={isFetching || undefined}
        role="button"
        onClick={(event) => {
          if (!isPlainClick(event)) return
          event.preventDefault()
          onPress()
        }}
        onKeyDown={(event) => {
          if (event.key !== ' ') return
          event.preventDefault()
          onPress()
        }}
      >
        {isFetching ? 'Loading...' : label}
      </a>
    </p>
  )
}

function Trouble({ list }: { list: ReturnType<typeof useList> }) {
  return (
    <>
      {list.isOffline ? (
        <p className="notice notice-calm" role="status">
          You are offline. The list goes on by itself when the connection is back.
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
