import { takeLowest } from './fair-semaphore.ts'

/** The most groups whose last round is remembered. */
const maxRemembered = 1_000

/**
 * Gives each piece of work of the main thread a round of the event loop of its own. Other events, such as cached
 * answers and data of the database, come in between. The next round goes to the group whose last one is the oldest, and within a
 * group to who came first.
 */
export class EventLoopRounds {
  readonly #waiting: { group: string; begin: () => void }[] = []
  #isUnderWay = false
  /** The number of the last round of each group, the oldest first. */
  readonly #lastOf = new Map<string, number>()
  #last = 0

  /** Resolves at the beginning of a round that nobody else has. */
  next(group = ''): Promise<void> {
    return new Promise((begin) => {
      this.#waiting.push({ group, begin })
      if (!this.#isUnderWay) setImmediate(() => this.#pass())
      this.#isUnderWay = true
    })
  }

  #pass(): void {
    const next = takeLowest(this.#waiting, (group) => this.#lastOf.get(group) ?? 0)
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
}
