import { betweenSpellings } from '../../item/searched-text.ts'

/** The columns of a vocabulary. Their buffers are shared. */
export interface VocabularyColumns {
  /** Every word once with its spellings, as UTF-8, each behind a line break; one more ends it. */
  vocabulary: Uint8Array
  /** Where the word of a number begins; the end of the last one follows. */
  wordStarts: Uint32Array
  /** Where the words with a pair of bytes begin in `pairWords`, by the pair as a number; empty in a small vocabulary. */
  pairStarts: Uint32Array
  /** The words with each pair, ascending. */
  pairWords: Uint32Array
}

/** Some words, ascending, and how well each answers a text. */
export interface FoundWords {
  words: Uint32Array
  fits: Uint8Array
}

/** How well a word answers a word of a query: it is inside of it, its beginning, or the whole of it. */
export const [inside, beginning, whole] = [1, 2, 3]

const [lineBreak, spellingBreak] = [0x0a, betweenSpellings.charCodeAt(0)]
/** A smaller vocabulary is read as quickly as its pairs. */
const leastBytesWithPairs = 1 << 15
const pairCount = 1 << 16
/** To read a word costs as much as so many steps through a list of words. */
const worthOfWord = 16

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
   * @param among words among which are all of these, ascending
   */
  find(text: string, among?: Uint32Array): FoundWords {
    const needle = Buffer.from(text)
    if (needle.length === 1) return this.#findByte(needle[0] as number)
    const candidates = among ?? this.#candidates(needle)
    const most = candidates?.length ?? this.#columns.wordStarts.length - 1
    const [words, fits] = [new Uint32Array(most), new Uint8Array(most)]
    let count = 0
    for (let i = 0; i < most; i += 1) {
      const word = candidates === undefined ? i : (candidates[i] as number)
      const fit = this.fitOf(word, needle)
      if (fit === 0) continue
      words[count] = word
      fits[count] = fit
      count += 1
    }
    // Copies: a part of an array would hold all of it.
    return { words: words.slice(0, count), fits: fits.slice(0, count) }
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

  /** Whether a word has a spelling of so many UTF-16 units. */
  hasLength(word: number, from: number, to: number): boolean {
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

  /** The words that contain a text of two bytes; undefined for any other. */
  withPair(text: string): Uint32Array | undefined {
    const needle = Buffer.from(text)
    return needle.length === 2 ? this.#candidates(needle) : undefined
  }

  /** Words among which are all that contain a text: those with its rarest pairs of bytes; undefined where pairs do not help. */
  #candidates(needle: Buffer): Uint32Array | undefined {
    const { pairStarts, pairWords } = this.#columns
    if (needle.length < 2 || pairStarts.length === 0) return undefined
    const pairs = new Set(Array.from({ length: needle.length - 1 }, (_, i) => pairAt(needle, i + 1)))
    const rarestFirst = Array.from(pairs, (pair) => pairWords.subarray(pairStarts[pair], pairStarts[pair + 1])).sort(
      (a, b) => a.length - b.length,
    )
    return rarestFirst.reduce((all, words) => (words.length > all.length * worthOfWord ? all : inBoth(all, words)))
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
  let count = 0
  let at = 0
  for (const each of some) {
    while ((others[at] ?? Infinity) < each) at += 1
    if (others[at] === each) both[count++] = each
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
  return { vocabulary, wordStarts, ...pairsIn(vocabulary, wordStarts) }
}

function pairsIn(vocabulary: Uint8Array, wordStarts: Uint32Array): Pick<VocabularyColumns, 'pairStarts' | 'pairWords'> {
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
        const pair = pairAt(vocabulary, at)
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

/** The byte before a place and the one at it. */
function pairAt(bytes: Uint8Array, place: number): number {
  return ((bytes[place - 1] as number) << 8) | (bytes[place] as number)
}

function isBreak(byte: number | undefined): boolean {
  return byte === lineBreak || byte === spellingBreak
}

/** A buffer that a worker reads where it lies. */
export function shared(bytes: number): SharedArrayBuffer {
  return new SharedArrayBuffer(bytes)
}
