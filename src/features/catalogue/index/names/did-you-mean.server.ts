import { likenessTo } from '../../item/likeness.ts'
import { evenly, partsOfText, wordsOf } from '../../item/name-text.ts'
import type { NameIndex } from './name-index.server.ts'

/** Another text, and how many items it finds under the same filters. */
export interface Suggestion {
  text: string
  count: number
}

const maxSuggestions = 3
const maxCombinations = 27
/** How many parts of a misspelt word are looked up, with how many words it is compared, and how many of these are looked for. */
const [maxParts, maxCompared, maxOffered] = [12, 200, 12]
const leastLikeness = 0.4
/** A longer text is no slip of the hand in some words. */
const maxWords = 6

/**
 * Texts in place of one that nothing matches: words that are in no item, or not in one with the others, give way to similar ones
 * (docs/spec/search.md#answer).
 * @param isWanted whether an item may be found under the filters of the query: a word that stands in others alone is none, so
 *   that nothing tells of what is hidden
 */
export function didYouMean(names: NameIndex, text: string, isWanted: (no: number) => boolean): Suggestion[] {
  const countOf = (chosen: readonly string[]): number => names.count(chosen, isWanted)
  const requested = wordsOf(text)
  if (requested.length > maxWords) return []
  const isFound = (spelling: string): boolean => names.count([spelling], isWanted, 1) > 0
  const similar = new Map<string, string[]>()
  const like = (word: string): string[] => {
    const known = similar.get(word) ?? spellingsLike(names, word, isFound)
    similar.set(word, known)
    return known
  }
  const own = new Set(requested.filter(isFound))
  const missing = own.size === requested.length ? [] : requested.map((word) => (own.has(word) ? [word] : like(word)))
  const found = missing.length === 0 ? [] : countEach(missing, countOf)
  // Words that are there, but not together.
  return found.length > 0 || own.size === 0
    ? found
    : countEach(
        requested.map((word) => [...new Set([...(own.has(word) ? [word] : []), ...like(word)])]),
        countOf,
      )
}

/** The spellings of words that are most like a word, best first; those alone that may be offered. */
function spellingsLike(names: NameIndex, word: string, isOffered: (spelling: string) => boolean): string[] {
  const parts = evenly(partsOfText(word), maxParts)
  // Words of another length are not compared: many a longer one has as many of the parts.
  const length = [word.length - 2, word.length + 2] as const
  const isAlike = (spelling: string): boolean => Math.abs(spelling.length - word.length) <= 2 && isPlain(spelling)
  const likenessOf = likenessTo(word)
  const alike = Array.from(names.spellingsSharing(parts, { length, isAlike }, maxCompared), (spelling) => ({
    spelling,
    likeness: likenessOf(spelling),
  }))
    .filter(({ likeness }) => likeness >= leastLikeness)
    .sort((a, b) => b.likeness - a.likeness || (a.spelling < b.spelling ? -1 : 1))
    .slice(0, maxOffered)
  const offered: string[] = []
  for (const { spelling } of alike) if (offered.length < maxSuggestions && isOffered(spelling)) offered.push(spelling)
  return offered
}

function countEach(
  choices: readonly (readonly string[])[],
  countOf: (words: readonly string[]) => number,
): Suggestion[] {
  const suggestions: Suggestion[] = []
  for (const chosen of combinationsOf(choices)) {
    const count = countOf(chosen)
    if (count > 0) suggestions.push({ text: chosen.join(' '), count })
    if (suggestions.length === maxSuggestions) break
  }
  return suggestions
}

/** One choice for each word, the best ones first: at most as many as `maxCombinations`. */
function combinationsOf(choices: readonly (readonly string[])[]): string[][] {
  let combinations: { words: string[]; place: number }[] = [{ words: [], place: 0 }]
  for (const choice of choices)
    combinations = combinations
      .flatMap(({ words, place }) => choice.map((word, i) => ({ words: [...words, word], place: place + i })))
      .sort((a, b) => a.place - b.place)
      .slice(0, maxCombinations)
  return combinations.map(({ words }) => words)
}

/** Without punctuation: such a spelling is there of every word. */
function isPlain(spelling: string): boolean {
  return /^[\p{L}\p{M}\p{N}]+$/u.test(spelling)
}
