import { ListError, type LoadedPage, type SiteListQuery, pageAfter } from './list-query.ts'
import type { ListingFilters } from '../../item/listing.ts'
import { writeFilters } from '../../search/listing-address.ts'

/** A list as it stands. A new object whenever anything of it changes. */
export interface ListState {
  /** From the page that was asked for on; undefined until the first has come. */
  pages: readonly LoadedPage[] | undefined
  hasMore: boolean
  hasEarlier: boolean
  /** The pending request: the list, for the first time or again, or its next page. */
  fetching: 'list' | 'more' | 'earlier' | undefined
  /** The pending request waits for the connection, and continues by itself. */
  isOffline: boolean
  failure: string | undefined
  /** The next page waits or has failed, not the list. */
  isFurther: boolean
}

type Wanted = NonNullable<ListState['fetching']>

interface SavedList {
  query: SiteListQuery
  state: ListState
  listeners: Set<() => void>
  /** When it was last asked for whole; milliseconds. */
  requestedAt: number
  request: AbortController | undefined
  failed: Wanted
}

interface Surroundings {
  request: (query: SiteListQuery, page: number, signal: AbortSignal) => Promise<LoadedPage>
  isOnline: () => boolean
}

type PageOfServer = Omit<LoadedPage, 'page'>

/** A list that is older is asked for anew when somebody comes back to it, quietly, behind the one that is shown. */
const freshMs = 5 * 60_000

/** How many lists are kept for Back, and how many rows they may hold in all; those in sight are not counted out. */
const maxLists = 20
const maxRows = 20_000

const unasked: ListState = {
  pages: undefined,
  hasMore: false,
  hasEarlier: false,
  fetching: undefined,
  isOffline: false,
  failure: undefined,
  isFurther: false,
}

/** Names the list that a shelf and its filters ask for: the same name for the same query. */
function nameOf({ shelf, filters }: Pick<SiteListQuery, 'shelf' | 'filters'>): string {
  return shelf.path + writeFilters(filters)
}

/**
 * The lists of one visitor: one for each query, asked for when it is looked at and kept when it is left. A query
 * nobody looks at any more is called off, and its answer is dropped.
 */
export class ListStore {
  #lists = new Map<string, SavedList>()
  #seeds = new WeakSet<PageOfServer>()
  #surroundings: Surroundings

  constructor(surroundings: Surroundings) {
    this.#surroundings = surroundings
  }

  /**
   * Begins a list with the page that the server has rendered, unless it is here. A page is as fresh as this only once.
   * @param page its number: an address may name an instant instead
   */
  hydrate(query: SiteListQuery, first: PageOfServer, page = query.filters.page): void {
    if (this.#seeds.has(first) || this.#lists.has(nameOf(query))) return
    this.#seeds.add(first)
    this.#set(this.#open(query), { pages: [{ ...first, page }] })
  }

  /** The query of a list that is kept, with the site it belongs to. */
  peek(query: Pick<SiteListQuery, 'shelf' | 'filters'>): SiteListQuery | undefined {
    const list = this.#lists.get(nameOf(query))
    return list?.state.pages === undefined ? undefined : list.query
  }

  read(query: SiteListQuery): ListState {
    return this.#lists.get(nameOf(query))?.state ?? unasked
  }

  /** Looks at a list until what is returned is called: it is asked for when it is not here, or is no longer fresh. */
  subscribe(query: SiteListQuery, listener: () => void): () => void {
    const list = this.#open(query)
    list.listeners.add(listener)
    this.#refresh(list)
    this.#delete()
    return () => {
      list.listeners.delete(listener)
      if (list.listeners.size === 0) this.#unsubscribe(list)
    }
  }

  /** Asks for the next page; does nothing while something is under way and when nothing remains. */
  more(query: SiteListQuery): void {
    const list = this.#lists.get(nameOf(query))
    if (list?.state.hasMore === true && list.state.fetching === undefined) this.#request(list, 'more')
  }

  /** Asks for the page before the first one; does nothing while something is under way and when nothing remains. */
  earlier(query: SiteListQuery): void {
    const list = this.#lists.get(nameOf(query))
    if (list?.state.hasEarlier === true && list.state.fetching === undefined) this.#request(list, 'earlier')
  }

  /** Keeps a list for the address of a place in it as well: whoever comes back there finds it whole. */
  addAddress(query: SiteListQuery, filters: ListingFilters): void {
    const list = this.#lists.get(nameOf(query))
    if (list !== undefined) this.#lists.set(nameOf({ shelf: query.shelf, filters }), list)
  }

  retry(query: SiteListQuery): void {
    const list = this.#lists.get(nameOf(query))
    if (list?.state.failure !== undefined) this.#request(list, list.failed)
  }

  /** The connection is back: what waits goes on, and what failed is tried again, where somebody looks. */
  reconnect(): void {
    for (const list of this.#lists.values()) {
      if (list.listeners.size === 0) continue
      if (list.state.isOffline) this.#request(list, list.state.fetching ?? 'list')
      else if (list.state.failure !== undefined) this.#request(list, list.failed)
      else this.#refresh(list)
    }
  }

  /** Forgets every list, and drops what is on its way: nobody may look at them any longer. */
  clear(): void {
    const lists = [...this.#lists.values()]
    this.#lists.clear()
    for (const list of lists) {
      list.request?.abort()
      list.request = undefined
      list.state = unasked
      for (const listener of list.listeners) listener()
    }
  }

  /** The list of a query, which becomes the last to be forgotten. */
  #open(query: SiteListQuery): SavedList {
    const name = nameOf(query)
    const list = this.#lists.get(name) ?? {
      query,
      state: unasked,
      listeners: new Set(),
      requestedAt: Date.now(),
      request: undefined,
      failed: 'list',
    }
    this.#lists.delete(name)
    this.#lists.set(name, list)
    return list
  }

