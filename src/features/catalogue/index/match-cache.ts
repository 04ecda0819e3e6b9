import type { ItemRange } from './listing-columns.ts'

/** The matches of one query so far, in listing order. */
export interface Matches {
  itemNumbers: number[]
  /** The rest that has not been walked yet; undefined when `itemNumbers` is all. */
  rest: ItemRange | undefined
}

/**
 * The matches of recent queries, so that the next page goes on where the last one ended. Dropped when positions move;
 * a new name drops those that it may have changed.
 */
export class MatchCache {
  readonly #matches = new Map<string, Matches & { words: readonly string[] }>()
  #heldCount = 0

  get(key: string): Matches | undefined {
    return this.#matches.get(key)
  }

  keep(key: string, matches: Matches & { words: readonly string[] }): void {
    this.#heldCount += matches.itemNumbers.length - (this.#matches.get(key)?.itemNumbers.length ?? 0)
    if (this.#heldCount > 2_000_000 || this.#matches.size > 500) {
      this.clear()
      this.#heldCount = matches.itemNumbers.length
    }
    this.#matches.set(key, matches)
  }

  /** Drops the matches of words that one of these folded names has. */
  dropMatching(names: readonly string[]): void {
    for (const [key, { words, itemNumbers }] of this.#matches) {
      if (!names.some((name) => words.every((word) => name.includes(word)))) continue
      this.#matches.delete(key)
      this.#heldCount -= itemNumbers.length
    }
  }

  clear(): void {
    this.#matches.clear()
    this.#heldCount = 0
  }
}
