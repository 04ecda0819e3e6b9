import { expect, test } from 'vitest'
import { isMonth, monthAfter, weeksOf } from './month.ts'

test.each(['2026-12', '1000-01', '9998-11'])('%s is a month', (text) => expect(isMonth(text)).toBe(true))
test.each(['', '2026-13', '2026-00', '2026-1', '0999-12', '9998-12', '2026-12-01', 'x'])('%j is none', (text) =>
  expect(isMonth(text)).toBe(false),
)

test('months follow each other over the end of a year', () => {
  expect(monthAfter('2026-12', 1)).toBe('2027-01')
  expect(monthAfter('2026-01', -1)).toBe('2025-12')
})

test('weeks begin on Sunday and are whole', () => {
  const weeks = weeksOf('2026-12')
  expect(weeks[0]).toEqual([null, null, '2026-12-01', '2026-12-02', '2026-12-03', '2026-12-04', '2026-12-05'])
  expect(weeks.at(-1)).toEqual(['2026-12-27', '2026-12-28', '2026-12-29', '2026-12-30', '2026-12-31', null, null])
  // A month that is four weeks.
  expect(weeksOf('2026-02')).toHaveLength(4)
})
