import type { Viewer } from '../../office/viewer/viewer.ts'
import { categoryIdIn, type FacetGroups, facetMask, type FacetMask, groupOf, matchesFacets } from '../item/facets.ts'
import { wordsOf } from '../item/name-text.ts'
import { countedKinds } from '../item/terms.ts'
import { facetsOf, type IndexQuery, type ListFilters, namedCategories, seesEarly } from './index-query.ts'
import { maySeeVip } from './is-listed.ts'
import type { ItemRange, ListingColumns } from './listing-columns.ts'
import type { ListingIndex } from './listing-index.server.ts'
import { itemsAround, requestedTerms } from './requested-terms.ts'

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

/** A part while it is counted. */
interface CountedPart extends Part {
  /** By group: 1 for what is seen, of the category and in the list that are asked for. */
  isIn: Uint8Array
  /** By group: how many no filter of counted terms, month or date keeps out. */
  byGroup: Uint32Array
}

/**
 * Counts what a viewer may see now (docs/spec/search.md#facets): an item that one filter alone keeps out counts in the facet of
 * that filter. The kept counts answer as far as they tell apart what is asked for; for the rest columns are read.
 * @param lists what each list asks for
 * @throws {AppError} `database.unavailable`, 503, when the index may not be shown any more
 */
export function countFacets(
  listing: ListingIndex,
  query: IndexQuery,
  viewer: Viewer,
  lists: readonly ListFilters[],
): FacetCounts {
  const words = wordsOf(query.text)
  const category = maskOf(listing, { category: query.category }, viewer, words)
  const { groups } = listing
  const { now, ...ranges } = listing.ranges(viewer, -Infinity, Infinity)
  const parts = partsOf(listing, query, viewer, { ...ranges, words }).map((part): CountedPart => {
    return { ...part, isIn: groupsIn(groups, part, category), byGroup: new Uint32Array(groups.count) }
  })
  const counter = new Counter(listing, query)
  const candidates = candidatesFor(listing, query, words)
  for (const part of parts)
    if (candidates === undefined) counter.countAll(part, now)
    else counter.countSome(part, candidates)

  const masks = lists.map((each) => (each.shelf === 'vip-first' ? undefined : maskOf(listing, each, viewer, [])))
  const byList = lists.map(() => 0)
  const byCategory = new Map<number, number>()
  let total = 0
  for (const { byGroup, isIn, seen, list, isEarly } of parts)
    for (let group = 0; group < groups.count; group += 1) {
      const [count, facets] = [byGroup[group] as number, groups.facetsOf(group)]
      if (count === 0 || !matchesFacets(facets, seen)) continue
      if (isIn[group] === 1) total += count
      if (matchesFacets(facets, list)) increase(byCategory, categoryIdIn(facets), count)
      if (!matchesFacets(facets, category)) continue
      for (const [i, mask] of masks.entries())
        if (mask === undefined ? isEarly : !isEarly && matchesFacets(facets, mask))
          byList[i] = (byList[i] as number) + count
    }
  const categories = Array.from(byCategory, ([id, count]) => [listing.categoryName(id), count] as const)
  return { total, categories: new Map(categories), lists: byList, terms: counter.terms(), months: counter.months() }
}

