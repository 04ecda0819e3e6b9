import { type ContentType, isVipType } from '../item/content-type.ts'
import { readFilters, searchParameters, writeFilters } from '../search/listing-address.ts'
import { readSearchQuery } from '../search/read-search-query.ts'
import { freeShelves } from '../shelves/free-shelves.ts'
import type { Shelf } from '../shelves/shelf.ts'
import { vipShelves } from '../shelves/vip-shelves.ts'

/** The list of an address by its first part. Those of VIPs are in no file that a public page loads. */
export function shelfOf(list: ContentType): Shelf {
  return isVipType(list) ? vipShelves[list] : freeShelves[list]
}

/** The parameters of the search that a saved one asks for, the newest first. */
export function parametersOfSearch(list: string, query: string): URLSearchParams {
  const shelf = shelfOf(list as ContentType)
  // Its span of days is one of the moment it is looked at, and its order that of a page.
  const filters = { ...readFilters(shelf, query), dateFilter: '', sort: 'mostRecent', at: '', page: 1 } as const
  return searchParameters(shelf, filters, 1)
}

/** Its unique index holds no more; a page writes less. */
const longestQuery = 2_000

/** Whether a list can be asked so: saved searches hold nothing that their digest could not ask. */
export function canBeAsked(list: ContentType, query: string): boolean {
  try {
    readSearchQuery(parametersOfSearch(list, query))
  } catch {
    return false
  }
  return plainQuery(list, query).length <= longestQuery
}

/** A query as the list writes it: one spelling, without a place in the list. */
export function plainQuery(list: ContentType, query: string): string {
  return writeFilters({ ...readFilters(shelfOf(list), query), at: '', page: 1 })
}
