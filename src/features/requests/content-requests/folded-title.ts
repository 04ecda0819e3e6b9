import { denseScript, foldText } from '../../catalogue/item/name-text.ts'

/** A title as it is stored: on one line, without spaces around it. */
export function tidyTitle(title: string): string {
  return title.replace(/[\s\p{Cc}]+/gu, ' ').trim()
}

/**
 * The key by which two titles are the same: without case, accents and punctuation. A title of signs alone keeps them;
 * one of invisible characters is empty.
 */
export function foldTitle(title: string): string {
  const folded = foldText(title)
  const plain = folded.replace(/[^\p{L}\p{M}\p{N}]+/gu, ' ').trim()
  return plain === '' ? folded : plain
}

/**
 * Every run of three characters of a title's words and, in scripts whose words are short, also of two, as hashes. Stored beside
 * the title under a GIN index, for the search of similar ones.
 */
export function trigramsOfTitle(folded: string): number[] {
  const trigrams = new Set(folded.split(' ').flatMap((word) => runsOf(word, true)))
  return [...trigrams].sort((a, b) => a - b)
}

/** The trigrams that every title with this part certainly has (`partsOfText`). */
export function trigramsOfPart(part: string): number[] {
  return runsOf(part, [...part].length < 3)
}

function runsOf(word: string, withPairs: boolean): number[] {
  const characters = [...word]
  return characters.flatMap((a, i) => {
    const [b, c] = [characters[i + 1], characters[i + 2]]
    const isPair = withPairs && b !== undefined && denseScript.test(a) && denseScript.test(b)
    return [...(c === undefined ? [] : [hash(`${a}${b}${c}`)]), ...(isPair ? [hash(a + b)] : [])]
  })
}

/** FNV-1a over UTF-16 units, as a signed 32-bit integer. A collision costs one comparison of titles, never a wrong answer. */
function hash(run: string): number {
  let value = 0x811c9dc5
  for (let i = 0; i < run.length; i += 1) {
    value = Math.imul(value ^ run.charCodeAt(i), 0x01000193)
  }
  return value | 0
}
