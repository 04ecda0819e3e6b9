import { describe, expect, test, vi } from 'vitest'
import { freeContentTypes } from '../item/content-type.ts'
import { filterParameters, noFilters, readFilters, searchParameters, writeFilters } from './listing-address.ts'

describe('the address of a listing', () => {
  test('without filters is bare', () => {
    expect(writeFilters(noFilters)).toBe('')
    expect(readFilters('western', '')).toEqual(noFilters)
  })

  test('holds every filter, in any script, and gives it back', () => {
    const filters = {
      ...noFilters,
      search: '羅生門 & 100%',
      dateFilter: '7days',
      month: '03',
      category: 'How To...',
      page: 2,
    } as const
    expect(readFilters('asian', writeFilters(filters))).toEqual(filters)
    expect(readFilters('banned', '?sort=oldest&month=12')).toEqual({ ...noFilters, sort: 'oldest', month: '12' })
  })

  test('that makes no sense is read as if the senseless part were missing', () => {
    expect(readFilters('western', '?page=-2&month=13&dateFilter=never&sort=oldest')).toEqual(noFilters)
    expect(readFilters('banned', '?dateFilter=today&category=Art')).toEqual(noFilters)
  })

  test.each(freeContentTypes)('of /%s is declared: the page is rendered under these parameters alone', (section) => {
    const get = vi.spyOn(URLSearchParams.prototype, 'get')
    readFilters(section, '?search=a')
    const read = new Set(get.mock.calls.map(([name]) => name))
    expect([...read].toSorted()).toEqual(filterParameters(section).toSorted())

    const everything = { ...noFilters, search: 'a', dateFilter: 'today', month: '03', category: 'b', page: 2 } as const
    const written = [...new URLSearchParams(writeFilters({ ...everything, sort: 'oldest' })).keys()]
    // In the order in which they are written, an address that the page has made is its own key.
    expect(written.filter((name) => read.has(name))).toEqual(filterParameters(section))
  })
})

describe('the question to the search', () => {
  const request = (...args: Parameters<typeof searchParameters>) => Object.fromEntries(searchParameters(...args))

  test('keeps a regional page to its own type while there is no text', () => {
    expect(request('western', noFilters, 1)).toEqual({
      page: '1',
      sortBy: 'postDate',
      sortOrder: 'DESC',
      limit: '300',
      contentType: 'western',
    })
  })

  test('searches every free type once there is a text', () => {
    const query = request(
      'asian',
      { ...noFilters, search: '  moon ', category: 'Art', month: '05', dateFilter: 'today' },
      3,
    )
    expect(query).toEqual({
      page: '3',
      sortBy: 'postDate',
      sortOrder: 'DESC',
      limit: '300',
      search: 'moon',
      category: 'Art',
      month: '05',
      dateFilter: 'today',
      tier: 'free',
    })
  })

  test('holds the banned and unknown pages to their category, oldest first on demand', () => {
    expect(request('unknown', { ...noFilters, sort: 'oldest' }, 1)).toMatchObject({
      category: 'Unknown',
      tier: 'free',
      sortOrder: 'ASC',
    })
    expect(request('banned', { ...noFilters, search: 'x' }, 1)).toMatchObject({
      category: 'Banned',
      tier: 'free',
      search: 'x',
    })
  })
})
