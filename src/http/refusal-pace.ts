import { defineLimit } from '../platform/rate-limit/consume-all.ts'
import type { ServerResponse } from 'node:http'
import { FairQueue } from '../platform/fair-queue/fair-queue.ts'
import type { Limit, RateLimits } from '../platform/rate-limit/rate-limits.ts'

/** The rest is late, and not refused. */
const refusalsAtOnce = defineLimit({ name: 'refusals.at-once', points: 50, seconds: 1, isLocal: true })
/** The others after half a second, and up to a quarter more: those that came together do not go out together. */
const delayMs = 500
const spreadMs = 250
/** How many wait at a time. */
const maxDelayed = 1_000

type Response = Pick<ServerResponse, 'once' | 'off' | 'destroy' | 'destroyed'>

/**
 * Slows a flood of refusals down: each takes little of the main thread, but callers with thousands a second take all of
 * it. Beyond 50 a second a refusal waits, so that each connection has few; beyond 1,000 that wait, the connection is
 * closed. Nothing but refusals waits (docs/spec/security.md#refusal-pace).
 */
export class RefusalPace {
  readonly #atOnce: Limit
  readonly #delayed = new FairQueue({ atOnce: maxDelayed, maxWaiting: 0 })
  #spread = 0

  constructor(limits: RateLimits) {
    this.#atOnce = limits.limit(refusalsAtOnce)
  }

  get waiting(): number {
    return this.#delayed.running
  }

  /** Sends a refusal when its time has come, unless its caller has gone by then. */
  async answer(response: Response, send: () => void): Promise<void> {
    if (await this.#atOnce.tryConsume('all')) {
      send()
      return
    }
    this.#spread = (this.#spread + 7) % spreadMs
    const ms = delayMs + this.#spread
    await this.#delayed.run({}, () => passOrClose(response, ms)).catch(() => response.destroy())
    if (!response.destroyed) send()
  }
}

/** Resolves after the time, and before it when the connection closes. */
function passOrClose(response: Response, ms: number): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer)
      response.off('close', end)
      resolve()
    }
    const timer = setTimeout(end, ms)
    response.once('close', end)
  })
}
