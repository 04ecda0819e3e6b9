import { beforeEach, describe, expect, test, vi } from 'vitest'
import type { ItemRow } from '../../item/listing.ts'
import { ListError, type LoadedPage, type SiteListQuery } from './list-query.ts'
import { ListStore } from './list-store.ts'
import { noFilters } from '../../search/listing-address.ts'
import { freeShelves } from '../../shelves/free-shelves.ts'

type PageOfServer = Omit<LoadedPage, 'page'>

/** A question that the store has asked, and the ways to answer it. */
interface Requested {
  search: string
  page: number
  signal: AbortSignal
  answer: (page: PageOfServer) => Promise<void>
  fail: (error?: Error) => Promise<void>
}

let requested: Requested[]
let isOnline: boolean
let store: ListStore

beforeEach(() => {
  requested = []
  isOnline = true
  store = new ListStore({
    isOnline: () => isOnline,
    request: ({ filters }, page, signal) =>
      new Promise((resolve, reject) => {
        const settle = (): Promise<void> => new Promise((wake) => setImmediate(wake))
        requested.push({
          search: filters.search,
          page,
          signal,
          answer: (answer) => (resolve({ ...answer, page }), settle()),
          fail: (error = new ListError('Invalid server response')) => (reject(error), settle()),
        })
      }),
  })
})

const site = {
  brandName: 'Daybook',
  publicUrl: 'http://localhost',
  timeZone: 'UTC',
  today: '2024-03-15',
}
const about = (search: string, page = 1): SiteListQuery => ({
  site,
  shelf: freeShelves.western,
  filters: { ...noFilters, search, page },
})
const row = (slug: string): ItemRow => ({
  name: slug,
  slug,
  category: 'Film',
  contentType: 'western',
  day: '2024-03-05',
})
const pageOf = (rows: ItemRow[], totalPages = 1): PageOfServer => ({
  rows,
  totalPages,
  total: rows.length,
  nearest: [],
})
const slugs = (query: SiteListQuery) => store.read(query).pages?.map(({ rows }) => rows.map(({ slug }) => slug))
const look = (query: SiteListQuery) => store.subscribe(query, vi.fn<() => void>())
const newest = (): Requested => requested.at(-1) as Requested

/** A list that has come whole and is looked at. */
async function shown(search: string, ...pages: PageOfServer[]): Promise<() => void> {
  const unsubscribe = look(about(search))
  for (const page of pages) {
    if (page !== pages[0]) store.more(about(search))
    await newest().answer(page)
  }
  return unsubscribe
}

describe('a list', () => {
  test('is asked for when it is looked at, and tells that it has come', async () => {
    const listener = vi.fn<() => void>()
    store.subscribe(about('a'), listener)
    expect(store.read(about('a'))).toMatchObject({ pages: undefined, fetching: 'list', hasMore: false })
    listener.mockClear()
    await newest().answer(pageOf([row('one')], 2))
    expect(listener).toHaveBeenCalled()
    expect(store.read(about('a'))).toMatchObject({ fetching: undefined, hasMore: true, failure: undefined })
    expect(slugs(about('a'))).toEqual([['one']])
  })

  test('is one object until something of it changes', async () => {
    await shown('a', pageOf([row('one')]))
    expect(store.read(about('a'))).toBe(store.read(about('a')))
    expect(store.read(about('never asked'))).toBe(store.read(about('never asked either')))
  })

  test('that the server has rendered is not asked for', () => {
    store.hydrate(about('a', 3), pageOf([row('seven')], 4))
    look(about('a', 3))
    expect(requested).toEqual([])
    expect(slugs(about('a', 3))).toEqual([['seven']])
    store.more(about('a', 3))
    expect(newest().page).toBe(4)
  })

  test('that is here is not begun anew by the page the server rendered once', async () => {
    const first = pageOf([row('one')], 2)
    store.hydrate(about('a'), first)
    look(about('a'))
    store.more(about('a'))
    await newest().answer(pageOf([row('two')], 2))
    store.hydrate(about('a'), first)
    expect(slugs(about('a'))).toEqual([['one'], ['two']])
  })

  test('is one for two who ask the same, and is asked for once', async () => {
    const unsubscribe = look(about('a'))
    look({ ...about(' a '), site: { ...site } })
    expect(requested).toHaveLength(1)
    unsubscribe()
    expect(newest().signal.aborted).toBe(false)
    await newest().answer(pageOf([row('one')]))
    expect(slugs(about('a'))).toEqual([['one']])
  })
})

