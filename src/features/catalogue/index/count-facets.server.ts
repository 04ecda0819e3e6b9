import type { Viewer } from '../../office/viewer/viewer.ts'
import { categoryIdIn, facetMask, type FacetMask, matchesFacets } from '../item/facets.ts'
import { wordsOf } from '../item/name-text.ts'
import { countedKinds } from '../item/terms.ts'
import { facetsOf, type IndexQuery, type ListFilters, namedCategories, seesEarly } from './index-query.ts'
import { maySeeVip } from './is-listed.ts'
import type { ItemRange, ListingColumns } from './listing-columns.ts'
import type { ListingIndex } from './listing-index.server.ts'
import type { Cells } from './listing-counts.ts'
import type { FoundItems } from './names/found-items.server.ts'
import { itemsAround, type RequestedTerm, requestedTerms } from './requested-terms.ts'

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

/** The counts of items by kind, set and month, and which of these are in and pass. */
type CountsOfItems = Pick<CountedPart, 'isIn' | 'isInMonth' | 'byKind'> &
  Record<'bySet' | 'byMonth', Uint32Array> & { passes: Uint8Array }

const everything = facetMask({})
const nothing: FacetMask = { mask: 0, value: 1, otherValue: 1 }

interface Part {
  range: ItemRange
  /** The viewer sees these alone. */
  seen: FacetMask
  /** The list that is asked for, as far as it lies in this part. */
  list: FacetMask
  /** Whether these are the items of early access. */
  isEarly: boolean
}

interface CountedPart extends Part {
  /** By kind of facets: 1 for what is seen, of the category and in the list that are asked for; and also of the month. */
  isIn: Uint8Array
  isInMonth: Uint8Array
  /** By kind: how many no filter of counted terms or date keeps out. */
  byKind: Uint32Array
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
  const month = facetMask(query.month === undefined ? {} : { month: query.month })
  const { kinds } = listing.columns
  const { now, ...ranges } = listing.ranges(viewer, -Infinity, Infinity)
  const parts = partsOf(listing, query, viewer, { ...ranges, words }).map((part): CountedPart => {
    const masks = [part.seen, part.list, category]
    const isIn = kinds.matching(...masks)
    const isInMonth = query.month === undefined ? isIn : kinds.matching(...masks, month)
    return { ...part, isIn, isInMonth, byKind: new Uint32Array(kinds.count) }
  })
  const counter = new Counter(listing, query)
  const candidates = candidatesFor(listing, query, words)
  for (const part of parts)
    if (candidates === undefined) counter.countAll(part, now)
    else counter.countSome(part, itemsOf(candidates, part, listing))

  const masks = lists.map((each) => (each.shelf === 'vip-first' ? undefined : maskOf(listing, each, viewer, [])))
  const byList = lists.map(() => 0)
  const byCategory = new Map<string, number>()
  let total = 0
  for (const { byKind, isInMonth, seen, list, isEarly } of parts)
    for (let kind = 0; kind < kinds.count; kind += 1) {
      const [count, facets] = [byKind[kind] as number, kinds.facets[kind] as number]
      if (count === 0 || !matchesFacets(facets, seen) || !matchesFacets(facets, month)) continue
      if (isInMonth[kind] === 1) total += count
      if (matchesFacets(facets, list)) increase(byCategory, listing.categoryName(categoryIdIn(facets)), count)
      if (!matchesFacets(facets, category)) continue
      for (const [i, mask] of masks.entries())
        if (mask === undefined ? isEarly : !isEarly && matchesFacets(facets, mask))
          byList[i] = (byList[i] as number) + count
    }
  return { total, categories: byCategory, lists: byList, terms: counter.terms(), months: counter.months() }
}

/** The items among which are all that have the text or the names that are asked for. Undefined: neither is. */
function candidatesFor(
  listing: ListingIndex,
  query: IndexQuery,
  words: readonly string[],
): FoundItems | Int32Array | undefined {
  const names = requestedTerms(query, listing).filter(({ kind }) => kind >= countedKinds.length)
  const found = words.length > 0 ? listing.names.match(words) : undefined
  if (names.length === 0) return found
  const candidates = found?.numbers ?? itemsAround(names[0] as RequestedTerm, listing)
  return names.reduce(
    (all, { id }) => (id === undefined ? new Int32Array() : listing.terms.select(all, id)),
    candidates,
  )
}

