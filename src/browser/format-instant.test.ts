import { afterEach, describe, expect, test, vi } from 'vitest'
import {
  agoInWords,
  agoToTheHour,
  comingDayInWords,
  dayInWords,
  daysInWords,
  daysLeft,
  deadlineInWords,
  timeInWords,
  timeToTheSecond,
} from './format-instant.ts'

const now = Date.parse('2024-03-15T12:00:00Z')
const before = (ms: number): string => new Date(now - ms).toISOString()
const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

describe('the days that remain of a membership', () => {
  test.each([
    ['a moment', before(-1), 1],
    ['exactly a day', before(-day), 1],
    ['a day and a moment', before(-day - 1), 2],
    ['thirty days', before(-30 * day), 30],
    ['nothing', before(0), 0],
    ['less than nothing', before(400 * day), 0],
  ])('are rounded up, and at least 0: %s', (_name, end, days) => expect(daysLeft(end, now)).toBe(days))

  test('are none for what is no date', () => expect(daysLeft('soon', now)).toBe(0))

  test('are told in the singular when it is one', () =>
    expect([0, 1, 2, 1_200].map(daysInWords)).toEqual(['0 days', '1 day', '2 days', '1,200 days']))
})

test.each([
  ['2024-12-02T12:00:00Z', 'on December 2'],
  ['2025-12-02T12:00:00Z', 'on December 2, 2025'],
  ['soon', 'Invalid Date'],
])('a day that comes, %j, is told as %j, with its year when that is another one', (at, words) => {
  expect(comingDayInWords(at, now)).toBe(words)
})

describe('an instant in words', () => {
  test.each([
    [0, 'just now'],
    [59_999, 'just now'],
    [minute, '1 minute ago'],
    [59 * minute, '59 minutes ago'],
    [hour, '1 hour ago'],
    [23 * hour, '23 hours ago'],
    [day, 'yesterday'],
    [6 * day, '6 days ago'],
    [7 * day, 'on March 8, 2024'],
  ])('%i ms ago is %s', (passed, words) => expect(agoInWords(before(passed), now)).toBe(words))

  test.each([
    [-hour, 'within the last hour'],
    [hour - 1, 'within the last hour'],
    [hour, '1 hour ago'],
  ])('known to the hour, %i ms ago is %s', (passed, words) => expect(agoToTheHour(before(passed), now)).toBe(words))

  test('never looks ahead, when the clocks disagree', () => expect(agoInWords(before(-hour), now)).toBe('just now'))

  test('is a day, and a day with its time', () => {
    expect(dayInWords('2024-03-05T12:00:00Z')).toBe('March 5, 2024')
    expect(timeInWords('2024-03-05T12:00:00Z')).toMatch(/^March 5, 2024 at \d+:\d\d\s[AP]M$/)
  })

  test('is said to be invalid when it is', () =>
    expect([dayInWords('x'), timeInWords(''), agoInWords('never', now)]).toEqual([
      'Invalid Date',
      'Invalid Date',
      'Invalid Date',
    ]))
})

describe('on a page of a site', () => {
  afterEach(() => {
    vi.unstubAllGlobals()
  })

  test.each([
    ['Asia/Tokyo', 'March 6, 2024', 'March 6, 2024 at 8:30 AM', '8:30:05 AM'],
    ['America/Sao_Paulo', 'March 5, 2024', 'March 5, 2024 at 8:30 PM', '8:30:05 PM'],
  ])('an instant is told in its time zone: %s', (timeZone, inDays, inMinutes, toTheSecond) => {
    vi.stubGlobal('document', { documentElement: { dataset: { timeZone } } })
    const at = '2024-03-05T23:30:05Z'
    expect(dayInWords(at)).toBe(inDays)
    expect(timeInWords(at).replaceAll(/\s/g, ' ')).toBe(inMinutes)
    expect(timeToTheSecond(at).replaceAll(/\s/g, ' ')).toContain(toTheSecond)
    expect(agoInWords(at, Date.parse('2025-01-01'))).toBe(`on ${inDays}`)
  })

  test.each([
    ['2024-03-05T00:00:00Z', 'the end of March 4, 2024'],
    ['2024-03-01T00:00:00Z', 'the end of February 29, 2024'],
    ['2024-03-05T14:07:00Z', 'March 5, 2024 at 2:07 PM'],
    ['soon', 'Invalid Date'],
  ])('a deadline at %s is told as %s', (at, words) => {
    vi.stubGlobal('document', { documentElement: { dataset: { timeZone: 'UTC' } } })
    expect(deadlineInWords(at).replaceAll(/\s/g, ' ')).toBe(words)
  })
})
