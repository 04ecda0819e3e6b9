import { contentTypes, type ContentType, type Region } from './content-type.ts'

/**
 * An item's filterable traits in one 32-bit integer, laid out as the database's `pack_facets` lays them out:
 * type (bits 0 to 3), region (4), vip (5), month (6 to 9), category id (10 to 25).
 */
export interface FacetQuery {
  contentType?: ContentType
  region?: Region
  isVip?: boolean
  /** 1 to 12. */
  month?: number
  /** One of these; at most two, which is as many as a shelf has. */
  categoryIds?: readonly [number] | readonly [number, number]
}

/** An item answers the query when `facets & mask` is `value` or `otherValue`, which is the same where there is only one. */
export interface FacetMask {
  mask: number
  value: number
  otherValue: number
}

export function matchesFacets(facets: number, { mask, value, otherValue }: FacetMask): boolean {
  const masked = facets & mask
  return masked === value || masked === otherValue
}

export function facetMask(query: FacetQuery): FacetMask {
  let mask = 0
  let value = 0
  if (query.contentType !== undefined) {
    mask |= 0b1111
    value |= contentTypes.indexOf(query.contentType)
  }
  if (query.region !== undefined) {
    mask |= 1 << 4
    value |= query.region === 'western' ? 1 << 4 : 0
  }
  if (query.isVip !== undefined) {
    mask |= 1 << 5
    value |= query.isVip ? 1 << 5 : 0
  }
  if (query.month !== undefined) {
    mask |= 0b1111 << 6
    value |= query.month << 6
  }
  if (query.categoryIds === undefined) return { mask, value, otherValue: value }
  const [one, other = one] = query.categoryIds
  return { mask: mask | (0xffff << 10), value: value | (one << 10), otherValue: value | (other << 10) }
}

/** The same facets with no month: items of one type, region, tier and category share them. */
export function withoutMonth(facets: number): number {
  return facets & ~(0b1111 << 6)
}

/** Numbers the facets that are met, in the order in which they are: a column of such kinds is short, and a filter is one table. */
export class FacetKinds {
  readonly #numbers = new Map<number, number>()
  /** By kind: its facets, and the kind of the same with no month. */
  readonly facets: number[] = []
  readonly withoutMonth: number[] = []

  constructor() {
    // The kind of what was never met.
    this.numberOf(0)
  }

  /** Kinds are below this. */
  get count(): number {
    return this.facets.length
  }

  numberOf(facets: number): number {
    const known = this.#numbers.get(facets)
    if (known !== undefined) return known
    const kind = this.facets.push(facets) - 1
    this.#numbers.set(facets, kind)
    const others = withoutMonth(facets)
    this.withoutMonth[kind] = others === facets ? kind : this.numberOf(others)
    return kind
  }

  /** By kind: 1 for those that match all of these. */
  matching(...masks: readonly FacetMask[]): Uint8Array {
    const matching = new Uint8Array(this.count).fill(1)
    for (const mask of masks)
      for (let kind = 0; kind < matching.length; kind += 1)
        if (!matchesFacets(this.facets[kind] as number, mask)) matching[kind] = 0
    return matching
  }
}

export function categoryIdIn(facets: number): number {
  return (facets >>> 10) & 0xffff
}
