import { ItemSet } from './item-set.ts'
import { beginning, inside, whole } from './vocabulary.server.ts'

/** Some postings of items that answer a word in one way. */
interface Answers {
  /** `whole`, `beginning` or `inside`. */
  fit: number
  isInTitle: boolean
}

/** The items that have some words, and how well the least fitting word answers in each. */
export class FoundItems {
  readonly all: ItemSet
  /** Those in which no word answers less well than as a beginning, and as a whole. */
  readonly #beginnings: ItemSet
  readonly #wholes: ItemSet
  /** Those in which each word answers best in a title. */
  readonly #ofTitles: ItemSet

  constructor(capacity: number) {
    this.all = new ItemSet(capacity)
    this.#beginnings = new ItemSet(capacity)
    this.#wholes = new ItemSet(capacity)
    this.#ofTitles = new ItemSet(capacity)
  }

  clear(): void {
    for (const set of this.#sets()) set.clear()
  }

  /** Adds items for which `isHere`. Those that answer better come before, of equal ones those in a title. */
  add(
    numbers: Int32Array,
    from: number,
    to: number,
    { fit, isInTitle }: Answers,
    isHere: (no: number) => boolean,
  ): void {
    for (let i = from; i < to; i += 1) {
      const no = numbers[i] as number
      if (this.all.has(no) || !isHere(no)) continue
      this.all.add(no)
      if (isInTitle) this.#ofTitles.add(no)
      if (fit >= beginning) this.#beginnings.add(no)
      if (fit >= whole) this.#wholes.add(no)
    }
  }

  /** The same for sets: of very many, that is several times as quick. */
  addSets(fit: number, inTitles: ItemSet, elsewhere: ItemSet, here: ItemSet): void {
    const [all, ofTitles] = [this.all.bits, this.#ofTitles.bits]
    const [beginnings, wholes] = [this.#beginnings.bits, this.#wholes.bits]
    const [added, others, those] = [inTitles.bits, elsewhere.bits, here.bits]
    for (let i = 0; i < all.length; i += 1) {
      const [before, here] = [all[i] as number, those[i] as number]
      const inTitle = (added[i] as number) & here & ~before
      const fresh = inTitle | ((others[i] as number) & here & ~before)
      if (fresh === 0) continue
      all[i] = before | fresh
      ofTitles[i] = (ofTitles[i] as number) | inTitle
      if (fit >= beginning) beginnings[i] = (beginnings[i] as number) | fresh
      if (fit >= whole) wholes[i] = (wholes[i] as number) | fresh
    }
  }

  /** Leaves those that have the words of both. */
  keepCommon(other: FoundItems): void {
    const others = other.#sets()
    for (const [i, set] of this.#sets().entries()) set.keepCommon(others[i] as ItemSet)
  }

  /** The same for a single item: `fit` is that of `fitIn`. */
  keepFit(no: number, fit: number): void {
    if (fit === 0) this.all.delete(no)
    if (fit >> 1 < beginning) this.#beginnings.delete(no)
    if (fit >> 1 < whole) this.#wholes.delete(no)
    if ((fit & 1) === 0) this.#ofTitles.delete(no)
  }

  /** The number must be among them. */
  fitOf(no: number): number {
    return this.#wholes.has(no) ? whole : this.#beginnings.has(no) ? beginning : inside
  }

  isOfTitles(no: number): boolean {
    return this.#ofTitles.has(no)
  }

  #sets(): ItemSet[] {
    return [this.all, this.#beginnings, this.#wholes, this.#ofTitles]
  }
}
