import { expect, test } from 'vitest'
import { aNotice, aNoticeInQueue } from '../../../../../tests/harness/desk-samples.ts'
import type { NoticeForDesk, NoticeInQueue } from '../../desk/desk-schema.ts'
import { offersOf } from './case-offers.ts'
import { missingOfAllInWords, nextStepInWords, nextStepOf } from './next-step.ts'

const missing = [{ name: 'signature', label: 'Your signature', isGiven: false }]
const event = (type: string) => ({ at: '2024-03-15T11:00:00.000Z', type, sentence: '' })

test.each<[Partial<NoticeForDesk>, string | undefined]>([
  [{}, 'review'],
  [{ status: 'in-review' }, 'decide'],
  [{ status: 'needs-info', elements: missing }, 'ask'],
  [{ status: 'in-review', elements: missing }, 'ask'],
  [{ status: 'needs-info', elements: missing, events: [event('received'), event('asked')] }, 'review'],
  [{ status: 'needs-info', elements: missing, events: [event('asked'), event('answered')] }, 'ask'],
  [{ kind: 'intimate-image', isWithheld: true, elements: missing }, 'hide'],
  [{ kind: 'child-safety', isNothingFound: true, elements: missing }, 'attach'],
  [{ status: 'decided' }, undefined],
  [{ status: 'withdrawn' }, undefined],
])('the next step of a case that is %j is %s', (facts, step) => {
  const notice = aNotice(facts)
  expect(nextStepOf(notice, offersOf(notice))).toBe(step)
})

test.each<[Partial<NoticeInQueue>, string]>([
  [{}, 'Review'],
  [{ status: 'in-review' }, 'Decide'],
  [{ missing: ['signature'] }, 'Ask for information'],
  [{ missing: ['signature'], isAsked: true, status: 'in-review' }, 'Decide'],
  [{ isWithheld: true, missing: ['signature'] }, 'Hide the entries'],
  [{ isNothingFound: true }, 'Attach an entry'],
  [{ status: 'decided', counterNotices: 1 }, 'Answer the counter-notice'],
  [{ status: 'decided', counterNotices: 1, hasAppeal: true }, 'Answer the appeal'],
  [{ status: 'decided' }, 'Open'],
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
