import { expect, test } from 'vitest'
import { daySentence, sinceInWords } from './home-words.ts'

test.each([
  [0, 0, 'Nothing waits for you. Everything runs.'],
  [1, 0, 'One thing waits for you. Everything else runs.'],
  [4, 0, 'Four things wait for you. Everything else runs.'],
  [40, 0, '40 things wait for you. Everything else runs.'],
  [200, 0, '200 things wait for you. Everything else runs.'],
  [1_009, 0, 'More than 1,000 things wait for you. Everything else runs.'],
  [2, 1, 'Two things wait for you. One part of this page could not be read. The log says why.'],
  [0, 2, '2 parts of this page could not be read. The log says why.'],
])('%i things of which %i parts are unread: %s', (things, unread, sentence) => {
  expect(daySentence(things, unread)).toBe(sentence)
})

test('time passed is told in short words', () => {
  const now = Date.UTC(2026, 10, 24, 12)
  const at = (hours: number): string => new Date(now + hours * 3_600_000).toISOString()
  expect([sinceInWords(at(-2), now), sinceInWords(at(-72), now)]).toEqual(['since 2 h', 'since 3 days'])
  // Clocks that disagree do not look ahead.
  expect(sinceInWords(at(1), now)).toBe('just now')
})
