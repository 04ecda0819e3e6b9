import { betweenSpellings } from '../../item/searched-text.ts'
import { ItemSet } from './item-set.ts'

/** The columns of a vocabulary. Their buffers are shared. */
export interface VocabularyColumns {
  /** Every word once with its spellings, as UTF-8, each behind a line break; one more ends it. */
  vocabulary: Uint8Array
  /** Where the word of a number begins; the end of the last one follows. */
  wordStarts: Uint32Array
  /** The runs of three bytes that words have, as numbers, ascending; the last byte may be the break behind. Empty in a small vocabulary. */
  grams: Uint32Array
  /** Where the words with each of them begin in `gramWords`; the end of the last one follows. */
  gramStarts: Uint32Array
  /** The words with each, ascending. */
  gramWords: Uint32Array
}

/** Some words, ascending, and how well each answers a text, which is looked at when it is first asked for. */
export interface FoundWords {
  readonly words: Uint32Array
  readonly fits: Uint8Array
}

/** How well a word answers a word of a query: it is inside of it, its beginning, or the whole of it. */
export const [inside, beginning, whole] = [1, 2, 3]

const [lineBreak, spellingBreak] = [0x0a, betweenSpellings.charCodeAt(0)]
/** A smaller vocabulary is read as quickly as its runs. */
const leastBytesWithGrams = 1 << 15
const gramLength = 3
/** As many runs as begin with the same two bytes. */
const rowLength = 256
/** To read a word costs as much as so many steps through a list of words. */
const worthOfWord = 16
/** How many words are read ahead. */
const atOnce = 16

/** The words of many texts by their numbers, and which of them contain a text. */
export class Vocabulary {
  readonly #columns: VocabularyColumns
  readonly #bytes: Buffer

  constructor(columns: VocabularyColumns) {
    this.#columns = columns
    const { vocabulary } = columns
    this.#bytes = Buffer.from(vocabulary.buffer, vocabulary.byteOffset, vocabulary.byteLength)
  }

  /** A word with its spellings. */
  word(number: number): string {
    const { wordStarts } = this.#columns
    return this.#bytes.toString('utf8', wordStarts[number], (wordStarts[number + 1] as number) - 1)
  }

  /**
   * The words that contain a text without spaces in any of their spellings.
   * @param known a part of the text and the words that contain it, ascending
   */
  find(text: string, known?: { text: string; words: Uint32Array }): FoundWords {
    const needle = Buffer.from(text)
    if (needle.length === 1) return this.#findByte(needle[0] as number)
    const hasGrams = this.#columns.gramStarts.length > 0
    if (hasGrams && needle.length === 2) return this.#withFits(this.#withPair(needle), needle)
    if (hasGrams && needle.length === gramLength) return this.#withFits(this.#withGram(gramAt(needle, 0)), needle)
    const some = hasGrams ? this.#candidates(needle, known) : (known?.words ?? this.#allWords())
    const fits = this.#fitsOf(some, needle)
    const words = new Uint32Array(some.length)
    let count = 0
    for (let i = 0; i < fits.length; i += 1) {
      if (fits[i] === 0) continue
      words[count] = some[i] as number
      fits[count] = fits[i] as number
      count += 1
    }
    // Copies: a part of an array would hold all of it.
    return { words: words.slice(0, count), fits: fits.slice(0, count) }
  }

