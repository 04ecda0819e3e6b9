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

/** The number of a group: items of one type, region, tier and category have the same (bits 0 to 5, and the category id from bit 6). */
export function groupOf(facets: number): number {
  return (facets & 0b111111) | ((facets >>> 4) & 0x3fffc0)
}

/** The facets of a group, with no month. */
export function facetsOfGroup(group: number): number {
  return (group & 0b111111) | ((group & 0x3fffc0) << 4)
}

/** Numbers of groups are below this where no category has a higher id. */
export function groupCount(highestCategoryId: number): number {
  return (highestCategoryId + 1) << 6
}

export function categoryIdIn(facets: number): number {
  return (facets >>> 10) & 0xffff
}
