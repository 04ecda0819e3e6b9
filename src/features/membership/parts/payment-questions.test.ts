import { describe, expect, test } from 'vitest'
import { newsIn, pauseBefore } from './payment-questions.ts'

test('the first questions follow closely, the later ones do not press', () => {
  expect([0, 1, 2, 3, 4, 5, 6, 7, 40].map(pauseBefore)).toEqual([0, 1, 1, 2, 2, 3, 5, 5, 5].map((s) => s * 1_000))
})

describe('an answer about a payment', () => {
  test.each(['confirming', 'active', 'failed'] as const)('says that it is %s', (state) =>
    expect(newsIn({ ok: true, status: 200, data: { state } })).toBe(state),
  )

  test('says that there is none of this member', () =>
    expect(newsIn({ ok: false, status: 404, data: { message: 'Not found.' } })).toBe('unknown'))

  test.each([
    ['no answer', undefined],
    ['an error', { ok: false, status: 503, data: { state: 'active' } }],
    ['a state that nobody knows', { ok: true, status: 200, data: { state: 'splendid' } }],
    ['a page of somebody between', { ok: true, status: 200, data: undefined }],
    ['nothing', { ok: true, status: 200, data: null }],
  ])('proves nothing: %s', (_name, reply) => expect(newsIn(reply)).toBe('unanswered'))
})
