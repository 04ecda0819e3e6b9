import type { Scope } from '../../../http/cache/response-cache.ts'
import type { Viewer } from '../../office/viewer/viewer.ts'
import { facetMask, type FacetMask } from '../item/facets.ts'
import { foldText, wordsOf } from '../item/name-text.ts'
import { countFacets, type FacetCounts } from './count-facets.server.ts'
import { facetsOf, type IndexQuery, type ListFilters, namedCategories, seesEarly } from './index-query.ts'
import { maySeeVip } from './is-listed.ts'
import type { ItemRange } from './listing-columns.ts'
import type { ListingIndex } from './listing-index.server.ts'
import { didYouMean, type Suggestion } from './names/did-you-mean.server.ts'
import { nearestNames } from './names/nearest-names.server.ts'
import type { FoundItems } from './names/found-items.server.ts'
import { type NumberSet, numberSetOf } from './names/item-set.ts'
import { pageByFit } from './names/rank-by-fit.server.ts'
import { itemsAround, type RequestedTerm, requestedTerms } from './requested-terms.ts'
import { AroundScope, type ListQuery, ListScope, type NearestQuery } from './response-scopes.ts'

export interface IndexResult {
  /** In the order of the listing. */
  itemNumbers: number[]
  /** How many match. */
  total: number
  /** Numbers of the nearest names, best first; only when a text was given and nothing matched. */
  nearest?: number[]
  /** Other texts that find something; with `nearest`, where there are any. */
  didYouMean?: Suggestion[]
  /** The changes that would make this result another one. Undefined: any change may. */
  scope: Scope | undefined
}

/** The numbers of the items next to another; undefined at an end of the list. */
export interface Around {
  older: number | undefined
  newer: number | undefined
  /** The changes that would make them others. */
  scope: Scope
}

type Found = Pick<IndexResult, 'itemNumbers' | 'total'>

interface Part {
  range: ItemRange
  mask: FacetMask
}

const maxNearest = 10
/** Up to here each is looked at; of more, a set of the filter is quicker, and then worth its making, which looks through the listing. */
const [fewLooks, fewMatches] = [2_000, 20_000]
/** Answers queries from the listing in memory. */
export class IndexSearch {
  readonly #listing: ListingIndex

  constructor(listing: ListingIndex) {
    this.#listing = listing
  }

  /**
   * The items that match and that this viewer may see now. VIPs find free items of early access as well; nobody keeps such a
   * result.
   * @throws {AppError} `database.unavailable`, 503, when the index may not be shown any more
   */
  search(query: IndexQuery, viewer: Viewer): IndexResult {
    const listing = this.#listing
    const words = wordsOf(query.text)
    const terms = requestedTerms(query, listing)
    const named = namedCategories(listing, query, words)
    const facets = facetsOf(query, viewer, named)
    const mask = facets && facetMask(facets)
    const isByFit = query.byFit === true && words.length > 0
    const list: ListQuery = {
      mask,
      from: query.from,
      to: query.to,
      words,
      isAnyChangeOne: isByFit || terms.length > 0 || query.isPageOfInstant === true,
      categories: named.flat(),
    }
    const { listed, early } = listing.ranges(viewer, query.from, query.to)
    const isEarly = seesEarly(query, viewer, words) && early.from < early.to
    const earlyFacets = isEarly ? facetsOf({ ...query, shelf: undefined, isVip: false }, viewer, named) : undefined
    const parts = [
      ...(mask === undefined ? [] : [{ range: listed, mask }]),
      ...(earlyFacets === undefined ? [] : [{ range: early, mask: facetMask(earlyFacets) }]),
    ]
    const found =
      words.length + terms.length === 0 && query.among === undefined
        ? this.#readParts(parts, query)
        : this.#findIn(parts, { words, terms }, query, isByFit)
    const result = this.#withNearest(query, viewer, list, found, () => this.#isSelected(parts, terms))
    return earlyFacets === undefined ? result : { ...result, scope: undefined }
  }