/** The items among which are all that have the text or the names that are asked for. Undefined: neither is. */
function candidatesFor(listing: ListingIndex, query: IndexQuery, words: readonly string[]): Int32Array | undefined {
  const names = requestedTerms(query, listing).filter(({ kind }) => kind >= countedKinds.length)
  const candidates = words.length > 0 ? listing.names.match(words).numbers : names[0] && itemsAround(names[0], listing)
  if (names.length === 0) return candidates
  return candidates?.filter((no) => names.every(({ id }) => id !== undefined && listing.terms.has(no, id)))
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

function maskOf(listing: ListingIndex, filters: ListFilters, viewer: Viewer, words: readonly string[]): FacetMask {
  const facets = facetsOf(filters, viewer, namedCategories(listing, filters, words))
  return facets === undefined ? nothing : facetMask(facets)
}

/** By group: 1 for what a part shows of a category. */
function groupsIn(groups: FacetGroups, { seen, list }: Part, category: FacetMask): Uint8Array {
  const isIn = new Uint8Array(groups.count)
  for (let group = 0; group < groups.count; group += 1) {
    const facets = groups.facetsOf(group)
    isIn[group] = Number(matchesFacets(facets, seen) && matchesFacets(facets, list) && matchesFacets(facets, category))
  }
  return isIn
}

/** Counts items by their groups, terms and months. */
class Counter {
  readonly #listing: ListingIndex
  readonly #query: IndexQuery
  readonly #month: FacetMask
  /** By set of counted terms: the filters of kinds that it fails, as bits; and 1 where it fails none. */
  readonly #failed: Uint8Array
  readonly #passes: Uint8Array
  /** Those that fail none; undefined: all do. */
  readonly #passingSets: Uint32Array | undefined
  /** By set: how many items of it are in, whether or not it passes. */
  readonly #bySet: Uint32Array
  /** By the place of the month in `Months`: how many are in and pass. */
  readonly #byMonth: number[] = []

  constructor(listing: ListingIndex, query: IndexQuery) {
    this.#listing = listing
    this.#query = query
    this.#month = facetMask(query.month === undefined ? {} : { month: query.month })
    this.#failed = failedBySet(query, listing)
    this.#passes = this.#failed.map((failed) => Number(failed === 0))
    this.#passingSets = this.#passes.includes(0) ? placesOfOnes(this.#passes) : undefined
    this.#bySet = new Uint32Array(this.#failed.length)
  }

  /** @param items those that are looked at, listed or not */
  countSome({ range, isIn, byGroup }: CountedPart, items: Int32Array): void {
    const { columns, terms, months, groups } = this.#listing
    const { places } = groups
    const { postedAt, facets } = columns.byItem
    const { from, to } = columns.instantsOf(range)
    const [bySet, passes] = [this.#bySet, this.#passes]
    const [query, { mask, value }] = [this.#query, this.#month]
    for (let i = 0; i < items.length; i += 1) {
      const no = items[i] as number
      const instant = postedAt[no] as number
      if (!(instant >= from && instant < to)) continue
      const [each, set] = [facets[no] as number, terms.setOf(no)]
      const [group, passesSet] = [groupOf(each, places), passes[set] as number]
      const isGroupIn = isIn[group] as number
      if ((isGroupIn & passesSet) === 1) this.#addToMonth(months.monthOf(instant).place, 1)
      if (instant < query.from || instant >= query.to || (each & mask) !== value) continue
      byGroup[group] = (byGroup[group] as number) + passesSet
      bySet[set] = (bySet[set] as number) + isGroupIn
    }
  }

  countAll(part: CountedPart, now: number): void {
    const { columns, groups } = this.#listing
    const { places } = groups
    const { from, to, month } = this.#query
    const isTimed = month !== undefined || from > -Infinity || to < Infinity
    const known = part.isEarly ? { groups: [], to: part.range.from } : this.#listing.countsAt(now)
    for (const { facets, count, bySet, byMonth } of known.groups) {
      const group = groupOf(facets, places)
      const isIn = part.isIn[group] === 1
      if (!isTimed) {
        part.byGroup[group] =
          (part.byGroup[group] as number) + (this.#passingSets === undefined ? count : sumAt(bySet, this.#passingSets))
        if (isIn) this.#addSets(bySet)
      }
      if (isIn && this.#passingSets === undefined)
        for (let place = 0; place < byMonth.length; place += 1) this.#addToMonth(place, byMonth[place] as number)
    }
    const behind = { from: known.to, to: part.range.to }
    this.#countRange(part, isTimed ? within(columns.range(from, to), part.range) : behind)
    this.#countMonths(part, this.#passingSets === undefined ? behind : part.range)
  }

  #addSets(counts: Uint32Array): void {
    const bySet = this.#bySet
    const length = Math.min(counts.length, bySet.length)
    for (let set = 0; set < length; set += 1) bySet[set] = (bySet[set] as number) + (counts[set] as number)
  }

  #countRange({ isIn, byGroup }: CountedPart, { from, to }: ItemRange): void {
    const { facets, sets } = this.#listing.columns.inOrder
    const { places } = this.#listing.groups
    const [bySet, passes, { mask, value }] = [this.#bySet, this.#passes, this.#month]
    for (let position = from; position < to; position += 1) {
      const each = facets[position] as number
      if ((each & mask) !== value) continue
      const [group, set] = [groupOf(each, places), sets[position] as number]
      byGroup[group] = (byGroup[group] as number) + (passes[set] as number)
      bySet[set] = (bySet[set] as number) + (isIn[group] as number)
    }
  }

  #countMonths({ isIn }: CountedPart, range: ItemRange): void {
    const { columns, months, groups } = this.#listing
    const items = { ...columns.inOrder, places: groups.places }
    for (let { from, to } = range, end = from; from < to; from = end) {
      const { place, end: endOfMonth } = months.monthOf(columns.postedAtPosition(from) as number)
      end = Math.min(to, columns.range(-Infinity, endOfMonth).to)
      this.#addToMonth(place, countPassing(items, { from, to: end }, isIn, this.#passes))
    }
  }

  #addToMonth(place: number, count: number): void {
    this.#byMonth[place] = (this.#byMonth[place] ?? 0) + count
  }

  /** By `countedKinds` and value. */
  terms(): Map<string, number>[] {
    const { terms } = this.#listing
    const byTerm = new Uint32Array(terms.size)
    for (let number = 0; number < this.#bySet.length; number += 1) {
      const count = this.#bySet[number] as number
      if (count === 0) continue
      const [set, failed] = [terms.sets[number] as Int32Array, this.#failed[number] as number]
      for (let i = 0; i < set.length; i += 1) {
        const id = set[i] as number
        // Items that their own filter alone keeps out count in its facet; those that two filters do count nowhere.
        if (failed !== 0 && (failed & ~(1 << terms.kindOf(id))) !== 0) continue
        byTerm[id] = (byTerm[id] as number) + count
      }
    }
    const counts = countedKinds.map(() => new Map<string, number>())
    for (let id = 0; id < byTerm.length; id += 1)
      if (byTerm[id] !== 0) counts[terms.kindOf(id)]?.set(terms.valueOf(id), byTerm[id] as number)
    return counts
  }

  /** By their names, newest first. */
  months(): Map<string, number> {
    const named = this.#byMonth.map((count, place) => [this.#listing.months.name(place), count] as const)
    return new Map(named.filter(([, count]) => count > 0).sort(([a], [b]) => (a < b ? 1 : -1)))
  }
}

/** How many items of a range are in by their groups and pass by their sets. A function of its own, which the engine makes quick at once. */
function countPassing(
  { facets, sets, places }: ListingColumns['inOrder'] & Pick<FacetGroups, 'places'>,
  { from, to }: ItemRange,
  isIn: Uint8Array,
  passes: Uint8Array,
): number {
  let count = 0
  // Without a branch: which items pass is not to be foretold.
  for (let position = from; position < to; position += 1)
    count +=
      (isIn[groupOf(facets[position] as number, places)] as number) & (passes[sets[position] as number] as number)
  return count
}

function within(range: ItemRange, { from, to }: ItemRange): ItemRange {
  return { from: Math.max(range.from, from), to: Math.min(range.to, to) }
}

/** By set of counted terms: the kinds whose filters it fails, as bits. */
function failedBySet(query: IndexQuery, listing: ListingIndex): Uint8Array {
  const { terms } = listing
  const failed = new Uint8Array(terms.sets.length)
  for (const { kind, id } of requestedTerms(query, listing)) {
    if (kind >= countedKinds.length) continue
    for (let set = 0; set < failed.length; set += 1) failed[set] = (failed[set] as number) | (1 << kind)
    for (const set of id === undefined ? [] : terms.setsWith(id)) failed[set] = (failed[set] as number) & ~(1 << kind)
  }
  return failed
}

function placesOfOnes(flags: Uint8Array): Uint32Array {
  const places = new Uint32Array(flags.length)
  let count = 0
  for (let place = 0; place < flags.length; place += 1) if (flags[place] === 1) places[count++] = place
  return places.subarray(0, count)
}

/** The sum of some of the counts; those past the end are 0. */
function sumAt(counts: Uint32Array, places: Uint32Array): number {
  let sum = 0
  for (let i = 0; i < places.length; i += 1) {
    const place = places[i] as number
    if (place >= counts.length) break
    sum += counts[place] as number
  }
  return sum
}

function increase(counts: Map<number, number>, key: number, by: number): void {
  counts.set(key, (counts.get(key) ?? 0) + by)
}
