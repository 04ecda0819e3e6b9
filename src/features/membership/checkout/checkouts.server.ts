import { defineError, isAppError, tryLater } from '../../../platform/errors.ts'
import type { Log } from '../../../platform/log.ts'

/** A browser gives its call up after 20 seconds: until then it has an answer. */
const usualWaitMs = 18_000

export interface OpenedCheckout {
  url: string
}

/**
 * The checkouts that this process is opening. A second request for one takes the answer of the first, so clicks do not
 * queue up while Stripe is slow.
 */
export class Checkouts {
  readonly #log: Log
  readonly #underWay = new Map<string, Promise<OpenedCheckout>>()

  readonly waitMs: number

  constructor(log: Log, { waitMs = usualWaitMs }: { waitMs?: number } = {}) {
    this.waitMs = waitMs
    this.#log = log
  }

  /**
   * @param key the same for everybody who may have the same answer
   * @param open begins the work, where none is under way; it goes on when nobody waits any longer
   * @throws {AppError} `checkout.pending`, 503, when it takes too long, whatever it waits for; whoever asks again takes the
   *   same answer, once it is there
   */
  async join(key: string, open: () => Promise<OpenedCheckout>): Promise<OpenedCheckout> {
    const underWay = this.#underWay.get(key) ?? this.#begin(key, open)
    const lapse = Promise.withResolvers<never>()
    const timer = setTimeout(() => lapse.reject(stillPending()), this.waitMs)
    try {
      return await Promise.race([underWay, lapse.promise])
    } finally {
      clearTimeout(timer)
    }
  }

  #begin(key: string, open: () => Promise<OpenedCheckout>): Promise<OpenedCheckout> {
    const startedAt = performance.now()
    const opening = open().finally(() => this.#underWay.delete(key))
    this.#underWay.set(key, opening)
    // Waiting callers get the error; without one, the log does.
    opening.catch((error: unknown) => {
      if (performance.now() - startedAt < this.waitMs) return
      this.#log[isAppError(error) ? 'warn' : 'error']({ err: error }, 'A slow checkout was not opened.')
    })
    return opening
  }
}

export const stillPending = defineError({
  code: 'checkout.pending',
  status: 503,
  sentence: 'Your checkout is still being opened. Nothing was charged. Please try again in a minute.',
  remedy: tryLater,
  retryAfterSeconds: 60,
})
