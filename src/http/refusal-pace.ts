import type { ServerResponse } from 'node:http'

/** Refusals of a second that are answered at once. */
const atOncePerSecond = 50
/** The others after half a second, and up to a quarter more: those that came together do not go out together. */
const delayMs = 500
const spreadMs = 250
/** How many wait at a time. */
const maxWaiting = 1_000

/**
 * Slows a flood of refusals down. A refusal takes little of the main thread, but whoever gets thousands of them a second and asks
 * again at once takes all of it. Beyond 50 a second a refusal waits before it is answered, so that each connection
 * has few of them a second; beyond 1,000 that wait, the connection is closed without an answer. Nothing but refusals waits
 * (docs/spec/security.md#refusal-pace).
 */
export class RefusalPace {
  #second = { since: -Infinity, count: 0 }
  #waiting = 0
  #spread = 0

  /** How many refusals wait to be answered. */
  get waiting(): number {
    return this.#waiting
  }

  /** Sends a refusal when its time has come, unless its caller has gone by then. */
  answer(response: Pick<ServerResponse, 'once' | 'off' | 'destroy' | 'destroyed'>, send: () => void): void {
    const now = performance.now()
    if (now - this.#second.since >= 1_000) this.#second = { since: now, count: 0 }
    this.#second.count += 1
    if (this.#second.count <= atOncePerSecond || response.destroyed) {
      send()
      return
    }
    if (this.#waiting >= maxWaiting) {
      response.destroy()
      return
    }
    this.#waiting += 1
    const timer = setTimeout(() => {
      response.off('close', leave)
      this.#waiting -= 1
      send()
    }, this.#delay())
    const leave = (): void => {
      clearTimeout(timer)
      this.#waiting -= 1
    }
    response.once('close', leave)
  }

  #delay(): number {
    this.#spread = (this.#spread + 7) % spreadMs
    return delayMs + this.#spread
  }
}
