import { articles, evenly } from '../../item/name-text.ts'
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
/** With so many postings of a word, those of its items that are wanted are found by sets. */
const maxLooks = 10_000
/** To read the words of an item costs as much as so many steps through postings. */
const worthOfItem = 64
/** How many parts are looked up of a text: the work does not grow with what is sent. */
const maxPartsLookedUp = 32
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
      this.#find(requested, before === 0 ? found : ofWord, { isRanked, isOnly: words.length === 1 })
      if (before > 0) found.keepCommon(ofWord)
    }
    return found
  }

  /**
   * How many wanted items have all of some words, at most `max`.
   * @param words folded, at least one, without spaces
   */
  count(words: readonly string[], isWanted: (no: number) => boolean, max = Infinity): number {
    const [rarest, ...others] = words
      .map((word) => ({ word, size: this.#postingCount(word) }))
      .sort((a, b) => a.size - b.size)
    const found: number[] = []
    const { inTitles: met, elsewhere: ofWord } = this.#sets
    met.clear()
    const most = others.length === 0 ? max : Infinity
    let looks = 0
    this.#visit(rarest?.word ?? '', (no) => {
      looks += 1
      if (!met.has(no) && isWanted(no)) found.push(no)
      met.add(no)
      return found.length < most && looks <= maxLooks
    })
    // A letter has millions of postings, and a filter may leave none of them.
    if (looks > maxLooks) return Math.min(max, this.match(words).numbers.filter((no) => isWanted(no)).length)
    const having = others.reduce((all, { word, size }) => {
      const needle = Buffer.from(word)
      if (size > all.length * worthOfItem) return all.filter((no) => (this.#segmentOf(no)?.fitIn(no, needle) ?? 0) > 0)
      ofWord.clear()
      this.#visit(word, (no) => (ofWord.add(no), true))
      return all.filter((no) => ofWord.has(no))
    }, found)
    return Math.min(max, having.length)
  }

  /** Visits the items that have a word until it is not to go on; one with several such words comes again. */
  #visit(requested: string, goesOn: (no: number) => boolean): void {
    for (const { id, segment } of this.#segments) {
      const { postings, postingStarts } = segment.columns
      for (const word of segment.wordsWith(requested).words) {
        const end = postingStarts[word + 1] as number
        for (let i = postingStarts[word] as number; i < end; i += 1)
          if (this.#homes[postings[i] as number] === id && !goesOn(postings[i] as number)) return
      }
    }
  }

  /** Replaces what was found before by the items that have a word. */
  #find(requested: string, into: FoundItems, { isRanked, isOnly }: { isRanked: boolean; isOnly: boolean }): void {
    into.clear(isRanked)
    const much = this.#numbers.length / muchOfAll
    const sets = { ...this.#sets, here: this.#ofMain }
    for (const { id, segment } of this.#segments) {
      const isMain = segment === this.#main?.segment
      const ready = isMain && (isOnly || !isRanked) ? segment.readySetOf(requested) : undefined
      const wordsOf = (fit: number): Uint32Array => {
        const found = segment.wordsWith(requested)
        return isRanked ? wordsOfFit(found, fit) : found.words
      }
      for (const fit of isRanked ? [whole, beginning, inside] : [inside]) {
        if (fit === inside && ready !== undefined) {
          into.addReady(ready, segment.columns, () => wordsOf(inside), sets)
          continue
        }
        const words = wordsOf(fit)
        if (words.length === 0) continue
        if (isMain && segment.hasPostings(words, much)) into.addMuch(segment.columns, words, fit, sets)
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
    const sharing: number[] = []
    const isIn = this.#sets.inTitles
    isIn.clear()
    const isFresh = (no: number): boolean => {
      if (isIn.has(no) || !isWanted(no)) return false
      isIn.add(no)
      return true
    }
    for (const { part, size } of telling) {
      const room = max - sharing.length
      if (size > room) sharing.push(...this.match([part]).all.highest(room, isFresh))
      else {
        const further: number[] = []
        this.#visit(part, (no) => (isFresh(no) && further.push(no), true))
        sharing.push(...Int32Array.from(further).sort().reverse())
      }
      if (sharing.length === max) break
    }
    const counts = new Uint8Array(sharing.length)
    const tellingParts = telling.map(({ part }) => part)
    for (const { id, segment } of this.#segments)
      segment.countShared(tellingParts, sharing, (no) => this.#homes[no] === id, counts)
    return sharing.map((no, i) => ({ no, count: counts[i] as number }))
  }

  /** As `NameSegment.spellingsSharing`, of all segments. */
  spellingsSharing(...asked: Parameters<NameSegment['spellingsSharing']>): Set<string> {
    return new Set(this.#segments.flatMap(({ segment }) => segment.spellingsSharing(...asked)))
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
