import { expect, test } from 'vitest'
import { periodInWords } from './period-in-words.ts'

test('days and months are written short and long', () => {
  expect(['2024-03-05', '2024-03'].map((period) => periodInWords(period))).toEqual(['Mar 5', 'Mar 2024'])
  expect(periodInWords('2024-03-05', 'long')).toBe('March 5, 2024')
  expect(periodInWords('2026-12', 'long')).toBe('December 2026')
})
