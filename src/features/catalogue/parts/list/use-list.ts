import { useCallback, useMemo, useState, useSyncExternalStore } from 'react'
import type { FreePage } from '../../item/content-type.ts'
import type { ListingFilters, ListingPage } from '../../item/listing.ts'
import { requestPage, type ListSite } from './list-query.ts'
import { type ListQuery, type ListState, ListStore } from './list-store.ts'
import { writeFilters } from '../../search/listing-address.ts'

let ofThisTab: ListStore | undefined

/**
 * The lists this visitor has seen, so that Back shows them again at once and whole. One for the browser's tab; the
 * server makes a fresh one for every page it renders, so that nothing is kept between visitors.
 */
export function listStore(): ListStore {
  if (typeof document === 'undefined') return newStore(() => true)
  ofThisTab ??= storeOfTab()
  return ofThisTab
}

function storeOfTab(): ListStore {
  // `navigator.onLine` is often wrong when a page begins; the event of a lost connection is right.
  let isOnline = true
  const store = newStore(() => isOnline)
  window.addEventListener('offline', () => (isOnline = false))
  window.addEventListener('online', () => {
    isOnline = true
    store.reconnect()
  })
  return store
}

function newStore(isOnline: () => boolean): ListStore {
  return new ListStore({
    isOnline,
    request: ({ site, section, filters }, page, signal) => requestPage(site, section, filters, page, signal),
  })
}

export interface LiveList extends ListState {
  more: () => void
  retry: () => void
}

/** The list that the filters ask for, begun with the server's page where that is the one. */
export function useList({
  site,
  section,
  filters,
  first,
}: {
  site: ListSite
  section: FreePage
  filters: ListingFilters
  first: ListingPage | undefined
}): LiveList {
  const [store] = useState(listStore)
  const query = useMemo<ListQuery>(() => ({ site, section, filters }), [site, section, filters])
  if (first !== undefined && writeFilters(first.filters) === writeFilters(filters)) store.hydrate(query, first)

  const subscribe = useCallback((listener: () => void) => store.subscribe(query, listener), [store, query])
  const read = useCallback(() => store.read(query), [store, query])
  const state = useSyncExternalStore(subscribe, read, read)
  return { ...state, more: () => store.more(query), retry: () => store.retry(query) }
}