describe('a query that is superseded', () => {
  test('is called off, and its answer is dropped', async () => {
    look(about('a'))()
    const late = newest()
    look(about('b'))
    expect(late.signal.aborted).toBe(true)
    await newest().answer(pageOf([row('new')]))
    await late.answer(pageOf([row('old')]))
    expect(slugs(about('a'))).toBeUndefined()
    expect(slugs(about('b'))).toEqual([['new']])
  })

  test('is nobody’s failure', async () => {
    look(about('a'))()
    await newest().fail(new DOMException('Aborted', 'AbortError'))
    expect(store.read(about('a')).failure).toBeUndefined()
  })

  test('is asked again when it is come back to, and only the newer answer counts', async () => {
    look(about('a'))()
    const late = newest()
    look(about('a'))
    await late.answer(pageOf([row('old')]))
    expect(slugs(about('a'))).toBeUndefined()
    await newest().answer(pageOf([row('new')]))
    expect(slugs(about('a'))).toEqual([['new']])
  })

  test('keeps the pages that had come, without the one that was on its way', async () => {
    const unsubscribe = await shown('a', pageOf([row('one')], 3), pageOf([row('two')], 3))
    store.more(about('a'))
    unsubscribe()
    expect(newest().signal.aborted).toBe(true)
    await newest().answer(pageOf([row('three')], 3))
    expect(slugs(about('a'))).toEqual([['one'], ['two']])
    expect(store.read(about('a'))).toMatchObject({ fetching: undefined, hasMore: true })
  })
})

describe('Load More', () => {
  test('adds the next page, once, however often it is pressed', async () => {
    await shown('a', pageOf([row('one')], 2))
    store.more(about('a'))
    store.more(about('a'))
    expect(requested.map(({ page }) => page)).toEqual([1, 2])
    expect(store.read(about('a')).fetching).toBe('more')
    await newest().answer(pageOf([row('two')], 2))
    expect(slugs(about('a'))).toEqual([['one'], ['two']])
  })

  test.each([
    ['the last page', pageOf([row('two')], 2)],
    ['an empty page', pageOf([], 9)],
  ])('does nothing after %s', async (_, last) => {
    await shown('a', pageOf([row('one')], 2), last)
    expect(store.read(about('a')).hasMore).toBe(false)
    store.more(about('a'))
    expect(requested).toHaveLength(2)
  })

  test('does nothing before the first page, nor for a list that is not here', () => {
    look(about('a'))
    store.more(about('a'))
    store.more(about('b'))
    expect(requested).toHaveLength(1)
  })
})

describe('pages before the first one', () => {
  test('are added above, once, until there are none', async () => {
    look(about('a', 3))
    await newest().answer(pageOf([row('seven')], 4))
    expect(store.read(about('a', 3)).hasEarlier).toBe(true)
    store.earlier(about('a', 3))
    store.earlier(about('a', 3))
    expect(requested.map(({ page }) => page)).toEqual([3, 2])
    await newest().answer(pageOf([row('four')], 4))
    expect(slugs(about('a', 3))).toEqual([['four'], ['seven']])
    store.more(about('a', 3))
    expect(newest().page).toBe(4)
    await newest().answer(pageOf([row('ten')], 4))
    store.earlier(about('a', 3))
    await newest().answer(pageOf([row('one')], 4))
    expect(slugs(about('a', 3))).toEqual([['one'], ['four'], ['seven'], ['ten']])
    expect(store.read(about('a', 3))).toMatchObject({ hasEarlier: false, hasMore: false })
  })
})

