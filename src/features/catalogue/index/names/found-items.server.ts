import { ItemSet, type NumberSet } from './item-set.ts'
import type { SegmentColumns } from './name-segment.server.ts'
import { beginning, inside, whole } from './vocabulary.server.ts'

/** Some postings of items that answer a word in one way. */
interface Answers {
  /** `whole`, `beginning` or `inside`. */
  fit: number
  isInTitle: boolean
}

/** Items by how well they answer. */
export interface RankedItems {
  /** Ascending. */
  ofClass(answers: Answers): Int32Array
}

/** The items that have some words, and how well the least fitting word answers in each. To be used before the next query is looked for. */
export class FoundItems implements NumberSet, RankedItems {
  readonly all: ItemSet
  /** Those in which no word answers less well than as a beginning, and as a whole. */
  readonly #beginnings: ItemSet
  readonly #wholes: ItemSet
  /** Those in which each word answers best in a title. */
  readonly #ofTitles: ItemSet
  readonly #none: ItemSet
  readonly #into: Int32Array
  #isRanked = true
  /** Finds out of which no word answers better than inside whether it does so in a title: few pages ask. */
  #rankRest: (() => void) | undefined

  /** @param into has room for all numbers, while they are read */
  constructor(capacity: number, into: Int32Array) {
    this.#into = into
    this.#none = new ItemSet(capacity)
    this.all = new ItemSet(capacity)
    this.#beginnings = new ItemSet(capacity)
    this.#wholes = new ItemSet(capacity)
    this.#ofTitles = new ItemSet(capacity)
  }

  /** @param isRanked whether it will be asked how well they answer */
  clear(isRanked: boolean): void {
    this.#isRanked = isRanked
    this.#rankRest = undefined
    for (const set of this.#sets()) set.clear()
  }

  /** Adds the items of some words for which `isHere`. Those that answer better come before. */
  add(columns: SegmentColumns, words: Uint32Array, fit: number, isHere: (no: number) => boolean): void {
    const { postings, postingStarts, otherStarts } = columns
    // Among equal ones, those in a title come first.
    for (const isInTitle of [true, false])
      for (const word of words) {
        const end = (isInTitle ? otherStarts[word] : postingStarts[word + 1]) as number
        for (let i = (isInTitle ? postingStarts[word] : otherStarts[word]) as number; i < end; i += 1) {
          const no = postings[i] as number
          if (this.all.has(no) || !isHere(no)) continue
          this.all.add(no)
          if (!this.#isRanked) continue
          if (isInTitle) this.#ofTitles.add(no)
          if (fit >= beginning) this.#beginnings.add(no)
          if (fit >= whole) this.#wholes.add(no)
        }
      }
  }

  /**
   * The same by sets: of very many, that is several times as quick.
   * @param sets two to use, and those that are here
   */
  addMuch(
    columns: SegmentColumns,
    words: Uint32Array,
    fit: number,
    { inTitles, elsewhere, here }: { inTitles: ItemSet; elsewhere: ItemSet; here: ItemSet },
  ): void {
    const { postings, postingStarts, otherStarts } = columns
    elsewhere.clear()
    if (!this.#isRanked) {
      elsewhere.addStretches(postings, words, postingStarts, postingStarts.subarray(1))
      this.all.addCommon(elsewhere, here)
      return
    }
    inTitles.clear()
    inTitles.addStretches(postings, words, postingStarts, otherStarts)
    elsewhere.addStretches(postings, words, otherStarts, postingStarts.subarray(1))
    this.#addSets(fit, inTitles, elsewhere, here)
  }

  /**
   * Adds a set that stands ready, behind those that answer better than inside. A single word is looked for.
   * @param words those in which it stands inside
   * @param sets one to use, and those that are here
   */
  addReady(
    ready: ItemSet,
    { postings, postingStarts, otherStarts }: SegmentColumns,
    words: () => Uint32Array,
    { inTitles, here }: { inTitles: ItemSet; here: ItemSet },
  ): void {
    this.all.addCommon(ready, here)
    this.#rankRest = () => {
      inTitles.clear()
      inTitles.addStretches(postings, words(), postingStarts, otherStarts)
      const [ofTitles, beginnings] = [this.#ofTitles.bits, this.#beginnings.bits]
      for (let i = 0; i < ofTitles.length; i += 1)
        ofTitles[i] =
          (ofTitles[i] as number) |
          ((inTitles.bits[i] as number) & (here.bits[i] as number) & ~(beginnings[i] as number))
      this.#rankRest = undefined
    }
  }

  #addSets(fit: number, inTitles: ItemSet, elsewhere: ItemSet, here: ItemSet): void {
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

  get size(): number {
    return this.all.size
  }

  /** Ascending; put together when it is read, and to be used before others are. */
  get numbers(): Int32Array {
    return this.all.numbers(this.#into)
  }

  has(no: number): boolean {
    return this.all.has(no)
  }

  /** Leaves those alone that another set has, too. */
  keepOnly(others: ItemSet): void {
    this.all.keepCommon(others)
  }

  /** Those in which the least fitting word answers in this way, ascending; to be used before others are read. */
  ofClass({ fit, isInTitle }: Answers): Int32Array {
    if (fit === inside) this.#rankRest?.()
    const [all, ofTitles] = [this.all.bits, this.#ofTitles.bits]
    const asGood = fit === whole ? this.#wholes : fit === beginning ? this.#beginnings : this.all
    const better = fit === whole ? this.#none : fit === beginning ? this.#wholes : this.#beginnings
    // With every bit turned it is those that are not of titles.
    const turned = isInTitle ? 0 : -1
    const into = this.#into
    let count = 0
    for (let i = 0; i < all.length; i += 1) {
      if (all[i] === 0) continue
      const here = (asGood.bits[i] as number) & ~(better.bits[i] as number) & ((ofTitles[i] as number) ^ turned)
      for (let each = (all[i] as number) & here; each !== 0; each &= each - 1)
        into[count++] = (i << 5) + 31 - Math.clz32(each & -each)
    }
    return into.subarray(0, count)
  }

  /** Some of these, ascending: of few a look at each is quicker than at whole sets. */
  someRanked(numbers: Int32Array): RankedItems {
    const [beginnings, wholes, ofTitles] = [this.#beginnings, this.#wholes, this.#ofTitles]
    return {
      ofClass: ({ fit, isInTitle }) => {
        if (fit === inside) this.#rankRest?.()
        const some = new Int32Array(numbers.length)
        let count = 0
        for (let i = 0; i < numbers.length; i += 1) {
          const no = numbers[i] as number
          if (ofTitles.has(no) !== isInTitle) continue
          if ((wholes.has(no) ? whole : beginnings.has(no) ? beginning : inside) === fit) some[count++] = no
        }
        return some.subarray(0, count)
      },
    }
  }

  #sets(): ItemSet[] {
    return this.#isRanked ? [this.all, this.#beginnings, this.#wholes, this.#ofTitles] : [this.all]
  }
}
