import type { App } from '../../platform/app.ts'
import { anonymous } from '../accounts/viewer.ts'
import type { FreePage } from './content-type.ts'
import type { ItemRow, ListingPage } from './listing.ts'
import { readFilters, searchParameters } from './parts/listing-address.ts'
import { readSearchQuestion } from './read-search-question.ts'
import { searchItems } from './search-items.server.ts'

/**
 * One page of a free listing, as the query part of its own address asks for it: the same question that the browser puts to the HTTP
 * interface when it goes on from there.
 */
export async function listPage(
  app: App,
  { section, search }: { section: FreePage; search: string },
): Promise<ListingPage> {
  const filters = readFilters(section, search)
  const question = readSearchQuestion(searchParameters(section, filters, filters.page))
  const { nos, nearest = [], ...counts } = await searchItems(app, anonymous, question)
  return { section, filters, ...counts, rows: await rowsOf(app, nos), nearest: await rowsOf(app, nearest) }
}

async function rowsOf(app: App, nos: number[]): Promise<ItemRow[]> {
  return (await app.listing.fragments.read(nos, anonymous, app.clock.now())).map((fragment) => fragment.row)
}