  #refresh(list: SavedList): void {
    if (list.state.pages === undefined || Date.now() - list.requestedAt > freshMs) this.#request(list, 'list')
  }

  #request(list: SavedList, what: Wanted): void {
    if (list.request !== undefined) return
    const isOffline = !this.#surroundings.isOnline()
    this.#set(list, { fetching: what, isOffline, failure: undefined, isFurther: what === 'more' })
    if (isOffline) return
    list.request = new AbortController()
    void this.#answer(list, what, list.request)
  }

  async #answer(list: SavedList, what: Wanted, request: AbortController): Promise<void> {
    const requestedAt = Date.now()
    let change: Partial<ListState>
    try {
      const pages = await this.#fetch(list, what, request.signal)
      if (list.request !== request) return
      if (what === 'list') list.requestedAt = requestedAt
      change = { pages, fetching: undefined }
    } catch (error) {
      if (list.request !== request) return
      list.failed = what
      const failure = error instanceof ListError ? error.message : 'Invalid data received from API'
      change = this.#surroundings.isOnline() ? { fetching: undefined, failure } : { isOffline: true }
    }
    list.request = undefined
    this.#set(list, change)
    this.#delete()
  }

  /** The pages as they are to be: one more, or all of them anew, which are exchanged at once. */
  async #fetch({ query, state }: SavedList, what: Wanted, signal: AbortSignal): Promise<LoadedPage[]> {
    const { pages: former = [] } = state
    // An instant has become a page by now.
    const asked = former.length === 0 ? query : { ...query, filters: { ...query.filters, at: '' } }
    const request = (page: number) => this.#surroundings.request(asked, page, signal)
    const [next, first] = [pageAfterAll(former), former[0]?.page ?? query.filters.page]
    if (what === 'more') return next === undefined ? [...former] : [...former, await request(next)]
    if (what === 'earlier') return [await request(first - 1), ...former]
    const pages = [await request(first)]
    for (
      let after = pageAfterAll(pages);
      pages.length < former.length && after !== undefined;
      after = pageAfterAll(pages)
    )
      pages.push(await request(after))
    // Rows that are as they were stay the same objects, so that nothing of them is rendered again.
    return pages.map((page, index) => {
      const rows = former[index]?.rows
      return rows !== undefined && JSON.stringify(rows) === JSON.stringify(page.rows) ? { ...page, rows } : page
    })
  }

  #set(list: SavedList, change: Partial<ListState>): void {
    const state = { ...list.state, ...change }
    const hasEarlier = (state.pages?.[0]?.page ?? 1) > 1
    list.state = { ...state, hasMore: pageAfterAll(state.pages) !== undefined, hasEarlier }
    for (const listener of list.listeners) listener()
  }

  /** Nobody looks at the list: what is under way is called off, and what has come is kept. */
  #unsubscribe(list: SavedList): void {
    list.request?.abort()
    list.request = undefined
    const name = nameOf(list.query)
    if (this.#lists.get(name) !== list) return
    if (list.state.pages === undefined) this.#lists.delete(name)
    else this.#set(list, { fetching: undefined, isOffline: false, failure: undefined })
  }

  #delete(): void {
    const lists = new Set(this.#lists.values())
    let rows = 0
    for (const { state } of lists) rows += rowsOf(state)
    for (const list of lists) {
      if (lists.size <= maxLists && rows <= maxRows) return
      if (list.listeners.size > 0) continue
      for (const [name, each] of this.#lists) if (each === list) this.#lists.delete(name)
      lists.delete(list)
      rows -= rowsOf(list.state)
    }
  }
}

function pageAfterAll(pages: readonly LoadedPage[] = []): number | undefined {
  const last = pages.at(-1)
  return last && pageAfter(last)
}

function rowsOf({ pages = [] }: ListState): number {
  return pages.reduce((sum, { rows }) => sum + rows.length, 0)
}
