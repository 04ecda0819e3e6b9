import type { Viewer } from '../../office/viewer/viewer.ts'
import { categoryIdIn, facetMask, type FacetMask, matchesFacets } from '../item/facets.ts'
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
  const { terms } = listing
  const words = wordsOf(query.text)
  const names = termsOf(query, terms).filter(({ kind }) => kind >= countedKinds.length)
  const candidates = words.length > 0 ? listing.names.match(words).numbers : itemsWith(names[0], terms)
  const failedSets = failedBySet(query, terms)
  const category = maskOf(listing, { category: query.category }, viewer, words)
  const month = facetMask(query.month === undefined ? {} : { month: query.month })
  const masks = lists.map((each) => (each.shelf === 'vip-first' ? undefined : maskOf(listing, each, viewer, [])))
  const tally = new Tally(terms, months, masks)
  for (const { range, seen, list, isEarly } of partsOf(listing, query, viewer, words)) {
    const visit = (no: number, postedAt: number, facets: number): void => {
      if (!matchesFacets(facets, seen)) return
      const set = terms.setOf(no)
      let failed = failedSets[set] as number
      if (!matchesFacets(facets, category)) failed |= ofCategory
      if (postedAt < query.from || postedAt >= query.to || !matchesFacets(facets, month)) failed |= ofTime
      if (!matchesFacets(facets, list)) failed |= ofList
      // An item that two filters keep out counts in no facet.
      if ((failed & (failed - 1)) === 0) tally.add(set, postedAt, facets, failed, isEarly)
    }
    if (candidates === undefined) listing.forEach(range, visit)
    else {
      const within = listing.select(candidates, range, everything)
      listing.forEachOf(
        within.filter((no) => names.every(({ id }) => id !== undefined && terms.has(no, id))),
        visit,
      )
    }
  }
  return tally.counts(listing)
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

function termsOf({ terms: asked = {} }: IndexQuery, terms: ItemTerms): { kind: number; id: number | undefined }[] {
  return termKinds.flatMap((name, kind) => {
    const value = asked[name]
    return value === undefined ? [] : [{ kind, id: terms.find(kind, value) }]
  })
}

function itemsWith(term: { id: number | undefined } | undefined, terms: ItemTerms): Int32Array | undefined {
  if (term === undefined) return undefined
  return term.id === undefined ? new Int32Array() : terms.numbersWith(term.id)
}

/** By set of counted terms: the bits of the filters that it fails. */
function failedBySet(query: IndexQuery, terms: ItemTerms): Uint8Array {
  const filters = termsOf(query, terms).filter(({ kind }) => kind < countedKinds.length)
  return Uint8Array.from(terms.sets, (set) =>
    filters.reduce((failed, { kind, id }) => (id !== undefined && set.includes(id) ? failed : failed | (1 << kind)), 0),
  )
}

const categoryCount = 1 << 16
/** Type, region and tier, of an item's facets. */
const kindsOfItems = 1 << 6

/** The counts so far. */
class Tally {
  readonly #terms: ItemTerms
  readonly #months: Months
  /** Undefined for the list of early access. */
  readonly #lists: readonly (FacetMask | undefined)[]
  #total = 0
  #early = 0
  readonly #byCategory = new Uint32Array(categoryCount)
  readonly #byMonth: Uint32Array
  /** By set of counted terms: those that no filter keeps out, and of each kind those that its own filter alone does. */
  readonly #bySet: Uint32Array
  readonly #byKindAndSet: Uint32Array[]
  /** By type, region and tier, and by those categories that lists go by; 0 for any other. */
  readonly #byList: Uint32Array
  readonly #listCategories: number[]
  readonly #placeOfCategory = new Uint8Array(categoryCount)

  constructor(terms: ItemTerms, months: Months, lists: readonly (FacetMask | undefined)[]) {
    this.#terms = terms
    this.#months = months
    this.#lists = lists
    this.#byMonth = new Uint32Array(months.length)
    this.#bySet = new Uint32Array(terms.sets.length)
    this.#byKindAndSet = countedKinds.map(() => new Uint32Array(terms.sets.length))
    const ids = lists.flatMap((list) => (list === undefined ? [] : [list.value, list.otherValue])).map(categoryIdIn)
    // No category has this id.
    this.#listCategories = [categoryCount - 1, ...new Set(ids)]
    for (const [place, id] of this.#listCategories.entries()) this.#placeOfCategory[id] = place
    this.#placeOfCategory[categoryCount - 1] = 0
    this.#byList = new Uint32Array(kindsOfItems * this.#listCategories.length)
  }

  /**
   * @param set of its counted terms
   * @param failed the filter that keeps it out; 0 for none
   */
  add(set: number, postedAt: number, facets: number, failed: number, isEarly: boolean): void {
    const category = categoryIdIn(facets)
    if (failed === 0) {
      this.#total += 1
      this.#bySet[set] = (this.#bySet[set] as number) + 1
    }
    if (failed === 0 || failed === ofCategory) this.#byCategory[category] = (this.#byCategory[category] as number) + 1
    if (failed === 0 || failed === ofTime) {
      const month = this.#months.indexOf(postedAt)
      this.#byMonth[month] = (this.#byMonth[month] as number) + 1
    }
    if (failed === 0 || failed === ofList) {
      if (isEarly) this.#early += 1
      else {
        const kind = (this.#placeOfCategory[category] as number) * kindsOfItems + (facets & (kindsOfItems - 1))
        this.#byList[kind] = (this.#byList[kind] as number) + 1
      }
    }
    if (failed !== 0 && failed < ofCategory) {
      const ofKind = this.#byKindAndSet[31 - Math.clz32(failed)] as Uint32Array
      ofKind[set] = (ofKind[set] as number) + 1
    }
  }

  counts(listing: Pick<ListingIndex, 'categoryName'>): FacetCounts {
    const categories = new Map<string, number>()
    for (let id = 0; id < categoryCount; id += 1) {
      const count = this.#byCategory[id] as number
      if (count > 0) categories.set(listing.categoryName(id), count)
    }
    const months = Array.from(this.#byMonth, (count, month) => [this.#months.name(month), count] as const)
    return {
      total: this.#total,
      categories,
      terms: this.#countsOfTerms(),
      months: new Map(months.filter(([, count]) => count > 0).toReversed()),
      lists: this.#lists.map((list) => (list === undefined ? this.#early : this.#countOfList(list))),
    }
  }

  #countsOfTerms(): Map<string, number>[] {
    const terms = countedKinds.map(() => new Map<string, number>())
    for (const [number, set] of this.#terms.sets.entries())
      for (const id of set) {
        const kind = this.#terms.kindOf(id)
        const count = (this.#bySet[number] as number) + (this.#byKindAndSet[kind]?.[number] as number)
        const ofKind = terms[kind] as Map<string, number>
        const value = this.#terms.valueOf(id)
        if (count > 0) ofKind.set(value, (ofKind.get(value) ?? 0) + count)
      }
    return terms
  }

  #countOfList(list: FacetMask): number {
    return this.#byList.reduce((sum, count, place) => {
      const category = this.#listCategories[Math.floor(place / kindsOfItems)] as number
      return matchesFacets((category << 10) | (place % kindsOfItems), list) ? sum + count : sum
    }, 0)
  }
}
