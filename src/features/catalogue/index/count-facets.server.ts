import type { Viewer } from '../../office/viewer/viewer.ts'
import { categoryIdIn, facetMask, type FacetMask, matchesFacets, withoutMonth } from '../item/facets.ts'
import { wordsOf } from '../item/name-text.ts'
import { countedKinds } from '../item/terms.ts'
import { facetsOf, type IndexQuery, type ListFilters, namedCategories, seesEarly } from './index-query.ts'
import { maySeeVip } from './is-listed.ts'
import type { ItemRange } from './listing-columns.ts'
import type { CountedGroup } from './listing-counts.ts'
import type { ListingIndex } from './listing-index.server.ts'
import { itemsAround, requestedTerms } from './requested-terms.ts'
import type { ItemTerms } from './terms/item-terms.server.ts'

/** How many match, by facets: each without the query's own filter of that facet, and nothing with 0. */
export interface FacetCounts {
  /** With every filter. */
  total: number
  /** By name. */
  categories: Map<string, number>
  /** By `countedKinds` and value. */
  terms: Map<string, number>[]
  /** By the month of the post date (`Months`). */
  months: Map<number, number>
  /** Those that each of some lists holds. */
  lists: number[]
}

/** The bits of the filters that facets leave out for themselves. Those of `countedKinds` come first; months have none. */
const [ofCategory, ofList] = [1 << countedKinds.length, 2 << countedKinds.length]
/** An item that two filters keep out counts in no facet. */
const unseen = ofCategory | ofList
/** The set of items without counted terms. */
const noSet = 0
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
 * Counts what a viewer may see now (docs/spec/search.md#facets): an item that one filter alone keeps out counts in the facet of
 * that filter. The kept counts answer as far as they tell apart what is asked for; for the rest items are visited.
 * @param lists what each list asks for
 * @throws {AppError} `database.unavailable`, 503, when the index may not be shown any more
 */
export function countFacets(
  listing: ListingIndex,
  query: IndexQuery,
  viewer: Viewer,
  lists: readonly ListFilters[],
): FacetCounts {
  const { columns, terms, months } = listing
  const words = wordsOf(query.text)
  const names = requestedTerms(query, listing).filter(({ kind }) => kind >= countedKinds.length)
  const candidates = words.length > 0 ? listing.names.match(words).numbers : names[0] && itemsAround(names[0], listing)
  const masks = lists.map((each) => (each.shelf === 'vip-first' ? undefined : maskOf(listing, each, viewer, [])))
  const tally = new Tally(terms, masks)
  const month = facetMask(query.month === undefined ? {} : { month: query.month })
  const isTimed = query.month !== undefined || query.from > -Infinity || query.to < Infinity
  const failedSets = failedBySet(query, listing)
  const hasSets = failedSets.some((failed) => failed !== 0)
  const category = maskOf(listing, { category: query.category }, viewer, words)
  const { listed, early, now } = listing.ranges(viewer, -Infinity, Infinity)

  for (const { range, seen, list, isEarly } of partsOf(listing, query, viewer, { listed, early, words })) {
    const failedOf = (facets: number, set: number): number => {
      if (!matchesFacets(facets, seen)) return unseen
      return (
        (failedSets[set] as number) |
        (matchesFacets(facets, category) ? 0 : ofCategory) |
        (matchesFacets(facets, list) ? 0 : ofList)
      )
    }
    /** For all facets but the months. */
    const visit = (no: number, postedAt: number, facets: number): void => {
      if (postedAt < query.from || postedAt >= query.to || !matchesFacets(facets, month)) return
      const set = terms.setOf(no)
      tally.add({ facets, set, failed: failedOf(facets, set), isEarly }, 1)
    }
    const visitForMonth = (no: number, postedAt: number, facets: number): void => {
      if (failedOf(facets, terms.setOf(no)) === 0) tally.addToMonth(months.numberOf(postedAt), 1)
    }
    if (candidates !== undefined) {
      const inRange = columns.select(candidates, range, everything)
      const found = inRange.filter((no) => names.every(({ id }) => id !== undefined && terms.has(no, id)))
      columns.forEachOf(found, visit)
      columns.forEachOf(found, visitForMonth)
      continue
    }
    const counted: { groups: Iterable<CountedGroup>; to: number } = isEarly
      ? { groups: [], to: range.from }
      : listing.countsAt(now)
    for (const { facets, bySet, byMonth } of counted.groups) {
      if (!isTimed)
        for (const [set, count] of bySet) tally.add({ facets, set, failed: failedOf(facets, set), isEarly }, count)
      if (!hasSets && failedOf(facets, noSet) === 0) for (const [each, count] of byMonth) tally.addToMonth(each, count)
    }
    const behind = { from: counted.to, to: range.to }
    columns.forEach(isTimed ? within(columns.range(query.from, query.to), range) : behind, visit)
    columns.forEach(hasSets ? range : behind, visitForMonth)
  }
  return tally.counts(listing)
}

function partsOf(
  listing: ListingIndex,
  query: IndexQuery,
  viewer: Viewer,
  { listed, early, words }: { listed: ItemRange; early: ItemRange; words: readonly string[] },
): Part[] {
  const { contentType, region, isVip, shelf } = query
  const free = facetMask({ isVip: false })
  const list = maskOf(listing, { contentType, region, isVip, shelf }, viewer, words)
  const parts: Part[] = [{ range: listed, seen: maySeeVip(viewer) ? everything : free, list, isEarly: false }]
  if (!maySeeVip(viewer) || early.from === early.to) return parts
  const isAsked = seesEarly(query, viewer, words)
  const earlyList = isAsked ? maskOf(listing, { contentType, region, isVip: false }, viewer, words) : nothing
  return [...parts, { range: early, seen: free, list: earlyList, isEarly: true }]
}

function within(range: ItemRange, { from, to }: ItemRange): ItemRange {
  return { from: Math.max(range.from, from), to: Math.min(range.to, to) }
}

function maskOf(listing: ListingIndex, filters: ListFilters, viewer: Viewer, words: readonly string[]): FacetMask {
  const facets = facetsOf(filters, viewer, namedCategories(listing, filters, words))
  return facets === undefined ? nothing : facetMask(facets)
}

/** By set of counted terms: the bits of the filters that it fails. */
function failedBySet(query: IndexQuery, listing: ListingIndex): Uint8Array {
  const filters = requestedTerms(query, listing).filter(({ kind }) => kind < countedKinds.length)
  return Uint8Array.from(listing.terms.sets, (set) =>
    filters.reduce((failed, { kind, id }) => (id !== undefined && set.includes(id) ? failed : failed | (1 << kind)), 0),
  )
}

/** Items that are counted alike. */
interface Alike {
  facets: number
  /** Of their counted terms. */
  set: number
  /** The filters that keep them out, as bits. */
  failed: number
  isEarly: boolean
}

/** The counts so far. */
class Tally {
  readonly #terms: ItemTerms
  /** Undefined for the list of early access. */
  readonly #lists: readonly (FacetMask | undefined)[]
  #total = 0
  #early = 0
  readonly #byCategory = new Map<number, number>()
  readonly #byMonth = new Map<number, number>()
  /** By set of counted terms: those that no filter keeps out, and of each kind those that its own filter alone does. */
  readonly #bySet: Uint32Array
  readonly #byKindAndSet: Uint32Array[]
  /** By facets, without the month. */
  readonly #byFacets = new Map<number, number>()

  constructor(terms: ItemTerms, lists: readonly (FacetMask | undefined)[]) {
    this.#terms = terms
    this.#lists = lists
    this.#bySet = new Uint32Array(terms.sets.length)
    this.#byKindAndSet = countedKinds.map(() => new Uint32Array(terms.sets.length))
  }

  add({ facets, set, failed, isEarly }: Alike, count: number): void {
    if ((failed & (failed - 1)) !== 0) return
    if (failed === 0) {
      this.#total += count
      this.#bySet[set] = (this.#bySet[set] as number) + count
    }
    if (failed === 0 || failed === ofCategory) increase(this.#byCategory, categoryIdIn(facets), count)
    if (failed === 0 || failed === ofList) {
      if (isEarly) this.#early += count
      else increase(this.#byFacets, facets & withoutMonth, count)
    }
    if (failed !== 0 && failed < ofCategory) {
      const ofKind = this.#byKindAndSet[31 - Math.clz32(failed)] as Uint32Array
      ofKind[set] = (ofKind[set] as number) + count
    }
  }

  addToMonth(month: number, count: number): void {
    increase(this.#byMonth, month, count)
  }

  counts(listing: Pick<ListingIndex, 'categoryName'>): FacetCounts {
    return {
      total: this.#total,
      categories: new Map(Array.from(this.#byCategory, ([id, count]) => [listing.categoryName(id), count])),
      terms: this.#countsOfTerms(),
      months: this.#byMonth,
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
    let sum = 0
    for (const [facets, count] of this.#byFacets) if (matchesFacets(facets, list)) sum += count
    return sum
  }
}

function increase(counts: Map<number, number>, key: number, by: number): void {
  counts.set(key, (counts.get(key) ?? 0) + by)
}
