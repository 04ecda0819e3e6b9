import { hasRole, type Viewer } from '../../office/viewer/viewer.ts'
import type { FacetQuery } from '../item/facets.ts'
import { shelfCategories, type VipShelfName } from '../item/vip-shelf.ts'
import type { TermQuery } from '../item/terms.ts'
import { maySeeVip } from './is-listed.ts'

/** One page of the items that match. */
export interface IndexQuery {
  /** As typed; '' for none. */
  text: string
  /** Name of a category, without regard to case. */
  category?: string | undefined
  contentType?: FacetQuery['contentType'] | undefined
  region?: FacetQuery['region'] | undefined
  /** 1 to 12, of any year. */
  month?: number | undefined
  /** Values that an item has, whole, without regard to case and accents. */
  terms?: TermQuery | undefined
  /** Whether only VIP or only free items are wanted. */
  isVip?: boolean | undefined
  /** A shelf of the VIP area, which narrows what is wanted further. */
  shelf?: VipShelfName | undefined
  /** The span of post dates, in milliseconds since 1970: from the first (inclusive) to the second (exclusive). */
  from: number
  to: number
  /** These items alone, by their numbers; then no nearest names are looked for. */
  among?: Int32Array
  ascending: boolean
  /** By how well they answer the text, then newest first; in place of an order by time. */
  byFit?: boolean
  /** Whether the page was chosen by an instant: how many stand before that decides which one it is. */
  isPageOfInstant?: boolean
  skip: number
  limit: number
}

/** The filters of a query that are facets of an item. */
export type ListFilters = Pick<IndexQuery, 'category' | 'contentType' | 'region' | 'month' | 'isVip' | 'shelf'>

/**
 * Whether a query is after free items of early access, too: they count among the VIP items until their post date.
 * Administrators find them with everything that is scheduled; the shelf of early access shows them alone.
 */
export function seesEarly(
  { isVip, shelf }: Pick<IndexQuery, 'isVip' | 'shelf'>,
  viewer: Viewer,
  words: readonly string[],
): boolean {
  if (!maySeeVip(viewer) || isVip === false) return false
  if (shelf === 'vip-first') return true
  return !hasRole(viewer, 'admin') && (shelf === undefined || words.length > 0)
}

/** The names of categories that are asked for: of each list one. A shelf may let go of its own where there is a text. */
function categoriesOf({ category, shelf }: ListFilters, words: readonly string[]): (readonly string[])[] {
  const ofShelf = shelf === undefined ? undefined : shelfCategories(shelf, words.length > 0)
  return [...(category === undefined ? [] : [[category]]), ...(ofShelf === undefined ? [] : [ofShelf])]
}

/** The same with their ids. */
export function namedCategories(
  listing: { categoryId(name: string): number | undefined },
  filters: ListFilters,
  words: readonly string[],
) {
  return categoriesOf(filters, words).map((names) => names.map((name) => ({ name, id: listing.categoryId(name) })))
}

/**
 * Undefined when nothing can match: unknown categories, or VIP items for a viewer who may not see them.
 * @param named the categories that are asked for: of each list one
 */
export function facetsOf(
  { contentType, region, month, isVip, shelf }: ListFilters,
  viewer: Viewer,
  named: readonly (readonly { id: number | undefined }[])[],
): FacetQuery | undefined {
  const facets: FacetQuery = {}
  if (shelf === 'vip-first') return undefined
  if (!maySeeVip(viewer)) {
    if (isVip === true || shelf !== undefined) return undefined
    facets.isVip = false
  } else if (shelf !== undefined) {
    if (isVip === false) return undefined
    facets.isVip = true
  } else if (isVip !== undefined) {
    facets.isVip = isVip
  }
  if (contentType !== undefined) facets.contentType = contentType
  if (region !== undefined) facets.region = region
  if (month !== undefined) facets.month = month
  const [first, ...others] = named.map((list) => list.flatMap(({ id }) => id ?? []))
  if (first === undefined) return facets
  const [one, other] = first.filter((id) => others.every((ids) => ids.includes(id)))
  if (one === undefined) return undefined
  facets.categoryIds = other === undefined ? [one] : [one, other]
  return facets
}