  #withFits(words: Uint32Array, needle: Buffer): FoundWords {
    let fits: Uint8Array | undefined
    const look = (): Uint8Array => this.#fitsOf(words, needle)
    return {
      words,
      get fits() {
        return (fits ??= look())
      },
    }
  }

  #fitsOf(words: Uint32Array, needle: Buffer): Uint8Array {
    const fits = new Uint8Array(words.length)
    for (let from = 0; from < fits.length; from += atOnce) {
      const to = this.#readAhead(words, from, fits)
      for (let i = from; i < to; i += 1) fits[i] = this.fitOf(words[i] as number, needle)
    }
    return fits
  }

  /**
   * Reads the beginnings of some words, which are there then: memory brings many at once, but a word that is compared as soon as it
   * comes makes the next one wait.
   * @returns the place behind them
   */
  #readAhead(words: Uint32Array, from: number, into: Uint8Array): number {
    const [bytes, { wordStarts }] = [this.#bytes, this.#columns]
    const to = Math.min(words.length, from + atOnce)
    for (let i = from; i < to; i += 1) into[i] = bytes[wordStarts[words[i] as number] as number] as number
    return to
  }

  #allWords(): Uint32Array {
    const words = new Uint32Array(this.#columns.wordStarts.length - 1)
    for (let i = 0; i < words.length; i += 1) words[i] = i
    return words
  }

  /** One look through all words. */
  #findByte(requested: number): FoundWords {
    const bytes = this.#bytes
    const most = this.#columns.wordStarts.length - 1
    const [words, fits] = [new Uint32Array(most), new Uint8Array(most)]
    let [word, count, best] = [0, 0, 0]
    for (let at = 1; at < bytes.length; at += 1) {
      const byte = bytes[at] as number
      if (byte === requested) {
        const fit = isBreak(bytes[at - 1]) ? (isBreak(bytes[at + 1]) ? whole : beginning) : inside
        if (fit > best) best = fit
      } else if (byte === lineBreak) {
        if (best > 0) {
          words[count] = word
          fits[count] = best
          count += 1
          best = 0
        }
        word += 1
      }
    }
    return { words: words.slice(0, count), fits: fits.slice(0, count) }
  }

  /** Those of some words that have a spelling of so many UTF-16 units. */
  ofLength(words: Uint32Array, from: number, to: number): Uint32Array {
    const some = new Uint32Array(words.length)
    const begun = new Uint8Array(words.length)
    let count = 0
    for (let i = 0, read = 0; i < words.length; i += 1) {
      if (i === read) read = this.#readAhead(words, read, begun)
      if (this.#hasLength(words[i] as number, from, to)) some[count++] = words[i] as number
    }
    return some.subarray(0, count)
  }

  #hasLength(word: number, from: number, to: number): boolean {
    const bytes = this.#bytes
    const end = (this.#columns.wordStarts[word + 1] as number) - 1
    let length = 0
    for (let at = this.#columns.wordStarts[word] as number; at <= end; at += 1) {
      const byte = bytes[at] as number
      if (isBreak(byte)) {
        if (length >= from && length <= to) return true
        length = 0
      } else if ((byte & 0xc0) !== 0x80) length += byte >= 0xf0 ? 2 : 1
    }
    return false
  }

  /** Words among which are all that contain a text: those with its rarest runs. */
  #candidates(needle: Buffer, known?: { text: string; words: Uint32Array }): Uint32Array {
    const runs = gramsOf(needle)
    // The words that contain a part of it have the runs of that.
    if (known !== undefined) for (const gram of gramsOf(Buffer.from(known.text))) runs.delete(gram)
    const lists = Array.from(runs, (gram) => this.#withGram(gram))
    const rarestFirst = (known === undefined ? lists : [known.words, ...lists]).sort((a, b) => a.length - b.length)
    return rarestFirst.reduce((all, words) => (words.length > all.length * worthOfWord ? all : inBoth(all, words)))
  }

  #withGram(gram: number): Uint32Array {
    const { grams, gramStarts, gramWords } = this.#columns
    const place = placeOf(grams, gram)
    return grams[place] === gram ? gramWords.subarray(gramStarts[place], gramStarts[place + 1]) : new Uint32Array()
  }

  /** The words with two bytes: those with any run that begins with them. */
  #withPair(needle: Buffer): Uint32Array {
    const { grams, gramStarts, gramWords, wordStarts } = this.#columns
    const first = ((needle[0] as number) << 16) | ((needle[1] as number) << 8)
    const [from, to] = [placeOf(grams, first), placeOf(grams, first + rowLength)]
    const start = gramStarts[from] as number
    const most = (gramStarts[to] as number) - start
    // As those of items are, so that the set stays in the processor's own memory.
    const words = new ItemSet(wordStarts.length)
    words.addAll(new Int32Array(gramWords.buffer, gramWords.byteOffset + start * 4, most), 0, most)
    return new Uint32Array(words.numbers(new Int32Array(most)))
  }

  /** How well a word answers a text, in the best of its spellings; 0: it does not contain it. */
  fitOf(word: number, needle: Buffer): number {
    const bytes = this.#bytes
    const { wordStarts } = this.#columns
    const last = (wordStarts[word + 1] as number) - 1 - needle.length
    const first = needle[0]
    let best = 0
    for (let at = wordStarts[word] as number; at <= last; at += 1) {
      if (bytes[at] !== first) continue
      let i = 1
      while (i < needle.length && bytes[at + i] === needle[i]) i += 1
      if (i < needle.length) continue
      best = Math.max(best, inside)
      if (!isBreak(bytes[at - 1])) continue
      if (isBreak(bytes[at + needle.length])) return whole
      best = beginning
    }
    return best
  }
}

/** Those that answer in one way. */
export function wordsOfFit({ words, fits }: FoundWords, fit: number): Uint32Array {
  const some = new Uint32Array(words.length)
  let count = 0
  for (let i = 0; i < words.length; i += 1) if (fits[i] === fit) some[count++] = words[i] as number
  return some.subarray(0, count)
}

