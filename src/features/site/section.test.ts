import { expect, test } from 'vitest'
import { accentOf, isOnShelf, isVipPath, labelOf, vipLabelOf, visitorLabelOf } from './section.ts'

test.each([
  ['/', undefined, 'accent-neutral'],
  ['/western', 'WESTERN', 'accent-western'],
  ['/western/some-slug', 'WESTERN', 'accent-western'],
  ['/asian', 'ASIAN', 'accent-asian'],
  ['/banned/x', 'BANNED', 'accent-banned'],
  ['/unknown', 'UNKNOWN', 'accent-unknown'],
  ['/vip', 'VIP', 'accent-vip'],
  ['/vip-western/x', 'VIP', 'accent-vip'],
  ['/vipers', undefined, 'accent-neutral'],
])('%s is labelled %s in %s, for members and visitors alike', (path, label, accent) => {
  expect(labelOf(path)).toBe(label)
  expect(visitorLabelOf(path)).toBe(label)
  expect(accentOf(path)).toBe(accent)
})

test.each([
  ['/plans', 'PLANS'],
  ['/login', 'LOGIN'],
  ['/register', 'REGISTER'],
])('%s is labelled %s for visitors only', (path, label) => {
  expect(visitorLabelOf(path)).toBe(label)
  expect(labelOf(path)).toBeUndefined()
  expect(accentOf(path)).toBe('accent-neutral')
})

test.each([
  ['/vip', 'VIP'],
  ['/vip/some-slug', 'VIP'],
  ['/vip-western', 'VIP WESTERN'],
  ['/vip-asian/some-slug', 'VIP ASIAN'],
  ['/vip-banned', 'VIP BANNED'],
  ['/vip-unknown/x', 'VIP UNKNOWN'],
])('%s is labelled %s in the VIP header', (path, label) => {
  expect(isVipPath(path)).toBe(true)
  expect(vipLabelOf(path)).toBe(label)
})

test.each(['/', '/western', '/vipers', '/admin-vip-users', '/plans'])('%s is no path of the VIP area', (path) => {
  expect(isVipPath(path)).toBe(false)
})

test.each([
  ['/western', true],
  ['/western/some-slug', true],
  ['/banned', true],
  ['/', false],
  ['/plans', false],
  ['/vip-western', false],
])('the shelves stand in the header of %s: %s', (path, isThere) => {
  expect(isOnShelf(path)).toBe(isThere)
})
