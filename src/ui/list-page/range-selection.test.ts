import { expect, test } from 'vitest'
import { extendTo, type RangeState, stepTo, toggle } from './range-selection.ts'

const ids = ['a', 'b', 'c', 'd', 'e', 'f']
const none: RangeState = { chosen: new Set(), base: new Set() }
const chosen = (state: RangeState): string => [...state.chosen].sort().join('')

test('a row is turned around, and a range goes from it in either direction', () => {
  const one = toggle(none, 'c')
  expect(chosen(one)).toBe('c')
  expect(chosen(toggle(one, 'c'))).toBe('')
  expect(chosen(extendTo(one, ids, 'e'))).toBe('cde')
  expect(chosen(extendTo(extendTo(one, ids, 'e'), ids, 'a'))).toBe('abc')
})

test('a range from a row that was just switched off switches off', () => {
  const all = extendTo(toggle(none, 'a'), ids, 'f')
  expect(chosen(extendTo(toggle(all, 'b'), ids, 'd'))).toBe('aef')
})

test('rows chosen before stay; without a beginning, or after it has gone, the row alone is turned', () => {
  expect(chosen(extendTo(toggle(toggle(none, 'f'), 'a'), ids, 'b'))).toBe('abf')
  expect(chosen(extendTo(none, ids, 'd'))).toBe('d')
  expect(chosen(extendTo(toggle(none, 'gone'), ids, 'd'))).toBe('dgone')
})

test('shift and arrows grow the range and shrink it again, and begin anew where the focus went on', () => {
  const grown = stepTo(stepTo(none, ids, { from: 'b', to: 'c' }), ids, { from: 'c', to: 'd' })
  expect(chosen(grown)).toBe('bcd')
  expect(chosen(stepTo(grown, ids, { from: 'd', to: 'c' }))).toBe('bc')
  expect(chosen(stepTo(grown, ids, { from: 'f', to: 'e' }))).toBe('bcdef')
})

test('no more are chosen than may be, the nearest first', () => {
  expect(chosen(extendTo(toggle(none, 'e', 3), ids, 'a', 3))).toBe('cde')
  expect(chosen(toggle(extendTo(toggle(none, 'a', 3), ids, 'f', 3), 'f', 3))).toBe('abc')
  expect(chosen(stepTo(extendTo(toggle(none, 'a', 2), ids, 'f', 2), ids, { from: 'e', to: 'f' }, 2))).toBe('ab')
})
