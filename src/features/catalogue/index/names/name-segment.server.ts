import { betweenParts, betweenSpellings, titleIn } from '../../item/searched-text.ts'
import { type FrequentColumns, frequentPartsOf, readySets } from './frequent-parts.server.ts'
import { GrowingColumn } from './growing-column.server.ts'
import { countBits, type ItemSet } from './item-set.ts'
import {
  type FoundWords,
  shared,
  Vocabulary,
  type VocabularyColumns,
  vocabularyOf,
  whole,
  wordsOfFit,
} from './vocabulary.server.ts'
import { WordMarks } from './word-marks.ts'

/** The columns of a segment. Their buffers are shared: a worker reads them where they lie. */
export interface SegmentColumns extends VocabularyColumns, FrequentColumns {
  /** Where the item numbers of a word begin in `postings`; the end of the last one follows. */
  postingStarts: Uint32Array
  /** Where those begin of items that do not have the word in their titles. */
  otherStarts: Uint32Array
  /** The numbers of the items with a word, each once: in a title ascending, then elsewhere ascending. */
  postings: Int32Array
  /** The items' numbers, ascending. */
  itemNumbers: Int32Array
  /** Where the words of an item begin in `wordNumbers`, by its place in `itemNumbers`; the end of the last one follows. */
  textStarts: Uint32Array
  /** Where the words of the title end, by the same place, and where those of the other titles do. */
  titleEnds: Uint32Array
  namesEnds: Uint32Array
  /** The words of each text, in their order. */
  wordNumbers: Uint32Array
}

/** The words of a segment that contain a word of a query, and how many postings they have. */
interface Lookup extends FoundWords {
  postingCount: number
}

const maxCachedLookups = 500
/** In all of them, five bytes each. */
const maxCachedWords = 1_000_000

/**
 * The searched texts of a set of items that never changes (`item/searched-text.ts`): which items have a word, and which words an
 * item has, in arrays off the heap. A word is looked for in the vocabulary, which is some hundred times shorter than the texts.
 */
export class NameSegment {
  readonly columns: SegmentColumns
  readonly #vocabulary: Vocabulary
  readonly #readySets: ReadonlyMap<string, ItemSet>
  /** Made when words are first compared. */
  #marks: WordMarks | undefined
  readonly #lookups = new Map<string, Lookup>()
  #cachedWords = 0

  constructor(columns: SegmentColumns) {
    this.columns = columns
    this.#vocabulary = new Vocabulary(columns)
    this.#readySets = readySets(columns)
  }

  get size(): number {
    return this.columns.itemNumbers.length
  }

  /** The words that contain a folded text without spaces, in any of their spellings. */
  wordsWith(text: string): Lookup {
    const known = this.#lookups.get(text)
    if (known !== undefined) return known
    const found = this.#lookUp(text)
    this.#cachedWords += found.words.length
    if (this.#lookups.size >= maxCachedLookups || this.#cachedWords > maxCachedWords) {
      this.#lookups.clear()
      this.#cachedWords = found.words.length
    }
    this.#lookups.set(text, found)
    return found
  }

  /** The items that have a text in a word, where their set stands ready. */
  readySetOf(text: string): ItemSet | undefined {
    return this.#readySets.get(text)
  }

  /** Whether some words have at least so many postings. */
  hasPostings(words: Uint32Array, enough: number): boolean {
    const { postingStarts } = this.columns
    let count = 0
    for (let i = 0; i < words.length && count < enough; i += 1)
      count += (postingStarts[(words[i] as number) + 1] as number) - (postingStarts[words[i] as number] as number)
    return count >= enough
  }

