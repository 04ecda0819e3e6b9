import { foldText } from '../item/name-text.ts'
import { lookingLike } from './look-alikes.ts'

/**
 * The words that no name and no category may hold (docs/spec/publishing.md#prohibited-terms). A term is one word or
 * several; it is found only as whole words, whatever punctuation stands around them: "leaks" is not in "Bleaksley".
 *
 * It is found in disguise too: with look-alikes for its letters, run together, with punctuation inside, or with every letter
 * apart. Pieces between spaces are no disguise ("lea ked"): any two words might make a third one.
 */
export class ProhibitedTerms {
  readonly #terms: string[]
  /** Each term is a group of it, in their order; undefined without terms. */
  readonly #pattern: RegExp | undefined

  constructor(terms: Iterable<string>) {
    const words = [...terms].map(wordsIn).filter((term) => term.length > 0)
    this.#terms = words.map((term) => term.join(' '))
    const patterns = words.map((term) => `(${patternOf(term)})`)
    this.#pattern =
      patterns.length === 0 ? undefined : new RegExp(`(?<!${inWord})(?:${patterns.join('|')})(?!${inWord})`, 'u')
  }

  /** The first prohibited term in a text; undefined when there is none. */
  find(text: string): string | undefined {
    const found = this.#pattern?.exec(prepared(text))
    if (found === null || found === undefined) return undefined
    return this.#terms[found.slice(1).findIndex((group) => group !== undefined)]
  }
}

const inWord = String.raw`[\p{L}\p{N}\p{M}]`
const apart = String.raw`[^\p{L}\p{N}\p{M}]`
/** Punctuation: what stands apart, and is no space. */
const inside = String.raw`[^\p{L}\p{N}\p{M}\s]`
/** Of a shorter term, innocent names hold the letters between punctuation: "Books X-XX". */
const shortestWithPunctuation = 4

function patternOf(words: string[]): string {
  const letters = words.map((word) => Array.from(word, lookingLike))
  const all = letters.flat()
  const within = all.length < shortestWithPunctuation ? '' : `${inside}*`
  const together = letters.map((word) => word.join(within)).join(`${apart}*`)
  const eachApart = all.join(`${apart}+`)
  return `${together}|${eachApart}`
}

/** Letters that are blank: what readers take for a space, though folding takes it for nothing. */
const fillers = /[\u115f\u1160\u3164\uffa0]/gu

function prepared(text: string): string {
  return foldText(text.replace(fillers, ' '))
}

/** Runs of letters, digits and the marks that belong to them, folded. */
function wordsIn(text: string): string[] {
  return prepared(text).match(/[\p{L}\p{N}\p{M}]+/gu) ?? []
}
