import type { Viewer } from '../../office/viewer/viewer.ts'
import { facetMask } from '../item/facets.ts'
import { termKinds } from '../item/terms.ts'
import { seesEarly } from './index-query.ts'
import { maySeeVip } from './is-listed.ts'
import type { ListingIndex } from './listing-index.server.ts'

/** A kind of name by which items are found whole, too many to be facets. */
export type NameKind = 'creator' | 'series'

/** A name as an item spells it, and how many items have it. */
export interface CountedName {
  name: string
  count: number
}

/**
 * Every name of a kind that items have which a viewer may see now, in the order of the alphabet.
 * @throws {AppError} `database.unavailable`, 503, when the index may not be shown any more
 */
export function countNames(listing: ListingIndex, kind: NameKind, viewer: Viewer): CountedName[] {
  const { columns, terms } = listing
  const { listed, early } = listing.ranges(viewer, -Infinity, Infinity)
  const [free, everything] = [facetMask({ isVip: false }), facetMask({})]
  const counts = new Uint32Array(terms.size)
  const count = (no: number): void => terms.countNames(no, counts)
  columns.forEach(listed, maySeeVip(viewer) ? everything : free, count)
  if (seesEarly({}, viewer, [])) columns.forEach(early, free, count)
  return terms
    .inOrder(termKinds.indexOf(kind))
    .filter((id) => counts[id] !== 0)
    .map((id) => ({ name: terms.valueOf(id), count: counts[id] as number }))
}
