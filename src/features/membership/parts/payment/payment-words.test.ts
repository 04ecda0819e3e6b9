import { expect, test } from 'vitest'
import { paymentInWords } from './payment-words.ts'

test.each([
  ['paid', 0, 'Paid', false],
  ['paid', 400, '$4.00 refunded', false],
  ['paid', 1_200, 'Refunded', false],
  ['open', 0, 'Not paid yet', true],
  ['uncollectible', 0, 'Failed', true],
  ['void', 0, 'Void', false],
] as const)('an invoice over $12.00 that is %s, with %i cents back: %s', (status, refundedCents, words, isBad) =>
  expect(paymentInWords({ status, amountCents: 1_200, refundedCents, currency: 'usd' })).toEqual({ words, isBad }),
)
