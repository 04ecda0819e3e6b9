import { setTimeout as sleep } from 'node:timers/promises'

const longestRestMs = 100

/**
 * Rests after each step as long as the step has taken, with all that was done with it: whoever else needs the processors or the
 * database has them half of the time.
 */
export async function* withRests<Step>(steps: AsyncIterable<Step>): AsyncGenerator<Step> {
  let begunAt = performance.now()
  for await (const step of steps) {
    yield step
    await sleep(Math.min(performance.now() - begunAt, longestRestMs))
    begunAt = performance.now()
  }
}
