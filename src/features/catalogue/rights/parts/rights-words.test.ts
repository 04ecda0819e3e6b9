import { afterEach, expect, test, vi } from 'vitest'
import { lapseDays } from '../rights-schema.ts'
import { emptySentences, endInWords, lastDayInWords, leftInWords, listInWords, reasonInWords } from './rights-words.ts'

afterEach(() => void vi.unstubAllGlobals())

test.each([
  [{ cause: 'rights', details: [] }, 'Its rights'],
  [{ cause: 'consent', details: ['A'] }, 'The consent of A'],
  [{ cause: 'consent', details: ['A', 'B', 'C'] }, 'The consents of A, B and C'],
  [{ cause: 'rights', details: ['A'] }, 'Its rights and the consent of A'],
] as const)('%o: %s', ({ cause, details }, words) => expect(endInWords({ cause, details: [...details] })).toBe(words))

test('a reason is what keeps the entry off, or that nothing does any more', () => {
  expect(reasonInWords({ cause: 'rights', details: ['The rights ended.', 'No evidence is recorded.'] })).toBe(
    'The rights ended. No evidence is recorded.',
  )
  expect(reasonInWords({ cause: 'consent', details: [] })).toBe(
    'A consent was withdrawn, or had ended. Nothing stands in the way now: publish it again.',
  )
})

test('a reason names days like the rest of the page, and the same ones in every time zone', () => {
  for (const timeZone of ['UTC', 'America/Los_Angeles', 'Pacific/Kiritimati']) {
    vi.stubGlobal('document', { documentElement: { dataset: { timeZone } } })
    expect(
      reasonInWords({ cause: 'rights', details: ['The rights ended on 2026-11-23.', 'A consented until 2026-01-01.'] }),
    ).toBe('The rights ended on November 23, 2026. A consented until January 1, 2026.')
  }
})

test.each([
  ['lapsed', undefined, 'Taken off (–)'],
  ['lapsed', { lapsing: 72, lapsed: 2 }, 'Taken off (2)'],
  ['lapsing', { lapsing: 1_204, lapsed: 0 }, 'Ending soon (1,204)'],
  ['lapsed', { lapsing: 1_204, lapsed: 0 }, 'Taken off (0)'],
] as const)('%s of %o: %s', (list, counts, words) => expect(listInWords(list, counts)).toBe(words))

test('an empty list names the days that it looks ahead', () =>
  expect(emptySentences.lapsing).toBe(`No rights or consents of published entries end within ${lapseDays} days.`))

test('what ends with a day counts to the end of that day', () => {
  vi.stubGlobal('document', { documentElement: { dataset: { timeZone: 'UTC' } } })
  expect(lastDayInWords('2024-03-06T00:00:00Z')).toBe('March 5, 2024')
  const now = Date.parse('2024-03-05T12:00:00Z')
  expect(leftInWords('2024-03-06T00:00:00Z', now)).toBe('Today')
  expect(leftInWords('2024-03-07T00:00:00Z', now)).toBe('Tomorrow')
  expect(leftInWords('2024-03-08T00:00:00Z', now)).toBe('2 days')
  expect(leftInWords('2024-03-09T00:00:00Z', now)).toBe('3 days')
})

test('a day of 25 hours is one day', () => {
  vi.stubGlobal('document', { documentElement: { dataset: { timeZone: 'America/New_York' } } })
  // The clocks go back on November 3, 2024.
  expect(leftInWords('2024-11-04T05:00:00Z', Date.parse('2024-11-03T04:30:00Z'))).toBe('Today')
  expect(leftInWords('2024-11-05T05:00:00Z', Date.parse('2024-11-03T04:30:00Z'))).toBe('Tomorrow')
})
