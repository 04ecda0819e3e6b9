import { expect, test } from 'vitest'
import type { BillingRunForAdmin } from '../billing-schema.ts'
import { driftSentence, runInWords, whatInWords } from './billing-words.ts'

const run = (part: Partial<BillingRunForAdmin> = {}): BillingRunForAdmin => ({
  id: '1',
  scope: 'all',
  state: 'finished',
  startedAt: '2024-03-15T12:00:00Z',
  finishedAt: '2024-03-15T12:00:09Z',
  checked: 3,
  drifts: 0,
  failed: 0,
  failure: null,
  ...part,
})
const none = { last24h: 0, last30d: 0, unhealed: 0 }

test.each([
  [[run()], none, 'No differences'],
  [[run({ state: 'under_way', finishedAt: null }), run()], none, 'No differences'],
  [[], none, 'Not compared with Stripe yet'],
  [[run({ state: 'under_way', finishedAt: null })], none, 'Not compared with Stripe yet'],
  [[run({ failure: 'Stripe is away.' }), run()], none, 'The last comparison with Stripe was not completed'],
  [[run({ failed: 1 })], none, 'The last comparison with Stripe was not completed'],
  [[run({ state: 'broken_off', finishedAt: null })], none, 'The last comparison with Stripe was not completed'],
  [[run()], { ...none, last24h: 1 }, '1 difference was fixed in the last 24 hours'],
  [[run()], { ...none, last24h: 1_204 }, '1,204 differences were fixed in the last 24 hours'],
  [[run()], { ...none, unhealed: 1 }, '1 difference at Stripe needs your attention'],
  [[run()], { ...none, last30d: 9 }, 'No differences'],
])('the state in one sentence: %#', (runs, counts, sentence) => {
  expect(driftSentence({ runs, counts })).toBe(sentence)
})

test.each([
  [run(), 'done'],
  [run({ state: 'under_way' }), 'under way'],
  [run({ state: 'broken_off' }), 'interrupted'],
  [run({ failed: 2 }), '2 members could not be compared.'],
  [run({ failed: 1, failure: 'Stripe is away.' }), '1 member could not be compared. Stripe is away.'],
])('what a run has come to: %#', (one, words) => {
  expect(runInWords(one)).toBe(words)
})

test.each([
  ['subscription', 'Subscription'],
  ['subscription.period_ends_at', 'Subscription: period ends'],
  ['access.effective_until', 'Access: in effect until'],
  ['price.monthly', 'Price: monthly'],
  ['something.quite_new', 'something: quite new'],
])('%s is told as %s', (what, words) => {
  expect(whatInWords(what)).toBe(words)
})

test('one is told as one', () => {})
