import { setTimeout as sleep } from 'node:timers/promises'

/** A timer is never much shorter than a millisecond. */
const shortestRestMs = 20
const longestRestMs = 100

/**
 * Rests as long as the steps take, with all that is done with them: whoever else needs the processors or the database has them
 * half of the time. Short steps share a rest, and a long one has several.
 */
export async function* withRests<Step>(
  steps: AsyncIterable<Step>,
  { now, rest } = { now: () => performance.now(), rest: (ms: number): Promise<void> => sleep(ms) },
): AsyncGenerator<Step> {
  let owedMs = 0
  let begunAt = now()
  for await (const step of steps) {
    yield step
    const endedAt = now()
    owedMs += endedAt - begunAt
    begunAt = endedAt
    if (owedMs < shortestRestMs) continue
    await rest(Math.min(owedMs, longestRestMs))
    begunAt = now()
    owedMs -= begunAt - endedAt
  }
}
