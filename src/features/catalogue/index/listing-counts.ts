import { withoutMonth } from '../item/facets.ts'
import type { ListingColumns } from './listing-columns.ts'
import type { Months } from './months.ts'
import type { ItemTerms } from './terms/item-terms.server.ts'

/** The items of one type, region, tier and category. */
export interface CountedGroup {
  /** Their facets, without the month. */
  readonly facets: number
  /** How many have a set of counted terms (`ItemTerms`). */
  readonly bySet: Map<number, number>
  /** How many were posted in a month (`Months`). */
  readonly byMonth: Map<number, number>
}

/** How many items there are up to an instant, by what facets count: an edit changes numbers, and no question looks through the listing. */
export class ListingCounts {
  readonly #columns: ListingColumns
  readonly #terms: ItemTerms
  readonly #months: Months
  readonly #groups = new Map<number, CountedGroup>()
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
    this.#columns.forEach(range, (no, postedAt, facets) => this.#add(no, postedAt, facets, by))
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
    const key = facets & withoutMonth
    let group = this.#groups.get(key)
    if (group === undefined) this.#groups.set(key, (group = { facets: key, bySet: new Map(), byMonth: new Map() }))
    const [set, month] = [this.#terms.setOf(no), this.#months.numberOf(postedAt)]
    group.bySet.set(set, (group.bySet.get(set) ?? 0) + by)
    group.byMonth.set(month, (group.byMonth.get(month) ?? 0) + by)
  }
}
