import { useCallback, useMemo, useState, useSyncExternalStore } from 'react'
import type { ListingFilters, ListingPage } from '../../item/listing.ts'
import type { Shelf } from '../../shelves/shelf.ts'
import type { CallSearch, ListSite, SiteListQuery } from './list-query.ts'
import { rememberList } from './last-list.ts'
import { type ListState, ListStore } from './list-store.ts'
import { writeFilters } from '../../search/listing-address.ts'

let ofThisTab: ListStore | undefined

/**
 * The free lists this visitor has seen, so that Back shows them again at once and whole. One for the browser's tab; the
 * server makes a fresh one for every page it renders, so that nothing is kept between visitors.
 */
export function listStore(): ListStore {
  if (import.meta.env.SSR) return newStore(() => true)
  ofThisTab ??= storeOfTab()
  return ofThisTab
}

export function storeOfTab(callSearch?: CallSearch): ListStore {
  // `navigator.onLine` is often wrong when a page begins; the event of a lost connection is right.
  let isOnline = true
  const store = newStore(() => isOnline, callSearch)
  window.addEventListener('offline', () => (isOnline = false))
  window.addEventListener('online', () => {
    isOnline = true
    store.reconnect()
  })
  return store
}

/** They are loaded after the first page, which has come with its list. */
export const loadAids = () => import('./list-aids.tsx')

function newStore(isOnline: () => boolean, callSearch?: CallSearch): ListStore {
  return new ListStore({
    isOnline,
    async request(query, page, signal) {
      const { requestPage } = await loadAids()
      signal.throwIfAborted()
      return requestPage(query, page, signal, callSearch)
    },
  })
}

export interface LiveList extends ListState {
  more: () => void
  earlier: () => void
  retry: () => void
  addAddress: (filters: ListingFilters) => void
}

/** The list that the filters ask for, begun with the server's page where that is the one. */
export function useList({
  openStore,
  site,
  shelf,
  filters,
  first,
}: {
  openStore: () => ListStore
  site: ListSite
  shelf: Shelf
  filters: ListingFilters
  first: ListingPage | undefined
}): LiveList {
  const [store] = useState(openStore)
  const query = useMemo<SiteListQuery>(() => ({ site, shelf, filters }), [site, shelf, filters])
  if (first !== undefined && writeFilters(first.filters) === writeFilters(filters))
    store.hydrate(query, first, first.filters.page)

  const subscribe = useCallback(
    (listener: () => void) => {
      rememberList({ store, query })
      return store.subscribe(query, listener)
    },
    [store, query],
  )
  const read = useCallback(() => store.read(query), [store, query])
  const state = useSyncExternalStore(subscribe, read, read)
  return {
    ...state,
    more: () => store.more(query),
    earlier: () => store.earlier(query),
    retry: () => store.retry(query),
    addAddress: (other) => store.addAddress(query, other),
  }
}