/** Those of some items that lie in a part and are seen. */
function itemsOf(candidates: FoundItems | Int32Array, { range, seen }: Part, { columns }: ListingIndex): Int32Array {
  if (candidates instanceof Int32Array) return columns.select(candidates, range, seen)
  if (range.from > 0) return columns.select(candidates.numbers, range, seen)
  // Sets are several times as quick where very many are found.
  candidates.keepOnly(columns.setBefore(range.to, seen))
  return candidates.numbers
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
  const part: Part = { range: listed, seen: maySeeVip(viewer) ? everything : free, list, isEarly: false }
  if (!maySeeVip(viewer) || early.from === early.to) return [part]
  const isAsked = seesEarly(query, viewer, words)
  const earlyList = isAsked ? maskOf(listing, { contentType, region, isVip: false }, viewer, words) : nothing
  // Last what begins with the listing: of what was found it leaves its own.
  return [{ range: early, seen: free, list: earlyList, isEarly: true }, part]
}

function maskOf(listing: ListingIndex, filters: ListFilters, viewer: Viewer, words: readonly string[]): FacetMask {
  const facets = facetsOf(filters, viewer, namedCategories(listing, filters, words))
  return facets === undefined ? nothing : facetMask(facets)
}

/** Counts items by their kinds, terms and months. */
class Counter {
  readonly #listing: ListingIndex
  readonly #query: IndexQuery
  /** By set of counted terms: the filters of kinds that it fails, as bits; and 1 where it fails none. */
  readonly #failed: Uint8Array
  readonly #passes: Uint8Array
  /** Those that fail none; undefined: all do. */
  readonly #passingSets: Uint32Array | undefined
  /** By set: how many items of it are in, whether or not it passes. */
  readonly #bySet: Uint32Array
  /** By the place of the month in `Months`: how many are in and pass. */
  readonly #byMonth: Uint32Array

  constructor(listing: ListingIndex, query: IndexQuery) {
    this.#listing = listing
    this.#query = query
    this.#failed = failedBySet(query, listing)
    this.#passes = this.#failed.map((failed) => Number(failed === 0))
    this.#passingSets = this.#passes.includes(0) ? placesOfOnes(this.#passes) : undefined
    this.#bySet = new Uint32Array(this.#failed.length)
    this.#byMonth = new Uint32Array(listing.months.count)
  }

