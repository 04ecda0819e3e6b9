import { add, countBits } from './item-set.ts'

/** As many parts as a mark has bits. */
const mostParts = 16

/** Marks words by their numbers: which of some parts each contains. */
export class WordMarks {
  /** By word: a bit for each part. */
  readonly bits: Uint16Array
  /** The marked ones by the first part that each contains, then ascending. */
  #words = new Uint32Array()

  constructor(wordCount: number) {
    this.bits = new Uint16Array(wordCount)
  }

  /** @param lists the words with each part, ascending; at most `mostParts` lists. Nothing is marked before. */
  mark(lists: readonly Uint32Array[]): void {
    const { bits } = this
    const marked = new Uint32Array(lists.reduce((sum, words) => sum + words.length, 0))
    let count = 0
    for (const [part, words] of lists.entries())
      for (let i = 0; i < words.length; i += 1) {
        const word = words[i] as number
        if (bits[word] === 0) marked[count++] = word
        bits[word] = (bits[word] as number) | (1 << part)
      }
    this.#words = marked.subarray(0, count)
  }

  clear(): void {
    for (let i = 0; i < this.#words.length; i += 1) this.bits[this.#words[i] as number] = 0
    this.#words = new Uint32Array()
  }

  /** The marked words, those with the most parts first, then by the first part of each. */
  groups(): { part: number; words: Uint32Array }[] {
    const [words, starts] = [this.#words, new Uint32Array(mostParts * mostParts + 1)]
    for (let i = 0; i < words.length; i += 1) add(starts, this.#keyOf(words[i] as number) + 1, 1)
    const keys = Array.from({ length: mostParts * mostParts }, (_, key) => key)
    for (const key of keys) add(starts, key + 1, starts[key] as number)
    const [sorted, next] = [new Uint32Array(words.length), starts.slice()]
    for (let i = 0; i < words.length; i += 1) {
      const key = this.#keyOf(words[i] as number)
      sorted[next[key] as number] = words[i] as number
      add(next, key, 1)
    }
    return keys
      .filter((key) => starts[key] !== starts[key + 1])
      .map((key) => ({ part: key % mostParts, words: sorted.subarray(starts[key], starts[key + 1]) }))
  }

  #keyOf(word: number): number {
    const bits = this.bits[word] as number
    return (mostParts - countBits(bits)) * mostParts + 31 - Math.clz32(bits & -bits)
  }
}
