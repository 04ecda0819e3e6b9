import { expect, test } from 'vitest'
import { spanOf } from './statistics-range.ts'

test('ranges of days end today and have each day once', () => {
  const span = spanOf('30d', '2024-03-15', '2024-03-15')
  expect([span.from, span.unit, span.periods.length]).toEqual(['2024-02-15', 'day', 30])
  expect(span.periods.at(-1)).toBe('2024-03-15')
  expect(span.periods).toContain('2024-02-29')
  expect(spanOf('90d', '2024-03-15', '2024-03-15').periods).toHaveLength(90)
})

test('twelve months are this month and the eleven before it', () => {
  expect(spanOf('12m', '2024-03-31', '2024-03-31')).toEqual({
    from: '2023-04-01',
    to: '2024-03-31',
    unit: 'month',
    periods: [
      '2023-04',
      '2023-05',
      '2023-06',
      '2023-07',
      '2023-08',
      '2023-09',
      '2023-10',
      '2023-11',
      '2023-12',
      '2024-01',
      '2024-02',
      '2024-03',
    ],
  })
})

test('all time begins with the month of what is oldest, and never after this month', () => {
  expect(spanOf('all', '2024-03-31', '2023-12-24').periods).toEqual(['2023-12', '2024-01', '2024-02', '2024-03'])
  expect(spanOf('all', '2024-03-31', '2024-05-01').periods).toEqual(['2024-03'])
})
