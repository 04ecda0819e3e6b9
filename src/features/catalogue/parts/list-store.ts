import type { FreePage } from '../content-type.ts'
import type { ListingFilters } from '../listing.ts'
import { ListError, type ListPage, type ListSite, pageAfter } from './list-query.ts'
import { writeFilters } from './listing-address.ts'

/** What a list is asked for, and by which site. The page of the filters is the one the list begins with. */
export interface ListQuestion {
  site: ListSite
  section: FreePage
  filters: ListingFilters
}

/** A list as it stands. A new object whenever anything of it changes. */
export interface ListState {
  /** From the page that was asked for on; undefined until the first has come. */
  pages: readonly ListPage[] | undefined
  hasMore: boolean
  /** What is under way: the list, for the first time or anew, or its next page. */
  asking: 'list' | 'more' | undefined
  /** What is under way waits for the connection, and goes on by itself. */
  isOffline: boolean
  /** Why what was asked last has not come, in the words that people read. */
  failure: string | undefined
}

interface KeptList {
  question: ListQuestion
  state: ListState
  /** Those who look at it. */
  listeners: Set<() => void>
  /** When it was last asked for whole; milliseconds. */
  askedAt: number
  request: AbortController | undefined
  /** What is asked for again after a failure. */
  failed: 'list' | 'more'
}

interface Surroundings {
  ask: (question: ListQuestion, page: number, signal: AbortSignal) => Promise<ListPage>
  isOnline: () => boolean
}

/** A list that is older is asked for anew when somebody comes back to it, quietly, behind the one that is shown. */
const freshMs = 5 * 60_000

/** How many lists are kept for Back, and how many rows they may hold in all; those in sight are not counted out. */
const mostLists = 20
const mostRows = 20_000

const unasked: ListState = { pages: undefined, hasMore: false, asking: undefined, isOffline: false, failure: undefined }

/** Names the list that a section and its filters ask for: the same name for the same question. */
function nameOf({ section, filters }: Pick<ListQuestion, 'section' | 'filters'>): string {
  return section + writeFilters(filters)
}

/**
 * The lists of one visitor: one for each question, asked for when it is looked at and kept when it is left. A question
 * nobody looks at any more is called off, and its answer is dropped.
 */
export class ListStore {
  #lists = new Map<string, KeptList>()
  #seeds = new WeakSet<ListPage>()
  #surroundings: Surroundings

  constructor(surroundings: Surroundings) {
    this.#surroundings = surroundings
  }