/** The numbers of two ascending lists that both have. */
function inBoth(some: Uint32Array, others: Uint32Array): Uint32Array {
  const both = new Uint32Array(some.length)
  let [count, at] = [0, 0]
  for (let i = 0; i < some.length && at < others.length; i += 1) {
    const each = some[i] as number
    while (at < others.length && (others[at] as number) < each) at += 1
    if (at < others.length && others[at] === each) both[count++] = each
  }
  return both.subarray(0, count)
}

/** The columns of a vocabulary. The words get the numbers of their places. */
export function vocabularyOf(words: readonly string[]): VocabularyColumns {
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
  return { vocabulary, wordStarts, ...gramsIn(vocabulary, wordStarts) }
}

function gramsIn(
  vocabulary: Uint8Array,
  wordStarts: Uint32Array,
): Pick<VocabularyColumns, 'grams' | 'gramStarts' | 'gramWords'> {
  const none = (): Uint32Array => new Uint32Array(shared(0))
  if (vocabulary.length < leastBytesWithGrams) return { grams: none(), gramStarts: none(), gramWords: none() }
  /** By the first two bytes of a run, where the cells of its third one begin: the table is as large as what is there. */
  const rows = new Uint32Array(1 << (8 * (gramLength - 1)))
  const cellOf = (gram: number): number => (rows[gram >>> 8] as number) + (gram & 0xff)
  const lastAt = vocabulary.length - gramLength
  let size = 0
  for (let at = 1; at <= lastAt; at += 1) {
    const pair = gramAt(vocabulary, at) >>> 8
    if (rows[pair] === 0) rows[pair] = size += rowLength
  }
  /** By cell: one more than the place of a run among those that are there. */
  const places = new Uint32Array(size + rowLength)
  for (let at = 1; at <= lastAt; at += 1) places[cellOf(gramAt(vocabulary, at))] = 1
  const found: number[] = []
  for (let pair = 0; pair < rows.length; pair += 1) {
    const row = rows[pair] as number
    if (row === 0) continue
    for (let last = 0; last < rowLength; last += 1)
      if (places[row + last] === 1) places[row + last] = found.push((pair << 8) | last)
  }
  const count = found.length
  const grams = new Uint32Array(shared(count * 4))
  grams.set(found)
  const lastWord = new Int32Array(count)
  const eachGram = (visit: (place: number, word: number) => void): void => {
    lastWord.fill(-1)
    for (let word = 0; word < wordStarts.length - 1; word += 1) {
      const end = wordStarts[word + 1] as number
      for (let at = wordStarts[word] as number; at + gramLength <= end; at += 1) {
        const place = (places[cellOf(gramAt(vocabulary, at))] as number) - 1
        // A run that a word has twice counts once.
        if (lastWord[place] === word) continue
        lastWord[place] = word
        visit(place, word)
      }
    }
  }
  const gramStarts = new Uint32Array(shared((count + 1) * 4))
  eachGram((place) => {
    gramStarts[place + 1] = (gramStarts[place + 1] as number) + 1
  })
  for (let place = 0; place < count; place += 1)
    gramStarts[place + 1] = (gramStarts[place + 1] as number) + (gramStarts[place] as number)
  const next = gramStarts.slice()
  const gramWords = new Uint32Array(shared((gramStarts[count] as number) * 4))
  eachGram((place, word) => {
    const at = next[place] as number
    gramWords[at] = word
    next[place] = at + 1
  })
  return { grams, gramStarts, gramWords }
}

/** The runs of a text, each once. */
function gramsOf(needle: Buffer): Set<number> {
  return new Set(Array.from({ length: Math.max(0, needle.length - gramLength + 1) }, (_, at) => gramAt(needle, at)))
}

/** Three bytes from a place on, as a number. */
function gramAt(bytes: Uint8Array, place: number): number {
  return ((bytes[place] as number) << 16) | ((bytes[place + 1] as number) << 8) | (bytes[place + 2] as number)
}

/** The place of the first number that is not below another. */
function placeOf(ascending: Uint32Array, number: number): number {
  let low = 0
  let high = ascending.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((ascending[middle] as number) < number) low = middle + 1
    else high = middle
  }
  return low
}

function isBreak(byte: number | undefined): boolean {
  return byte === lineBreak || byte === spellingBreak
}

/** A buffer that a worker reads where it lies. */
export function shared(bytes: number): SharedArrayBuffer {
  return new SharedArrayBuffer(bytes)
}
