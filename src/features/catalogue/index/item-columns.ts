import { FacetKinds, type FacetMask } from '../item/facets.ts'
import { grown, likewise, type SmallColumn, withNumber } from './small-column.ts'

/** One published item, as the listing orders and filters it. Instants are milliseconds since 1970. */
export interface ListedItem {
  /** The item's short number in the database. */
  no: number
  postedAt: number
  createdAt: number
  facets: number
}

/** Below 0 when the first stands before the second, oldest first. */
export function compareListed(a: ListedItem, b: ListedItem): number {
  return a.postedAt - b.postedAt || a.createdAt - b.createdAt || a.no - b.no
}

export interface SavedItems {
  postedAt: Float64Array
  createdAt: Float64Array
  facetsByNumber: Int32Array
}

/** Every item by its number: when it was posted and made, the kind of its facets and the month. 20 bytes a number. */
export class ItemColumns {
  readonly kinds = new FacetKinds()
  readonly #monthOf: (instant: number) => number
  /** NaN: not listed. */
  #postedAt: Float64Array = new Float64Array(1024).fill(Number.NaN)
  #createdAt: Float64Array = new Float64Array(1024)
  #kindOf: SmallColumn = new Uint16Array(1024)
  #months: SmallColumn = new Uint16Array(1024)

  /** @param monthOf the place of the month of an instant (`Months`) */
  constructor(monthOf: (instant: number) => number) {
    this.#monthOf = monthOf
  }

  /** Greater than every number. */
  get capacity(): number {
    return this.#postedAt.length
  }

  get postedAt(): Float64Array {
    return this.#postedAt
  }

  get kindOf(): SmallColumn {
    return this.#kindOf
  }

  /** The places of the months in which they were posted. */
  get months(): SmallColumn {
    return this.#months
  }

  clear(): void {
    this.#postedAt.fill(Number.NaN)
  }

  save(): SavedItems {
    return {
      postedAt: this.#postedAt.slice(),
      createdAt: this.#createdAt.slice(),
      facetsByNumber: Int32Array.from(this.#kindOf, (kind) => this.kinds.facets[kind] as number),
    }
  }

  restore({ postedAt, createdAt, facetsByNumber }: SavedItems): void {
    this.#postedAt = postedAt
    this.#createdAt = createdAt
    this.#kindOf = new Uint16Array(postedAt.length)
    this.#months = new Uint16Array(postedAt.length)
    for (let no = 0; no < postedAt.length; no += 1) {
      this.#kindOf = withNumber(this.#kindOf, no, this.kinds.numberOf(facetsByNumber[no] as number))
      if (this.has(no)) this.#months = withNumber(this.#months, no, this.#monthOf(postedAt[no] as number))
    }
  }

  put(no: number, postedAt: number, createdAt: number, facets: number): void {
    this.#postedAt[no] = postedAt
    this.#createdAt[no] = createdAt
    this.#kindOf = withNumber(this.#kindOf, no, this.kinds.numberOf(facets))
    this.#months = withNumber(this.#months, no, this.#monthOf(postedAt))
  }

  /** Its facets stay, for those who ask what they were. */
  takeOut(no: number): void {
    this.#postedAt[no] = Number.NaN
  }

  /** @returns whether the columns are longer now */
  makeRoom(highestNumber: number): boolean {
    if (highestNumber < this.capacity) return false
    const capacity = Math.ceil((highestNumber + 1) * 1.25)
    this.#postedAt = grown(this.#postedAt, new Float64Array(capacity).fill(Number.NaN))
    this.#createdAt = grown(this.#createdAt, new Float64Array(capacity))
    this.#kindOf = grown(this.#kindOf, likewise(this.#kindOf, capacity))
    this.#months = grown(this.#months, likewise(this.#months, capacity))
    return true
  }

  has(no: number): boolean {
    return no < this.#postedAt.length && !Number.isNaN(this.#postedAt[no])
  }

  item(no: number): ListedItem | undefined {
    if (!this.has(no)) return undefined
    return {
      no,
      postedAt: this.#postedAt[no] as number,
      createdAt: this.#createdAt[no] as number,
      facets: this.facetsOf(no),
    }
  }

  facetsOf(no: number): number {
    return this.kinds.facets[this.#kindOf[no] ?? 0] as number
  }

  /** The order of the listing, oldest first: below 0 when the first stands before the second. */
  compare(a: number, b: number): number {
    return (
      (this.#postedAt[a] as number) - (this.#postedAt[b] as number) ||
      (this.#createdAt[a] as number) - (this.#createdAt[b] as number) ||
      a - b
    )
  }

  /** Whether an item was posted between two instants, the second exclusive, and matches. */
  isIn({ from, to }: { from: number; to: number }, facetMask: FacetMask): (no: number) => boolean {
    const matches = this.kinds.matching(facetMask)
    return (no) => {
      const postedAt = this.#postedAt[no] as number
      return postedAt >= from && postedAt < to && matches[this.#kindOf[no] as number] === 1
    }
  }

  /** Those of some items that were posted between two instants, the second exclusive, and match. */
  select(items: Int32Array, { from, to }: { from: number; to: number }, facetMask: FacetMask): Int32Array {
    const matches = this.kinds.matching(facetMask)
    const selected = new Int32Array(items.length)
    let count = 0
    for (let i = 0; i < items.length; i += 1) {
      const no = items[i] as number
      const postedAt = this.#postedAt[no] as number
      if (postedAt < from || !(postedAt < to)) continue
      if (matches[this.#kindOf[no] as number] === 1) selected[count++] = no
    }
    return selected.subarray(0, count)
  }

  /**
   * The matches posted before an instant in the order of their numbers, which is that of their creation: the `skip`th and those
   * that follow it, and how many there are.
   */
  byNumber(
    beforeInstant: number,
    facetMask: FacetMask,
    { skip, limit }: { skip: number; limit: number },
  ): { numbers: number[]; total: number } {
    const numbers: number[] = []
    const matches = this.kinds.matching(facetMask)
    let total = 0
    for (let no = 0; no < this.#postedAt.length; no += 1) {
      if (!((this.#postedAt[no] as number) < beforeInstant)) continue
      if (matches[this.#kindOf[no] as number] === 0) continue
      if (total >= skip && numbers.length < limit) numbers.push(no)
      total += 1
    }
    return { numbers, total }
  }
}
