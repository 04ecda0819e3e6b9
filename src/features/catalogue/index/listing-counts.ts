import { facetMask } from '../item/facets.ts'
import type { ListingColumns } from './listing-columns.ts'
import type { ItemTerms } from './terms/item-terms.server.ts'

/** The items of one type, region, tier and category. */
export interface CountedGroup {
  /** That of their facets with no month. */
  readonly kind: number
  /** How many have each set of counted terms (`ItemTerms`). */
  bySet: Uint32Array
}

/** The items of one kind that were posted in one month are a cell. */
export interface Cells {
  /** By cell: the kind, and the place of the month in `Months`. */
  readonly kinds: readonly number[]
  readonly months: readonly number[]
}

const everything = facetMask({})

/** How many items there are up to an instant, by what facets count: an edit changes numbers, and no question looks through the listing. */
export class ListingCounts {
  readonly #columns: ListingColumns
  readonly #terms: ItemTerms
  /** By their kind. */
  readonly #groups = new Map<number, CountedGroup>()
  readonly #cells = { kinds: [] as number[], months: [] as number[] }
  /** Cells by kind and month. */
  readonly #cellOf: number[][] = []
  /** By cell: how many items it has. */
  #byCell: Uint32Array = new Uint32Array()
  /** By set: the cell of each of its items, in no order. */
  readonly #cellsOfSets: { cells: Uint32Array; length: number }[] = []
  /** The items posted before this instant are counted. */
  #end = -Infinity

  constructor(columns: ListingColumns, terms: ItemTerms) {
    this.#columns = columns
    this.#terms = terms
  }

  /** The counts of the items posted before an instant, and the position in the listing behind them. */
  before(end: number): { groups: Iterable<CountedGroup>; cells: Cells; to: number } {
    const [from, to, by] = end < this.#end ? ([end, this.#end, -1] as const) : ([this.#end, end, 1] as const)
    const range = this.#columns.range(from, to)
    this.#columns.forEach(range, everything, (no) => this.#add(no, by))
    this.#end = end
    return { groups: this.#groups.values(), cells: this.#cells, to: by === 1 ? range.to : range.from }
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

  /** By cell: how many items have one of these sets; of all items where none are named. */
  countCells(sets?: Uint32Array): Uint32Array {
    if (sets === undefined) return this.#byCell
    const counts = new Uint32Array(this.#cells.kinds.length)
    for (let i = 0; i < sets.length; i += 1) {
      const ofSet = this.#cellsOfSets[sets[i] as number]
      if (ofSet !== undefined) countEach(ofSet.cells, ofSet.length, counts)
    }
    return counts
  }

  #add(no: number, by: 1 | -1): void {
    const { byItem, kinds } = this.#columns
    const [kind, set] = [byItem.kinds[no] as number, this.#terms.setOf(no)]
    const group = this.#groupOf(kinds.withoutMonth[kind] as number)
    if (set >= group.bySet.length) group.bySet = grown(group.bySet, set)
    group.bySet[set] = (group.bySet[set] as number) + by
    const cell = this.#cellFor(kind, byItem.months[no] as number)
    if (cell >= this.#byCell.length) this.#byCell = grown(this.#byCell, cell)
    this.#byCell[cell] = (this.#byCell[cell] as number) + by
    const ofSet = (this.#cellsOfSets[set] ??= { cells: new Uint32Array(), length: 0 })
    const { length } = ofSet
    if (length === ofSet.cells.length) ofSet.cells = grown(ofSet.cells, length)
    ofSet.length += by
    if (by === 1) ofSet.cells[length] = cell
    // The last takes the place of the one that leaves.
    else ofSet.cells[ofSet.cells.lastIndexOf(cell, length - 1)] = ofSet.cells[length - 1] as number
  }

  #cellFor(kind: number, month: number): number {
    const ofKind = (this.#cellOf[kind] ??= [])
    const known = ofKind[month]
    if (known !== undefined) return known
    this.#cells.months.push(month)
    return (ofKind[month] = this.#cells.kinds.push(kind) - 1)
  }

  #groupOf(kind: number): CountedGroup {
    let group = this.#groups.get(kind)
    if (group === undefined) {
      group = { kind, bySet: new Uint32Array() }
      this.#groups.set(kind, group)
    }
    return group
  }
}

/** A function of its own, which the engine makes quick at once. */
function countEach(numbers: Uint32Array, length: number, counts: Uint32Array): void {
  for (let i = 0; i < length; i += 1) {
    const each = numbers[i] as number
    counts[each] = (counts[each] as number) + 1
  }
}

function grown(counts: Uint32Array, place: number): Uint32Array {
  const larger = new Uint32Array(Math.ceil((place + 8) * 1.25))
  larger.set(counts)
  return larger
}
