import { setImmediate as turn } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import { shrinkAfterStart } from './shrink-after-start.ts'

test('garbage of the start is collected a while after it, and nobody else can call for that', async () => {
  const left = new WeakRef({ of: 'the start' })
  vi.useFakeTimers({ toFake: ['setTimeout'] })
  shrinkAfterStart()
  // A weak reference keeps its object until the turn ends in which it was made.
  await turn()
  vi.advanceTimersByTime(60_000)
  vi.useRealTimers()
  expect(left.deref()).toBeUndefined()
  expect(globalThis.gc).toBeUndefined()
})
