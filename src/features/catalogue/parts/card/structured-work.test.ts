import { expect, test } from 'vitest'
import type { ItemDetail } from '../../item/listing.ts'
import { structuredWork } from './structured-work.ts'
import { yearInWords } from './year-in-words.ts'

const item: ItemDetail = {
  name: 'Hamlet',
  slug: 'hamlet',
  category: 'Literature',
  contentType: 'western',
  region: 'western',
  postDate: '1998-11-01T00:00:00.000Z',
  rating: 'general',
  day: '1998-11-01',
  languages: [],
  downloads: [],
  gateway: { provider: 'off', waitSeconds: 0 },
  mirrors: { total: 0, ok: 0, suspect: 0, dead: 0, unknown: 0, checkedAt: null, checkedDay: null },
  rights: { basis: 'Public domain', holder: null, licence: null, licenceUrl: null },
}
const page = { url: 'https://a.example/western/hamlet', image: 'https://a.example/share.png' }

test('an item says apart who made it, in which language and year, and when it was entered', () => {
  const said = structuredWork(
    {
      ...item,
      creators: ['William Shakespeare'],
      language: ['en'],
      year: 1603,
      yearText: 'c. 1603',
      series: 'The Tragedies',
      seriesNumber: 3,
      tags: ['Denmark'],
      alsoKnownAs: ['Amleto'],
      description: 'A prince doubts.',
      rights: { ...item.rights, licenceUrl: 'https://creativecommons.org/publicdomain/mark/1.0/' },
    },
    page,
  )
  expect(said).toEqual({
    '@type': 'CreativeWork',
    name: 'Hamlet',
    alternateName: ['Amleto'],
    author: [{ '@type': 'Person', name: 'William Shakespeare' }],
    description: 'A prince doubts.',
    inLanguage: ['en'],
    dateCreated: '1603',
    datePublished: '1998-11-01',
    genre: 'Literature',
    keywords: ['Denmark'],
    isPartOf: { '@type': 'CreativeWorkSeries', name: 'The Tragedies' },
    position: 3,
    license: 'https://creativecommons.org/publicdomain/mark/1.0/',
    ...page,
    isAccessibleForFree: true,
  })
})

test('it says nothing of what is not set', () => {
  expect(Object.keys(structuredWork(item, page))).toEqual([
    '@type',
    'name',
    'datePublished',
    'genre',
    'url',
    'image',
    'isAccessibleForFree',
  ])
  expect(structuredWork({ ...item, year: -400 }, page)).toMatchObject({ dateCreated: '-0399' })
  expect(structuredWork({ ...item, year: -1 }, page)).toMatchObject({ dateCreated: '0000' })
})

test.each([
  [{}, undefined],
  [{ year: 1603 }, '1603'],
  [{ year: 1603, yearText: 'c. 1603' }, 'c. 1603'],
  [{ year: -400 }, '400 BC'],
  [{ year: 0 }, '0'],
])('the year of %j is %s', (year, words) => {
  expect(yearInWords(year)).toBe(words)
})