  /** @param items those of the part that are looked at */
  countSome(part: CountedPart, items: Int32Array): void {
    const { columns, terms } = this.#listing
    const { from, to } = this.#query
    const counts = { bySet: this.#bySet, byMonth: this.#byMonth, passes: this.#passes }
    const columnsOfItems = { ...columns.byItem, sets: terms.setsOfItems }
    countItems(
      items,
      columnsOfItems,
      { ...part, ...counts },
      from === -Infinity && to === Infinity ? undefined : { from, to },
    )
  }

  countAll(part: CountedPart, now: number): void {
    const { columns } = this.#listing
    const { from, to, month } = this.#query
    const isTimed = month !== undefined || from > -Infinity || to < Infinity
    const known = part.isEarly ? undefined : this.#listing.countsAt(now)
    if (known !== undefined) {
      this.#addCells(part, known.cells, this.#listing.countCells(this.#passingSets), isTimed)
      if (!isTimed) for (const { kind, bySet } of known.groups) if (part.isIn[kind] === 1) addTo(this.#bySet, bySet)
    }
    const behind = { from: known?.to ?? part.range.from, to: part.range.to }
    this.#countMonths(part, behind)
    if (!isTimed) return this.#countRange(part, behind)
    const asked = within(columns.range(from, to), part.range)
    if (month === undefined || known === undefined) return this.#countRange(part, asked)
    for (const range of this.#monthsWith(facetMask({ month }), known.cells))
      this.#countRange(part, within(range, within(asked, { from: 0, to: known.to })))
    this.#countRange(part, within(asked, behind))
  }

  /** The months, oldest first, in which items were posted that match. */
  #monthsWith(mask: FacetMask, cells: Cells): ItemRange[] {
    const { columns, months } = this.#listing
    const matching = columns.kinds.matching(mask)
    const isWanted = new Uint8Array(months.count)
    for (const [cell, kind] of cells.kinds.entries())
      if (matching[kind] === 1) isWanted[cells.months[cell] as number] = 1
    return months.all.filter(({ place }) => isWanted[place] === 1).map(({ start, end }) => columns.range(start, end))
  }

  #addCells({ isIn, byKind }: CountedPart, { kinds, months }: Cells, counts: Uint32Array, isTimed: boolean): void {
    const byMonth = this.#byMonth
    for (let cell = 0; cell < kinds.length; cell += 1) {
      const [count, kind, month] = [counts[cell] as number, kinds[cell] as number, months[cell] as number]
      if (count === 0) continue
      if (!isTimed) byKind[kind] = (byKind[kind] as number) + count
      if (isIn[kind] === 1) byMonth[month] = (byMonth[month] as number) + count
    }
  }

  #countRange({ isInMonth, byKind }: CountedPart, { from, to }: ItemRange): void {
    const { kinds, sets } = this.#listing.columns.inOrder
    const [bySet, passes] = [this.#bySet, this.#passes]
    for (let position = from; position < to; position += 1) {
      const [kind, set] = [kinds[position] as number, sets[position] as number]
      byKind[kind] = (byKind[kind] as number) + (passes[set] as number)
      bySet[set] = (bySet[set] as number) + (isInMonth[kind] as number)
    }
  }

  #countMonths({ isIn }: CountedPart, range: ItemRange): void {
    const { columns, terms } = this.#listing
    const { kinds, months } = columns.byItem
    const [byMonth, passes] = [this.#byMonth, this.#passes]
    columns.forEach(range, everything, (no) => {
      const month = months[no] as number
      const isCounted = (isIn[kinds[no] as number] as number) & (passes[terms.setOf(no)] as number)
      byMonth[month] = (byMonth[month] as number) + isCounted
    })
  }

  /** By `countedKinds` and value. */
  terms(): Map<string, number>[] {
    const { terms } = this.#listing
    const byTerm = new Uint32Array(terms.size)
    const { ids, starts, bits } = terms.flatSets
    for (let number = 0; number < this.#bySet.length; number += 1) {
      const count = this.#bySet[number] as number
      if (count === 0) continue
      const [failed, end] = [this.#failed[number] as number, starts[number + 1] as number]
      for (let i = starts[number] as number; i < end; i += 1) {
        // Items that their own filter alone keeps out count in its facet; those that two filters do count nowhere.
        if ((failed & ~(bits[i] as number)) !== 0) continue
        const id = ids[i] as number
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
    const named = Array.from(this.#byMonth, (count, place) => [this.#listing.months.name(place), count] as const)
    return new Map(named.filter(([, count]) => count > 0).sort(([a], [b]) => (a < b ? 1 : -1)))
  }
}

/** Counts items by their numbers. A function of its own, which the engine makes quick at once; no branch foretells who passes. */
function countItems(
  items: Int32Array,
  { kinds, months, postedAt, sets }: ListingColumns['byItem'] & { sets: Int32Array },
  { isIn, isInMonth, passes, byKind, bySet, byMonth }: CountsOfItems,
  span: { from: number; to: number } | undefined,
): void {
  for (let i = 0; i < items.length; i += 1) {
    const no = items[i] as number
    const [kind, set, month] = [kinds[no] as number, sets[no] ?? 0, months[no] as number]
    const passesSet = passes[set] as number
    byMonth[month] = (byMonth[month] as number) + ((isIn[kind] as number) & passesSet)
    if (span !== undefined && !((postedAt[no] as number) >= span.from && (postedAt[no] as number) < span.to)) continue
    byKind[kind] = (byKind[kind] as number) + passesSet
    bySet[set] = (bySet[set] as number) + (isInMonth[kind] as number)
  }
}

/** Adds counts to others; those past their end are 0. */
function addTo(counts: Uint32Array, added: Uint32Array): void {
  const length = Math.min(counts.length, added.length)
  for (let i = 0; i < length; i += 1) counts[i] = (counts[i] as number) + (added[i] as number)
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

function increase(counts: Map<string, number>, key: string, by: number): void {
  counts.set(key, (counts.get(key) ?? 0) + by)
}
