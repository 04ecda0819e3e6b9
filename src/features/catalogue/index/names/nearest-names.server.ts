import { likenessTo } from '../../item/likeness.ts'
import { foldText, partsOfText } from '../../item/name-text.ts'
import type { NameIndex } from './name-index.server.ts'

/** How many parts of a text, the rarest, are looked for in names. */
const maxParts = 12
/** How many names with one of these parts are read. */
const maxCandidates = 2_000
/** How many candidates are compared letter by letter. */
const maxCompared = 150
const leastLikeness = 0.25

/**
 * The items whose names are most like a text, at most `limit`, best first (docs/spec/search.md#answer). Candidates share one of
 * the text's rarest parts.
 * @param isWanted whether an item may be among them
 * @returns the items, and the parts: a name without any of them is not among them
 */
export function nearestNames(
  names: NameIndex,
  { text, limit, isWanted }: { text: string; limit: number; isWanted: (no: number) => boolean },
): { itemNumbers: number[]; parts: string[] } {
  const folded = foldText(text)
  const parts = partsOfText(folded)
  const likenessOf = likenessTo(folded)
  const itemNumbers = names
    .sharing(parts, { maxParts, max: maxCandidates, isWanted })
    .sort((a, b) => b.count - a.count || b.no - a.no)
    // Likeness costs many times what the number of shared parts does.
    .slice(0, maxCompared)
    .map(({ no }) => ({ no, likeness: likenessOf(names.titleOf(no)) }))
    .filter(({ likeness }) => likeness >= leastLikeness)
    .sort((a, b) => b.likeness - a.likeness || b.no - a.no)
    .slice(0, limit)
    .map(({ no }) => no)
  return { itemNumbers, parts }
}
