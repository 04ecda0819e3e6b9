/**
 * Gives each piece of work of the main thread a round of the event loop of its own, in the order in which they ask. What
 * else is due, such as kept answers and what the database has sent, comes in between.
 */
export class Rounds {
  readonly #waiting: (() => void)[] = []

  /** Resolves at the beginning of a round that nobody else of these has. */
  own(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve)
      if (this.#waiting.length === 1) setImmediate(() => this.#pass())
    })
  }

  #pass(): void {
    this.#waiting[0]?.()
    // Not before this round is over: an immediate that is asked for in one is due in the next.
    setImmediate(() => {
      this.#waiting.shift()
      if (this.#waiting.length > 0) this.#pass()
    })
  }
}
