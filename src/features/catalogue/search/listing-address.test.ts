import { describe, expect, test, vi } from 'vitest'
import type { ListingFilters } from '../item/listing.ts'
import { freeShelves } from '../shelves/free-shelves.ts'
import type { Shelf } from '../shelves/shelf.ts'
import { vipShelves } from '../shelves/vip-shelves.ts'
import {
  filterParameters,
  noFilters,
  readFilters,
  searchParameters,
  unreadFilters,
  writeFilters,
} from './listing-address.ts'

const { western, banned } = freeShelves
const shelves: Shelf[] = [...Object.values(freeShelves), ...Object.values(vipShelves)]

describe('the address of a listing', () => {
  test('without filters is bare', () => {
    expect(writeFilters(noFilters)).toBe('')
    expect(readFilters(western, '')).toEqual(noFilters)
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
    expect(readFilters(freeShelves.asian, writeFilters(filters))).toEqual(filters)
    expect(readFilters(banned, '?sort=oldest&month=12')).toEqual({ ...noFilters, sort: 'oldest', month: '12' })
    const ofVip = { ...noFilters, sort: 'oldest', month: '12', region: 'asian' } as const
    expect(readFilters(vipShelves['vip-unknown'], writeFilters(ofVip))).toEqual(ofVip)
  })

  test('names an instant in place of a page, where the list is in an order of time', () => {
    expect(readFilters(western, '?at=2006-05')).toEqual({ ...noFilters, at: '2006-05' })
    expect(writeFilters({ ...noFilters, at: '2006-05', page: 3 })).toBe('?at=2006-05')
    expect(readFilters(western, '?at=2006-05&search=a').at).toBe('')
    expect(readFilters(western, '?at=2006-05&search=a&sort=mostRecent').at).toBe('2006-05')
  })

  test('tells which of its filters mean nothing', () => {
    expect(unreadFilters(western, '?language=pt_BR&decade=1895&at=soon&month=13&format=EPUB&search=%20')).toEqual([
      'month',
      'language',
      'decade',
      'at',
    ])
    expect(unreadFilters(banned, '?month=12&tag=Sea&sort=oldest')).toEqual([])
  })

  test('tells which of its filters the list does not take', () => {
    expect(unreadFilters(banned, '?dateFilter=today&category=Art&region=asian')).toEqual([
      'dateFilter',
      'category',
      'region',
    ])
    expect(unreadFilters(western, '?sort=oldest')).toEqual(['sort'])
    for (const sort of ['', 'mostRecent', 'bestMatch']) expect(unreadFilters(western, `?sort=${sort}`)).toEqual([])
  })

  test('that makes no sense is read as if the senseless part were missing', () => {
    expect(readFilters(western, '?page=-2&month=13&dateFilter=never&sort=oldest')).toEqual(noFilters)
    expect(readFilters(banned, '?dateFilter=today&category=Art')).toEqual(noFilters)
  })

  test('says another order than the best match first where there is a text, and than newest first where there is none', () => {
    for (const address of ['?search=a', '?search=a&sort=mostRecent', '?search=a&sort=oldest', '?sort=oldest'])
      expect(writeFilters(readFilters(banned, address))).toBe(address)
    expect(writeFilters(readFilters(banned, '?search=a&sort=bestMatch'))).toBe('?search=a')
    expect(writeFilters(readFilters(banned, '?sort=mostRecent'))).toBe('')
    expect(writeFilters(readFilters(western, '?search=a&sort=oldest'))).toBe('?search=a')
    expect(writeFilters(readFilters(western, '?search=a&sort=mostRecent'))).toBe('?search=a&sort=mostRecent')
  })

  test.each(shelves)('of $path is declared: the page is rendered under these parameters alone', (shelf) => {
    const get = vi.spyOn(URLSearchParams.prototype, 'get')
    readFilters(shelf, '?search=a')
    const read = get.mock.calls.map(([name]) => name)
    expect(read).toContain('search')
    expect(filterParameters()).toEqual(expect.arrayContaining(read))
  })

  test('is written in the order in which its parameters are declared: one that a public page has made is its own key', () => {
    const everything: ListingFilters = {
      search: 'a',
      dateFilter: 'today',
      month: '03',
      category: 'b',
      sort: 'mostRecent',
      region: 'asian',
      language: 'pt-BR',
      format: 'EPUB',
      decade: '-430',
      creator: 'c',
      series: 'd',
      tag: 'e',
      at: '',
      page: 2,
    }
    for (const [at, left] of [
      ['', 'at'],
      ['2006-05', 'page'],
    ] as const) {
      const written = [...new URLSearchParams(writeFilters({ ...everything, at })).keys()]
      expect(written).toEqual(filterParameters().filter((name) => name !== left))
    }
  })
})

