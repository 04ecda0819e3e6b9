import { expect, test } from 'vitest'
import { moneyInWords } from './format-money.ts'

test.each([
  [1_200, 'usd', '$12.00'],
  [0, 'usd', '$0.00'],
  [5, 'USD', '$0.05'],
  [123_456_789, 'usd', '$1,234,567.89'],
  [8_000, 'eur', '€80.00'],
  // A currency without cents.
  [1_200, 'jpy', '¥1,200'],
])('%i of %s is %s', (amount, currency, words) => expect(moneyInWords(amount, currency)).toBe(words))
