import type { Viewer } from '../../office/viewer/viewer.ts'
import { categoryIdIn, facetMask, type FacetMask, matchesFacets, withoutMonth } from '../item/facets.ts'
import { wordsOf } from '../item/name-text.ts'
import { countedKinds } from '../item/terms.ts'
import { facetsOf, type IndexQuery, type ListFilters, namedCategories, seesEarly } from './index-query.ts'
import { maySeeVip } from './is-listed.ts'
import type { ItemRange } from './listing-columns.ts'
import type { CountedGroup } from './listing-counts.ts'
import type { ListingIndex } from './listing-index.server.ts'
import type { Months } from './months.ts'
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
  /** By the month of the post date, `YYYY-MM`, newest first. */
  months: Map<string, number>
  /** Those that each of some lists holds. */
  lists: number[]
}

/** The bits of the filters that facets leave out for themselves. Those of `countedKinds` come first; months have none. */
const [ofCategory, ofList] = [1 << countedKinds.length, 2 << countedKinds.length]
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
  const failedSets = failedBySet(query, listing)
  const hasSets = failedSets.some((failed) => failed !== 0)
  const tally = new Tally(listing, masks, failedSets)
  const month = facetMask(query.month === undefined ? {} : { month: query.month })
  const isTimed = query.month !== undefined || query.from > -Infinity || query.to < Infinity
  const category = maskOf(listing, { category: query.category }, viewer, words)
  const { listed, early, now } = listing.ranges(viewer, -Infinity, Infinity)

  for (const { range, seen, list, isEarly } of partsOf(listing, query, viewer, { listed, early, words })) {
    const known = new Map<number, Alike>()
    const alikeOf = (facets: number): Alike => {
      const key = facets & withoutMonth
      let alike = known.get(key)
      if (alike === undefined) {
        const failed = (matchesFacets(key, category) ? 0 : ofCategory) | (matchesFacets(key, list) ? 0 : ofList)
        known.set(key, (alike = tally.begin({ facets: key, failed, isEarly })))
      }
      return alike
    }
    /** For all facets but the months. */
    const visit = (no: number, facets: number): void => tally.add(alikeOf(facets), terms.setOf(no), 1)
    const asked = within(columns.range(query.from, query.to), range)
    if (candidates !== undefined) {
      const found = columns
        .select(candidates, range, seen)
        .filter((no) => names.every(({ id }) => id !== undefined && terms.has(no, id)))
      columns.forEachOf(columns.select(found, asked, month), visit)
      for (const no of columns.select(columns.select(found, range, category), range, list))
        if (failedSets[terms.setOf(no)] === 0) tally.addToMonth(months.monthOf(columns.postedAtOf(no)).place, 1)
      continue
    }
    const counted: { groups: Iterable<CountedGroup>; to: number } = isEarly
      ? { groups: [], to: range.from }
      : listing.countsAt(now)
    for (const { facets, bySet, byMonth } of counted.groups) {
      if (!matchesFacets(facets, seen)) continue
      const alike = alikeOf(facets)
      if (!isTimed) for (let set = 0; set < bySet.length; set += 1) tally.add(alike, set, bySet[set] as number)
      if (!hasSets && alike.failed === 0)
        for (let place = 0; place < byMonth.length; place += 1) tally.addToMonth(place, byMonth[place] as number)
    }
    const behind = { from: counted.to, to: range.to }
    columns.forEach(isTimed ? asked : behind, visit, [seen, month])
    for (let { from, to } = hasSets ? range : behind, end = from; from < to; from = end) {
      const { place, end: endOfMonth } = months.monthOf(columns.postedAtPosition(from) as number)
      end = Math.min(to, columns.range(-Infinity, endOfMonth).to)
      let count = 0
      const visitForMonth = (no: number): void => {
        if (failedSets[terms.setOf(no)] === 0) count += 1
      }
      columns.forEach({ from, to: end }, visitForMonth, [seen, category, list])
      tally.addToMonth(place, count)
    }
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
  const { sets } = listing.terms
  const failed = new Uint8Array(sets.length)
  for (const { kind, id } of requestedTerms(query, listing)) {
    if (kind >= countedKinds.length) continue
    for (const [number, set] of sets.entries())
      if (id === undefined || !set.includes(id)) failed[number] = (failed[number] as number) | (1 << kind)
  }
  return failed
}

