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
  /** By set: how many of its items each cell has. */
  readonly #bySet: CellsOfSet[] = []
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
      this.#bySet[sets[i] as number]?.addTo(counts)
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
    const ofSet = (this.#bySet[set] ??= new CellsOfSet())
    ofSet.add(cell, by)
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

/** How many items of one set each cell has. */
class CellsOfSet {
  /** Ascending; those that have no item any more stay. */
  #cells: Uint32Array = new Uint32Array()
  #counts: Uint32Array = new Uint32Array()
  #length = 0

  add(cell: number, by: 1 | -1): void {
    const place = this.#placeFor(cell)
    this.#counts[place] = (this.#counts[place] as number) + by
  }

  addTo(counts: Uint32Array): void {
    const [cells, own, length] = [this.#cells, this.#counts, this.#length]
    for (let i = 0; i < length; i += 1) {
      const cell = cells[i] as number
      counts[cell] = (counts[cell] as number) + (own[i] as number)
    }
  }

  #placeFor(cell: number): number {
    let [from, to] = [0, this.#length]
    while (from < to) {
      const middle = (from + to) >>> 1
      if ((this.#cells[middle] as number) < cell) from = middle + 1
      else to = middle
    }
    if (from < this.#length && this.#cells[from] === cell) return from
    if (this.#length === this.#cells.length) {
      this.#cells = grown(this.#cells, this.#length)
      this.#counts = grown(this.#counts, this.#length)
    }
    this.#cells.copyWithin(from + 1, from, this.#length)
    this.#counts.copyWithin(from + 1, from, this.#length)
    this.#cells[from] = cell
    this.#counts[from] = 0
    this.#length += 1
    return from
  }
}

function grown(counts: Uint32Array, place: number): Uint32Array {
  const larger = new Uint32Array(Math.ceil((place + 8) * 1.25))
  larger.set(counts)
  return larger
}
