import { foldText } from '../item/name-text.ts'
import { latinBits, looksLike } from './look-alikes.ts'

/** The lists of prohibited names, each of terms of one word or several. */
interface ProhibitedLists {
  refused: Iterable<string>
  /** Prohibited beside a sexual one. */
  minority: Iterable<string>
  /** Prohibited beside one of minority. */
  sexual: Iterable<string>
  /** Those that are no whole name of a category. */
  alone: Iterable<string>
}

/** Why a text is prohibited: a refused term, a pair, or a term that is the whole name of a category. */
export interface Prohibition {
  rule: 'term' | 'pair' | 'alone'
  terms: string[]
}

/**
 * The words that no name and no category may hold (docs/spec/publishing.md#prohibited-terms). A term is found as whole
 * words, also disguised: with look-alikes, run together, with punctuation inside, or letter by letter. Pieces between
 * spaces are no disguise: any two words might make a third. The time is proportional to the text and the letters of the
 * terms.
 */
export class ProhibitedTerms {
  readonly #refused: TermList
  readonly #minority: TermList
  readonly #sexual: TermList
  readonly #alone: TermList
  /** The texts looked at last: a name is looked at alone and then beside its category, which many names share. */
  readonly #lately = new Map<string, ReadText>()

  constructor({ refused, minority, sexual, alone }: ProhibitedLists) {
    this.#refused = new TermList(refused)
    this.#minority = new TermList(minority)
    this.#sexual = new TermList(sexual)
    this.#alone = new TermList(alone)
  }

