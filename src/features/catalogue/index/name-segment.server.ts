import { betweenParts, betweenSpellings } from '../item/searched-text.ts'

/** The columns of a segment. Their buffers are shared: a worker reads them where they lie. */
export interface SegmentColumns {
  /** Every word of the texts once with its spellings, as UTF-8, each behind a line break; one more ends it. */
  vocabulary: Uint8Array
  /** Where the word of a number begins; the end of the last one follows. */
  wordStarts: Uint32Array
  /** Where the item numbers of a word begin in `postings`; the end of the last one follows. */
  postingStarts: Uint32Array
  /** Where those begin of items that do not have the word in their title. */
  otherStarts: Uint32Array
  /** The numbers of the items with a word, each once: in the title ascending, then elsewhere ascending. */
  postings: Int32Array
  /** The items' numbers, ascending. */
  itemNumbers: Int32Array
  /** Where the words of an item begin in `wordNumbers`, by its place in `itemNumbers`; the end of the last one follows. */
  textStarts: Uint32Array
  /** Where the words begin that are not of the title. */
  titleEnds: Uint32Array
  /** The words of each text, in their order. */
  wordNumbers: Uint32Array
  /** Where the words with a pair of bytes begin in `pairWords`, by the pair as a number; empty in a small segment. */
  pairStarts: Uint32Array
  /** The words with each pair, ascending. */
  pairWords: Uint32Array
}

/** How well a word answers a word of a query: it is inside of it, its beginning, or the whole of it. */
const [inside, beginning] = [1, 2]
export const whole = 3

/** The words of a segment that answer a word of a query, best first, and how many postings they have. */
export interface FoundWords {
  wordNumbers: readonly number[]
  /** By word: `whole`, `beginning` or `inside`. */
  fits: readonly number[]
  postingCount: number
}

const [lineBreak, spellingBreak] = [0x0a, betweenSpellings.charCodeAt(0)]
/** The vocabulary is cut into pieces of this many bytes (a power of two), to find the word at a byte. */
const pieceShift = 6
/** A smaller vocabulary is read as quickly as its pairs. */
const leastBytesWithPairs = 1 << 15
const pairCount = 1 << 16
const maxCachedLookups = 500
/** A longer list is as quickly made again. */
const maxCachedWords = 50_000

/**
 * The searched texts of a set of items that never changes (`item/searched-text.ts`): which items have a word, and which words an
 * item has, in arrays off the heap. A word is looked for in the vocabulary, which is some hundred times shorter than the texts.
 */
export class NameSegment {
  readonly columns: SegmentColumns
  readonly #vocabulary: Buffer
  /** The first word that begins in each piece of the vocabulary, or the one before. */
  readonly #wordAtPiece: Uint32Array
  readonly #lookups = new Map<string, FoundWords>()

  constructor(columns: SegmentColumns) {
    this.columns = columns
    const { vocabulary, wordStarts } = columns
    this.#vocabulary = Buffer.from(vocabulary.buffer, vocabulary.byteOffset, vocabulary.byteLength)
    this.#wordAtPiece = new Uint32Array((vocabulary.length >> pieceShift) + 1)
    let word = 0
    for (let piece = 0; piece < this.#wordAtPiece.length; piece += 1) {
      while (word + 1 < wordStarts.length - 1 && (wordStarts[word + 1] as number) <= piece << pieceShift) word += 1
      this.#wordAtPiece[piece] = word
    }
  }

  get size(): number {
    return this.columns.itemNumbers.length
  }

