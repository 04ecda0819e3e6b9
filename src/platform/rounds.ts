interface Waiting {
  readonly group: string
  begin(): void
}

/** The most groups whose last round is remembered. */
const maxRemembered = 1_000

/**
 * Gives each piece of work of the main thread a round of the event loop of its own. Other events, such as cached
 * answers and data of the database, come in between. Groups take turns by their oldest last round, and callers within a
 * group in their order.
 */
export class Rounds {
  readonly #waiting: Waiting[] = []
  #isUnderWay = false
  /** The number of the last round of each group, the oldest first. */
  readonly #lastOf = new Map<string, number>()
  #last = 0

  /** Resolves at the beginning of a round that nobody else of these has. */
  own(group = ''): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push({ group, begin: resolve })
      if (!this.#isUnderWay) setImmediate(() => this.#pass())
      this.#isUnderWay = true
    })
  }

  #pass(): void {
    const next = this.#takeNext()
    this.#isUnderWay = next !== undefined
    if (next === undefined) return
    this.#last += 1
    this.#lastOf.delete(next.group)
    this.#lastOf.set(next.group, this.#last)
    if (this.#lastOf.size > maxRemembered) this.#lastOf.delete(this.#lastOf.keys().next().value as string)
    next.begin()
    // Not before this round is over: an immediate that is asked for in one is due in the next.
    setImmediate(() => this.#pass())
  }

  #takeNext(): Waiting | undefined {
    let place = 0
    let longestAgo = Infinity
    for (const [i, { group }] of this.#waiting.entries()) {
      const last = this.#lastOf.get(group) ?? 0
      if (last < longestAgo) [place, longestAgo] = [i, last]
      if (last === 0) break
    }
    return this.#waiting.splice(place, 1)[0]
  }
}
