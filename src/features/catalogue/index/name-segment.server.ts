/** The columns of a segment. Their buffers are shared: a worker reads them where they lie. */
export interface SegmentColumns {
  /** Every word of the names once, as UTF-8, each behind a line break; one more ends it. */
  vocabulary: Uint8Array
  /** Where the word of a number begins; the end of the last one follows. */
  wordStarts: Uint32Array
  /** Where the item numbers of a word begin in `postings`; the end of the last one follows. */
  postingStarts: Uint32Array
  /** The numbers of the items with a word, ascending. */
  postings: Int32Array
  /** The items' numbers, ascending. */
  itemNumbers: Int32Array
  /** Where the words of an item begin in `wordNumbers`, by its place in `itemNumbers`; the end of the last one follows. */
  nameStarts: Uint32Array
  /** The words of each name, in their order. */
  wordNumbers: Uint32Array
}

/** A word of a query in a segment: the words that contain it, and how many postings these have together. */
export interface FoundWords {
  wordNumbers: readonly number[]
  postingCount: number
}

const lineBreak = 0x0a
/** The vocabulary is cut into pieces of this many bytes (a power of two), to find the word at a byte. */
const pieceShift = 6
const maxCachedLookups = 500

/**
 * The folded names of a set of items that never changes: which items have a word, and which words an item has, in arrays off
 * the heap. A text is looked for in the vocabulary, which is some hundred times shorter than the names.
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

  /** The words that contain a folded text without spaces. */
  wordsWith(text: string): FoundWords {
    const known = this.#lookups.get(text)
    if (known !== undefined) return known
    const { wordStarts, postingStarts } = this.columns
    const needle = Buffer.from(text)
    const wordNumbers: number[] = []
    let postingCount = 0
    let at = this.#vocabulary.indexOf(needle)
    while (at !== -1) {
      let word = this.#wordAtPiece[at >> pieceShift] as number
      while ((wordStarts[word + 1] as number) <= at) word += 1
      wordNumbers.push(word)
      postingCount += (postingStarts[word + 1] as number) - (postingStarts[word] as number)
      // The line break before the next word: no text holds one.
      at = this.#vocabulary.indexOf(needle, (wordStarts[word + 1] as number) - 1)
    }
    const found = { wordNumbers, postingCount }
    if (this.#lookups.size >= maxCachedLookups) this.#lookups.clear()
    // A list of half the vocabulary is as quickly made again.
    if (wordNumbers.length < 50_000) this.#lookups.set(text, found)
    return found
  }

  /** The folded name of an item; undefined for one that is not here. */
  nameOf(no: number): string | undefined {
    const { itemNumbers, nameStarts, wordNumbers } = this.columns
    const place = placeOf(itemNumbers, no)
    if (itemNumbers[place] !== no) return undefined
    const words: string[] = []
    for (let i = nameStarts[place] as number; i < (nameStarts[place + 1] as number); i += 1)
      words.push(this.word(wordNumbers[i] as number))
    return words.join(' ')
  }

  word(number: number): string {
    const { wordStarts } = this.columns
    return this.#vocabulary.toString('utf8', wordStarts[number], (wordStarts[number + 1] as number) - 1)
  }
}

/** The place of a number in an ascending array, or the one that it would have. */
function placeOf(ascending: Int32Array, no: number): number {
  let low = 0
  let high = ascending.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((ascending[middle] as number) < no) low = middle + 1
    else high = middle
  }
  return low
}

/** Puts a segment together, item by item, by ascending numbers. */
export class SegmentBuilder {
  readonly #numberOf = new Map<string, number>()
  readonly #itemNumbers = new GrowingColumn()
  readonly #nameStarts = new GrowingColumn()
  readonly #wordNumbers = new GrowingColumn()
  /** By word: how many items have it, and the last that was counted. */
  readonly #counts: number[] = []
  readonly #lastCounted: number[] = []

  /** @param folded the name, its words divided by single spaces */
  add(no: number, folded: string): void {
    this.begin(no)
    for (const word of folded.split(' ')) this.addWord(this.numberOf(word))
  }

  /** Begins an item whose words are added one by one. */
  begin(no: number): void {
    this.#nameStarts.push(this.#wordNumbers.length)
    this.#itemNumbers.push(no)
  }

  numberOf(word: string): number {
    let number = this.#numberOf.get(word)
    if (number === undefined) {
      number = this.#numberOf.size
      this.#numberOf.set(word, number)
      this.#counts.push(0)
      this.#lastCounted.push(-1)
    }
    return number
  }

  addWord(number: number): void {
    const item = this.#itemNumbers.length
    this.#wordNumbers.push(number)
    if (this.#lastCounted[number] === item) return
    this.#lastCounted[number] = item
    this.#counts[number] = (this.#counts[number] as number) + 1
  }

  finish(): SegmentColumns {
    const words = [...this.#numberOf.keys()]
    const lengths = words.map((word) => Buffer.byteLength(word))
    const vocabulary = new Uint8Array(shared(lengths.reduce((sum, length) => sum + length + 1, 1)))
    const bytes = Buffer.from(vocabulary.buffer)
    const wordStarts = new Uint32Array(shared((words.length + 1) * 4))
    const postingStarts = new Uint32Array(shared((words.length + 1) * 4))
    vocabulary[0] = lineBreak
    let at = 1
    let posting = 0
    for (let i = 0; i < words.length; i += 1) {
      wordStarts[i] = at
      postingStarts[i] = posting
      bytes.write(words[i] as string, at)
      at += lengths[i] as number
      vocabulary[at] = lineBreak
      at += 1
      posting += this.#counts[i] as number
    }
    wordStarts[words.length] = at
    postingStarts[words.length] = posting
    this.#nameStarts.push(this.#wordNumbers.length)
    const itemNumbers = new Int32Array(this.#itemNumbers.finish())
    const nameStarts = new Uint32Array(this.#nameStarts.finish())
    const wordNumbers = new Uint32Array(this.#wordNumbers.finish())
    const postings = new Int32Array(shared(posting * 4))
    const next = postingStarts.slice()
    for (let place = 0; place < itemNumbers.length; place += 1) {
      const no = itemNumbers[place] as number
      for (let i = nameStarts[place] as number; i < (nameStarts[place + 1] as number); i += 1) {
        const word = wordNumbers[i] as number
        const end = next[word] as number
        // A word that a name has twice is counted once.
        if (end > (postingStarts[word] as number) && postings[end - 1] === no) continue
        postings[end] = no
        next[word] = end + 1
      }
    }
    return { vocabulary, wordStarts, postingStarts, postings, itemNumbers, nameStarts, wordNumbers }
  }
}

/**
 * One segment in place of several.
 * @param isHere whether the name that a segment has of an item is the one that counts
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
    const { place, nameStarts, wordNumbers, numbers, segment } = reader
    reader.place += 1
    if (!isHere(no, reader.id)) continue
    builder.begin(no)
    for (let i = nameStarts[place] as number; i < (nameStarts[place + 1] as number); i += 1) {
      const word = wordNumbers[i] as number
      if (numbers[word] === 0) numbers[word] = builder.numberOf(segment.word(word)) + 1
      builder.addWord((numbers[word] as number) - 1)
    }
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
