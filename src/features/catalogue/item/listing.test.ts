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
  for (const each of [page, marked, empty]) expect(unpackPage(packPage(each))).toEqual(each)
})
