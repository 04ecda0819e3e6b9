import { expect, test } from 'vitest'
import { endOfAt } from './end-of-at.ts'
import { isAt } from './instant-in-address.ts'

test.each(['2006', '2006-05', '2006-05-17', '2024-02-29'])('%s names a span of days', (text) => {
  expect(isAt(text)).toBe(true)
})

test.each(['206', '2006-5', '2006-13', '2023-02-29', '2006-05-17T00:00', '0000', '-2006', ' 2006'])(
  '%j names none',
  (text) => {
    expect(isAt(text)).toBe(false)
  },
)

test.each([
  ['2006', '2007-01-01T00:00:00Z'],
  ['2024', '2025-01-01T00:00:00Z'],
  ['2006-12', '2007-01-01T00:00:00Z'],
  ['2006-02', '2006-03-01T00:00:00Z'],
  ['2006-12-31', '2007-01-01T00:00:00Z'],
])('%s ends at %s', (at, end) => {
  expect(endOfAt(at, 'UTC')).toBe(Date.parse(end))
})

test('it ends by the clock of the site', () => {
  expect(endOfAt('2006-05', 'America/New_York')).toBe(Date.parse('2006-06-01T04:00:00Z'))
})
