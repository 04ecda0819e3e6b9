interface Posting {
  words: string[]
  /** Undefined: too many to gather. */
  itemNumbers: Set<number> | undefined
}

/** A published item that has changed, and its folded name; without one, it is no longer published. */
export interface ChangedName {
  no: number
  folded: string | undefined
}

/**
 * Which items have all of some words in their names, for the words asked for lately, whatever else was asked. A change
 * of the catalogue does not drop it: the changed items are compared with the words here, and the rest stays true.
 */
export class NamePostings {
  readonly #capacity: number
  readonly #byWords = new Map<string, Posting>()
  #size = 0

  /** @param capacity how many item numbers are held in all */
  constructor(capacity = 1_000_000) {
    this.#capacity = capacity
  }

  /** The items with these words, `too many`, or undefined when it is not known. */
  get(words: string[]): ReadonlySet<number> | 'too many' | undefined {
    const postings = this.#byWords.get(keyOf(words))
    return postings === undefined ? undefined : (postings.itemNumbers ?? 'too many')
  }

  /** @param itemNumbers undefined: too many to gather */
  keep(words: string[], itemNumbers: number[] | undefined): void {
    const key = keyOf(words)
    this.#drop(key)
    this.#byWords.set(key, { words, itemNumbers: itemNumbers === undefined ? undefined : new Set(itemNumbers) })
    this.#size += itemNumbers?.length ?? 0
    for (const oldest of this.#byWords.keys()) {
      if (this.#size <= this.#capacity && this.#byWords.size <= 1_000) break
      this.#drop(oldest)
    }
  }

  /** Makes it true again after a change. */
  mend(changed: ChangedName[]): void {
    for (const { words, itemNumbers } of this.#byWords.values()) {
      if (itemNumbers === undefined) continue
      this.#size -= itemNumbers.size
      for (const { no, folded } of changed) {
        if (folded !== undefined && words.every((word) => folded.includes(word))) itemNumbers.add(no)
        else itemNumbers.delete(no)
      }
      this.#size += itemNumbers.size
    }
  }

  clear(): void {
    this.#byWords.clear()
    this.#size = 0
  }

  #drop(key: string): void {
    this.#size -= this.#byWords.get(key)?.itemNumbers?.size ?? 0
    this.#byWords.delete(key)
  }
}

/** The words of a query hold no spaces, and their order does not matter. */
function keyOf(words: string[]): string {
  return words.toSorted().join(' ')
}
