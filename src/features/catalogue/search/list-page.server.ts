import type { Scope } from '../../../http/cache/response-cache.ts'
import type { CatalogueApp } from '../app.ts'
import { dayOf } from '../../../platform/time/site-time.ts'
import { anonymous } from '../../office/viewer/viewer.ts'
import type { ListingPage } from '../item/listing.ts'
import { wordsOf } from '../item/name-text.ts'
import { rowMarker } from './mark-row.server.ts'
import { readFilters, searchParameters } from './listing-address.ts'
import { readSearchQuery } from './read-search-query.ts'
import { type MissCounter, missCounter, searchItems, searchPage, type SearchQuery } from './search-items.server.ts'
import type { Shelf } from '../shelves/shelf.ts'

/**
 * One page of a free listing, as the query part of its own address asks for it: the same query that the browser puts to the HTTP
 * interface when it goes on from there.
 * @returns the page, what it depends on, and what is to be called when it is sent
 */
export async function listPage(
  app: CatalogueApp,
  { shelf, search }: { shelf: Shelf; search: string },
): Promise<{ page: ListingPage; scopes: (Scope | undefined)[]; onSend: MissCounter | undefined }> {
  const filters = readFilters(shelf, search)
  const query = readSearchQuery(searchParameters(shelf, filters, filters.page))
  const { items, nearestItems = [], didYouMean, scope, total, ...found } = await searchPage(app, anonymous, query)
  const words = wordsOf(query.text)
  const marksOf = rowMarker(words)
  const oldest = words.length > 0 || total === 0 ? undefined : findOldest(app, query, total)
  const page = {
    // An instant has become a page.
    filters: { ...filters, page: found.page },
    total,
    totalPages: found.totalPages,
    rows: words.length === 0 ? items.map(({ row }) => row) : items.map(({ row }) => ({ ...row, marks: marksOf(row) })),
    nearest: nearestItems.map(({ row }) => row),
    ...(didYouMean === undefined ? {} : { didYouMean }),
    ...(oldest?.year === undefined ? {} : { firstYear: oldest.year }),
  }
  return {
    page,
    scopes: oldest === undefined ? [scope] : [scope, oldest.scope],
    onSend: missCounter(app, anonymous, query, total),
  }
}

/** The year of the oldest entry that answers a query. */
function findOldest(
  app: CatalogueApp,
  { at: _at, ...query }: SearchQuery,
  total: number,
): { year: number | undefined; scope: Scope | undefined } {
  const { itemNumbers, scope } = searchItems(app, anonymous, { ...query, ascending: false, page: total, limit: 1 })
  const postedAt = itemNumbers[0] === undefined ? undefined : app.listing.postedAt(itemNumbers[0])
  const year = postedAt === undefined ? undefined : Number(dayOf(postedAt, app.config.timeZone).slice(0, 4))
  return { year, scope }
}
