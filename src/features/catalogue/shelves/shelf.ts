import type { ItemRow } from '../item/listing.ts'

export type ShelfFilter = 'dateFilter' | 'month' | 'category' | 'sort' | 'region'

export interface RowLook {
  pathOf: (row: ItemRow) => string
  newLabel: string
  /** Stands before the date of a heading: 'VIP Banned - March 5, 2024' in place of 'March 05, 2024'. */
  headingPrefix?: string
  /** A word on rows that are of another type than the list; undefined for none. */
  chipOf?: (row: ItemRow) => string | undefined
}

/**
 * One list of the catalogue: who may see it, what it asks for, and how its page reads (docs/spec/pages.md#listings).
 * The listing, its toolbar, its address and its requests are the same for all; everything in which two lists differ
 * stands here.
 */
export interface Shelf {
  path: `/${string}`
  /** The rows of a list for VIPs are asked for with the bearer, and are forgotten when the session or the access ends. */
  access: 'anyone' | 'vip'
  title: string
  subtitle?: string
  /** Its name where it is one of several: in links back to it, and in titles. */
  name: string
  placeholder: string
  /** In the order of the toolbar. */
  filters: readonly ShelfFilter[]
  /** How long a changed filter waits for the next change; milliseconds. */
  debounceMs: number
  /** The parameters of the search that make it this list; wide with a search text or a creator. */
  parameters: (isWide: boolean) => Record<string, string>
  row: RowLook
  /** Shown without a match. */
  empty: { title: string; advice: string }
  moreLabel: string
  /** The list that the page offers to switch to. */
  twin?: { path: `/${string}`; name: string }
}

export const usual = {
  placeholder: 'Search by name...',
  debounceMs: 300,
  moreLabel: 'Load More Content',
} as const

export const usualAdvice = "Try adjusting your search or filters to find what you're looking for."

export const regionalFilters = ['dateFilter', 'month', 'category'] as const
