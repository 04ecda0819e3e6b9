import { articles } from '../../item/name-text.ts'
import { whole } from './vocabulary.server.ts'
import type { NameIndex, NameMatches } from './name-index.server.ts'

/** Titles that have so many words more than the query rank alike. */
const mostUnsaid = 63
/** Ranks lie below this. */
const rankCount = whole * 4 * (mostUnsaid + 1)
/** A title equals a query also without its article. */
const article = new RegExp(`^(?:${articles.join('|')}) |^l'`)

/**
 * How well an item answers the words of a query, as a number: the lower, the better (docs/spec/search.md#fit). Equal ones
 * follow in the order of the listing.
 * @param text the folded query
 */
export function rankByFit(
  names: NameIndex,
  matches: NameMatches,
  { text, words }: { text: string; words: readonly string[] },
): (no: number) => number {
  const textLength = text.split(' ').length
  // A title is read only where it may be the text: of a common word that would be thousands.
  const mayBeTitle = (no: number): boolean => {
    const further = names.titleLength(no) - textLength
    return further <= 0 || (further === 1 && names.beginsWithArticle(no))
  }
  return (no) => {
    const isOfTitles = matches.isOfTitles(no)
    const fit = matches.fitOf(no)
    const unsaid = Math.min(mostUnsaid, Math.max(0, names.titleLength(no) - (isOfTitles ? words.length : 0)))
    const isTitle = isOfTitles && fit === whole && mayBeTitle(no) && isTitleItself(names.titleOf(no), text)
    return ((((whole - fit) * 2 + (isTitle ? 0 : 1)) * 2 + (isOfTitles ? 0 : 1)) << 6) | unsaid
  }
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
  rankOf: (no: number) => number,
  { skip, limit }: { skip: number; limit: number },
  pageOf: (items: Int32Array, isAmong: (no: number) => boolean, page: { skip: number; limit: number }) => number[],
): number[] {
  const counts = new Uint32Array(rankCount)
  const ranks = new Uint16Array(items.length)
  for (let i = 0; i < items.length; i += 1) {
    const rank = rankOf(items[i] as number)
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
    const ofRank = items.filter((_, i) => ranks[i] === rank)
    page.push(...pageOf(ofRank, isOneOf(ofRank), { skip: before, limit: limit - page.length }))
    before = 0
  }
  return page
}

/** Whether a number is one of some, made ready at the first question. */
export function isOneOf(items: Int32Array): (no: number) => boolean {
  let marks: Uint8Array | undefined
  return (no) => {
    if (marks === undefined) {
      marks = new Uint8Array(items.reduce((highest, each) => Math.max(highest, each), 0) + 1)
      for (const each of items) marks[each] = 1
    }
    return marks[no] === 1
  }
}
