import { foldText } from '../item/name-text.ts'

/**
 * The words that no name and no category may hold (docs/spec/publishing.md#prohibited-terms). A term is one word or
 * several; it is found only as whole words, whatever punctuation stands around them: "leaks" is not in "Bleaksley".
 */
export class ProhibitedTerms {
  readonly #byFirstWord = new Map<string, string[][]>()

  constructor(terms: Iterable<string>) {
    for (const term of terms) {
      const words = wordsIn(term)
      const [first] = words
      if (first === undefined) continue
      this.#byFirstWord.set(first, [...(this.#byFirstWord.get(first) ?? []), words])
    }
  }

  /** The first prohibited term in a text; undefined when there is none. */
  find(text: string): string | undefined {
    const words = wordsIn(text)
    for (const [at, word] of words.entries()) {
      const found = this.#byFirstWord.get(word)?.find((term) => term.every((part, i) => words[at + i] === part))
      if (found !== undefined) return found.join(' ')
    }
    return undefined
  }
}

/** Letters that are blank: what readers take for a space, though folding takes it for nothing. */
const fillers = /[\u115f\u1160\u3164\uffa0]/gu

/** Runs of letters, digits and the marks that belong to them, folded. */
function wordsIn(text: string): string[] {
  return foldText(text.replace(fillers, ' ')).match(/[\p{L}\p{N}\p{M}]+/gu) ?? []
}
