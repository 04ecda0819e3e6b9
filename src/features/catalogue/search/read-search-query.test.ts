import { describe, expect, it } from 'vitest'
import { longestName } from '../item/longest-name.ts'
import { readSearchQuery } from './read-search-query.ts'

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
    ['page=1e3', 'page', '"1e3"', 'whole number'],
    ['limit=0', 'limit', '"0"', 'from 1 to 300'],
    ['limit=301', 'limit', '"301"', 'from 1 to 300'],
    ['sortOrder=down', 'sortOrder', '"down"', 'ASC, DESC'],
    ['sortBy=name', 'sortBy', '"name"', 'postDate'],
    ['dateField=createdAt', 'dateField', '"createdAt"', 'postDate'],
    ['monthField=createdAt', 'monthField', '"createdAt"', 'postDate'],
    ['month=3', 'month', '"3"', '01, 02'],
    ['month=13', 'month', '"13"', '12'],
    ['dateFilter=tomorrow', 'dateFilter', '"tomorrow"', 'today, yesterday, 7days'],
    ['contentType=book', 'contentType', '"book"', 'asian, western, banned, unknown'],
    ['region=north', 'region', '"north"', 'asian, western'],
    ['tier=gold', 'tier', '"gold"', 'free, vip'],
  ])('%s is refused with parameter, value and what is allowed', (query, parameter, value, allowed) => {
    expect(() => read(query)).toThrow(
      expect.objectContaining({ code: 'search.parameter', status: 400, field: parameter }) as Error,
    )
    for (const part of [parameter, value, allowed]) expect(() => read(query)).toThrow(part)
  })

  it('refuses a parameter given twice, and text that is no text', () => {
    expect(() => read('page=1&page=1')).toThrow('given 2 times')
    expect(() => read('search=a%00b')).toThrow('control characters')
    expect(() => read(`search=${'x'.repeat(longestName + 1)}`)).toThrow('at most 300')
    // Characters count, however many units or code points they are spelt with.
    for (const character of ['x', '𐎠', 'e\u0301', '각'.normalize('NFD')])
      expect(read(`search=${encodeURIComponent(character.repeat(longestName))}`).text).not.toBe('')
  })
})