test('a list is found whole at the address of a place in it', async () => {
  const unsubscribe = await shown('a', pageOf([row('one')], 2), pageOf([row('two')], 2))
  const there = { ...about('a').filters, at: '2006-05', sort: 'mostRecent' } as const
  store.addAddress(about('a'), there)
  unsubscribe()
  const query = { ...about('a'), filters: there }
  expect(store.peek(query)).toBeDefined()
  look(query)
  expect(slugs(query)).toEqual([['one'], ['two']])
  expect(requested).toHaveLength(2)
})

describe('a failure', () => {
  test('says what is wrong, and the list comes when it is tried again', async () => {
    look(about('a'))
    await newest().fail()
    expect(store.read(about('a'))).toMatchObject({ failure: 'Invalid server response', fetching: undefined })
    store.retry(about('a'))
    expect(store.read(about('a'))).toMatchObject({ failure: undefined, fetching: 'list' })
    await newest().answer(pageOf([row('one')]))
    expect(slugs(about('a'))).toEqual([['one']])
  })

  test('of the next page leaves the list, and the next page is what is tried again', async () => {
    await shown('a', pageOf([row('one')], 2))
    store.more(about('a'))
    await newest().fail()
    expect(slugs(about('a'))).toEqual([['one']])
    // Said where the next page was asked for.
    expect(store.read(about('a'))).toMatchObject({ failure: 'Invalid server response', isFurther: true })
    store.retry(about('a'))
    expect(newest().page).toBe(2)
    await newest().answer(pageOf([row('two')], 2))
    expect(slugs(about('a'))).toEqual([['one'], ['two']])
  })

  test('that nobody foresaw is told as invalid data', async () => {
    look(about('a'))
    await newest().fail(new TypeError('x is not a function'))
    expect(store.read(about('a')).failure).toBe('Invalid data received from API')
  })

  test('is over when the list is left', async () => {
    const unsubscribe = await shown('a', pageOf([row('one')], 2))
    store.more(about('a'))
    await newest().fail()
    unsubscribe()
    look(about('a'))
    expect(store.read(about('a'))).toMatchObject({ failure: undefined, hasMore: true })
    expect(requested).toHaveLength(2)
  })

  test('is not tried again without one', async () => {
    await shown('a', pageOf([row('one')], 2))
    store.retry(about('a'))
    expect(requested).toHaveLength(1)
  })
})

describe('without a connection', () => {
  test('nothing is asked until it is back, and then it goes on by itself', async () => {
    await shown('a', pageOf([row('one')], 2))
    isOnline = false
    store.more(about('a'))
    store.more(about('a'))
    expect(requested).toHaveLength(1)
    expect(store.read(about('a'))).toMatchObject({ isOffline: true, failure: undefined })
    expect(slugs(about('a'))).toEqual([['one']])
    isOnline = true
    store.reconnect()
    expect(store.read(about('a')).isOffline).toBe(false)
    expect(newest().page).toBe(2)
    await newest().answer(pageOf([row('two')], 2))
    expect(slugs(about('a'))).toEqual([['one'], ['two']])
  })

  test('a question that was under way waits, too', async () => {
    look(about('a'))
    isOnline = false
    await newest().fail()
    expect(store.read(about('a'))).toMatchObject({ isOffline: true, failure: undefined })
    isOnline = true
    store.reconnect()
    await newest().answer(pageOf([row('one')]))
    expect(slugs(about('a'))).toEqual([['one']])
  })

  test('a failure that came before the word of it is tried again', async () => {
    look(about('a'))
    await newest().fail()
    store.reconnect()
    expect(requested).toHaveLength(2)
  })

  test('a list that was left meanwhile is not asked for', () => {
    isOnline = false
    look(about('a'))()
    isOnline = true
    store.reconnect()
    expect(requested).toEqual([])
  })

  test('what is fresh is not asked for when it is back', async () => {
    await shown('a', pageOf([row('one')]))
    store.reconnect()
    expect(requested).toHaveLength(1)
  })
})