  /** Begins a list with the page that the server has rendered, unless it is here. A page is as fresh as this only once. */
  seed(question: ListQuestion, first: ListPage): void {
    if (this.#seeds.has(first) || this.#lists.has(nameOf(question))) return
    this.#seeds.add(first)
    this.#set(this.#open(question), { pages: [first] })
  }

  /** The question of a list that is kept, with the site it belongs to. */
  recall(question: Pick<ListQuestion, 'section' | 'filters'>): ListQuestion | undefined {
    const list = this.#lists.get(nameOf(question))
    return list?.state.pages === undefined ? undefined : list.question
  }

  read(question: ListQuestion): ListState {
    return this.#lists.get(nameOf(question))?.state ?? unasked
  }

  /** Looks at a list until what is returned is called: it is asked for when it is not here, or is no longer fresh. */
  subscribe(question: ListQuestion, listener: () => void): () => void {
    const list = this.#open(question)
    list.listeners.add(listener)
    this.#refresh(list)
    this.#forget()
    return () => {
      list.listeners.delete(listener)
      if (list.listeners.size === 0) this.#leave(list)
    }
  }

  /** Asks for the next page; does nothing while something is under way and when nothing remains. */
  more(question: ListQuestion): void {
    const list = this.#lists.get(nameOf(question))
    if (list?.state.hasMore === true && list.state.asking === undefined) this.#ask(list, 'more')
  }

  /** Asks once more for what has failed. */
  retry(question: ListQuestion): void {
    const list = this.#lists.get(nameOf(question))
    if (list?.state.failure !== undefined) this.#ask(list, list.failed)
  }

  /** The connection is back: what waits goes on, and what failed is tried again, where somebody looks. */
  reconnect(): void {
    for (const list of this.#lists.values()) {
      if (list.listeners.size === 0) continue
      if (list.state.isOffline) this.#ask(list, list.state.asking ?? 'list')
      else if (list.state.failure !== undefined) this.#ask(list, list.failed)
      else this.#refresh(list)
    }
  }

  /** The list of a question, which becomes the last to be forgotten. */
  #open(question: ListQuestion): KeptList {
    const name = nameOf(question)
    const list = this.#lists.get(name) ?? {
      question,
      state: unasked,
      listeners: new Set(),
      askedAt: Date.now(),
      request: undefined,
      failed: 'list',
    }
    this.#lists.delete(name)
    this.#lists.set(name, list)
    return list
  }

  #refresh(list: KeptList): void {
    if (list.state.pages === undefined || Date.now() - list.askedAt > freshMs) this.#ask(list, 'list')
  }

  #ask(list: KeptList, what: 'list' | 'more'): void {
    if (list.request !== undefined) return
    const isOffline = !this.#surroundings.isOnline()
    this.#set(list, { asking: what, isOffline, failure: undefined })
    if (isOffline) return
    list.request = new AbortController()
    void this.#answer(list, what, list.request)
  }

  async #answer(list: KeptList, what: 'list' | 'more', request: AbortController): Promise<void> {
    const askedAt = Date.now()
    let change: Partial<ListState>
    try {
      const pages = await this.#bring(list, what, request.signal)
      if (list.request !== request) return
      if (what === 'list') list.askedAt = askedAt
      change = { pages, asking: undefined }
    } catch (error) {
      if (list.request !== request) return
      list.failed = what
      const failure = error instanceof ListError ? error.message : 'Invalid data received from API'
      change = this.#surroundings.isOnline() ? { asking: undefined, failure } : { isOffline: true }
    }
    list.request = undefined
    this.#set(list, change)
    this.#forget()
  }

  /** The pages as they are to be: one more, or all of them anew, which are exchanged at once. */
  async #bring({ question, state }: KeptList, what: 'list' | 'more', signal: AbortSignal): Promise<ListPage[]> {
    const { pages: former = [] } = state
    const ask = (index: number) => this.#surroundings.ask(question, question.filters.page + index, signal)
    if (what === 'more') return [...former, await ask(former.length)]
    const pages = [await ask(0)]
    while (pages.length < former.length && hasMore(question, pages)) pages.push(await ask(pages.length))
    // Rows that are as they were stay the same objects, so that nothing of them is rendered again.
    return pages.map((page, index) => {
      const rows = former[index]?.rows
      return rows !== undefined && JSON.stringify(rows) === JSON.stringify(page.rows) ? { ...page, rows } : page
    })
  }

  #set(list: KeptList, change: Partial<ListState>): void {
    const state = { ...list.state, ...change }
    list.state = { ...state, hasMore: state.pages !== undefined && hasMore(list.question, state.pages) }
    for (const listener of list.listeners) listener()
  }

  /** Nobody looks at the list: what is under way is called off, and what has come is kept. */
  #leave(list: KeptList): void {
    list.request?.abort()
    list.request = undefined
    if (list.state.pages === undefined) this.#lists.delete(nameOf(list.question))
    else this.#set(list, { asking: undefined, isOffline: false, failure: undefined })
  }

  #forget(): void {
    let rows = 0
    for (const { state } of this.#lists.values()) rows += rowsOf(state)
    for (const [name, { listeners, state }] of this.#lists) {
      if (this.#lists.size <= mostLists && rows <= mostRows) return
      if (listeners.size > 0) continue
      this.#lists.delete(name)
      rows -= rowsOf(state)
    }
  }
}

function hasMore({ filters }: ListQuestion, pages: readonly ListPage[]): boolean {
  const last = pages.at(-1)
  return last !== undefined && pageAfter(last, filters.page + pages.length - 1) !== undefined
}

function rowsOf({ pages = [] }: ListState): number {
  return pages.reduce((sum, { rows }) => sum + rows.length, 0)
}
