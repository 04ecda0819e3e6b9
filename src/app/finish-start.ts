import { setTimeout as wait } from 'node:timers/promises'
import { faultOf } from '../db/postgres/faults.ts'
import { isDatabaseUnavailable } from '../platform/database-outages.ts'
import type { App } from './app.ts'

const againMs = 1_000

/**
 * Does the rest of the start, once the site listens. A database that goes away meanwhile is waited for: the process
 * already serves.
 * @param steps done in turn; one that fails is done again from its beginning
 * @param signal ends the start: what a step fails of from then on is the stop's doing
 */
export async function finishStart(
  { log }: Pick<App, 'log'>,
  steps: readonly (() => Promise<void>)[],
  { signal }: { signal: AbortSignal },
): Promise<void> {
  let isLogged = false
  for (const step of steps) {
    while (!signal.aborted) {
      try {
        await step()
        break
      } catch (error) {
        // The stop has taken away what the step was using.
        if (signal.aborted) return
        if (!isPassing(error)) throw error
        if (!isLogged) log.warn('The database went away during the start, which goes on when it answers again.')
        isLogged = true
        await wait(againMs, undefined, { signal }).catch(() => {})
      }
    }
  }
}

/** The library of the jobs hears by a connection of its own, whose errors are the driver's. */
function isPassing(error: unknown): boolean {
  const isBusy = (error as { code?: unknown } | null | undefined)?.code === 'database.busy'
  return isBusy || isDatabaseUnavailable(error) || faultOf(error) === 'broken'
}
