import { type ContentType, isVipType } from '../item/content-type.ts'
import { readFilters, writeFilters } from '../search/listing-address.ts'
import { freeShelves } from '../shelves/free-shelves.ts'
import type { Shelf } from '../shelves/shelf.ts'
import { vipShelves } from '../shelves/vip-shelves.ts'

/** The list of an address by its first part. Those of VIPs are in no file that a public page loads. */
export function shelfOf(list: ContentType): Shelf {
  return isVipType(list) ? vipShelves[list] : freeShelves[list]
}

/** A query as the list writes it: one spelling, without a place in the list. */
export function plainQuery(list: ContentType, query: string): string {
  return writeFilters({ ...readFilters(shelfOf(list), query), at: '', page: 1 })
}
