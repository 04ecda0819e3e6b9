import { expect, test } from 'vitest'
import { withRests } from './with-rests.server.ts'

async function* steps(ended: () => void): AsyncGenerator<number> {
  try {
    yield 1
    yield 2
    yield 3
  } finally {
    ended()
  }
}

test.each([
  ['that are long share their rests between them', [250, 10, 10], [100, 100, 70]],
  ['that are short share a rest', [8, 8, 8], [24]],
])('steps %s', async (_, workMs, rests) => {
  const rested: number[] = []
  let time = 0
  const rest = async (ms: number): Promise<void> => {
    rested.push(ms)
    time += ms
  }
  for await (const step of withRests(
    steps(() => {}),
    { now: () => time, rest },
  ))
    time += workMs[step - 1] ?? 0
  expect(rested).toEqual(rests)
})

test('a reader who stops ends the work', async () => {
  let hasEnded = false
  for await (const step of withRests(steps(() => (hasEnded = true)))) if (step === 2) break
  expect(hasEnded).toBe(true)
})