  /** The words that contain a folded text without spaces, in any of their spellings. */
  wordsWith(text: string): FoundWords {
    const known = this.#lookups.get(text)
    if (known !== undefined) return known
    const found = this.#lookUp(text)
    if (this.#lookups.size >= maxCachedLookups) this.#lookups.clear()
    if (found.wordNumbers.length <= maxCachedWords) this.#lookups.set(text, found)
    return found
  }

  /** The words that contain the most of some parts, most first, at most `max`. */
  wordsSharing(parts: readonly string[], max: number): number[] {
    const shared = new Map<number, number>()
    for (const part of parts)
      for (const word of this.wordsWith(part).wordNumbers) shared.set(word, (shared.get(word) ?? 0) + 1)
    return [...shared]
      .sort(([, a], [, b]) => b - a)
      .slice(0, max)
      .map(([word]) => word)
  }

  #lookUp(text: string): FoundWords {
    const { postingStarts } = this.columns
    const needle = Buffer.from(text)
    const byFit: [number[], number[], number[]] = [[], [], []]
    let postingCount = 0
    const keep = (word: number, fit: number): void => {
      byFit[fit - 1]?.push(word)
      postingCount += (postingStarts[word + 1] as number) - (postingStarts[word] as number)
    }
    const pair = this.#rarestPair(needle)
    if (pair === undefined) this.#scan(needle, keep)
    else
      for (const word of pair) {
        const fit = this.#fitOf(word, needle)
        if (fit > 0) keep(word, fit)
      }
    const [insides, beginnings, wholes] = byFit
    return {
      wordNumbers: [...wholes, ...beginnings, ...insides],
      fits: [wholes.map(() => whole), beginnings.map(() => beginning), insides.map(() => inside)].flat(),
      postingCount,
    }
  }

  /** The words with that pair of bytes of a text that the fewest have; undefined where pairs do not help. */
  #rarestPair(needle: Buffer): Uint32Array | undefined {
    const { pairStarts, pairWords } = this.columns
    if (needle.length < 2 || pairStarts.length === 0) return undefined
    let rarest: Uint32Array | undefined
    for (let i = 1; i < needle.length; i += 1) {
      const pair = ((needle[i - 1] as number) << 8) | (needle[i] as number)
      const words = pairWords.subarray(pairStarts[pair], pairStarts[pair + 1])
      if (rarest === undefined || words.length < rarest.length) rarest = words
    }
    return rarest
  }

  /** How well a word answers a text, in the best of its spellings; 0: it does not contain it. */
  #fitOf(word: number, needle: Buffer): number {
    const vocabulary = this.#vocabulary
    const { wordStarts } = this.columns
    const last = (wordStarts[word + 1] as number) - 1 - needle.length
    const first = needle[0]
    let best = 0
    for (let at = wordStarts[word] as number; at <= last; at += 1) {
      if (vocabulary[at] !== first) continue
      let i = 1
      while (i < needle.length && vocabulary[at + i] === needle[i]) i += 1
      if (i < needle.length) continue
      best = Math.max(best, inside)
      if (!isBreak(vocabulary[at - 1])) continue
      if (isBreak(vocabulary[at + needle.length])) return whole
      best = beginning
    }
    return best
  }

  /** Looks through the whole vocabulary. */
  #scan(needle: Buffer, found: (word: number, fit: number) => void): void {
    const vocabulary = this.#vocabulary
    const { wordStarts } = this.columns
    let word = -1
    let fit = 0
    const keep = (): void => {
      if (word >= 0) found(word, fit)
    }
    let at = vocabulary.indexOf(needle)
    while (at !== -1) {
      if (word < 0 || at >= (wordStarts[word + 1] as number)) {
        keep()
        word = this.#wordAt(at)
        fit = inside
      }
      if (isBreak(vocabulary[at - 1])) fit = isBreak(vocabulary[at + needle.length]) ? whole : Math.max(fit, beginning)
      // Another spelling of the word may fit better.
      at = vocabulary.indexOf(needle, fit === whole ? (wordStarts[word + 1] as number) - 1 : at + 1)
    }
    keep()
  }

  #wordAt(at: number): number {
    const { wordStarts } = this.columns
    let word = this.#wordAtPiece[at >> pieceShift] as number
    while ((wordStarts[word + 1] as number) <= at) word += 1
    return word
  }

  /** The searched text of an item, as it is stored; undefined for one that is not here. */
  textOf(no: number): string | undefined {
    const { textStarts, titleEnds } = this.columns
    const place = this.#placeOf(no)
    if (place === undefined) return undefined
    const [start, titleEnd, end] = [textStarts[place], titleEnds[place], textStarts[place + 1]] as [
      number,
      number,
      number,
    ]
    return `${this.#words(start, titleEnd)}${betweenParts}${this.#words(titleEnd, end)}`
  }

  /** A word with its spellings. */
  word(number: number): string {
    const { wordStarts } = this.columns
    return this.#vocabulary.toString('utf8', wordStarts[number], (wordStarts[number + 1] as number) - 1)
  }

  #words(from: number, to: number): string {
    const words: string[] = []
    for (let i = from; i < to; i += 1) words.push(this.word(this.columns.wordNumbers[i] as number))
    return words.join(' ')
  }

  #placeOf(no: number): number | undefined {
    const { itemNumbers } = this.columns
    let low = 0
    let high = itemNumbers.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((itemNumbers[middle] as number) < no) low = middle + 1
      else high = middle
    }
    return itemNumbers[low] === no ? low : undefined
  }
}

