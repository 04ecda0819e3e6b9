import { describe, expect, it } from 'vitest'
import { longestName } from '../item/longest-name.ts'
import { readSearchQuery, SearchParameters } from './read-search-query.ts'

const read = (query: string) => readSearchQuery(new URLSearchParams(query))

describe('readSearchQuery', () => {
  it('has a default for everything', () => {
    expect(read('')).toEqual({ page: 1, limit: 300, ascending: false, text: '' })
  })

  it('reads every parameter', () => {
    const query =
      'page=2&limit=50&sortBy=postDate&sortOrder=ASC&search=%20Moby%20&category=Film&month=03&monthField=postDate' +
      '&dateFilter=7days&dateField=postDate&contentType=western&region=western&tier=free&shelf=vip-unknown'
    expect(read(query)).toEqual({
      page: 2,
      limit: 50,
      ascending: true,
      text: 'Moby',
      category: 'Film',
      month: 3,
      dateFilter: '7days',
      contentType: 'western',
      region: 'western',
      isVip: false,
      shelf: 'vip-unknown',
    })
  })

  it('takes an empty value for none, and does not look at what it does not know', () => {
    expect(read('search=&month=&category=%20&utm_source=x')).toEqual(read(''))
  })

  it.each([
    ['page=0', 'page', '"0"', 'from 1 on'],
    ['page=-1', 'page', '"-1"', 'from 1 on'],
    ['page=1.5', 'page', '"1.5"', 'whole number'],
    ['page=99999999999999999999', 'page', '99999999999999999999', 'number'],
    ['page=1e3', 'page', '"1e3"', 'whole number'],
    ['limit=0', 'limit', '"0"', 'from 1 to 300'],
    ['limit=301', 'limit', '"301"', 'from 1 to 300'],
    ['limit=1e2', 'limit', '"1e2"', 'from 1 to 300'],
    ['limit=ten', 'limit', '"ten"', 'from 1 to 300'],
    ['sortOrder=down', 'sortOrder', '"down"', 'ASC, DESC'],
    ['sortOrder=desc', 'sortOrder', '"desc"', 'ASC, DESC'],
    ['sortBy=postdate', 'sortBy', '"postdate"', 'postDate'],
    ['sortBy=name', 'sortBy', '"name"', 'postDate'],
    ['dateField=createdAt', 'dateField', '"createdAt"', 'postDate'],
    ['monthField=createdAt', 'monthField', '"createdAt"', 'postDate'],
    ['month=00', 'month', '"00"', '01, 02'],
    ['month=March', 'month', '"March"', '01, 02'],
    ['month=3', 'month', '"3"', '01, 02'],
    ['month=13', 'month', '"13"', '12'],
    ['dateFilter=tomorrow', 'dateFilter', '"tomorrow"', 'today, yesterday, 7days'],
    ['contentType=Asian', 'contentType', '"Asian"', 'asian, western'],
    ['contentType=book', 'contentType', '"book"', 'asian, western, banned, unknown'],
    ['region=north', 'region', '"north"', 'asian, western'],
    ['tier=gold', 'tier', '"gold"', 'free, vip'],
    ['language=pt_BR', 'language', '"pt_BR"', 'such as en'],
    ['decade=1895', 'decade', '"1895"', 'such as 1890'],
    ['decade=99990', 'decade', '"99990"', 'to 2990'],
    ['decade=-0', 'decade', '"-0"', 'such as 1890'],
    ['at=2023-02-29', 'at', '"2023-02-29"', '2006-05-17'],
    ['at=May', 'at', '"May"', '2006-05-17'],
  ])('%s is refused with parameter, value and what is allowed', (query, parameter, value, allowed) => {
    expect(() => read(query)).toThrow(
      expect.objectContaining({ code: 'search.parameter', status: 400, field: parameter }) as Error,
    )
    for (const part of [parameter, value, allowed]) expect(() => read(query)).toThrow(part)
  })

  it('reads values whole, and an instant in place of a page', () => {
    expect(read('language=PT-br&format=EPUB&decade=-10&creator=%20Sappho&series=a&tag=b&at=2006-05')).toMatchObject({
      terms: { language: 'pt-BR', format: 'EPUB', decade: '-10', creator: 'Sappho', series: 'a', tag: 'b' },
      at: '2006-05',
    })
    expect(() => read('at=2006&page=2')).toThrow('Give one of them')
    expect(() => read('at=2006&sortBy=fit')).toThrow('in no order of time')
    expect(() => read('creator=a&creator=b')).toThrow('given 2 times')
    expect(() => read(`format=${'x'.repeat(21)}`)).toThrow('at most 20')
  })
  it.each(Object.keys(SearchParameters.shape))('refuses %s given twice', (name) => {
    expect(() => read(`${name}=1&${name}=1`)).toThrow(new RegExp(`\\b${name}\\b.* given 2 times`))
  })

  it('refuses text that is no text', () => {
    expect(() => read('search=a%00b')).toThrow('control characters')
    expect(() => read(`search=${'x'.repeat(longestName + 1)}`)).toThrow('at most 300')
    // Characters count, however many units or code points they are spelt with.
    for (const character of ['x', '𐎠', 'e\u0301', '각'.normalize('NFD')])
      expect(read(`search=${encodeURIComponent(character.repeat(longestName))}`).text).not.toBe('')
  })
})
