import { type FacetMask, matchesFacets } from '../item/facets.ts'
import type { ListingColumns } from './listing-columns.ts'
import { ItemSet } from './names/item-set.ts'

/** How many sets are kept, an eighth of a byte an item each. */
const maxSets = 32

/** The items that match some facets and were posted before an instant. */
interface MatchingSet {
  mask: FacetMask
  end: number
  set: ItemSet
}

/** The listed items by the facets that were lately asked for: an edit changes bits, and no question looks at each of its matches. */
export class MatchingSets {
  readonly #columns: Pick<ListingColumns, 'capacity' | 'forEach' | 'instantsOf' | 'item' | 'range'>
  readonly #sets = new Map<string, MatchingSet>()

  constructor(columns: Pick<ListingColumns, 'capacity' | 'forEach' | 'instantsOf' | 'item' | 'range'>) {
    this.#columns = columns
  }

  has(mask: FacetMask): boolean {
    return this.#sets.has(keyOf(mask))
  }

  /** Those that stand before a position, to read before the next change. */
  before(position: number, mask: FacetMask): ItemSet {
    const columns = this.#columns
    const key = keyOf(mask)
    const known = this.#sets.get(key) ?? { mask, end: -Infinity, set: new ItemSet(columns.capacity) }
    // The one that was asked for last stands last.
    this.#sets.delete(key)
    this.#sets.set(key, known)
    const [oldest] = this.#sets.keys()
    if (oldest !== undefined && this.#sets.size > maxSets) this.#sets.delete(oldest)
    const { set, end: before } = known
    const end = columns.instantsOf({ from: 0, to: position }).to
    // The clock has gone on, or somebody sees what lies ahead.
    if (end > before) columns.forEach(columns.range(before, end), mask, (no) => set.add(no))
    else if (end < before) columns.forEach(columns.range(end, before), mask, (no) => set.delete(no))
    known.end = end
    return set
  }

  /** To be called after items have changed. */
  change(numbers: Iterable<number>): void {
    for (const no of numbers) {
      const item = this.#columns.item(no)
      for (const { mask, end, set } of this.#sets.values())
        if (item !== undefined && item.postedAt < end && matchesFacets(item.facets, mask)) set.add(no)
        else set.delete(no)
    }
  }

  /** Everything may be another, or there is room for more items. */
  clear(): void {
    this.#sets.clear()
  }
}

function keyOf({ mask, value, otherValue }: FacetMask): string {
  return `${mask}:${value}:${otherValue}`
}
