import { describe, expect, test } from 'vitest'
import { noFilters, readFilters, searchParameters, writeFilters } from './listing-address.ts'

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
})

describe('the question to the search', () => {
  const ask = (...args: Parameters<typeof searchParameters>) => Object.fromEntries(searchParameters(...args))

  test('keeps a regional page to its own type while there is no text', () => {
    expect(ask('western', noFilters, 1)).toEqual({
      page: '1',
      sortBy: 'postDate',
      sortOrder: 'DESC',
      limit: '300',
      contentType: 'western',
    })
  })

  test('searches every free type once there is a text', () => {
    const question = ask(
      'asian',
      { ...noFilters, search: '  moon ', category: 'Art', month: '05', dateFilter: 'today' },
      3,
    )
    expect(question).toEqual({
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
    expect(ask('unknown', { ...noFilters, sort: 'oldest' }, 1)).toMatchObject({
      category: 'Unknown',
      tier: 'free',
      sortOrder: 'ASC',
    })
    expect(ask('banned', { ...noFilters, search: 'x' }, 1)).toMatchObject({
      category: 'Banned',
      tier: 'free',
      search: 'x',
    })
  })
})
