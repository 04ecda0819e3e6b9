import { useEffect, useMemo, useRef, useState } from 'react'
import { Link, useNavigationType } from 'react-router'
import { Icon } from '../../../ui/icon.tsx'
import { Spinner } from '../../../ui/spinner.tsx'
import { StatePage } from '../../../ui/state-page.tsx'
import type { FreePage } from '../content-type.ts'
import type { ItemRow, ListingPage } from '../listing.ts'
import { ActiveFilters, activeFilters } from './active-filters.tsx'
import { EntryList, NearestList } from './entry-list.tsx'
import type { ListPage, ListSite } from './list-query.ts'
import { isRegional, writeFilters } from './listing-address.ts'
import { ListingToolbar } from './listing-toolbar.tsx'
import { rememberRegion } from './region.ts'
import { useCategories } from './use-categories.ts'
import { useList } from './use-list.ts'
import { useListKeys, useShortcutSetting } from './use-list-keys.ts'
import { useListingFilters } from './use-listing-filters.ts'

export interface ListingText {
  title: string
  empty: string
}

interface ListingProps {
  section: FreePage
  text: ListingText
  /** The page the server has rendered; absent when the browser still has the list that is asked for. */
  first: ListingPage | undefined
  site: ListSite
}

/** A listing: toolbar, list, more. It begins as the server's page and goes on with the HTTP interface. */
export function Listing({ section, text, first, site }: ListingProps) {
  const filters = useListingFilters(section)
  const { asked, shown } = filters
  const [hasShortcuts, setShortcuts] = useShortcutSetting()
  const entries = useRef<HTMLDivElement>(null)
  useListKeys(entries, hasShortcuts)

  useEffect(() => {
    if (isRegional(section)) rememberRegion(section)
  }, [section])

  const list = useList({ site, section, filters: asked, first })
  const hasFailed = list.failure !== undefined

  // The list that was there stays, dimmed, until the next one has come, and also when it does not come.
  const question = writeFilters(asked)
  const [kept, setKept] = useState({ question, pages: list.pages })
  if (list.pages !== undefined && list.pages !== kept.pages) setKept({ question, pages: list.pages })
  const { question: answered, pages } = list.pages === undefined ? kept : { question, pages: list.pages }
  const isStale = list.pages === undefined || writeFilters({ ...shown, page: asked.page }) !== question

  // Another list begins at its beginning; one that is come back to is where it was left.
  const frame = useRef<HTMLDivElement>(null)
  const navigation = useNavigationType()
  const begun = useRef(question)
  useEffect(() => {
    if (begun.current === question) return
    begun.current = question
    const top = frame.current?.getBoundingClientRect().top ?? 0
    if (navigation !== 'POP' && top < 0) window.scrollBy(0, top)
  }, [navigation, question])

  const rows = useMemo(() => rowsOf(pages ?? []), [pages])
  const categories = useCategories(section, rows, shown.category)
  const last = pages?.at(-1)
  const count = last === undefined ? '' : countOf(last.total, last.totalIsExact)
  const pathname = `/${section}`
  const isWaiting = isStale && !hasFailed && !list.isOffline
  const isAskingMore = list.asking === 'more' && !list.isOffline

  return (
    <div ref={frame} className="listing">
      <ListingToolbar
        section={section}
        filters={filters}
        categories={categories}
        resultLabel={count}
        hasShortcuts={hasShortcuts}
      />
      <div className="listing-facts">
        <ActiveFilters filters={filters} pathname={pathname} />
        <p className="count" role="status">
          {isWaiting ? <span className="spinner" aria-hidden="true" /> : null}
          {isWaiting ? <span className="sr-only">Loading...</span> : count}
        </p>
      </div>

      {list.isOffline ? (
        <p className="notice notice-calm" role="status">
          You are offline. This is the list as it was; it goes on by itself when the connection is back.
        </p>
      ) : null}
      {hasFailed ? (
        <div className="notice" role="alert">
          <span>{list.failure}</span>
          <button type="button" className="button" onClick={list.retry}>
            Try again
          </button>
        </div>
      ) : null}

      <div ref={entries} id="entries" tabIndex={-1} className="outline-none">
        {last === undefined ? (
          hasFailed ? null : (
            <FirstLoad />
          )
        ) : (
          <>
            {rows.length > 0 && asked.page > 1 ? (
              <p className="listing-earlier">
                <Link className="button" to={{ pathname, search: writeFilters({ ...asked, page: asked.page - 1 }) }}>
                  Previous page
                </Link>
              </p>
            ) : null}
            {rows.length > 0 ? (
              <EntryList key={answered} rows={rows} isStale={isWaiting} />
            ) : (
              <div className="listing-empty" data-stale={isWaiting || undefined}>
                <Empty
                  text={text}
                  nearest={last.nearest}
                  pathname={pathname}
                  isFiltered={activeFilters(asked).length > 0 || asked.page > 1}
                />
              </div>
            )}
          </>
        )}
      </div>

      {list.hasMore && !isStale ? (
        <p className="listing-more">
          <a
            className="button"
            href={`${pathname}${writeFilters({ ...asked, page: asked.page + (pages?.length ?? 1) })}`}
            aria-disabled={isAskingMore || undefined}
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
            {isAskingMore ? 'Loading...' : 'Load More Content'}
          </a>
        </p>
      ) : null}

      {rows.length > 0 ? <KeyLegend isOn={hasShortcuts} onChange={setShortcuts} /> : null}
    </div>
  )
}

