import type { Viewer } from '../../office/viewer/viewer.ts'
import { categoryIdIn, facetMask, type FacetMask, matchesFacets, withoutMonth } from '../item/facets.ts'
import { wordsOf } from '../item/name-text.ts'
import { countedKinds, termKinds } from '../item/terms.ts'
import { facetsOf, type IndexQuery, type ListFilters, namedCategories, seesEarly } from './index-query.ts'
import { maySeeVip } from './is-listed.ts'
import type { ItemRange } from './listing-columns.ts'
import type { ListingIndex } from './listing-index.server.ts'
import type { Months } from './months.ts'
import type { ItemTerms } from './terms/item-terms.server.ts'

/** How many match, by facets: each without the query's own filter of that facet, and nothing with 0. */
export interface FacetCounts {
  /** With every filter. */
  total: number
  /** By name. */
  categories: Map<string, number>
  /** By `countedKinds` and value. */
  terms: Map<string, number>[]
  /** By the month of the post date, `YYYY-MM`, newest first. */
  months: Map<string, number>
  /** Those that each of some lists holds. */
  lists: number[]
}

/** The bits of the filters that facets leave out for themselves. Those of `countedKinds` come first. */
const [ofCategory, ofTime, ofList] = [1 << countedKinds.length, 2 << countedKinds.length, 4 << countedKinds.length]
const everything = facetMask({})
const nothing: FacetMask = { mask: 0, value: 1, otherValue: 1 }

/** A part of the listing. */
interface Part {
  range: ItemRange
  /** The viewer sees these alone. */
  seen: FacetMask
  /** The list that is asked for, as far as it lies in this part. */
  list: FacetMask
  /** Whether these are the items of early access. */
  isEarly: boolean
}

/**
 * Counts in one pass through what a viewer may see now (docs/spec/search.md#facets): an item that one filter alone keeps out
 * counts in the facet of that filter.
 * @param lists what each list asks for
 * @throws {AppError} `database.unavailable`, 503, when the index may not be shown any more
 */
export function countFacets(
  listing: ListingIndex,
  query: IndexQuery,
  viewer: Viewer,
  { lists, months }: { lists: readonly ListFilters[]; months: Months },
): FacetCounts {
  const words = wordsOf(query.text)
  const matches = words.length === 0 ? undefined : listing.names.match(words).numbers
  const failedTerms = termFilters(query, listing.terms)
  const category = maskOf(listing, { category: query.category }, viewer, words)
  const month = facetMask(query.month === undefined ? {} : { month: query.month })
  const tally = new Tally(listing.terms, months)
  for (const { range, seen, list, isEarly } of partsOf(listing, query, viewer, words)) {
    const visit = (no: number, postedAt: number, facets: number): void => {
      if (!matchesFacets(facets, seen)) return
      let failed = failedTerms(no)
      if (failed < 0) return
      if (!matchesFacets(facets, category)) failed |= ofCategory
      if (postedAt < query.from || postedAt >= query.to || !matchesFacets(facets, month)) failed |= ofTime
      if (!matchesFacets(facets, list)) failed |= ofList
      tally.add(no, postedAt, isEarly ? undefined : facets, facets, failed)
    }
    if (matches === undefined) listing.forEach(range, visit)
    else listing.forEachOf(listing.select(matches, range, everything), visit)
  }
  const ofLists = lists.map((each) =>
    each.shelf === 'vip-first' ? tally.early : tally.countOfList(maskOf(listing, each, viewer, [])),
  )
  return { ...tally.counts(listing), lists: ofLists }
}