  /**
   * The spellings that are alike, of the words that contain the most of some parts: of at most `max` words.
   * @param length how many UTF-16 units an alike spelling has
   */
  spellingsSharing(
    parts: readonly string[],
    { length: [from, to], isAlike }: { length: readonly [number, number]; isAlike: (spelling: string) => boolean },
    max: number,
  ): string[] {
    const marks = this.#mark(parts)
    const needles = parts.map((part) => Buffer.from(part))
    const found: string[] = []
    let count = 0
    for (const { part, words } of marks.groups()) {
      const byFit = Array.from(this.#vocabulary.ofLength(words, from, to), (word) => ({
        word,
        fit: this.#vocabulary.fitOf(word, needles[part] as Buffer),
      })).sort((a, b) => b.fit - a.fit)
      for (const { word } of byFit) {
        const spellings = count === max ? [] : this.word(word).split(betweenSpellings).filter(isAlike)
        found.push(...spellings)
        if (spellings.length > 0) count += 1
      }
      if (count === max) break
    }
    marks.clear()
    return found
  }

  /**
   * Sets how many of some parts each of some items has.
   * @param parts at most 16
   * @param isHere whether the text that this has of an item is the one that counts
   */
  countShared(
    parts: readonly string[],
    numbers: readonly number[],
    isHere: (no: number) => boolean,
    counts: Uint8Array,
  ): void {
    const { textStarts, wordNumbers } = this.columns
    const marks = this.#mark(parts)
    const { bits } = marks
    for (let i = 0; i < counts.length; i += 1) {
      const no = numbers[i] as number
      const place = isHere(no) ? this.#placeOf(no) : undefined
      if (place === undefined) continue
      const end = textStarts[place + 1] as number
      let shared = 0
      for (let at = textStarts[place] as number; at < end; at += 1) shared |= bits[wordNumbers[at] as number] as number
      counts[i] = countBits(shared)
    }
    marks.clear()
  }

  /** Marks the words that contain some parts. */
  #mark(parts: readonly string[]): WordMarks {
    this.#marks ??= new WordMarks(this.columns.wordStarts.length)
    this.#marks.mark(parts.map((part) => this.wordsWith(part).words))
    return this.#marks
  }

  #lookUp(text: string): Lookup {
    const { postingStarts } = this.columns
    // Parts of a word are looked for one after the other.
    const known = [text.slice(0, -1), text.slice(1)].find((part) => this.#lookups.has(part))
    const found = this.#vocabulary.find(
      text,
      known === undefined ? undefined : { text: known, words: this.wordsWith(known).words },
    )
    const { words } = found
    let postingCount = 0
    for (let i = 0; i < words.length; i += 1)
      postingCount +=
        (postingStarts[(words[i] as number) + 1] as number) - (postingStarts[words[i] as number] as number)
    return Object.assign(found, { postingCount })
  }

  /** How well the best word of an item answers a word, doubled, and one more where that stands in a title; 0 for no word. */
  fitIn(no: number, requested: Buffer): number {
    const place = this.#placeOf(no)
    if (place === undefined) return 0
    const { textStarts, namesEnds, wordNumbers } = this.columns
    const [namesEnd, end] = [namesEnds[place] as number, textStarts[place + 1] as number]
    let best = 0
    for (let i = textStarts[place] as number; i < end; i += 1) {
      const fit = this.#vocabulary.fitOf(wordNumbers[i] as number, requested)
      if (fit > 0) best = Math.max(best, fit * 2 + (i < namesEnd ? 1 : 0))
    }
    return best
  }

  /** The searched text of an item, as it is stored; undefined for one that is not here. */
  textOf(no: number): string | undefined {
    const place = this.#placeOf(no)
    if (place === undefined) return undefined
    return partsAt(this.columns, place)
      .map(({ from, to }) => this.#words(from, to))
      .join(betweenParts)
  }

  /** The folded title of an item, each word in its own spelling; empty for one that is not here. */
  titleOf(no: number): string {
    const place = this.#placeOf(no)
    if (place === undefined) return ''
    const { textStarts, titleEnds } = this.columns
    return titleIn(this.#words(textStarts[place] as number, titleEnds[place] as number))
  }

  /** The number of a word that is written in one way; undefined where no text has it. */
  wordNumberOf(word: string): number | undefined {
    return wordsOfFit(this.wordsWith(word), whole).find((number) => this.word(number) === word)
  }

  /** A word with its spellings. */
  word(number: number): string {
    return this.#vocabulary.word(number)
  }

  #words(from: number, to: number): string {
    const words: string[] = []
    for (let i = from; i < to; i += 1) words.push(this.word(this.columns.wordNumbers[i] as number))
    return words.join(' ')
  }

  #placeOf(no: number): number | undefined {
    const { itemNumbers } = this.columns
    let low = 0
    // Each has a number of its own: where few are missing, it stands near the last place that it may have.
    let high = Math.min(itemNumbers.length, no - (itemNumbers[0] ?? 0) + 1)
    if (itemNumbers[high - 1] === no) return high - 1
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((itemNumbers[middle] as number) < no) low = middle + 1
      else high = middle
    }
    return itemNumbers[low] === no ? low : undefined
  }
}

/** The parts of a text as stretches of `wordNumbers`: the title, the other titles and the rest. */
function partsAt(
  { textStarts, titleEnds, namesEnds }: Pick<SegmentColumns, 'textStarts' | 'titleEnds' | 'namesEnds'>,
  place: number,
): { from: number; to: number }[] {
  const ends = [textStarts[place], titleEnds[place], namesEnds[place], textStarts[place + 1]] as number[]
  return ends.slice(1).map((to, i) => ({ from: ends[i] as number, to }))
}

/** Puts a segment together, item by item, by ascending numbers. */
export class SegmentBuilder {
  readonly #numberOf = new Map<string, number>()
  readonly #itemNumbers = new GrowingColumn()
  readonly #textStarts = new GrowingColumn()
  readonly #titleEnds = new GrowingColumn()
  readonly #namesEnds = new GrowingColumn()
  readonly #wordNumbers = new GrowingColumn()
  /** By word: the items that have it, those that have it in a title, and the last item that was counted. */
  readonly #counts: number[] = []
  readonly #titleCounts: number[] = []
  readonly #lastCounted: number[] = []