describe('the question to the search', () => {
  const request = (...args: Parameters<typeof searchParameters>) => Object.fromEntries(searchParameters(...args))

  test('keeps a regional page to its own type while there is no text', () => {
    expect(request(western, noFilters, 1)).toEqual({
      page: '1',
      sortBy: 'postDate',
      sortOrder: 'DESC',
      limit: '300',
      contentType: 'western',
    })
  })

  test('asks for its first page by an instant, and for the next ones by their numbers', () => {
    const filters = { ...noFilters, at: '2006', tag: 'Novel' }
    expect(request(western, filters, 1)).toMatchObject({ at: '2006', tag: 'Novel' })
    expect(request(western, filters, 1)).not.toHaveProperty('page')
    expect(request(western, filters, 4)).toMatchObject({ page: '4', tag: 'Novel' })
    expect(request(western, filters, 4)).not.toHaveProperty('at')
  })

  test('searches every free type once there is a text', () => {
    const query = request(
      freeShelves.asian,
      { ...noFilters, search: '  moon ', category: 'Art', month: '05', dateFilter: 'today' },
      3,
    )
    expect(query).toEqual({
      page: '3',
      sortBy: 'fit',
      sortOrder: 'DESC',
      limit: '300',
      search: 'moon',
      category: 'Art',
      month: '05',
      dateFilter: 'today',
      marks: 'true',
      tier: 'free',
    })
  })

  test('searches every type of its tier for the works of a creator, from a page of a type', () => {
    const ofCreator = { ...noFilters, creator: 'Leo Tolstoy' }
    expect(request(western, ofCreator, 1)).toMatchObject({ creator: 'Leo Tolstoy', tier: 'free' })
    expect(request(western, ofCreator, 1)).not.toHaveProperty('contentType')
    expect(request(vipShelves['vip-asian'], ofCreator, 1)).toMatchObject({ creator: 'Leo Tolstoy', tier: 'vip' })
    expect(request(banned, ofCreator, 1)).toMatchObject({ creator: 'Leo Tolstoy', category: 'Banned' })
  })

  test('holds the banned and unknown pages to their category, oldest first on demand', () => {
    expect(request(freeShelves.unknown, { ...noFilters, sort: 'oldest' }, 1)).toMatchObject({
      category: 'Unknown',
      tier: 'free',
      sortOrder: 'ASC',
    })
    expect(request(banned, { ...noFilters, search: 'x' }, 1)).toMatchObject({
      category: 'Banned',
      tier: 'free',
      search: 'x',
    })
  })

  test('of the VIP area asks for the type of the page, and with a text for every VIP type', () => {
    for (const type of ['vip', 'vip-asian', 'vip-western'] as const) {
      expect(request(vipShelves[type], noFilters, 1)).toMatchObject({ contentType: type })
      const searched = request(vipShelves[type], { ...noFilters, search: 'x' }, 1)
      expect(searched).toMatchObject({ tier: 'vip' })
      expect(searched).not.toHaveProperty('contentType')
    }
    for (const shelf of ['vip-banned', 'vip-unknown'] as const) {
      expect(request(vipShelves[shelf], { ...noFilters, search: 'x', region: 'asian', sort: 'oldest' }, 2)).toEqual({
        page: '2',
        sortBy: 'postDate',
        sortOrder: 'ASC',
        limit: '300',
        search: 'x',
        region: 'asian',
        marks: 'true',
        shelf,
      })
    }
  })
})