/** Items that are counted alike, whatever their counted terms. */
interface Alike {
  facets: number
  /** The filters of facets that keep them out, as bits. */
  failed: number
  isEarly: boolean
  /** How many of them no filter of counted terms keeps out. */
  count: number
}

/** The counts so far. */
class Tally {
  readonly #terms: ItemTerms
  readonly #months: Months
  /** Undefined for the list of early access. */
  readonly #lists: readonly (FacetMask | undefined)[]
  /** By set of counted terms: the filters that it fails, as bits. */
  readonly #failedSets: Uint8Array
  readonly #alike: Alike[] = []
  /** By the place of the month in `Months`. */
  readonly #byMonth: number[] = []
  /** By set of counted terms: those that no filter keeps out, and of each kind those that its own filter alone does. */
  readonly #bySet: Uint32Array
  readonly #byKindAndSet: Uint32Array[]

  constructor({ terms, months }: ListingIndex, lists: readonly (FacetMask | undefined)[], failedSets: Uint8Array) {
    this.#terms = terms
    this.#months = months
    this.#lists = lists
    this.#failedSets = failedSets
    this.#bySet = new Uint32Array(terms.sets.length)
    this.#byKindAndSet = countedKinds.map(() => new Uint32Array(terms.sets.length))
  }

  /** Items that are counted alike, none of them yet. */
  begin(of: Omit<Alike, 'count'>): Alike {
    const alike = { ...of, count: 0 }
    this.#alike.push(alike)
    return alike
  }

  /** @param set of their counted terms */
  add(alike: Alike, set: number, count: number): void {
    if (count === 0) return
    const failedOfSet = this.#failedSets[set] as number
    if (failedOfSet === 0) alike.count += count
    if (alike.failed !== 0) return
    if (failedOfSet === 0) this.#bySet[set] = (this.#bySet[set] as number) + count
    // An item that two filters keep out counts in no facet.
    else if ((failedOfSet & (failedOfSet - 1)) === 0) {
      const ofKind = this.#byKindAndSet[31 - Math.clz32(failedOfSet)] as Uint32Array
      ofKind[set] = (ofKind[set] as number) + count
    }
  }

  /** @param place of the month in `Months` */
  addToMonth(place: number, count: number): void {
    this.#byMonth[place] = (this.#byMonth[place] ?? 0) + count
  }

  counts(listing: Pick<ListingIndex, 'categoryName'>): FacetCounts {
    const months = this.#byMonth.map((count, place) => [this.#months.name(place), count] as const)
    const sum = (isCounted: (alike: Alike) => boolean): number =>
      this.#alike.reduce((total, alike) => (isCounted(alike) ? total + alike.count : total), 0)
    const byCategory = new Map<number, number>()
    for (const { facets, failed, count } of this.#alike)
      if (failed === 0 || failed === ofCategory) increase(byCategory, categoryIdIn(facets), count)
    return {
      total: sum(({ failed }) => failed === 0),
      categories: new Map(Array.from(byCategory, ([id, count]) => [listing.categoryName(id), count])),
      terms: this.#countsOfTerms(),
      months: new Map(months.filter(([, count]) => count > 0).sort(([a], [b]) => (a < b ? 1 : -1))),
      lists: this.#lists.map((list) =>
        sum(({ facets, failed, isEarly }) => {
          const isOf = list === undefined ? isEarly : !isEarly && matchesFacets(facets, list)
          return isOf && (failed === 0 || failed === ofList)
        }),
      ),
    }
  }

  #countsOfTerms(): Map<string, number>[] {
    const byTerm = new Map<number, number>()
    for (const [number, set] of this.#terms.sets.entries())
      for (const id of set) {
        const byOwnFilter = this.#byKindAndSet[this.#terms.kindOf(id)]?.[number] as number
        const count = (this.#bySet[number] as number) + byOwnFilter
        if (count > 0) increase(byTerm, id, count)
      }
    const terms = countedKinds.map(() => new Map<string, number>())
    for (const [id, count] of byTerm) terms[this.#terms.kindOf(id)]?.set(this.#terms.valueOf(id), count)
    return terms
  }
}

function increase(counts: Map<number, number>, key: number, by: number): void {
  counts.set(key, (counts.get(key) ?? 0) + by)
}
