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

/**
 * Numbers the groups of items of one type, region, tier and category (bits 0 to 5, and the place of the category from bit 6).
 * Places are dense: ids that are no category's any more take no room.
 */
export class FacetGroups {
  /** By place; 0 stands for every unknown category. */
  readonly #categoryIds: readonly number[]
  /** By category id; to be read alone. */
  readonly places: Uint16Array

  constructor(categoryIds: readonly number[]) {
    this.#categoryIds = [0, ...categoryIds]
    this.places = new Uint16Array(Math.max(...this.#categoryIds) + 1)
    for (const [place, id] of this.#categoryIds.entries()) this.places[id] = place
  }

  /** Numbers of groups are below this. */
  get count(): number {
    return this.#categoryIds.length << 6
  }

  /** The facets of a group, with no month. */
  facetsOf(group: number): number {
    return (group & 0b111111) | ((this.#categoryIds[group >>> 6] as number) << 10)
  }
}

/** @param places those of `FacetGroups` */
export function groupOf(facets: number, places: Uint16Array): number {
  return (facets & 0b111111) | ((places[categoryIdIn(facets)] as number) << 6)
}

export function categoryIdIn(facets: number): number {
  return (facets >>> 10) & 0xffff
}
