import { expect, test } from 'vitest'
import { aNotice, aNoticeInQueue } from '../../../../../tests/harness/desk-samples.ts'
import type { NoticeForDesk, NoticeInQueue } from '../../desk/desk-schema.ts'
import { nextStepInWords } from '../../desk/next-step.ts'
import { offersOf } from './case-offers.ts'
import { missingOfAllInWords, nextStepOf } from './next-step.ts'

const missing = [{ name: 'signature', label: 'Your signature', isGiven: false }]
const event = (type: string) => ({ at: '2024-03-15T11:00:00.000Z', type, sentence: '' })

test.each<[Partial<NoticeForDesk>, string | undefined, string]>([
  [{}, 'review', 'Review'],
  [{ status: 'in-review' }, 'decide', 'Decide'],
  [{ status: 'needs-info', elements: missing }, 'ask', 'Ask for information'],
  [{ status: 'in-review', elements: missing }, 'ask', 'Ask for information'],
  [{ status: 'needs-info', elements: missing, events: [event('received'), event('asked')] }, 'review', 'Review'],
  [
    { status: 'needs-info', elements: missing, events: [event('asked'), event('answered')] },
    'ask',
    'Ask for information',
  ],
  [{ status: 'in-review', elements: missing, events: [event('asked')] }, 'decide', 'Decide'],
  [{ kind: 'intimate-image', isWithheld: true, elements: missing }, 'hide', 'Hide the entries'],
  [{ kind: 'child-safety', isNothingFound: true, elements: missing }, 'attach', 'Attach an entry'],
  [{ status: 'decided' }, undefined, 'Open'],
  [{ status: 'withdrawn' }, undefined, 'Open'],
])('the next step of a case that is %j is %s, and its line in the queue says: %s', (facts, step, words) => {
  const notice = aNotice(facts)
  expect(nextStepOf(notice, offersOf(notice))).toBe(step)
  const { kind, status, isWithheld, isNothingFound, elements, events } = notice
  const line = aNoticeInQueue({
    kind,
    status,
    isWithheld,
    isNothingFound,
    missing: elements.filter(({ isGiven }) => !isGiven).map(({ name }) => name),
    isAsked: events.at(-1)?.type === 'asked',
  })
  expect(nextStepInWords(line)).toBe(words)
})

test.each<[Partial<NoticeInQueue>, string]>([
  [{ status: 'decided', counterNotices: 1 }, 'Answer the counter-notice'],
  [{ status: 'decided', counterNotices: 1, hasAppeal: true }, 'Answer the appeal'],
  [{ status: 'decided', hasAppeal: true, waitsForSecond: true }, 'See the first act'],
  [{ isNothingFound: true, waitsForSecond: true }, 'See the first act'],
  [{ isWithheld: true, waitsForSecond: true }, 'Hide the entries'],
])('the line of a notice that is %j offers: %s', (facts, words) => {
  expect(nextStepInWords(aNoticeInQueue(facts))).toBe(words)
})

test('what is missing is counted among all that was asked', () => {
  expect(missingOfAllInWords({ kind: 'copyright', missing: ['signature', 'perjury'] })).toBe('2 of 8 missing')
  expect(missingOfAllInWords({ kind: 'other', missing: ['itemUrls', 'explanation', 'goodFaith'] })).toBe(
    '3 of 3 missing',
  )
  expect(missingOfAllInWords({ kind: 'copyright', missing: ['phone'] })).toBe('1 of 9 missing')
})