  /** The rows of a list, newest first, next to an item: the list may be another than the item's own. */
  around(itemNumber: number, filters: ListFilters, viewer: Viewer): Around {
    const listing = this.#listing
    const named = namedCategories(listing, filters, [])
    const facets = facetsOf(filters, viewer, named)
    const mask = facets && facetMask(facets)
    const { listed } = listing.ranges(viewer, -Infinity, Infinity)
    const none = { older: undefined, newer: undefined }
    const isListed = listing.item(itemNumber) !== undefined
    const { older, newer } = mask === undefined || !isListed ? none : listing.columns.around(itemNumber, listed, mask)
    const itemOf = (no: number | undefined) => (no === undefined ? undefined : listing.item(no))
    const scope = new AroundScope(
      listing,
      { mask, categories: named.flat() },
      { older: itemOf(older), newer: itemOf(newer) },
    )
    return { older, newer, scope }
  }

  /** A page of what has some words and terms in any of some parts of the listing. */
  #findIn(
    parts: readonly Part[],
    { words, terms }: { words: readonly string[]; terms: readonly RequestedTerm[] },
    { text, among, ...page }: IndexQuery,
    isByFit: boolean,
  ): Found {
    const { columns, names } = this.#listing
    const matches = words.length === 0 ? undefined : names.match(words, isByFit)
    const found = this.#selected(matches, parts, terms, among)
    const total = found.size
    if (!isByFit || matches === undefined) return { itemNumbers: columns.pageOf(found, page), total }
    const ranked = total > fewMatches && found === matches ? matches : matches.someRanked(found.numbers)
    const pageOf = (ofRank: NumberSet, rest: Pick<IndexQuery, 'skip' | 'limit'>) =>
      columns.pageOf(ofRank, { ...rest, ascending: false })
    return { itemNumbers: pageByFit(names, ranked, { text: foldText(text), words }, page, pageOf), total }
  }

  /** Those of some matches that lie in one of these parts and have all of these terms; without matches all that do. */
  #selected(
    matches: FoundItems | undefined,
    parts: readonly Part[],
    terms: readonly RequestedTerm[],
    among?: Int32Array,
  ): NumberSet {
    const listing = this.#listing
    const [{ range, mask } = { range: { from: -1, to: 0 }, mask: facetMask({}) }] = parts
    const isWhole = parts.length === 1 && range.from === 0 && terms.length === 0 && among === undefined
    const size = matches !== undefined && isWhole ? matches.size : 0
    if (matches !== undefined && size > (listing.columns.hasSet(mask) ? fewLooks : fewMatches)) {
      matches.keepOnly(listing.columns.setBefore(range.to, mask))
      return matches
    }
    const numbers =
      among === undefined
        ? (matches?.numbers ?? itemsAround(terms.at(-1) as RequestedTerm, listing))
        : among.filter((no) => matches?.has(no) ?? true)
    return numberSetOf(this.#select(numbers, parts, terms))
  }

  /** The same for a single item. */
  #isSelected(parts: readonly Part[], terms: readonly RequestedTerm[]): (no: number) => boolean {
    const listing = this.#listing
    const isIn = parts.map(({ range, mask }) => listing.columns.isIn(range, mask))
    const [only] = isIn
    if (only !== undefined && isIn.length === 1 && terms.length === 0) return only
    return (no) =>
      isIn.some((each) => each(no)) && terms.every(({ id }) => id !== undefined && listing.terms.has(no, id))
  }

  /** Those of some items that lie in one of these parts and have all of these terms. */
  #select(numbers: Int32Array, parts: readonly Part[], terms: readonly RequestedTerm[]): Int32Array {
    const listing = this.#listing
    const items = together(parts.map(({ range, mask }) => listing.columns.select(numbers, range, mask)))
    if (terms.length === 0) return items
    return items.filter((no) => terms.every(({ id }) => id !== undefined && listing.terms.has(no, id)))
  }

  /** A page of parts that follow each other in time, oldest first. */
  #readParts(parts: readonly Part[], { skip, limit, ascending }: IndexQuery): Found {
    const listing = this.#listing
    const itemNumbers: number[] = []
    let total = 0
    for (const { range, mask } of ascending ? parts : parts.toReversed()) {
      const rest = { skip: Math.max(0, skip - total), limit: limit - itemNumbers.length }
      itemNumbers.push(...listing.columns.page(range, mask, ascending, rest.skip, rest.limit))
      total += listing.columns.count(range, mask)
    }
    return { itemNumbers, total }
  }

  /**
   * How many match, by facets.
   * @param lists what each list asks for
   */
  countFacets(query: IndexQuery, viewer: Viewer, lists: readonly ListFilters[]): FacetCounts & { scope: Scope } {
    const listing = this.#listing
    const words = wordsOf(query.text)
    const counts = countFacets(listing, query, viewer, lists)
    // A filter leaves nothing out of every facet.
    const all = { mask: facetMask(maySeeVip(viewer) ? {} : { isVip: false }), from: -Infinity, to: Infinity }
    const categories = [query, ...lists].flatMap((each) => namedCategories(listing, each, words).flat())
    return { ...counts, scope: new ListScope(listing, { ...all, words, isAnyChangeOne: true, categories }, undefined) }
  }

  /** The nearest names are looked for in the same list, without the visitor's filters: one may be what hides the right one. */
  #withNearest(
    query: IndexQuery,
    viewer: Viewer,
    list: ListQuery,
    found: Found,
    isSelected: () => (no: number) => boolean,
  ): IndexResult {
    if (found.total > 0 || list.words.length === 0 || query.among !== undefined) return this.#scoped(list, found)
    const listing = this.#listing
    const { names } = listing
    const own = listOf(query)
    const facets = facetsOf(own, viewer, namedCategories(listing, own, list.words))
    if (facets === undefined) return { ...this.#scoped(list, found), nearest: [] }
    const mask = facetMask(facets)
    const { listed, early } = listing.ranges(viewer, -Infinity, Infinity)
    const parts = [{ range: listed, mask }]
    if (maySeeVip(viewer) && facets.isVip !== true)
      parts.push({ range: early, mask: facetMask({ ...facets, isVip: false }) })
    const isWanted = this.#isSelected(parts, [])
    const nearest = nearestNames(names, { text: query.text, limit: maxNearest, isWanted })
    const suggestions = didYouMean(names, query.text, isSelected())
    return {
      ...this.#scoped(list, found, { mask, parts: nearest.parts }),
      nearest: nearest.itemNumbers,
      ...(suggestions.length === 0 ? {} : { didYouMean: suggestions }),
    }
  }

  #scoped(list: ListQuery, found: Found, nearest?: NearestQuery): IndexResult {
    const listing = this.#listing
    const [first, last] = [found.itemNumbers[0], found.itemNumbers.at(-1)]
    if (first === undefined || last === undefined) {
      return { ...found, scope: new ListScope(listing, list, undefined, nearest) }
    }
    const ends = [listing.item(first), listing.item(last)] as const
    // An item that has left while names were read: the result is another one before it was given.
    const scope = ends[0] && ends[1] && new ListScope(listing, list, [ends[0], ends[1]], nearest)
    return { ...found, scope }
  }
}

/** The list that a query narrows: a shelf, or one of a type, a category or a tier. */
function listOf({ contentType, category = '', isVip, shelf }: IndexQuery): ListFilters {
  return {
    contentType,
    category: ['banned', 'unknown'].includes(foldText(category)) ? category : undefined,
    ...(shelf === 'vip-first' ? { isVip: true } : { isVip, shelf }),
  }
}

function together(parts: readonly Int32Array[]): Int32Array {
  const [only] = parts
  if (only !== undefined && parts.length === 1) return only
  const all = new Int32Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    all.set(part, at)
    at += part.length
  }
  return all
}