function partsOf(listing: ListingIndex, query: IndexQuery, viewer: Viewer, words: readonly string[]): Part[] {
  const { contentType, region, isVip, shelf } = query
  const { listed, early } = listing.ranges(viewer, -Infinity, Infinity)
  const free = facetMask({ isVip: false })
  const list = maskOf(listing, { contentType, region, isVip, shelf }, viewer, words)
  const parts: Part[] = [{ range: listed, seen: maySeeVip(viewer) ? everything : free, list, isEarly: false }]
  if (!maySeeVip(viewer) || early.from === early.to) return parts
  const isAsked = seesEarly(query, viewer, words)
  const earlyList = isAsked ? maskOf(listing, { contentType, region, isVip: false }, viewer, words) : nothing
  return [...parts, { range: early, seen: free, list: earlyList, isEarly: true }]
}

function maskOf(listing: ListingIndex, filters: ListFilters, viewer: Viewer, words: readonly string[]): FacetMask {
  const facets = facetsOf(filters, viewer, namedCategories(listing, filters, words))
  return facets === undefined ? nothing : facetMask(facets)
}

/** The bits of the filters of terms that an item fails; below 0 where it fails one without a facet. */
function termFilters({ terms: asked = {} }: IndexQuery, terms: ItemTerms): (no: number) => number {
  const filters = termKinds.flatMap((name, kind) => {
    const value = asked[name]
    return value === undefined
      ? []
      : [{ id: terms.find(kind, value), bit: kind < countedKinds.length ? 1 << kind : -1 }]
  })
  return (no) => {
    let failed = 0
    for (const { id, bit } of filters) if (id === undefined || !terms.has(no, id)) failed |= bit
    return failed
  }
}

/** The counts so far. */
class Tally {
  readonly #terms: ItemTerms
  readonly #months: Months
  #total = 0
  /** Those of early access, of whatever list. */
  early = 0
  readonly #byCategory = new Map<number, number>()
  readonly #byTerm: Uint32Array
  readonly #byMonth: Uint32Array
  /** By facets, without the month. */
  readonly #byList = new Map<number, number>()

  constructor(terms: ItemTerms, months: Months) {
    this.#terms = terms
    this.#months = months
    this.#byTerm = new Uint32Array(terms.size)
    this.#byMonth = new Uint32Array(months.length)
  }

  /**
   * @param listFacets the facets by which it is on lists; undefined for one of early access
   * @param failed the filters that keep it out
   */
  add(no: number, postedAt: number, listFacets: number | undefined, facets: number, failed: number): void {
    // Two filters keep it out.
    if ((failed & (failed - 1)) !== 0) return
    if (failed === 0) this.#total += 1
    if ((failed & ~ofCategory) === 0) countOne(this.#byCategory, categoryIdIn(facets))
    if ((failed & ~ofTime) === 0) {
      const month = this.#months.indexOf(postedAt)
      this.#byMonth[month] = (this.#byMonth[month] as number) + 1
    }
    if ((failed & ~ofList) === 0) {
      if (listFacets === undefined) this.early += 1
      else countOne(this.#byList, withoutMonth(listFacets))
    }
    this.#terms.forCounted(no, (id, kind) => {
      if ((failed & ~(1 << kind)) === 0) this.#byTerm[id] = (this.#byTerm[id] as number) + 1
    })
  }

  countOfList(list: FacetMask): number {
    let count = 0
    for (const [facets, each] of this.#byList) if (matchesFacets(facets, list)) count += each
    return count
  }

  counts(listing: Pick<ListingIndex, 'categoryName'>): Omit<FacetCounts, 'lists'> {
    const terms = countedKinds.map(() => new Map<string, number>())
    for (const [id, count] of this.#byTerm.entries())
      if (count > 0) terms[this.#terms.kindOf(id)]?.set(this.#terms.valueOf(id), count)
    const categories = [...this.#byCategory].map(([id, count]) => [listing.categoryName(id), count] as const)
    const months = Array.from(this.#byMonth, (count, month) => [this.#months.name(month), count] as const)
    return {
      total: this.#total,
      categories: new Map(categories),
      terms,
      months: new Map(months.filter(([, count]) => count > 0).toReversed()),
    }
  }
}

function countOne(counts: Map<number, number>, key: number): void {
  counts.set(key, (counts.get(key) ?? 0) + 1)
}