/** Every entry once: what is published while a list is read moves entries from one page to the next. */
function rowsOf(pages: readonly ListPage[]): ItemRow[] {
  return [...new Map(pages.flatMap(({ rows }) => rows.map((row) => [row.slug, row]))).values()]
}

function countOf(total: number, isExact: boolean): string {
  const number = total.toLocaleString('en-US')
  return `${isExact ? number : `${number}+`} ${total === 1 && isExact ? 'entry' : 'entries'}`
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

function Empty({
  text,
  nearest,
  pathname,
  isFiltered,
}: {
  text: ListingText
  nearest: ListingPage['nearest']
  pathname: string
  isFiltered: boolean
}) {
  return (
    <>
      <StatePage
        drawing="empty"
        title={text.empty}
        level={2}
        steps={
          isFiltered ? (
            <Link className="button" to={pathname} preventScrollReset>
              Clear all filters
            </Link>
          ) : undefined
        }
      >
        <p>Try adjusting your search or filters to find what you're looking for.</p>
      </StatePage>
      {nearest.length === 0 ? null : (
        <section className="nearest" aria-labelledby="nearest">
          <h3 id="nearest">Nearest names</h3>
          <p>Nothing matches your text exactly. These come closest.</p>
          <NearestList rows={nearest} />
        </section>
      )}
    </>
  )
}

/** What the single keys do, and the way to turn them off. */
function KeyLegend({ isOn, onChange }: { isOn: boolean; onChange: (isOn: boolean) => void }) {
  return (
    <p className="key-legend with-script">
      {isOn ? (
        <>
          <kbd>/</kbd> search <kbd>j</kbd> <kbd>k</kbd> move <kbd>Enter</kbd> open
        </>
      ) : (
        <>Single-key shortcuts are off.</>
      )}
      <button type="button" className="text-link" onClick={() => onChange(!isOn)}>
        {isOn ? 'Turn off' : 'Turn on'}
        <span className="sr-only"> single-key shortcuts</span>
      </button>
    </p>
  )
}

/** The way from one regional catalogue to the other. */
export function SwitchRegion({ section }: { section: 'asian' | 'western' }) {
  const [other, name] = section === 'asian' ? ['/western', 'Western'] : ['/asian', 'Asian']
  return (
    <Link className="button" to={other} prefetch="intent">
      {`Switch to ${name}`}
      <Icon name="on" size={16} />
    </Link>
  )
}
