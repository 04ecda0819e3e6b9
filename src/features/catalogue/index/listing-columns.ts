import type { FacetKinds, FacetMask } from '../item/facets.ts'
import { ItemColumns, type ListedItem, type SavedItems } from './item-columns.ts'
import { MatchingSets } from './matching-sets.ts'
import type { ItemSet, NumberSet } from './names/item-set.ts'
import { grown, likewise, type SmallColumn, withNumber } from './small-column.ts'

/** A range of the listing: positions `from` (inclusive) to `to` (exclusive), oldest first. */
export interface ItemRange {
  from: number
  to: number
}

/** All columns: those of the listing in its order, those of the items by their numbers. */
export interface SavedColumns extends SavedItems {
  order: Int32Array
}

/** As many as this are sorted; a page of more is found by a walk through the listing. */
const fewItems = 2_000

/** How many match before each stretch of the range, oldest first, and in all: a page far inside is found without a walk. */
type Tally = Uint32Array

/** How many positions a stretch has. */
const stretch = 512

/**
 * Every published item in the order of the listings (post date, then creation, then number; oldest first), as columns
 * of numbers. A filter is one masked comparison an item, so any combination is counted exactly and any page of it is
 * found in about a millisecond at a million items, where an index for each combination could not be kept.
 *
 * 28 bytes an item. Nothing here waits or fails; the database stays the truth and `ListingIndex` keeps the two equal.
 */
export class ListingColumns {
  #length = 0
  /** Item numbers in listing order, and beside them the kinds of their facets, so that a scan reads one array. */
  #order: Int32Array = new Int32Array(1024)
  #kinds: SmallColumn = new Uint16Array(1024)
  /** Beside them, too: the sets of counted terms. */
  #sets: SmallColumn = new Uint16Array(1024)
  readonly #setOf: (no: number) => number
  readonly #items: ItemColumns
  /** Tallies of the current content by mask and range. */
  #tallies = new Map<string, Tally>()
  readonly #matching = new MatchingSets(this)

  /**
   * @param setOf the set of counted terms of an item, by its number (`ItemTerms`)
   * @param monthOf the place of the month of an instant (`Months`)
   */
  constructor(setOf: (no: number) => number, monthOf: (instant: number) => number) {
    this.#setOf = setOf
    this.#items = new ItemColumns(monthOf)
  }

  get length(): number {
    return this.#length
  }

  get kinds(): FacetKinds {
    return this.#items.kinds
  }

  /** Greater than every number. */
  get capacity(): number {
    return this.#items.capacity
  }

  /** Replaces everything. The columns are parallel and in listing order, oldest first. */
  load(columns: { no: Int32Array; postedAt: Float64Array; createdAt: Float64Array; facets: Int32Array }): void {
    const { no, postedAt, createdAt, facets } = columns
    let highest = 0
    for (const each of no) highest = Math.max(highest, each)
    this.#tallies.clear()
    this.#matching.clear()
    this.#items.clear()
    this.#makeRoom(no.length, highest)
    this.#length = no.length
    this.#order.set(no)
    for (let i = 0; i < no.length; i += 1)
      this.#items.put(no[i] as number, postedAt[i] as number, createdAt[i] as number, facets[i] as number)
    this.#takeAll()
  }