  find(text: string): Prohibition | undefined {
    return prohibitionBy(this.#findIn(this.#read(text)))
  }

  findInCategory(name: string): Prohibition | undefined {
    const text = this.#read(name)
    const found = prohibitionBy(this.#findIn(text))
    if (found !== undefined) return found
    const first = text.characters.findIndex(({ isInWord }) => isInWord)
    const end = text.characters.findLastIndex(({ isInWord }) => isInWord) + 1
    const only = findAll(text, this.#alone).find((one) => one.start === first && one.end === end)
    return only && { rule: 'alone', terms: [only.term] }
  }

  /** Why a name is prohibited in its category: a pair, of which each holds a word. */
  findBetween(name: string, category: string): Prohibition | undefined {
    const [one, other] = [this.#read(name), this.#read(category)]
    return this.#findPair(one, other) ?? this.#findPair(other, one)
  }

  /** The words of a text, as they are written there, for which it is prohibited; undefined where it is not. */
  findWritten(text: string): string | undefined {
    const words = withoutFillers(text)
      .split(/\s+/u)
      .map((written) => ({ written, folded: foldText(written) }))
      .filter(({ folded }) => folded !== '')
    const found = this.#findIn(readText(words.map(({ folded }) => folded).join(' ')))
    if (found.length === 0) return undefined
    return found
      .map((one) => {
        const holding: string[] = []
        let start = 0
        for (const { written, folded } of words) {
          const end = start + [...folded].length
          if (end > one.start && start < one.end) holding.push(written)
          start = end + 1
        }
        return holding.join(' ')
      })
      .join(' … ')
  }

  /** Whether a text holds a word of a pair: only then is anything prohibited beside it. */
  holdsHalf(text: string): boolean {
    const read = this.#read(text)
    return [this.#minority, this.#sexual].some((terms) => findFirst(read, terms) !== undefined)
  }

  #read(text: string): ReadText {
    let read = this.#lately.get(text)
    if (read === undefined) {
      read = readText(prepared(text))
      if (this.#lately.size === mostLately) this.#lately.clear()
      this.#lately.set(text, read)
    }
    return read
  }

  #findPair(ofMinority: ReadText, ofSex: ReadText): Prohibition | undefined {
    const minority = findFirst(ofMinority, this.#minority)
    const sexual = minority && findFirst(ofSex, this.#sexual)
    return minority && sexual && { rule: 'pair', terms: [minority.term, sexual.term] }
  }

  /** One place of a refused term, two of a pair, or none. */
  #findIn(text: ReadText): Found[] {
    const refused = findFirst(text, this.#refused)
    if (refused !== undefined) return [refused]
    const minority = findFirst(text, this.#minority)
    const sexual = minority && findFirst(text, this.#sexual)
    return minority === undefined || sexual === undefined ? [] : [minority, sexual]
  }
}

/** "the prohibited term 'leaked'", as the end of a sentence that begins with "holds". */
export function prohibitionInWords({ rule, terms: [first = '', second = ''] }: Prohibition): string {
  if (rule === 'pair') return `'${first}' beside '${second}'`
  return rule === 'alone' ? `nothing but '${first}'` : `the prohibited term '${first}'`
}

export function remedyOf({ rule }: Prohibition): string {
  return rule === 'alone'
    ? "Name the genre beside it, such as 'Fiction'."
    : 'Only material that is cleared for distribution is published here.'
}

function prohibitionBy(found: Found[]): Prohibition | undefined {
  if (found.length === 0) return undefined
  return { rule: found.length === 1 ? 'term' : 'pair', terms: found.map(({ term }) => term) }
}

function findAll(text: ReadText, terms: TermList): Found[] {
  return terms
    .beginningIn(text)
    .flatMap((term) => ((term.latin & ~text.latin) === 0 ? (findTerm(text.characters, term) ?? []) : []))
}

function findFirst(text: ReadText, terms: TermList): Found | undefined {
  return findAll(text, terms).reduce<Found | undefined>(
    (first, one) => (first !== undefined && first.start <= one.start ? first : one),
    undefined,
  )
}

interface Term {
  words: string
  /** The possible forms of each letter, of all words in turn. */
  letters: Set<string>[]
  /** Behind how many letters a word ends, and another one follows. */
  ends: Set<number>
  mayHoldPunctuation: boolean
  /** The Latin letters without which a text does not hold it. */
  latin: number
}

interface Character {
  text: string
  /** Letters, digits and the marks that belong to them. */
  isInWord: boolean
  isSpace: boolean
  /** How many letters stand before it. */
  lettersBefore: number
}

interface ReadText {
  characters: Character[]
  /** The characters behind which no word goes on: a term begins with one of them. */
  beginnings: Set<string>
  /** The Latin letters that it may hold. */
  latin: number
}

interface Found {
  term: string
  start: number
  end: number
}

const isLatin = /[a-z]/

/** Innocent names hold the letters of a shorter term between punctuation: "Books X-XX". */
const shortestWithPunctuation = 4

class TermList {
  readonly #terms: Term[]
  /** Places in the list by each form of a first letter. */
  readonly #byBeginning = new Map<string, number[]>()

  constructor(list: Iterable<string>) {
    this.#terms = [...list]
      .map(wordsIn)
      .filter((words) => words.length > 0)
      .map(termOf)
    for (const [place, { letters }] of this.#terms.entries()) {
      for (const form of letters[0] ?? []) {
        this.#byBeginning.set(form, [...(this.#byBeginning.get(form) ?? []), place])
      }
    }
  }

  /** The terms that can begin somewhere in a text, in the order of the list. */
  beginningIn({ beginnings }: ReadText): Term[] {
    const places = new Set<number>()
    for (const form of beginnings) for (const place of this.#byBeginning.get(form) ?? []) places.add(place)
    return [...places].toSorted((a, b) => a - b).map((place) => this.#terms[place] as Term)
  }
}

function termOf(words: string[]): Term {
  const letters = words.flatMap((word) => Array.from(word, looksLike))
  const ends = new Set<number>()
  let count = 0
  for (const word of words) ends.add((count += [...word].length))
  const latin = [...words.join('')].reduce(
    (all, character) => all | (isLatin.test(character) ? latinBits(character) : 0),
    0,
  )
  return { words: words.join(' '), letters, ends, mayHoldPunctuation: letters.length >= shortestWithPunctuation, latin }
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
    if (start < (found?.start ?? none) && text[index + 1]?.isInWord !== true && hasLetter(text, start, index))
      found = { term: words, start, end: index + 1 }
  }
  return found
}

/** From the first to the last of these places. */
function hasLetter(text: Character[], first: number, last: number): boolean {
  const end = text[last] as Character
  return letter.test(end.text) || end.lettersBefore > (text[first] as Character).lettersBefore
}

/** How many names of a batch are remembered. */
const mostLately = 100

const letter = /\p{L}/u
const inWord = /[\p{L}\p{N}\p{M}]/u
const space = /\s/u

function readText(folded: string): ReadText {
  const beginnings = new Set<string>()
  let latin = 0
  let lettersBefore = 0
  let isAfterWord = false
  const characters = Array.from(folded, (text) => {
    // Most characters of most names are plain.
    const isPlainLetter = text >= 'a' && text <= 'z'
    const isInWord = isPlainLetter || inWord.test(text)
    const character = { text, isInWord, isSpace: !isInWord && space.test(text), lettersBefore }
    if (isPlainLetter || (isInWord && letter.test(text))) lettersBefore += 1
    if (!isAfterWord) beginnings.add(text)
    isAfterWord = isInWord
    latin |= latinBits(text)
    return character
  })
  return { characters, beginnings, latin }
}

/** Letters that are blank: what readers take for a space, though folding takes it for nothing. */
const fillers = /[\u115f\u1160\u3164\uffa0]/gu

const withoutFillers = (text: string): string => text.replace(fillers, ' ')

const prepared = (text: string): string => foldText(withoutFillers(text))

/** Runs of letters, digits and the marks that belong to them, folded. */
function wordsIn(text: string): string[] {
  return prepared(text).match(/[\p{L}\p{N}\p{M}]+/gu) ?? []
}