/** How well the best word of a searched text answers a word, doubled, and one more where that stands in the title; 0 for no word. */
export function fitIn(searched: string, requested: string): number {
  const titleEnd = searched.indexOf(betweenParts)
  let best = 0
  for (let at = searched.indexOf(requested); at !== -1; at = searched.indexOf(requested, at + 1)) {
    const isBeginning = at === 0 || breaks.has(searched.charAt(at - 1))
    const end = at + requested.length
    const isEnd = end === searched.length || breaks.has(searched.charAt(end))
    const fit = isBeginning ? (isEnd ? whole : beginning) : inside
    best = Math.max(best, fit * 2 + (at < titleEnd ? 1 : 0))
  }
  return best
}

/** Between the words of a searched text, and their spellings. */
const breaks = new Set([' ', betweenSpellings, betweenParts])

function isBreak(byte: number | undefined): boolean {
  return byte === lineBreak || byte === spellingBreak
}

/** Puts a segment together, item by item, by ascending numbers. */
export class SegmentBuilder {
  readonly #numberOf = new Map<string, number>()
  readonly #itemNumbers = new GrowingColumn()
  readonly #textStarts = new GrowingColumn()
  readonly #titleEnds = new GrowingColumn()
  readonly #wordNumbers = new GrowingColumn()
  /** By word: the items that have it, those that have it in the title, and the last item that was counted. */
  readonly #counts: number[] = []
  readonly #titleCounts: number[] = []
  readonly #lastCounted: number[] = []

  /** @param searched as `searchedText` makes it */
  add(no: number, searched: string): void {
    const titleEnd = searched.indexOf(betweenParts)
    this.begin(no)
    if (titleEnd > 0) for (const word of searched.slice(0, titleEnd).split(' ')) this.addWord(this.numberOf(word), true)
    this.endTitle()
    const others = searched.slice(titleEnd + 1)
    if (others !== '') for (const word of others.split(' ')) this.addWord(this.numberOf(word), false)
  }

  /** Begins an item whose words are added one by one. */
  begin(no: number): void {
    this.#textStarts.push(this.#wordNumbers.length)
    this.#itemNumbers.push(no)
  }

  endTitle(): void {
    this.#titleEnds.push(this.#wordNumbers.length)
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

  addWord(number: number, isInTitle: boolean): void {
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
      wordNumbers: new Uint32Array(this.#wordNumbers.finish()),
    }
    const words = this.#vocabulary()
    return { ...words, ...items, ...this.#post(items), ...pairsIn(words) }
  }

  #vocabulary(): Pick<SegmentColumns, 'vocabulary' | 'wordStarts'> {
    const words = [...this.#numberOf.keys()]
    const lengths = words.map((word) => Buffer.byteLength(word))
    const vocabulary = new Uint8Array(shared(lengths.reduce((sum, length) => sum + length + 1, 1)))
    const bytes = Buffer.from(vocabulary.buffer)
    const wordStarts = new Uint32Array(shared((words.length + 1) * 4))
    vocabulary[0] = lineBreak
    let at = 1
    for (const [i, word] of words.entries()) {
      wordStarts[i] = at
      bytes.write(word, at)
      at += lengths[i] as number
      vocabulary[at] = lineBreak
      at += 1
    }
    wordStarts[words.length] = at
    return { vocabulary, wordStarts }
  }

  #post({
    itemNumbers,
    textStarts,
    titleEnds,
    wordNumbers,
  }: Pick<SegmentColumns, 'itemNumbers' | 'textStarts' | 'titleEnds' | 'wordNumbers'>) {
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
      const titleEnd = titleEnds[place] as number
      for (let i = textStarts[place] as number; i < (textStarts[place + 1] as number); i += 1) {
        const word = wordNumbers[i] as number
        // A word that a text has twice is posted once.
        if (lastPosted[word] === place) continue
        lastPosted[word] = place
        const next = i < titleEnd ? nextTitles : nextOthers
        const at = next[word] as number
        postings[at] = itemNumbers[place] as number
        next[word] = at + 1
      }
    }
    return { postingStarts, otherStarts, postings }
  }
}