  /** Copies of the columns, to make them again. */
  save(): SavedColumns {
    return { order: this.#order.slice(0, this.#length), ...this.#items.save() }
  }

  restore({ order, ...items }: SavedColumns): void {
    this.#tallies.clear()
    this.#matching.clear()
    this.#length = order.length
    this.#order = order
    this.#kinds = new Uint16Array(order.length)
    this.#sets = new Uint16Array(order.length)
    this.#items.restore(items)
    this.#takeAll()
  }

  /** Takes out and puts in; an item that is put in again moves to its new place. */
  change(removed: number[], added: ListedItem[]): void {
    const gone = [...new Set(removed.concat(added.map((item) => item.no)))].filter((no) => this.has(no))
    this.#tallies.clear()
    this.#takeOut(gone)
    this.#putIn(added)
    this.#matching.change(gone)
    this.#matching.change(added.map((item) => item.no))
  }

  /** To be called when the set of an item is another, which it may be without a change of its place. */
  changeSet(no: number): void {
    if (this.has(no)) this.#take(this.#positionOf(no))
  }

  has(no: number): boolean {
    return this.#items.has(no)
  }

  /** The item as it is listed; undefined if it is not. */
  item(no: number): ListedItem | undefined {
    return this.#items.item(no)
  }

  /** The facets of an item that is listed, or those that it had last. */
  facetsOf(no: number): number {
    return this.#items.facetsOf(no)
  }

  /** Kinds and sets of counted terms by position, to read before the next change. */
  get inOrder(): { readonly kinds: SmallColumn; readonly sets: SmallColumn } {
    return { kinds: this.#kinds, sets: this.#sets }
  }

  /** Post dates, NaN for what is not listed, kinds and months by item number, to read before the next change. */
  get byItem(): { readonly postedAt: Float64Array; readonly kinds: SmallColumn; readonly months: SmallColumn } {
    const { postedAt, kindOf, months } = this.#items
    return { postedAt, kinds: kindOf, months }
  }

  /** The instants between which the items of a range lie, the second exclusive. */
  instantsOf({ from, to }: ItemRange): { from: number; to: number } {
    return { from: this.#instantAt(from), to: this.#instantAt(to) }
  }

  /** The items posted from one instant (inclusive) to another (exclusive). */
  range(fromInstant: number, toInstant: number): ItemRange {
    const from = this.#firstNotBefore(fromInstant)
    return { from, to: Math.max(from, this.#firstNotBefore(toInstant)) }
  }

  /** When the item at a position was posted; undefined past the end. */
  postedAtPosition(position: number): number | undefined {
    return position < this.#length ? this.#items.postedAt[this.#order[position] as number] : undefined
  }

  count(range: ItemRange, facetMask: FacetMask): number {
    return facetMask.mask === 0 ? range.to - range.from : (this.#tally(range, facetMask).at(-1) as number)
  }

  /** The numbers of the matches from the `skip`th on, at most `limit`, newest first unless `ascending`. */
  page(range: ItemRange, facetMask: FacetMask, ascending: boolean, skip: number, limit: number): number[] {
    const total = this.count(range, facetMask)
    const wanted = Math.min(limit, total - skip)
    if (wanted <= 0) return []
    const first = ascending ? skip : total - skip - wanted
    let position = range.from + first
    let before = 0
    if (facetMask.mask !== 0) {
      const tally = this.#tally(range, facetMask)
      const place = tally.findLastIndex((count) => count <= first)
      position = range.from + place * stretch
      before = first - (tally[place] as number)
    }
    const matches = this.kinds.matching(facetMask)
    const found: number[] = []
    for (; found.length < wanted; position += 1) {
      if (matches[this.#kinds[position] as number] === 0) continue
      if (before > 0) before -= 1
      else found.push(this.#order[position] as number)
    }
    return ascending ? found : found.reverse()
  }

  /** As `ItemColumns.byNumber`. */
  byNumber(...asked: Parameters<ItemColumns['byNumber']>): ReturnType<ItemColumns['byNumber']> {
    return this.#items.byNumber(...asked)
  }

  /** The nearest matches of a range on both sides of a listed item. */
  around(
    no: number,
    { from, to }: ItemRange,
    mask: FacetMask,
  ): { older: number | undefined; newer: number | undefined } {
    const [position, kinds, matches] = [this.#positionOf(no), this.#kinds, this.kinds.matching(mask)]
    let before = Math.min(position, to) - 1
    let behind = Math.max(position + 1, from)
    while (before >= from && matches[kinds[before] as number] === 0) before -= 1
    while (behind < to && matches[kinds[behind] as number] === 0) behind += 1
    return {
      older: before >= from ? this.#order[before] : undefined,
      newer: behind < to ? this.#order[behind] : undefined,
    }
  }

  /** Whether an item lies in the range and matches, to be asked before the next change. */
  isIn(range: ItemRange, facetMask: FacetMask): (no: number) => boolean {
    return this.#items.isIn(this.instantsOf(range), facetMask)
  }

  /** Those of some items that lie in the range and match, in no order. */
  select(items: Int32Array, range: ItemRange, facetMask: FacetMask): Int32Array {
    return this.#items.select(items, this.instantsOf(range), facetMask)
  }

  /** Visits the items of a range that match, oldest first. */
  forEach({ from, to }: ItemRange, facetMask: FacetMask, visit: (no: number) => void): void {
    const matches = this.kinds.matching(facetMask)
    for (let position = from; position < to; position += 1)
      if (matches[this.#kinds[position] as number] === 1) visit(this.#order[position] as number)
  }

  /** Whether the set of a mask is there, so that it need not be made. */
  hasSet(facetMask: FacetMask): boolean {
    return this.#matching.has(facetMask)
  }

  /** All items before a position that match, to read before the next change. */
  setBefore(position: number, facetMask: FacetMask): ItemSet {
    return this.#matching.before(position, facetMask)
  }

  /** A part of some listed items in the order of the listing, newest first unless `ascending`. */
  pageOf(items: NumberSet, { ascending, skip, limit }: { ascending: boolean; skip: number; limit: number }): number[] {
    const total = items.size
    const wanted = Math.min(limit, total - skip)
    if (wanted <= 0) return []
    if (total <= fewItems)
      return Array.from(
        items.numbers
          .toSorted((a, b) => (ascending ? this.#items.compare(a, b) : this.#items.compare(b, a)))
          .subarray(skip, skip + wanted),
      )
    // From the nearer end.
    const isBackwards = skip + wanted > total / 2
    const isUpwards = ascending !== isBackwards
    let before = isBackwards ? total - skip - wanted : skip
    const found: number[] = []
    for (let position = isUpwards ? 0 : this.#length - 1; found.length < wanted; position += isUpwards ? 1 : -1) {
      const no = this.#order[position] as number
      if (!items.has(no)) continue
      if (before > 0) before -= 1
      else found.push(no)
    }
    return isBackwards ? found.reverse() : found
  }

  /** A range begins and ends between two instants. */
  #instantAt(position: number): number {
    return this.postedAtPosition(position) ?? Infinity
  }

  #tally({ from, to }: ItemRange, facetMask: FacetMask): Tally {
    const { mask, value, otherValue } = facetMask
    const key = `${mask}:${value}:${otherValue}:${from}:${to}`
    const known = this.#tallies.get(key)
    if (known !== undefined) return known
    const [kinds, matches] = [this.#kinds, this.kinds.matching(facetMask)]
    const tally = new Uint32Array(Math.ceil((to - from) / stretch) + 1)
    let [total, place] = [0, 0]
    // Without a branch that foretells which match.
    for (let start = from; start < to; start += stretch) {
      const end = Math.min(to, start + stretch)
      for (let i = start; i < end; i += 1) total += matches[kinds[i] as number] as number
      tally[(place += 1)] = total
    }
    if (this.#tallies.size >= 1024) this.#tallies.clear()
    this.#tallies.set(key, tally)
    return tally
  }

  #firstNotBefore(instant: number): number {
    const { postedAt } = this.#items
    let low = 0
    let high = this.#length
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((postedAt[this.#order[middle] as number] as number) < instant) low = middle + 1
      else high = middle
    }
    return low
  }

  /** The position of an item, or the one that it would have. */
  #positionOf(no: number): number {
    let low = 0
    let high = this.#length
    while (low < high) {
      const middle = (low + high) >>> 1
      if (this.#items.compare(this.#order[middle] as number, no) < 0) low = middle + 1
      else high = middle
    }
    return low
  }

  /** Closes the gaps, the first part first. */
  #takeOut(numbers: readonly number[]): void {
    const gaps = numbers.map((no) => this.#positionOf(no)).sort((a, b) => a - b)
    for (const [i, gap] of gaps.entries()) this.#move(gap + 1, gaps[i + 1] ?? this.#length, -i - 1)
    this.#length -= gaps.length
    for (const no of numbers) this.#items.takeOut(no)
  }

  /** Opens gaps, the last part first. */
  #putIn(added: readonly ListedItem[]): void {
    const highest = added.reduce((most, { no }) => Math.max(most, no), 0)
    this.#makeRoom(this.#length + added.length, highest)
    for (const { no, postedAt, createdAt, facets } of added) this.#items.put(no, postedAt, createdAt, facets)
    const coming = added.map(({ no }) => no).sort((a, b) => this.#items.compare(a, b))
    const places = coming.map((no) => this.#positionOf(no))
    for (let i = coming.length - 1; i >= 0; i -= 1) {
      const place = places[i] as number
      this.#move(place, places[i + 1] ?? this.#length, i + 1)
      this.#order[place + i] = coming[i] as number
      this.#take(place + i)
    }
    this.#length += coming.length
  }

  /** Moves what stands between two positions. */
  #move(from: number, to: number, by: number): void {
    for (const column of [this.#order, this.#kinds, this.#sets]) column.copyWithin(from + by, from, to)
  }

  #takeAll(): void {
    for (let position = 0; position < this.#length; position += 1) this.#take(position)
  }

  /** Puts beside the number at a position what stands there of its item. */
  #take(position: number): void {
    const no = this.#order[position] as number
    this.#kinds = withNumber(this.#kinds, position, this.#items.kindOf[no] as number)
    this.#sets = withNumber(this.#sets, position, this.#setOf(no))
  }

  #makeRoom(length: number, highestNumber: number): void {
    if (length > this.#order.length) {
      const capacity = Math.ceil(length * 1.25)
      this.#order = grown(this.#order, new Int32Array(capacity))
      this.#kinds = grown(this.#kinds, likewise(this.#kinds, capacity))
      this.#sets = grown(this.#sets, likewise(this.#sets, capacity))
    }
    if (this.#items.makeRoom(highestNumber)) this.#matching.clear()
  }
}