describe('coming back', () => {
  test('to a list asks nobody', async () => {
    const unsubscribe = await shown('a', pageOf([row('one')], 2), pageOf([row('two')], 2))
    unsubscribe()
    expect(store.peek({ shelf: freeShelves.western, filters: { ...noFilters, search: 'a' } })?.site).toBe(site)
    look(about('a'))
    expect(requested).toHaveLength(2)
    expect(slugs(about('a'))).toEqual([['one'], ['two']])
  })

  test('there is nothing to recall of a list that never came, or of another section', async () => {
    await shown('a', pageOf([row('one')]))
    look(about('b'))
    expect(store.peek(about('b'))).toBeUndefined()
    expect(store.peek({ ...about('a'), shelf: freeShelves.asian })).toBeUndefined()
  })

  test('after some minutes shows the list as it was, and exchanges it whole for what it has become', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: 0 })
    try {
      const unsubscribe = await shown('a', pageOf([row('one')], 2), pageOf([row('two')], 2))
      unsubscribe()
      vi.setSystemTime(5 * 60_000 + 1)
      const before = store.read(about('a')).pages
      look(about('a'))
      expect(newest().page).toBe(1)
      await newest().answer(pageOf([row('one')], 2))
      expect(slugs(about('a'))).toEqual([['one'], ['two']])
      expect(newest().page).toBe(2)
      await newest().answer(pageOf([row('three')], 2))
      expect(slugs(about('a'))).toEqual([['one'], ['three']])
      // Unchanged rows are not rendered again.
      expect(store.read(about('a')).pages?.[0]?.rows).toBe(before?.[0]?.rows)
    } finally {
      vi.useRealTimers()
    }
  })

  test('to one of the last twenty lists is possible, not to an older one', async () => {
    for (let number = 0; number < 21; number += 1) (await shown(`list ${number}`, pageOf([row('one')])))()
    expect(store.peek(about('list 0'))).toBeUndefined()
    expect(store.peek(about('list 1'))).toBeDefined()
    // To look at a list makes it the youngest.
    look(about('list 1'))()
    for (let number = 21; number < 40; number += 1) (await shown(`list ${number}`, pageOf([row('one')])))()
    expect(store.peek(about('list 2'))).toBeUndefined()
    expect(store.peek(about('list 1'))).toBeDefined()
  })

  test('is bounded by rows as well, but never takes away what is looked at', async () => {
    const many = Array.from({ length: 15_000 }, (_, index) => row(String(index)))
    await shown('in sight', pageOf(many))
    const unsubscribe = await shown('large', pageOf(many))
    expect(store.peek(about('large'))).toBeDefined()
    unsubscribe()
    await shown('small', pageOf([row('one')]))
    expect(store.peek(about('large'))).toBeUndefined()
    expect(store.peek(about('in sight'))).toBeDefined()
    expect(store.peek(about('small'))).toBeDefined()
  })

  test('to a list that was forgotten asks for it, and does not take the first page for a fresh one', async () => {
    const first = pageOf([row('one')])
    store.hydrate(about('a'), first)
    look(about('a'))()
    for (let number = 0; number < 20; number += 1) (await shown(`list ${number}`, pageOf([row('one')])))()
    store.hydrate(about('a'), first)
    expect(store.read(about('a')).pages).toBeUndefined()
    look(about('a'))
    expect(newest().search).toBe('a')
  })
})

describe('forgetting', () => {
  test('drops every list, also what is looked at, and what was on its way', async () => {
    const unsubscribe = await shown('a', pageOf([row('one')], 2))
    ;(await shown('b', pageOf([row('two')])))()
    store.more(about('a'))
    const listener = vi.fn<() => void>()
    store.subscribe(about('a'), listener)
    listener.mockClear()
    store.clear()
    expect(listener).toHaveBeenCalled()
    expect(store.read(about('a'))).toMatchObject({ pages: undefined, hasMore: false, fetching: undefined })
    expect(store.peek(about('b'))).toBeUndefined()
    expect(newest().signal.aborted).toBe(true)
    await newest().answer(pageOf([row('late')], 2))
    expect(store.read(about('a')).pages).toBeUndefined()
    // Leaving the earlier list takes nothing from the one that was begun since.
    look(about('a'))
    await newest().answer(pageOf([row('new')]))
    unsubscribe()
    expect(slugs(about('a'))).toEqual([['new']])
  })
})
