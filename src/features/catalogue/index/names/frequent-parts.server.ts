import { ItemSet } from './item-set.ts'
import { shared, type VocabularyColumns } from './vocabulary.server.ts'

/** Sets that stand ready of the parts of words that the most items have. Their buffers are shared. */
export interface FrequentColumns {
  /** Parts of one to three bytes as numbers, of which they are the highest bytes. */
  frequentParts: Uint32Array
  /** The items with each, by their numbers: all sets are equally long. */
  frequentSets: Int32Array
}

/** Eight bytes an item. */
const mostParts = 64
/** Fewer postings are marked in no time. */
const leastPostings = 200_000
const longest = 3

/** The words of texts, and the texts of items, by which sets are made. */
type Texts = VocabularyColumns &
  Record<'postingStarts' | 'textStarts' | 'wordNumbers', Uint32Array> & { itemNumbers: Int32Array }

/** @param least with fewer postings no set is made */
export function frequentPartsOf(
  columns: Texts,
  least = Math.max(leastPostings, columns.itemNumbers.length / 2),
): FrequentColumns {
  const { itemNumbers, textStarts, wordNumbers } = columns
  const frequent = Array.from(countParts(columns))
    .filter(([key, count]) => count >= least && textOf(key) !== undefined)
    .sort((a, b) => b[1] - a[1])
    .slice(0, mostParts)
    .map(([key]) => key)
  const length = ((itemNumbers.at(-1) ?? 0) >>> 5) + 1
  const frequentSets = new Int32Array(shared(frequent.length * length * 4))
  const marks = markWords(columns, frequent)
  for (let place = 0; place < itemNumbers.length; place += 1) {
    const no = itemNumbers[place] as number
    const [start, end] = [textStarts[place] as number, textStarts[place + 1] as number]
    for (const [half, ofWords] of marks.entries()) {
      let parts = 0
      for (let i = start; i < end; i += 1) parts |= ofWords[wordNumbers[i] as number] as number
      for (; parts !== 0; parts &= parts - 1) {
        const at = (half * 32 + 31 - Math.clz32(parts & -parts)) * length + (no >>> 5)
        frequentSets[at] = (frequentSets[at] as number) | (1 << (no & 31))
      }
    }
  }
  const frequentParts = new Uint32Array(shared(frequent.length * 4))
  frequentParts.set(frequent)
  return { frequentParts, frequentSets }
}

/** By word: which of some parts it has, a bit each, in two halves. */
function markWords(
  { vocabulary, wordStarts, grams, gramStarts, gramWords }: Texts,
  parts: readonly number[],
): readonly [Int32Array, Int32Array] {
  const marks = [new Int32Array(wordStarts.length), new Int32Array(wordStarts.length)] as const
  const mark = (part: number, word: number): void => {
    const half = marks[part >>> 5] as Int32Array
    half[word] = (half[word] as number) | (1 << (part & 31))
  }
  const partOfByte = new Int8Array(256).fill(-1)
  for (const [part, key] of parts.entries())
    if ((key & 0xffff) === 0) partOfByte[key >>> 16] = part
    else
      for (const [place, gram] of grams.entries()) {
        if (gram !== key && ((key & 0xff) !== 0 || (gram & ~0xff) !== key)) continue
        for (let i = gramStarts[place] as number; i < (gramStarts[place + 1] as number); i += 1)
          mark(part, gramWords[i] as number)
      }
  for (let word = 0; parts.length > 0 && word < wordStarts.length - 1; word += 1)
    for (let at = wordStarts[word] as number; at < (wordStarts[word + 1] as number); at += 1) {
      const part = partOfByte[vocabulary[at] as number] as number
      if (part >= 0) mark(part, word)
    }
  return marks
}

/** The sets by their parts. */
export function readySets({ frequentParts, frequentSets }: FrequentColumns): Map<string, ItemSet> {
  const length = frequentSets.length / frequentParts.length
  return new Map(
    Array.from(frequentParts, (key, i) => [
      textOf(key) as string,
      new ItemSet(frequentSets.subarray(i * length, (i + 1) * length)),
    ]),
  )
}

/** About how many postings the words with each part have: a part that a word has twice may count twice. */
function countParts({
  vocabulary,
  wordStarts,
  grams,
  gramStarts,
  gramWords,
  postingStarts,
}: Texts): Map<number, number> {
  const sizeOf = (word: number): number => (postingStarts[word + 1] as number) - (postingStarts[word] as number)
  const counts = new Map<number, number>()
  const add = (key: number, count: number): void => void counts.set(key, (counts.get(key) ?? 0) + count)
  for (const [place, gram] of grams.entries()) {
    let count = 0
    for (let i = gramStarts[place] as number; i < (gramStarts[place + 1] as number); i += 1)
      count += sizeOf(gramWords[i] as number)
    add(gram, count)
    add(gram & ~0xff, count)
  }
  const ofBytes = new Float64Array(256)
  for (let word = 0; grams.length > 0 && word < wordStarts.length - 1; word += 1) {
    const size = sizeOf(word)
    for (let at = wordStarts[word] as number; at < (wordStarts[word + 1] as number); at += 1)
      ofBytes[vocabulary[at] as number] = (ofBytes[vocabulary[at] as number] as number) + size
  }
  for (const [byte, count] of ofBytes.entries()) add(byte << 16, count)
  return counts
}

/** The part of a number; undefined for what is no text within a word. */
function textOf(key: number): string | undefined {
  const bytes = Buffer.of(key >>> 16, (key >>> 8) & 0xff, key & 0xff)
  const text = bytes.toString('utf8', 0, bytes.includes(0) ? bytes.indexOf(0) : longest)
  return /^[^\s\x1d\ufffd]+$/.test(text) ? text : undefined
}
