import type { ListingFilters, ListingPage } from '../../item/listing.ts'
import type { Shelf } from '../../shelves/shelf.ts'

export interface ListSite {
  brandName: string
  publicUrl: string
  timeZone: string
  /** The day of the site's time zone on which the page was rendered, `YYYY-MM-DD`. */
  today: string
}

/** The query of a list, and its site. The list begins with the page in the filters. */
export interface SiteListQuery {
  site: ListSite
  shelf: Shelf
  filters: ListingFilters
}

/** One page of a list, wherever it came from. */
export interface LoadedPage extends Pick<ListingPage, 'rows' | 'total' | 'totalPages' | 'nearest' | 'didYouMean'> {
  page: number
}

/** The number of the next page, while there is one (docs/spec/search.md#list-states). */
export function pageAfter({
  page,
  rows,
  totalPages,
}: Pick<LoadedPage, 'page' | 'rows' | 'totalPages'>): number | undefined {
  return page < totalPages && rows.length > 0 ? page + 1 : undefined
}

/** A list that could not be brought; the message is the one people read (docs/spec/search.md#answer). */
export class ListError extends Error {}

/**
 * Calls the search, as a list of its kind has to, and gives the body of the answer.
 * @throws {ListError} when there is none, or it is a refusal
 */
export type CallSearch = (path: string, signal: AbortSignal) => Promise<unknown>
