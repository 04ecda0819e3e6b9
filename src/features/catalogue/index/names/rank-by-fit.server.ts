import { articles } from '../../item/name-text.ts'
import { ItemSet } from './item-set.ts'
import { beginning, whole } from './vocabulary.server.ts'
import type { NameIndex, NameMatches } from './name-index.server.ts'

/** Titles that have so many words more than the query rank alike. */
const mostUnsaid = 63
/** Ranks lie below this. */
const rankCount = whole * 4 * (mostUnsaid + 1)
/** A title equals a query also without its article. */
const article = new RegExp(`^(?:${articles.join('|')}) |^l'`)

interface Ranking {
  /** The lower, the better. Equal ones follow in the order of the listing. */
  rankOf(no: number): number
  /** How well the least fitting word answers, which decides first. */
  fitOf(no: number): number
}

/**
 * How well items answer the words of a query (docs/spec/search.md#fit).
 * @param text the folded query
 */
export function rankByFit(
  names: NameIndex,
  matches: NameMatches,
  { text, words }: { text: string; words: readonly string[] },
): Ranking {
  const textLength = text.split(' ').length
  // A title is read only where it may be the text: of a common word that would be thousands.
  const mayBeTitle = (no: number): boolean => {
    const further = names.titleLength(no) - textLength
    return further <= 0 || (further === 1 && names.beginsWithArticle(no))
  }
  const rankOf = (no: number): number => {
    const isOfTitles = matches.isOfTitles(no)
    const fit = matches.fitOf(no)
    const unsaid = Math.min(mostUnsaid, Math.max(0, names.titleLength(no) - (isOfTitles ? words.length : 0)))
    const isTitle = isOfTitles && fit === whole && mayBeTitle(no) && isTitleItself(names.titleOf(no), text)
    return ((((whole - fit) * 2 + (isTitle ? 0 : 1)) * 2 + (isOfTitles ? 0 : 1)) << 6) | unsaid
  }
  return { rankOf, fitOf: (no) => matches.fitOf(no) }
}

/** Whether a folded title equals a text, each with its article or without. */
export function isTitleItself(title: string, text: string): boolean {
  return title === text || title.replace(article, '') === text.replace(article, '')
}

/**
 * One page of some items by their ranks.
 * @param pageOf a part of items of one rank, newest first
 */
export function pageByRank(
  items: Int32Array,
  { rankOf, fitOf }: Ranking,
  { skip, limit }: { skip: number; limit: number },
  pageOf: (items: Int32Array, isAmong: (no: number) => boolean, page: { skip: number; limit: number }) => number[],
): number[] {
  const counts = new Uint32Array(rankCount)
  const ranked = best(items, fitOf, skip + limit)
  const ranks = new Uint16Array(ranked.length)
  for (let i = 0; i < ranked.length; i += 1) {
    const rank = rankOf(ranked[i] as number)
    ranks[i] = rank
    counts[rank] = (counts[rank] as number) + 1
  }
  const page: number[] = []
  let before = skip
  for (let rank = 0; rank < rankCount && page.length < limit; rank += 1) {
    const count = counts[rank] as number
    if (before >= count) {
      before -= count
      continue
    }
    const ofRank = ranked.filter((_, i) => ranks[i] === rank)
    page.push(...pageOf(ofRank, isOneOf(ofRank), { skip: before, limit: limit - page.length }))
    before = 0
  }
  return page
}

/** Those that answer best, at least so many: all others rank behind them. */
function best(items: Int32Array, fitOf: Ranking['fitOf'], wanted: number): Int32Array {
  const better = new Int32Array(items.length)
  for (const fit of [whole, beginning]) {
    let count = 0
    // A loop: a callback for each of very many takes several times as long.
    for (let i = 0; i < items.length; i += 1) {
      const no = items[i] as number
      if (fitOf(no) >= fit) better[count++] = no
    }
    if (count >= wanted) return better.subarray(0, count)
  }
  return items
}

/** Whether a number is one of some, made ready at the first question. */
export function isOneOf(items: Int32Array): (no: number) => boolean {
  let set: ItemSet | undefined
  return (no) => {
    if (set === undefined) {
      let highest = 0
      for (let i = 0; i < items.length; i += 1) highest = Math.max(highest, items[i] as number)
      set = new ItemSet(highest + 1)
      set.addAll(items, 0, items.length)
    }
    return set.has(no)
  }
}
