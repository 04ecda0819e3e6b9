import type { ItemRow, MarkedText, RowMarks } from '../item/listing.ts'
import { denseScript, foldText } from '../item/name-text.ts'
import { spellingsOfWord } from '../item/searched-text.ts'

const ascii = /^[\0-\x7f]*$/
/** No word of it has another spelling. */
const plainText = /^[a-z]+(?:[,;]? [a-z]+)*$/i
const markedTexts: readonly MarkedText[] = ['name', 'alsoKnownAs', 'creators']
const graphemes = new Intl.Segmenter('und', { granularity: 'grapheme' })

type Span = readonly [from: number, to: number]

interface Part {
  folded: string
  /** One letter stands in nearly every word: it is marked where it is a whole word. A script without blanks says a word with it. */
  isLoneLetter: boolean
}

/**
 * Finds the parts of rows that matched a search (docs/spec/search.md#marks): the words of the text wherever they stand as they were typed, without
 * regard to case and accents; where a word is found by another spelling, the whole word.
 * @param words of the text, folded (`wordsOf`)
 */
export function rowMarker(words: readonly string[]): (row: Pick<ItemRow, MarkedText>) => RowMarks {
  const parts = words.map((folded) => ({
    folded,
    isLoneLetter: /^\p{L}\p{M}*$/u.test(folded) && !denseScript.test(folded),
  }))
  const hasLoneLetter = parts.some(({ isLoneLetter }) => isLoneLetter)
  // The rows of a list share many words.
  const known = new Map<string, Span[]>()
  const spansOf = (word: string): Span[] => {
    const spans = known.get(word) ?? spansIn(word, parts)
    known.set(word, spans)
    return spans
  }
  return (row) => {
    const marks: RowMarks = {}
    for (const text of markedTexts) {
      const value = row[text] ?? ''
      const found = !hasLoneLetter && plainText.test(value) ? marksInPlain(value, parts) : marksIn(value, spansOf)
      if (found.length > 0) marks[text] = found
    }
    return marks
  }
}

/** A word is found in a plain text wherever it stands: many rows are looked at, and few words of each are marked. */
function marksInPlain(text: string, parts: readonly Part[]): number[] {
  const lower = text.toLowerCase()
  const spans: [number, number][] = []
  for (const { folded } of parts)
    for (let at = lower.indexOf(folded); at >= 0; at = lower.indexOf(folded, at + folded.length))
      spans.push([at, at + folded.length])
  return joined(spans)
}

function marksIn(text: string, spansOf: (word: string) => Span[]): number[] {
  const spans: [number, number][] = []
  for (const { 0: word, index } of text.matchAll(/\S+/g))
    for (const [from, to] of spansOf(word)) spans.push([index + from, index + to])
  return joined(spans)
}

function spansIn(word: string, parts: readonly Part[]): Span[] {
  const [folded = '', ...others] = spellingsOfWord(word)
  return parts.flatMap((part): Span[] => {
    if (part.isLoneLetter) {
      const [from, to] = withoutPunctuation(word)
      return foldText(word.slice(from, to)) === part.folded ? [[from, to]] : []
    }
    const spans = folded.includes(part.folded) ? spansOfPart(word, part.folded) : []
    return spans.length === 0 && others.some((each) => each.includes(part.folded)) ? [withoutPunctuation(word)] : spans
  })
}

function spansOfPart(word: string, part: string): Span[] {
  const spans: Span[] = []
  const { folded, startOf, endOf } = foldedWord(word)
  for (let at = folded.indexOf(part); at >= 0; at = folded.indexOf(part, at + part.length))
    spans.push([startOf(at), endOf(at + part.length - 1)])
  return spans
}

interface FoldedWord {
  folded: string
  /** Where the character begins, and ends, that has become this unit of the folded word. */
  startOf: (unit: number) => number
  endOf: (unit: number) => number
}

function foldedWord(word: string): FoldedWord {
  if (ascii.test(word))
    return { folded: word.toLowerCase().replaceAll('`', "'"), startOf: (unit) => unit, endOf: (unit) => unit + 1 }
  let folded = ''
  const spans: [number, number][] = []
  for (const { segment, index } of graphemes.segment(word)) {
    const one = foldText(segment)
    for (let unit = 0; unit < one.length; unit += 1) spans.push([index, index + segment.length])
    folded += one
  }
  return { folded, startOf: (unit) => spans[unit]?.[0] ?? 0, endOf: (unit) => spans[unit]?.[1] ?? word.length }
}

function withoutPunctuation(word: string): [number, number] {
  const bare = /[\p{L}\p{M}\p{N}](?:.*[\p{L}\p{M}\p{N}])?/u.exec(word)
  return bare === null ? [0, word.length] : [bare.index, bare.index + bare[0].length]
}

/** In their order, those that touch each other as one; beginnings and ends in turn. */
function joined(spans: [number, number][]): number[] {
  const marks: number[] = []
  for (const [from, to] of spans.sort((one, other) => one[0] - other[0])) {
    const end = marks.at(-1)
    if (end !== undefined && from <= end) marks[marks.length - 1] = Math.max(end, to)
    else marks.push(from, to)
  }
  return marks
}
