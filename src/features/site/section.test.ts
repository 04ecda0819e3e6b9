import { expect, test } from 'vitest'
import { accentOf, labelOf } from './section.ts'

test.each([
  ['/', undefined, 'accent-asian'],
  ['/western', 'WESTERN', 'accent-western'],
  ['/western/some-slug', 'WESTERN', 'accent-western'],
  ['/asian', 'ASIAN', 'accent-asian'],
  ['/banned/x', 'BANNED', 'accent-banned'],
  ['/unknown', 'UNKNOWN', 'accent-unknown'],
  ['/vip', 'VIP', 'accent-vip'],
  ['/vip-western/x', 'VIP', 'accent-vip'],
  ['/vipers', undefined, 'accent-asian'],
  ['/plans', 'PLANS', 'accent-asian'],
  ['/login', 'LOGIN', 'accent-asian'],
  ['/register', 'REGISTER', 'accent-asian'],
])('%s is labelled %s in %s', (path, label, accent) => {
  expect(labelOf(path)).toBe(label)
  expect(accentOf(path)).toBe(accent)
})
