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
  categoryId?: number
}

/** An item answers the query when `(facets & mask) === value`. */
export interface FacetMask {
  mask: number
  value: number
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
  if (query.categoryId !== undefined) {
    mask |= 0xffff << 10
    value |= query.categoryId << 10
  }
  return { mask, value }
}
