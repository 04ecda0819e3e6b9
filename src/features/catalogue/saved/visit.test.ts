import { expect, test } from 'vitest'
import { visitAt, visitEndsAfterMs } from './visit.ts'

const at = 1_700_000_000_000

test('the first visit has nothing to be new since', () => {
  expect(visitAt(undefined, at)).toEqual({ seenAt: at })
  expect(visitAt(visitAt(undefined, at), at + 60_000)).toEqual({ seenAt: at + 60_000, newSince: undefined })
})

test('a visit goes on while there are signs, and ends half an hour after the last', () => {
  const first = visitAt(undefined, at)
  const almost = visitAt(first, at + visitEndsAfterMs - 1)
  expect(almost.newSince).toBeUndefined()
  const next = visitAt(almost, almost.seenAt + visitEndsAfterMs)
  expect(next).toEqual({ seenAt: almost.seenAt + visitEndsAfterMs, newSince: almost.seenAt })
  // A reload, another tab and Back are signs of the same visit.
  expect(visitAt(next, next.seenAt + 1_000).newSince).toBe(almost.seenAt)
})

test('a clock that was put back neither ends a visit nor moves its sign', () => {
  expect(visitAt({ seenAt: at, newSince: 5 }, at - 86_400_000)).toEqual({ seenAt: at, newSince: 5 })
})
