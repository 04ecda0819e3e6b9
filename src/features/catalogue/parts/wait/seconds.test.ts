import { expect, test } from 'vitest'
import { inSeconds, secondsUntil } from './seconds.ts'

const timing = (now: number, responseStart?: number) => ({
  now: () => now,
  getEntriesByType: () => (responseStart === undefined ? [] : [{ responseStart } as unknown as PerformanceEntry]),
})

test('the seconds left are counted from the answer of the server, in whole ones, and never fewer than none', () => {
  expect(secondsUntil(5, timing(100, 100))).toBe(5)
  expect(secondsUntil(5, timing(1_101, 100))).toBe(4)
  expect(secondsUntil(5, timing(5_099, 100))).toBe(1)
  expect(secondsUntil(5, timing(5_100, 100))).toBe(0)
  expect(secondsUntil(5, timing(60_000, 100))).toBe(0)
  expect(secondsUntil(5, timing(2_000))).toBe(3)
})

test('one second is one second', () => {
  expect([0, 1, 5].map(inSeconds)).toEqual(['0 seconds', '1 second', '5 seconds'])
})