/** The words of a vocabulary by the pairs of bytes in them. */
function pairsIn({
  vocabulary,
  wordStarts,
}: Pick<SegmentColumns, 'vocabulary' | 'wordStarts'>): Pick<SegmentColumns, 'pairStarts' | 'pairWords'> {
  if (vocabulary.length < leastBytesWithPairs) {
    return { pairStarts: new Uint32Array(shared(0)), pairWords: new Uint32Array(shared(0)) }
  }
  const pairStarts = new Uint32Array(shared((pairCount + 1) * 4))
  const lastWord = new Int32Array(pairCount)
  const eachPair = (visit: (pair: number, word: number) => void): void => {
    lastWord.fill(-1)
    for (let word = 0; word < wordStarts.length - 1; word += 1) {
      const end = (wordStarts[word + 1] as number) - 1
      for (let at = (wordStarts[word] as number) + 1; at < end; at += 1) {
        const pair = ((vocabulary[at - 1] as number) << 8) | (vocabulary[at] as number)
        // A pair that a word has twice counts once.
        if (lastWord[pair] === word) continue
        lastWord[pair] = word
        visit(pair, word)
      }
    }
  }
  eachPair((pair) => {
    pairStarts[pair + 1] = (pairStarts[pair + 1] as number) + 1
  })
  for (let pair = 0; pair < pairCount; pair += 1)
    pairStarts[pair + 1] = (pairStarts[pair + 1] as number) + (pairStarts[pair] as number)
  const next = pairStarts.slice()
  const pairWords = new Uint32Array(shared((pairStarts[pairCount] as number) * 4))
  eachPair((pair, word) => {
    const at = next[pair] as number
    pairWords[at] = word
    next[pair] = at + 1
  })
  return { pairStarts, pairWords }
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
    const { place, textStarts, titleEnds, wordNumbers, numbers, segment } = reader
    reader.place += 1
    if (!isHere(no, reader.id)) continue
    builder.begin(no)
    const titleEnd = titleEnds[place] as number
    const end = textStarts[place + 1] as number
    for (let i = textStarts[place] as number; i < end; i += 1) {
      if (i === titleEnd) builder.endTitle()
      const word = wordNumbers[i] as number
      if (numbers[word] === 0) numbers[word] = builder.numberOf(segment.word(word)) + 1
      builder.addWord((numbers[word] as number) - 1, i < titleEnd)
    }
    if (titleEnd === end) builder.endTitle()
  }
}

/** An array of 32-bit numbers that grows. */
class GrowingColumn {
  length = 0
  #numbers = new Uint32Array(1_024)

  push(value: number): void {
    if (this.length === this.#numbers.length) {
      const larger = new Uint32Array(this.length * 2)
      larger.set(this.#numbers)
      this.#numbers = larger
    }
    this.#numbers[this.length] = value
    this.length += 1
  }

  /** The numbers, in a shared buffer. */
  finish(): SharedArrayBuffer {
    const buffer = shared(this.length * 4)
    new Uint32Array(buffer).set(this.#numbers.subarray(0, this.length))
    return buffer
  }
}

function shared(bytes: number): SharedArrayBuffer {
  return new SharedArrayBuffer(bytes)
}
