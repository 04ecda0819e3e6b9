import { expect, test } from 'vitest'
import { ApiError } from '../../../../browser/api-client.ts'
import { CheckoutForMember } from '../../checkout/checkout-schema.ts'
import { newsIn, pauseBefore } from './payment-requests.ts'

const refused = (status: number) => new ApiError('refused', { reply: { ok: false, status, data: undefined } })

test('the first requests follow closely, the later ones do not press', () => {
  expect([0, 1, 2, 3, 4, 5, 6, 7, 40].map(pauseBefore)).toEqual([0, 1, 1, 2, 2, 3, 5, 5, 5].map((s) => s * 1_000))
})

test.each(['confirming', 'active', 'failed'] as const)('an answer about a payment says that it is %s', (state) => {
  const answer = CheckoutForMember.parse({ state })
  expect(newsIn(answer, undefined)).toBe(state)
})

test('an answer about a payment says that there is none of this member', () =>
  expect(newsIn(undefined, refused(404))).toBe('unknown'))

test.each([
  ['no answer', new ApiError('network')],
  ['an error', refused(503)],
  ['an answer of another shape', new ApiError('unreadable')],
])('nothing is learned of a payment from %s, whatever was known before', (_name, error) => {
  expect(newsIn(undefined, error)).toBe('unanswered')
  expect(newsIn({ state: 'confirming' }, error)).toBe('unanswered')
})

test.each([{ state: 'splendid' }, {}, null, undefined, [], 'active'])('%j is no answer about a payment', (answer) =>
  expect(CheckoutForMember.safeParse(answer).success).toBe(false),
)
