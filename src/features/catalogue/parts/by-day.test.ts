import { expect, test } from 'vitest'
import type { ItemRow } from '../listing.ts'
import { groupByDay, longDay, wordsOfDay } from './by-day.ts'

const row = (name: string, day: string): ItemRow => ({ name, slug: name, category: 'Art', contentType: 'asian', day })

test('rows keep their order and are cut where the day changes', () => {
  const rows = [row('a', '2024-03-05'), row('b', '2024-03-05'), row('c', '2024-03-04'), row('d', '2024-03-05')]
  expect(groupByDay(rows).map((group) => [group.day, group.rows.map(({ name }) => name).join('')])).toEqual([
    ['2024-03-05', 'ab'],
    ['2024-03-04', 'c'],
    ['2024-03-05', 'd'],
  ])
  expect(groupByDay([])).toEqual([])
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
