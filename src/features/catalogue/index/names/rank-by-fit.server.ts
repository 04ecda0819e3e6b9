import { articles } from '../../item/name-text.ts'
import type { RankedItems } from './found-items.server.ts'
import { type NumberSet, numberSetOf } from './item-set.ts'
import type { NameIndex } from './name-index.server.ts'
import { beginning, inside, whole } from './vocabulary.server.ts'

/** Titles that have so many words more than the query rank alike. */
const mostUnsaid = 63
/** A title equals a query also without its article. */
const article = new RegExp(`^(?:${articles.join('|')}) |^l'`)

/** A part of items of one rank, newest first. */
type PageOf = (items: NumberSet, page: { skip: number; limit: number }) => number[]

/** From the best on, with the titles before the rest. */
const classes = [whole, beginning, inside].flatMap((fit) => [true, false].map((isInTitle) => ({ fit, isInTitle })))

/**
 * One page of the items that were found, by how well they answer the words of a query (docs/spec/search.md#fit). Equal ones follow
 * in the order of the listing.
 * @param text the folded query
 */
export function pageByFit(
  names: NameIndex,
  found: RankedItems,
  { text, words }: { text: string; words: readonly string[] },
  { skip, limit }: { skip: number; limit: number },
  pageOf: PageOf,
): number[] {
  const page: number[] = []
  let before = skip
  /** Adds what stands on the page of items of one rank. */
  const add = (count: number, itemsOf: () => Int32Array): void => {
    if (page.length < limit && before < count)
      page.push(...pageOf(numberSetOf(itemsOf()), { skip: before, limit: limit - page.length }))
    before = Math.max(0, before - count)
  }
  for (const each of classes) {
    if (page.length >= limit) break
    const items = found.ofClass(each)
    if (before >= items.length) {
      before -= items.length
      continue
    }
    const said = each.isInTitle ? words.length : 0
    const mayBeTitles = each.isInTitle && each.fit === whole
    for (const some of mayBeTitles ? titlesFirst(items, names, text) : [items]) addByUnsaid(names, some, said, add)
  }
  return page
}

/** Those whose title is the text itself, and the others. A title is read only where it may be: of a common word that would be thousands. */
function titlesFirst(items: Int32Array, names: NameIndex, text: string): [titles: Int32Array, others: Int32Array] {
  const textLength = text.split(' ').length
  const titles: number[] = []
  const others = new Int32Array(items.length)
  for (let i = 0; i < items.length; i += 1) {
    const no = items[i] as number
    const further = names.titleLength(no) - textLength
    const mayBe = further <= 0 || (further === 1 && names.beginsWithArticle(no))
    if (mayBe && isTitleItself(names.titleOf(no), text)) titles.push(no)
    else others[i - titles.length] = no
  }
  return [Int32Array.from(titles), others.subarray(0, items.length - titles.length)]
}

/** Whether a folded title equals a text, each with its article or without. */
export function isTitleItself(title: string, text: string): boolean {
  return title === text || title.replace(article, '') === text.replace(article, '')
}

/** Adds items by how many words their titles have that the query does not say, the fewest first. */
function addByUnsaid(
  names: NameIndex,
  items: Int32Array,
  said: number,
  add: (count: number, itemsOf: () => Int32Array) => void,
): void {
  const unsaid = new Uint8Array(items.length)
  const counts = new Uint32Array(mostUnsaid + 1)
  for (let i = 0; i < items.length; i += 1) {
    const each = Math.min(mostUnsaid, Math.max(0, names.titleLength(items[i] as number) - said))
    unsaid[i] = each
    counts[each] = (counts[each] as number) + 1
  }
  for (const [each, count] of counts.entries())
    add(count, () => {
      const some = new Int32Array(count)
      for (let i = 0, at = 0; at < count; i += 1) if (unsaid[i] === each) some[at++] = items[i] as number
      return some
    })
}
