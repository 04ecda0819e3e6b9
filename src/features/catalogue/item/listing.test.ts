import { expect, it } from 'vitest'
import { type ItemRow, packRows, unpackRows } from './listing.ts'

it('rows come out of the pack as they went in', () => {
  const rows: ItemRow[] = [
    { name: '紅樓夢 — 曹雪芹', slug: 'hong-lou-meng', category: 'Banned', contentType: 'banned', day: '2024-03-05' },
    { name: 'Faust', slug: 'faust', category: 'Film', contentType: 'western', day: '2024-03-05', creators: 'A; B' },
    { name: '“Quotes”, \\ and </script>', slug: 'quotes', category: 'R&B', contentType: 'asian', day: '' },
  ]
  expect(unpackRows(packRows(rows))).toEqual(rows)
  expect(unpackRows(packRows([]))).toEqual([])
})
