import type { Scope } from '../../../http/cache/response-cache.ts'
import type { CatalogueApp } from '../app.ts'
import { anonymous } from '../../office/viewer/viewer.ts'
import type { ListingPage } from '../item/listing.ts'
import { wordsOf } from '../item/name-text.ts'
import { markRow } from './mark-row.server.ts'
import { readFilters, searchParameters } from './listing-address.ts'
import { readSearchQuery } from './read-search-query.ts'
import { type MissCounter, missCounter, searchPage } from './search-items.server.ts'
import type { Shelf } from '../shelves/shelf.ts'

/**
 * One page of a free listing, as the query part of its own address asks for it: the same query that the browser puts to the HTTP
 * interface when it goes on from there.
 * @returns the page, what it depends on, and what is to be called when it is sent
 */
export async function listPage(
  app: CatalogueApp,
  { shelf, search }: { shelf: Shelf; search: string },
): Promise<{ page: ListingPage; scope: Scope | undefined; onSend: MissCounter | undefined }> {
  const filters = readFilters(shelf, search)
  const query = readSearchQuery(searchParameters(shelf, filters, filters.page))
  const { items, nearestItems = [], didYouMean, scope, total, ...found } = await searchPage(app, anonymous, query)
  const words = wordsOf(query.text)
  const page = {
    // An instant has become a page.
    filters: { ...filters, page: found.page },
    total,
    totalPages: found.totalPages,
    rows:
      words.length === 0
        ? items.map(({ row }) => row)
        : items.map(({ row }) => ({ ...row, marks: markRow(row, words) })),
    nearest: nearestItems.map(({ row }) => row),
    ...(didYouMean === undefined ? {} : { didYouMean }),
  }
  return { page, scope, onSend: missCounter(app, anonymous, query, total) }
}
