import { expect, it } from 'vitest'
import { type ItemRow, type ListingPage, packPage, unpackPage } from './listing.ts'
import { noFilters } from '../search/listing-address.ts'

it('a page comes out of the pack as it went in', () => {
  const rows: ItemRow[] = [
    { name: '紅樓夢 — 曹雪芹', slug: 'hong-lou-meng', category: 'Banned', contentType: 'banned', day: '2024-03-05' },
    { name: 'Faust', slug: 'faust', category: 'Film', contentType: 'western', day: '2024-03-05', creators: 'A; B' },
    {
      name: 'War',
      slug: 'war',
      category: 'Film',
      contentType: 'western',
      day: '2024-03-05',
      alsoKnownAs: 'C; D',
    },
    { name: '“Quotes”, \\ and </script>', slug: 'quotes', category: 'R&B', contentType: 'asian', day: '' },
  ]
  const page: ListingPage = {
    filters: { ...noFilters, search: 'a', page: 7 },
    rows,
    total: 1_803,
    totalPages: 9,
    nearest: [],
    didYouMean: [{ text: 'Faust', count: 2 }],
  }
  const marked: ListingPage = { ...page, rows: rows.map((row, index) => ({ ...row, marks: { name: [0, index] } })) }
  const empty: ListingPage = { filters: noFilters, rows: [], total: 0, totalPages: 0, nearest: rows }
  for (const isWritten of [false, true])
    for (const each of [page, marked, empty]) expect(unpackPage(packPage(each, isWritten), notWritten)).toEqual(each)
  expect(unpackPage(packPage({ ...page, filters: noFilters }, false), notWritten).rows).toEqual(rows)
})

it('a page whose rows are written on it has their days alone', () => {
  const days = ['2024-03-05', '2024-03-05', '2024-03-04', '']
  const rows = days.map((day, no): ItemRow => ({
    name: 'Faust',
    slug: `f-${no}`,
    category: 'Film',
    contentType: 'asian',
    day,
  }))
  const page: ListingPage = { filters: { ...noFilters, page: 2 }, rows, total: 304, totalPages: 2, nearest: [] }
  const asked: string[][] = []
  const packed = packPage(page, true)
  expect(packed.rows).not.toContain('f-0')
  const unpacked = unpackPage(packed, (given) => {
    asked.push(given)
    return rows
  })
  expect(unpacked).toEqual(page)
  expect(asked).toEqual([['2024-03-05', '2024-03-04', '']])
})

const notWritten = () => {
  throw new Error('No row is written on the page.')
}
