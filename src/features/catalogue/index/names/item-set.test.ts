import { expect, test } from 'vitest'
import { ItemSet } from './item-set.ts'

test('a set has what was added to it, each number once, up to the last of its capacity', () => {
  const set = new ItemSet(100)
  set.addAll(Int32Array.of(5, 99, 31, 32, 0, 63, 31), 1, 7)
  set.add(64)
  set.delete(63)
  expect([...set.numbers(new Int32Array(100))]).toEqual([0, 31, 32, 64, 99])
  expect(set.size).toBe(5)
  expect([0, 5, 31, 63, 99, 5_000].filter((no) => set.has(no))).toEqual([0, 31, 99])
  const other = new ItemSet(200, set)
  other.delete(31)
  set.keepCommon(other)
  expect([...set.numbers(new Int32Array(100))]).toEqual([0, 32, 64, 99])
  set.clear()
  expect(set.size).toBe(0)
})
