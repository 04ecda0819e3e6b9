import { facetMask, withoutMonth } from '../item/facets.ts'
import type { ListingColumns } from './listing-columns.ts'
import type { Months } from './months.ts'
import type { ItemTerms } from './terms/item-terms.server.ts'

/** The items of one type, region, tier and category. */
export interface CountedGroup {
  /** Theirs, with no month. */
  readonly facets: number
  /** How many they are. */
  count: number
  /** How many have each set of counted terms (`ItemTerms`). */
  bySet: Uint32Array
  /** How many were posted in each month, by its place in `Months`. */
  byMonth: Uint32Array
}

const everything = facetMask({})

/** How many items there are up to an instant, by what facets count: an edit changes numbers, and no question looks through the listing. */
export class ListingCounts {
  readonly #columns: ListingColumns
  readonly #terms: ItemTerms
  readonly #months: Months
  /** By their facets. */
  readonly #groups = new Map<number, CountedGroup>()
  /** The one that was counted last: neighbours are often alike. */
  #last: CountedGroup | undefined
  /** The items posted before this instant are counted. */
  #end = -Infinity

  constructor(columns: ListingColumns, terms: ItemTerms, months: Months) {
    this.#columns = columns
    this.#terms = terms
    this.#months = months
  }

  /** The counts of the items posted before an instant, and the position in the listing behind them. */
  before(end: number): { groups: Iterable<CountedGroup>; to: number } {
    const [from, to, by] = end < this.#end ? [end, this.#end, -1] : [this.#end, end, 1]
    const range = this.#columns.range(from, to)
    const { postedAt, facets } = this.#columns.byItem
    this.#columns.forEach(range, everything, (no) => this.#add(no, postedAt[no] as number, facets[no] as number, by))
    this.#end = end
    return { groups: this.#groups.values(), to: by === 1 ? range.to : range.from }
  }

  /**
   * To be called before items change, to take out what they were, and after it, to put in what they are.
   * @param by -1, and then 1
   */
  change(numbers: Iterable<number>, by: 1 | -1): void {
    for (const no of numbers) {
      const item = this.#columns.item(no)
      if (item !== undefined && item.postedAt < this.#end) this.#add(no, item.postedAt, item.facets, by)
    }
  }

  #add(no: number, postedAt: number, facets: number, by: number): void {
    const group = this.#groupOf(withoutMonth(facets))
    group.count += by
    const [set, month] = [this.#terms.setOf(no), this.#months.monthOf(postedAt).place]
    if (set >= group.bySet.length) group.bySet = grown(group.bySet, set)
    if (month >= group.byMonth.length) group.byMonth = grown(group.byMonth, month)
    group.bySet[set] = (group.bySet[set] as number) + by
    group.byMonth[month] = (group.byMonth[month] as number) + by
  }

  #groupOf(facets: number): CountedGroup {
    if (this.#last?.facets === facets) return this.#last
    let group = this.#groups.get(facets)
    if (group === undefined) {
      group = { facets, count: 0, bySet: new Uint32Array(), byMonth: new Uint32Array() }
      this.#groups.set(facets, group)
    }
    this.#last = group
    return group
  }
}

function grown(counts: Uint32Array, place: number): Uint32Array {
  const larger = new Uint32Array(Math.ceil((place + 8) * 1.25))
  larger.set(counts)
  return larger
}
