import { likenessTo } from '../../item/likeness.ts'
import { articles, evenly, partsOfText } from '../../item/name-text.ts'
import { FoundItems } from './found-items.server.ts'
import { ItemSet } from './item-set.ts'
import { mergeSegments, NameSegment, SegmentBuilder, type SegmentColumns } from './name-segment.server.ts'
import { beginning, inside, whole, wordsOfFit } from './vocabulary.server.ts'

/** A published item that has changed, and its searched text; without one, it is no longer published. */
export interface ChangedText {
  no: number
  searched: string | undefined
}

/** Everything, to make it again. */
export interface SavedNames {
  segments: { id: number; columns: SegmentColumns }[]
  recent: [no: number, searched: string][]
  homes: Uint8Array
  titleLengths: Uint8Array
}

/** Merges segments into one, somewhere else; their columns are shared. Undefined: it failed, and that was told. */
export type Merge = (
  segments: readonly { id: number; columns: SegmentColumns }[],
  homes: Uint8Array,
) => Promise<SegmentColumns | undefined>

/** Texts that changed lately: all of them make a small segment anew at each change. */
const maxRecent = 128
/** With so many segments, those that are not much larger than all smaller ones together are merged. */
const maxSegments = 8
const muchLarger = 4
/** Merges that fail or take too long leave more and more segments, and ids end: with so many all are merged at once. */
const mostSegments = 128
/** So few are read themselves, in place of all items that have a further word. */
const fewCandidates = 1_000
/** With more postings than this part of all items, sets are quicker than a look at each. */
const muchOfAll = 16
/** How many parts are looked up of a text, and of a misspelt word: the work does not grow with what is sent. */
const [maxPartsLookedUp, maxPartsOfWord] = [32, 12]
/** How many words of a segment are compared with a misspelt one, and how many of these are looked for. */
const [maxComparedWords, maxOffered] = [200, 12]
const leastLikenessOfWord = 0.4
/** How many words of a title are counted, and the bit of an article before them. */
const [mostWords, withArticle] = [127, 128]
/** Where the text of an item lies: in a segment by its id, among the recent ones, or nowhere. */
const [nowhere, amongRecent] = [0, 255]

/**
 * The searched texts of all published items, and which of them have some words anywhere: exactly, in any script
 * (docs/decisions/2026-11-28-names-in-memory.md).
 */
export class NameIndex {
  readonly #merge: Merge
  #segments: { id: number; segment: NameSegment }[] = []
  readonly #recent = new Map<number, string>()
  /** By item number: the id of its segment, `amongRecent` or `nowhere`. Shared with the worker that merges. */
  #homes: Uint8Array = new Uint8Array(new SharedArrayBuffer(1_024))
  /** The largest segment, and which items live in it. */
  #main: { id: number; segment: NameSegment } | undefined
  #ofMain = new ItemSet(1_024)
  /** The matches while a query is looked for. */
  #numbers = new Int32Array(1_024)
  #sets = setsFor(1_024, this.#numbers)
  /** By item number: how many words its title has, at most `mostWords`, and whether an article is the first (`withArticle`). */
  #titleLengths: Uint8Array = new Uint8Array(1_024)
  #merging: Promise<void> | undefined
  /** Raised when everything is replaced: a merge of what was before is not used. */
  #epoch = 0

  constructor(merge: Merge) {
    this.#merge = merge
  }

  /** Replaces everything. */
  load(columns: SegmentColumns): void {
    this.#epoch += 1
    this.#segments = []
    this.#recent.clear()
    this.#homes.fill(nowhere)
    this.#makeRoom(columns.itemNumbers.at(-1) ?? 0)
    const segment = new NameSegment(columns)
    this.#measureTitles(segment)
    this.#addSegment(segment)
  }

