import { describe, expect, test } from 'vitest'
import type { ItemRow } from '../../item/listing.ts'
import { entriesOf, longDay, monthsOf, rowsPerBlock, weekdayOf, wordsOfDay, wordsOfMonth } from './by-day.ts'

const row = (name: string, day: string): ItemRow => ({ name, slug: name, category: 'Art', contentType: 'asian', day })

const manyRows = (count: number, day: string, from = 0): ItemRow[] =>
  Array.from({ length: count }, (_, index) => row(`${day} ${from + index}`, day))

describe('entriesOf', () => {
  test('keeps the rows in their order, and cuts them where the day changes', () => {
    const rows = [row('a', '2024-03-05'), row('b', '2024-03-05'), row('c', '2024-03-04'), row('d', '2024-03-05')]
    const { days, count } = entriesOf([{ rows }])
    expect(
      days.map(({ day, blocks }) => [day, blocks.flatMap((block) => block.rows.map(({ name }) => name)).join('')]),
    ).toEqual([
      ['2024-03-05', 'ab'],
      ['2024-03-04', 'c'],
      ['2024-03-05', 'd'],
    ])
    expect(days.flatMap(({ blocks }) => blocks.map(({ before }) => before))).toEqual([0, 2, 3])
    expect(count).toBe(4)
    expect(entriesOf([])).toMatchObject({ days: [], count: 0 })
    expect(entriesOf([{ rows: [] }])).toMatchObject({ days: [], count: 0 })
  })

  test('cuts a busy day into blocks, and a further page adds its own without touching those before', () => {
    const one = { rows: manyRows(250, '2024-03-05') }
    const two = { rows: [...manyRows(50, '2024-03-05', 250), ...manyRows(3, '2024-03-04')] }
    const former = entriesOf([one])
    expect(former.days[0]?.blocks.map(({ rows }) => rows.length)).toEqual(Array.from({ length: 5 }, () => 50))
    expect(rowsPerBlock).toBeLessThanOrEqual(100)
    const both = entriesOf([one, two])
    expect(both.days.map(({ blocks }) => blocks.map(({ rows }) => rows.length))).toEqual([
      [50, 50, 50, 50, 50, 50],
      [3],
    ])
    for (const [index, block] of (former.days[0]?.blocks ?? []).entries())
      expect(both.days[0]?.blocks[index]).toBe(block)
    expect(both.count).toBe(303)

    // A day that no further entry has come to stays the same object.
    const three = { rows: manyRows(2, '2024-03-03') }
    expect(entriesOf([one, two, three]).days.slice(0, 2)).toEqual(both.days)
    expect(entriesOf([one, two, three]).days[1]).toBe(both.days[1])
  })

  test('is the same for the same pages, also when the list is come back to, and begins anew for others', () => {
    const one = { rows: manyRows(2, '2024-03-05') }
    const two = { rows: manyRows(2, '2024-03-04') }
    expect(entriesOf([{ ...one }, { ...two }])).toBe(entriesOf([one, two]))
    const other = { rows: manyRows(1, '2024-03-06') }
    expect(entriesOf([other, two]).days.map(({ day }) => day)).toEqual(['2024-03-06', '2024-03-04'])
  })

  test('shows every entry once: what is published while a list is read moves entries to the next page', () => {
    const rows = manyRows(3, '2024-03-05')
    const { days, count } = entriesOf([{ rows }, { rows: [...rows.slice(2), row('next', '2024-03-05')] }])
    expect(days[0]?.blocks.flatMap((block) => block.rows.map(({ slug }) => slug))).toEqual([
      ...rows.map(({ slug }) => slug),
      'next',
    ])
    expect(count).toBe(4)
  })
})

test('knows the one category of all rows', () => {
  const film = { ...row('a', '2024-03-05'), category: 'Film' }
  const [one, two] = [{ rows: manyRows(2, '2024-03-05') }, { rows: manyRows(1, '2024-03-04') }]
  expect(entriesOf([one, two]).category).toBe('Art')
  expect(entriesOf([one, { rows: [film] }, two]).category).toBeUndefined()
  expect(entriesOf([])).toMatchObject({ category: undefined })
})

test('days are cut where the month changes', () => {
  const days = ['2024-03-05', '2024-03-04', '2023-03-31', '', undefined].map((day) => ({ day, blocks: [] }))
  expect(monthsOf(days).map(({ month, days: own }) => [month, own.length])).toEqual([
    ['2024-03', 2],
    ['2023-03', 1],
    ['', 1],
    [undefined, 1],
  ])
  expect(wordsOfMonth('2024-03')).toMatchObject({ month: 'March', year: '2024' })
  expect(wordsOfMonth('')).toBeUndefined()
  expect(wordsOfMonth(undefined)).toBeUndefined()
})

test('a weekday has three letters', () => {
  expect(['2024-03-05', '2024-02-29', '1971-12-05'].map(weekdayOf)).toEqual(['Tue', 'Thu', 'Sun'])
})

test('a heading is the month in words, the day in two figures and the year', () => {
  expect(wordsOfDay('2024-03-05')).toEqual({ month: 'March', day: '05', year: '2024' })
  expect(wordsOfDay('1971-12-31')).toEqual({ month: 'December', day: '31', year: '1971' })
})

test('a detail page has the long form', () => {
  expect(longDay('2024-03-05')).toBe('March 5, 2024')
})

test.each(['', 'Invalid Date', '2024-13-01', '2024-03-00', '2024-3-5'])('%j is not a day', (day) => {
  expect(wordsOfDay(day)).toBeUndefined()
  expect(longDay(day)).toBe('Invalid Date')
})