  /** @param searched as `searchedText` makes it */
  add(no: number, searched: string): void {
    this.addParts(
      no,
      searched
        .split(betweenParts)
        .map((part) => (part === '' ? [] : part.split(' ').map((word) => this.numberOf(word)))),
    )
  }

  /** @param parts the numbers of the words of its title, of its other titles and of the rest */
  addParts(no: number, [title = [], otherTitles = [], rest = []]: readonly (readonly number[])[]): void {
    this.#textStarts.push(this.#wordNumbers.length)
    this.#itemNumbers.push(no)
    for (const word of title) this.#addWord(word, true)
    this.#titleEnds.push(this.#wordNumbers.length)
    for (const word of otherTitles) this.#addWord(word, true)
    this.#namesEnds.push(this.#wordNumbers.length)
    for (const word of rest) this.#addWord(word, false)
  }

  numberOf(word: string): number {
    let number = this.#numberOf.get(word)
    if (number === undefined) {
      number = this.#numberOf.size
      this.#numberOf.set(word, number)
      this.#counts.push(0)
      this.#titleCounts.push(0)
      this.#lastCounted.push(-1)
    }
    return number
  }

  #addWord(number: number, isInTitle: boolean): void {
    const item = this.#itemNumbers.length
    this.#wordNumbers.push(number)
    if (this.#lastCounted[number] === item) return
    this.#lastCounted[number] = item
    this.#counts[number] = (this.#counts[number] as number) + 1
    if (isInTitle) this.#titleCounts[number] = (this.#titleCounts[number] as number) + 1
  }

  finish(): SegmentColumns {
    this.#textStarts.push(this.#wordNumbers.length)
    const items = {
      itemNumbers: new Int32Array(this.#itemNumbers.finish()),
      textStarts: new Uint32Array(this.#textStarts.finish()),
      titleEnds: new Uint32Array(this.#titleEnds.finish()),
      namesEnds: new Uint32Array(this.#namesEnds.finish()),
      wordNumbers: new Uint32Array(this.#wordNumbers.finish()),
    }
    const columns = { ...vocabularyOf([...this.#numberOf.keys()]), ...items, ...this.#post(items) }
    return { ...columns, ...frequentPartsOf(columns) }
  }

  #post({
    itemNumbers,
    textStarts,
    namesEnds,
    wordNumbers,
  }: Pick<SegmentColumns, 'itemNumbers' | 'textStarts' | 'namesEnds' | 'wordNumbers'>) {
    const wordCount = this.#counts.length
    const postingStarts = new Uint32Array(shared((wordCount + 1) * 4))
    const otherStarts = new Uint32Array(shared(wordCount * 4))
    let total = 0
    for (let word = 0; word < wordCount; word += 1) {
      postingStarts[word] = total
      otherStarts[word] = total + (this.#titleCounts[word] as number)
      total += this.#counts[word] as number
    }
    postingStarts[wordCount] = total
    const postings = new Int32Array(shared(total * 4))
    const [nextTitles, nextOthers] = [postingStarts.slice(), otherStarts.slice()]
    const lastPosted = new Int32Array(wordCount).fill(-1)
    for (let place = 0; place < itemNumbers.length; place += 1) {
      const namesEnd = namesEnds[place] as number
      for (let i = textStarts[place] as number; i < (textStarts[place + 1] as number); i += 1) {
        const word = wordNumbers[i] as number
        // A word that a text has twice is posted once.
        if (lastPosted[word] === place) continue
        lastPosted[word] = place
        const next = i < namesEnd ? nextTitles : nextOthers
        const at = next[word] as number
        postings[at] = itemNumbers[place] as number
        next[word] = at + 1
      }
    }
    return { postingStarts, otherStarts, postings }
  }
}

/**
 * One segment in place of several.
 * @param isHere whether the text that a segment has of an item is the one that counts
 */
export function mergeSegments(
  segments: readonly { id: number; columns: SegmentColumns }[],
  isHere: (no: number, id: number) => boolean,
): SegmentColumns {
  const builder = new SegmentBuilder()
  const readers = segments.map(({ id, columns }) => ({
    id,
    ...columns,
    segment: new NameSegment(columns),
    place: 0,
    /** The words' numbers in the new segment; 0 for those not met yet, else one more. */
    numbers: new Uint32Array(columns.wordStarts.length),
  }))
  for (;;) {
    let reader: (typeof readers)[number] | undefined
    let no = Infinity
    for (const each of readers) {
      const next = each.itemNumbers[each.place] ?? Infinity
      if (next >= no) continue
      no = next
      reader = each
    }
    if (reader === undefined) return builder.finish()
    const { place, wordNumbers, numbers, segment } = reader
    reader.place += 1
    if (!isHere(no, reader.id)) continue
    const numberOf = (word: number): number => {
      if (numbers[word] === 0) numbers[word] = builder.numberOf(segment.word(word)) + 1
      return (numbers[word] as number) - 1
    }
    const parts = partsAt(reader, place).map(({ from, to }) => Array.from(wordNumbers.subarray(from, to), numberOf))
    builder.addParts(no, parts)
  }
}
