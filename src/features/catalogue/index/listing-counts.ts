import { facetMask } from '../item/facets.ts'
import type { ListingColumns } from './listing-columns.ts'
import type { ItemTerms } from './terms/item-terms.server.ts'

/** The items of one type, region, tier and category. */
export interface CountedGroup {
  /** That of their facets with no month. */
  readonly kind: number
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
  /** By their kind. */
  readonly #groups = new Map<number, CountedGroup>()
  /** The items posted before this instant are counted. */
  #end = -Infinity

  constructor(columns: ListingColumns, terms: ItemTerms) {
    this.#columns = columns
    this.#terms = terms
  }

  /** The counts of the items posted before an instant, and the position in the listing behind them. */
  before(end: number): { groups: Iterable<CountedGroup>; to: number } {
    const [from, to, by] = end < this.#end ? [end, this.#end, -1] : [this.#end, end, 1]
    const range = this.#columns.range(from, to)
    this.#columns.forEach(range, everything, (no) => this.#add(no, by))
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
      if (item !== undefined && item.postedAt < this.#end) this.#add(no, by)
    }
  }

  #add(no: number, by: number): void {
    const { byItem, kinds } = this.#columns
    const group = this.#groupOf(kinds.withoutMonth[byItem.kinds[no] as number] as number)
    group.count += by
    const [set, month] = [this.#terms.setOf(no), byItem.months[no] as number]
    if (set >= group.bySet.length) group.bySet = grown(group.bySet, set)
    if (month >= group.byMonth.length) group.byMonth = grown(group.byMonth, month)
    group.bySet[set] = (group.bySet[set] as number) + by
    group.byMonth[month] = (group.byMonth[month] as number) + by
  }

  #groupOf(kind: number): CountedGroup {
    let group = this.#groups.get(kind)
    if (group === undefined) {
      group = { kind, count: 0, bySet: new Uint32Array(), byMonth: new Uint32Array() }
      this.#groups.set(kind, group)
    }
    return group
  }
}

function grown(counts: Uint32Array, place: number): Uint32Array {
  const larger = new Uint32Array(Math.ceil((place + 8) * 1.25))
  larger.set(counts)
  return larger
}
