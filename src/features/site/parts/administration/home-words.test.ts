import { expect, test } from 'vitest'
import { daySentence, sinceInWords } from './home-words.ts'

test.each([
  [0, 0, 'Nothing needs you.'],
  [1, 0, 'One thing needs you.'],
  [4, 0, 'Four things need you.'],
  [40, 0, '40 things need you.'],
  [200, 0, '200 things need you.'],
  [1_009, 0, 'More than 1,000 things need you.'],
  [2, 1, 'Two things need you. One part of this page could not be read. The log says why.'],
  [0, 2, '2 parts of this page could not be read. The log says why.'],
])('%i things of which %i parts are unread: %s', (things, unread, sentence) => {
  expect(daySentence(things, unread)).toBe(sentence)
})

test('time passed is told in short words', () => {
  const now = Date.UTC(2026, 10, 24, 12)
  const at = (hours: number): string => new Date(now + hours * 3_600_000).toISOString()
  expect([sinceInWords(at(-2), now), sinceInWords(at(-72), now)]).toEqual(['2 h ago', '3 days ago'])
  // Clocks that disagree do not look ahead.
  expect(sinceInWords(at(1), now)).toBe('just now')
})
