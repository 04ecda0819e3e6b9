import { foldText } from '../item/name-text.ts'
import { looksLike } from './look-alikes.ts'

/**
 * The words that no name and no category may hold (docs/spec/publishing.md#prohibited-terms). A term is one word or
 * several; it is found only as whole words, whatever punctuation stands around them: "leaks" is not in "Bleaksley".
 *
 * It is found in disguise too: with look-alikes for its letters, run together, with punctuation inside, or with every letter
 * apart. Pieces between spaces are no disguise ("lea ked"): any two words might make a third one.
 *
 * A look takes time in proportion to the text and to the letters of the terms, whatever the text holds.
 */
export class ProhibitedTerms {
  readonly #terms: Term[]

  constructor(terms: Iterable<string>) {
    this.#terms = [...terms]
      .map(wordsIn)
      .filter((words) => words.length > 0)
      .map(termOf)
  }

  /** The first prohibited term in a text; undefined when there is none. */
  find(text: string): string | undefined {
    return this.#findIn(charactersOf(prepared(text)))?.term
  }

  /** The words of a text, as they are written there, that hold its first prohibited term; undefined when there is none. */
  findWritten(text: string): string | undefined {
    const words = withoutFillers(text)
      .split(/\s+/u)
      .map((written) => ({ written, folded: foldText(written) }))
      .filter(({ folded }) => folded !== '')
    const found = this.#findIn(charactersOf(words.map(({ folded }) => folded).join(' ')))
    if (found === undefined) return undefined
    const holding: string[] = []
    let start = 0
    for (const { written, folded } of words) {
      const end = start + [...folded].length
      if (end > found.start && start < found.end) holding.push(written)
      start = end + 1
    }
    return holding.join(' ')
  }

  #findIn(text: Character[]): Found | undefined {
    let first: Found | undefined
    for (const term of this.#terms) {
      const found = findTerm(text, term)
      if (found !== undefined && (first === undefined || found.start < first.start)) first = found
    }
    return first
  }
}

interface Term {
  words: string
  /** What each letter may look like, of all words in turn. */
  letters: Set<string>[]
  /** Behind how many letters a word ends, and another one follows. */
  ends: Set<number>
  mayHoldPunctuation: boolean
}

interface Character {
  text: string
  /** Letters, digits and the marks that belong to them. */
  isInWord: boolean
  isSpace: boolean
}

interface Found {
  term: string
  start: number
  end: number
}

/** Of a shorter term, innocent names hold the letters between punctuation: "Books X-XX". */
const shortestWithPunctuation = 4

function termOf(words: string[]): Term {
  const letters = words.flatMap((word) => Array.from(word, looksLike))
  const ends = new Set<number>()
  let count = 0
  for (const word of words) ends.add((count += [...word].length))
  return { words: words.join(' '), letters, ends, mayHoldPunctuation: letters.length >= shortestWithPunctuation }
}

/** No beginning: behind every place in a text. */
const none = 2 ** 30

/**
 * The place of a term that begins first. All ways to read the text go on side by side: for each number of letters
 * found so far, only the earliest beginning is kept, so no text makes it begin again.
 */
function findTerm(text: Character[], { words, letters, ends, mayHoldPunctuation }: Term): Found | undefined {
  const count = letters.length
  /** By the number of letters: written together; with every letter apart, just after a letter, and after a gap. */
  const together = Array<number>(count + 1).fill(none)
  const afterLetter = Array<number>(count + 1).fill(none)
  const afterGap = Array<number>(count + 1).fill(none)
  let found: Found | undefined
  /** The most letters that any reading has. */
  let longest = 0
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index] as Character
    const beginning = text[index - 1]?.isInWord === true ? none : index
    if (longest === 0 && (beginning === none || letters[0]?.has(character.text) !== true)) continue
    const last = Math.min(longest + 1, count)
    longest = 0
    together[0] = beginning
    afterGap[0] = beginning
    // From the most letters down: the places below still hold what was before this character.
    for (let have = last; have >= 1; have -= 1) {
      const isLetter = letters[have - 1]?.has(character.text) === true
      const staysTogether =
        have < count && !character.isInWord && (ends.has(have) || (mayHoldPunctuation && !character.isSpace))
      const kept = staysTogether ? (together[have] as number) : none
      together[have] = isLetter ? Math.min(kept, together[have - 1] as number) : kept
      const gap = character.isInWord ? none : Math.min(afterLetter[have] as number, afterGap[have] as number)
      afterLetter[have] = isLetter ? (afterGap[have - 1] as number) : none
      afterGap[have] = gap
      if (longest === 0 && Math.min(together[have] as number, afterLetter[have] as number, gap) !== none) longest = have
    }
    const start = Math.min(together[count] as number, afterLetter[count] as number)
    if (start < (found?.start ?? none) && text[index + 1]?.isInWord !== true)
      found = { term: words, start, end: index + 1 }
  }
  return found
}

const inWord = /[\p{L}\p{N}\p{M}]/u
const space = /\s/u

function charactersOf(folded: string): Character[] {
  return Array.from(folded, (text) => {
    const isInWord = inWord.test(text)
    return { text, isInWord, isSpace: !isInWord && space.test(text) }
  })
}

/** Letters that are blank: what readers take for a space, though folding takes it for nothing. */
const fillers = /[\u115f\u1160\u3164\uffa0]/gu

const withoutFillers = (text: string): string => text.replace(fillers, ' ')

const prepared = (text: string): string => foldText(withoutFillers(text))

/** Runs of letters, digits and the marks that belong to them, folded. */
function wordsIn(text: string): string[] {
  return prepared(text).match(/[\p{L}\p{N}\p{M}]+/gu) ?? []
}