  save(): SavedNames {
    return {
      segments: this.#segments.flatMap(({ id, segment: { columns } }) => (id === amongRecent ? [] : [{ id, columns }])),
      recent: [...this.#recent],
      homes: this.#homes.slice(),
      titleLengths: this.#titleLengths.slice(),
    }
  }

  /** Replaces everything. The homes lie in shared memory. */
  restore({ segments, recent, homes, titleLengths }: SavedNames): void {
    this.#epoch += 1
    this.#recent.clear()
    this.#segments = segments.map(({ id, columns }) => ({ id, segment: new NameSegment(columns) }))
    this.#homes = homes
    this.#titleLengths = titleLengths
    this.#makeRoomForMatches(homes.length)
    for (const [no] of recent) homes[no] = nowhere
    this.#chooseMain()
    this.change(recent.map(([no, searched]) => ({ no, searched })))
  }

  change(changed: readonly ChangedText[]): void {
    const before = this.#recent.size
    let isRecentTouched = false
    for (const { no, searched } of changed) {
      if (searched === undefined) {
        isRecentTouched = this.#recent.delete(no) || isRecentTouched
        if (no < this.#homes.length) this.#move(no, nowhere)
      } else if (this.textOf(no) !== searched) {
        this.#makeRoom(no)
        this.#move(no, amongRecent)
        this.#recent.set(no, searched)
        isRecentTouched = true
      }
    }
    if (!isRecentTouched) return
    if (before > 0) this.#segments.pop()
    if (this.#recent.size === 0) return
    const builder = new SegmentBuilder()
    for (const [no, searched] of [...this.#recent].sort(([a], [b]) => a - b)) builder.add(no, searched)
    const segment = new NameSegment(builder.finish())
    this.#measureTitles(segment)
    if (this.#recent.size < maxRecent) {
      this.#segments.push({ id: amongRecent, segment })
      return
    }
    this.#recent.clear()
    this.#addSegment(segment)
    if (this.#segments.length >= mostSegments) this.#mergeAllHere()
    else if (this.#segments.length >= maxSegments) this.#merging ??= this.#mergeSmaller()
  }

  /** The searched text of an item, as it is stored; undefined for one that is not here. */
  textOf(no: number): string | undefined {
    return this.#segmentOf(no)?.textOf(no)
  }

  /** Its folded title; empty for one that is not here. */
  titleOf(no: number): string {
    return this.#segmentOf(no)?.titleOf(no) ?? ''
  }

  /** How many words its title has, at most 127. */
  titleLength(no: number): number {
    return (this.#titleLengths[no] ?? 0) & mostWords
  }

  beginsWithArticle(no: number): boolean {
    return ((this.#titleLengths[no] ?? 0) & withArticle) !== 0
  }

  /**
   * @param words folded, at least one, without spaces
   * @param isRanked whether it will be asked how well the items answer
   */
  match(words: readonly string[], isRanked = false): FoundItems {
    const { found, ofWord } = this.#sets
    // The longest first, as the rarest: each further word looks at those items alone that have all before.
    const longestFirst = words.toSorted((a, b) => b.length - a.length)
    for (const [before, requested] of longestFirst.entries()) {
      if (before > 0 && found.size <= fewCandidates) {
        const needle = Buffer.from(requested)
        for (const no of found.numbers) found.keepFit(no, this.#segmentOf(no)?.fitIn(no, needle) ?? 0)
        continue
      }
      this.#find(requested, before === 0 ? found : ofWord, isRanked)
      if (before > 0) found.keepCommon(ofWord)
    }
    return found
  }

  /**
   * How many wanted items have all of some words, at most `max`.
   * @param words folded, at least one, without spaces
   */
  count(words: readonly string[], isWanted: (no: number) => boolean, max = Infinity): number {
    const [rarest = '', ...others] = words.toSorted((a, b) => this.#postingCount(a) - this.#postingCount(b))
    const needles = others.map((word) => Buffer.from(word))
    const counted = this.#sets.inTitles
    counted.clear()
    let [count, looks] = [0, 0]
    for (const { id, segment } of this.#segments) {
      const { postings, postingStarts } = segment.columns
      for (const word of segment.wordsWith(rarest).words)
        for (let i = postingStarts[word] as number; i < (postingStarts[word + 1] as number); i += 1) {
          // A letter has millions of postings, and a filter may leave none of them.
          if (looks++ >= fewCandidates)
            return Math.min(max, this.match(words).numbers.filter((no) => isWanted(no)).length)
          const no = postings[i] as number
          if (this.#homes[no] !== id || counted.has(no) || !isWanted(no)) continue
          if (!needles.every((needle) => segment.fitIn(no, needle) > 0)) continue
          counted.add(no)
          count += 1
          if (count === max) return count
        }
    }
    return count
  }

  /** Replaces what was found before by the items that have a word. */
  #find(requested: string, into: FoundItems, isRanked: boolean): void {
    into.clear(isRanked)
    const much = this.#numbers.length / muchOfAll
    for (const { id, segment } of this.#segments) {
      const lookup = segment.wordsWith(requested)
      for (const fit of isRanked ? [whole, beginning, inside] : [inside]) {
        const words = isRanked ? wordsOfFit(lookup, fit) : lookup.words
        if (words.length === 0) continue
        if (segment === this.#main?.segment && segment.hasPostings(words, much))
          into.addMuch(segment.columns, words, fit, { ...this.#sets, here: this.#ofMain })
        else into.add(segment.columns, words, fit, (no) => this.#homes[no] === id)
      }
    }
  }

  /**
   * Items that have one of these parts, at most `max`: those of the rarest parts first, of each the highest numbers.
   * @param parts folded, without spaces
   * @returns how many of the parts that were looked for each item has
   */
  sharing(
    parts: readonly string[],
    { maxParts, max, isWanted }: { maxParts: number; max: number; isWanted: (no: number) => boolean },
  ): { no: number; count: number }[] {
    const telling = evenly(parts, maxPartsLookedUp)
      .map((part) => ({ part, size: this.#postingCount(part) }))
      .filter(({ size }) => size > 0)
      .sort((a, b) => a.size - b.size)
      .slice(0, maxParts)
    const sharing: { no: number; count: number }[] = []
    const isIn = this.#sets.inTitles
    isIn.clear()
    for (const { part } of telling) {
      const matches = this.match([part]).all
      for (const each of sharing) if (matches.has(each.no)) each.count += 1
      if (sharing.length >= max) continue
      for (const no of matches.fromHighest()) {
        if (isIn.has(no) || !isWanted(no)) continue
        isIn.add(no)
        sharing.push({ no, count: 1 })
        if (sharing.length >= max) break
      }
    }
    return sharing
  }

  /** The spellings of words that are most like a word, best first, at most `max`; those alone that may be offered. */
  spellingsLike(word: string, max: number, isOffered: (spelling: string) => boolean): string[] {
    const parts = evenly(partsOfText(word), maxPartsOfWord)
    // Words of another length are not compared: many a longer one has as many of the parts.
    const length = [word.length - 2, word.length + 2] as const
    const isAlike = (spelling: string): boolean => Math.abs(spelling.length - word.length) <= 2 && isPlain(spelling)
    const spellings = this.#segments.flatMap(({ segment }) =>
      segment.spellingsSharing(parts, { length, isAlike }, maxComparedWords),
    )
    const likenessOf = likenessTo(word)
    return [...new Set(spellings)]
      .map((spelling) => ({ spelling, likeness: likenessOf(spelling) }))
      .filter(({ likeness }) => likeness >= leastLikenessOfWord)
      .sort((a, b) => b.likeness - a.likeness || (a.spelling < b.spelling ? -1 : 1))
      .slice(0, maxOffered)
      .map(({ spelling }) => spelling)
      .filter(isOffered)
      .slice(0, max)
  }

  #postingCount(part: string): number {
    let count = 0
    for (const { segment } of this.#segments) count += segment.wordsWith(part).postingCount
    return count
  }

  /** Resolves when no segments are being merged. */
  async whenMerged(): Promise<void> {
    await this.#merging
  }

  async #mergeSmaller(): Promise<void> {
    const epoch = this.#epoch
    const bySize = this.#segments.toSorted((a, b) => a.segment.size - b.segment.size)
    let total = 0
    const merged = bySize.filter(({ segment }, i) => {
      if (i > 1 && segment.size > total * muchLarger) return false
      total += segment.size
      return true
    })
    try {
      const columns = await this.#merge(
        merged.map(({ id, segment }) => ({ id, columns: segment.columns })),
        this.#homes,
      )
      if (columns === undefined || epoch !== this.#epoch) return
      const ids = new Set(merged.map(({ id }) => id))
      this.#segments = this.#segments.filter(({ id }) => !ids.has(id))
      this.#addSegment(new NameSegment(columns), ids)
    } finally {
      this.#merging = undefined
    }
  }

  #mergeAllHere(): void {
    const segments = this.#segments.map(({ id, segment: { columns } }) => ({ id, columns }))
    this.load(mergeSegments(segments, (no, id) => this.#homes[no] === id))
  }

  /** @param from the homes of which it takes the items; all where nothing is said */
  #addSegment(segment: NameSegment, from?: ReadonlySet<number>): void {
    const taken = new Set(this.#segments.map(({ id }) => id))
    let id = 1
    while (taken.has(id)) id += 1
    const isFrom = Array.from({ length: 256 }, (_, home) => from === undefined || from.has(home))
    for (const no of segment.columns.itemNumbers) if (isFrom[this.#homes[no] as number]) this.#homes[no] = id
    // The recent ones stay the last.
    this.#segments.splice(this.#recent.size > 0 ? this.#segments.length - 1 : this.#segments.length, 0, { id, segment })
    this.#chooseMain()
  }

  #move(no: number, home: number): void {
    this.#homes[no] = home
    this.#ofMain.delete(no)
  }

  #chooseMain(): void {
    const main = this.#segments.toSorted((a, b) => b.segment.size - a.segment.size)[0]
    if (main === this.#main) return
    this.#main = main
    this.#ofMain.clear()
    for (const no of main?.segment.columns.itemNumbers ?? []) if (this.#homes[no] === main?.id) this.#ofMain.add(no)
  }

  #measureTitles(segment: NameSegment): void {
    const { itemNumbers, textStarts, titleEnds, wordNumbers } = segment.columns
    const numbersOfArticles = new Set(articles.flatMap((article) => segment.wordNumberOf(article) ?? []))
    for (let place = 0; place < itemNumbers.length; place += 1) {
      const [start, end] = [textStarts[place] as number, titleEnds[place] as number]
      const hasArticle = end > start && numbersOfArticles.has(wordNumbers[start] as number)
      this.#titleLengths[itemNumbers[place] as number] =
        Math.min(mostWords, end - start) | (hasArticle ? withArticle : 0)
    }
  }

  #segmentOf(no: number): NameSegment | undefined {
    const home = this.#homes[no] ?? nowhere
    return home === nowhere ? undefined : this.#segments.find(({ id }) => id === home)?.segment
  }

  #makeRoom(no: number): void {
    if (no < this.#homes.length) return
    const capacity = Math.ceil((no + 1) * 1.25)
    const homes = new Uint8Array(new SharedArrayBuffer(capacity))
    homes.set(this.#homes)
    this.#homes = homes
    const titleLengths = new Uint8Array(capacity)
    titleLengths.set(this.#titleLengths)
    this.#titleLengths = titleLengths
    this.#makeRoomForMatches(capacity)
  }

  #makeRoomForMatches(capacity: number): void {
    this.#ofMain = new ItemSet(capacity, this.#ofMain)
    this.#numbers = new Int32Array(capacity)
    this.#sets = setsFor(capacity, this.#numbers)
  }
}

function setsFor(capacity: number, numbers: Int32Array) {
  const [found, ofWord] = [new FoundItems(capacity, numbers), new FoundItems(capacity, numbers)]
  return { found, ofWord, inTitles: new ItemSet(capacity), elsewhere: new ItemSet(capacity) }
}

/** Without punctuation: such a spelling is there of every word. */
function isPlain(spelling: string): boolean {
  return /^[\p{L}\p{M}\p{N}]+$/u.test(spelling)
}
