interface Gathered {
  words: string[]
  /** Undefined: too many to gather. */
  nos: Set<number> | undefined
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
export class GatheredNames {
  readonly #capacity: number
  readonly #byWords = new Map<string, Gathered>()
  #size = 0

  /** @param capacity how many item numbers are held in all */
  constructor(capacity = 1_000_000) {
    this.#capacity = capacity
  }

  /** The items with these words, `too many`, or undefined when it is not known. */
  get(words: string[]): ReadonlySet<number> | 'too many' | undefined {
    const gathered = this.#byWords.get(keyOf(words))
    return gathered === undefined ? undefined : (gathered.nos ?? 'too many')
  }

  /** @param nos undefined: too many to gather */
  keep(words: string[], nos: number[] | undefined): void {
    const key = keyOf(words)
    this.#drop(key)
    this.#byWords.set(key, { words, nos: nos === undefined ? undefined : new Set(nos) })
    this.#size += nos?.length ?? 0
    for (const oldest of this.#byWords.keys()) {
      if (this.#size <= this.#capacity && this.#byWords.size <= 1_000) break
      this.#drop(oldest)
    }
  }

  /** Makes it true again after a change. */
  mend(changed: ChangedName[]): void {
    for (const { words, nos } of this.#byWords.values()) {
      if (nos === undefined) continue
      this.#size -= nos.size
      for (const { no, folded } of changed) {
        if (folded !== undefined && words.every((word) => folded.includes(word))) nos.add(no)
        else nos.delete(no)
      }
      this.#size += nos.size
    }
  }

  clear(): void {
    this.#byWords.clear()
    this.#size = 0
  }

  #drop(key: string): void {
    this.#size -= this.#byWords.get(key)?.nos?.size ?? 0
    this.#byWords.delete(key)
  }
}

/** The words of a question hold no spaces, and their order does not matter. */
function keyOf(words: string[]): string {
  return words.toSorted().join(' ')
}
