import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { withRests } from './with-rests.server.ts'

const stepMs = 30

async function* steps(ended: () => void): AsyncGenerator<number> {
  try {
    yield 1
    yield 2
    yield 3
  } finally {
    ended()
  }
}

test('each step is followed by a rest as long as its work', async () => {
  const seen: number[] = []
  let worked = 0
  const startedAt = performance.now()
  for await (const step of withRests(steps(() => {}))) {
    const begunAt = performance.now()
    seen.push(step)
    await sleep(stepMs)
    worked += performance.now() - begunAt
  }
  expect(seen).toEqual([1, 2, 3])
  // A timer may be early by a millisecond.
  expect(performance.now() - startedAt).toBeGreaterThan(2 * worked - 6)
})

test('a reader who stops ends the work', async () => {
  let hasEnded = false
  for await (const step of withRests(steps(() => (hasEnded = true)))) if (step === 2) break
  expect(hasEnded).toBe(true)
})
