import { setTimeout as sleep } from 'node:timers/promises'
import type { Scope } from '../../../http/cache/response-cache.ts'

/** How many counts wait. A further one begins when its text is asked for again. */
const maxWaiting = 50

/** A total that is being counted to its end. */
interface Count {
  isOver: boolean
}

/** The totals of common texts that are being counted to the end, one after the other, with pauses for whoever asks something else. */
export class TotalCounts {
  readonly #counts = new Map<string, Count>()
  #last = Promise.resolve()

  /**
   * @param key tells what is counted: nothing is counted twice at once
   * @param step counts further; true at the end
   */
  begin(key: string, step: () => Promise<boolean>): Count {
    const known = this.#counts.get(key)
    if (known !== undefined) return known
    const count: Count = { isOver: this.#counts.size >= maxWaiting }
    if (count.isOver) return count
    this.#counts.set(key, count)
    this.#last = this.#countAfter(this.#last, key, count, step)
    return count
  }

  async #countAfter(before: Promise<void>, key: string, count: Count, step: () => Promise<boolean>): Promise<void> {
    await before
    try {
      await countToEnd(step)
    } catch {
      // A database that is away is told elsewhere; whoever asks next begins anew.
    } finally {
      count.isOver = true
      this.#counts.delete(key)
    }
  }

  /** Resolves when everything that has begun is counted. */
  whenCounted(): Promise<void> {
    return this.#last
  }
}

async function countToEnd(step: () => Promise<boolean>): Promise<void> {
  for (;;) {
    const startedAt = performance.now()
    if (await step()) return
    await sleep(performance.now() - startedAt)
  }
}

/** The scope of an answer whose total is a lower bound. */
export class UntilCounted implements Scope {
  readonly #scope: Scope | undefined
  readonly #count: Count

  /** @param scope of the rest of the answer; undefined: any change may touch it */
  constructor(scope: Scope | undefined, count: Count) {
    this.#scope = scope
    this.#count = count
  }

  isTouchedSince(version: number): boolean {
    return this.#scope === undefined || this.#scope.isTouchedSince(version)
  }

  isOver(): boolean {
    return this.#count.isOver
  }
}
