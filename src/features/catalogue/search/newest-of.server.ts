import type { Scope } from '../../../http/cache/response-cache.ts'
import { anonymous } from '../../office/viewer/viewer.ts'
import type { CatalogueApp } from '../app.ts'
import type { ItemRow } from '../item/listing.ts'
import type { Shelf } from '../shelves/shelf.ts'
import { readSearchQuery } from './read-search-query.ts'
import { searchItems, searchPage } from './search-items.server.ts'

export interface NewestOfShelf {
  /** At most three, the newest first. */
  entries: Pick<ItemRow, 'name' | 'creators' | 'slug' | 'category' | 'contentType'>[]
  /** How many entries came today and in the six days before. */
  ofLastDays: number
}

const shown = '3'

/** The newest entries of a free shelf, for everybody, and what they depend on. */
export async function newestOf(
  app: CatalogueApp,
  shelf: Shelf,
): Promise<{ newest: NewestOfShelf; scopes: readonly (Scope | undefined)[] }> {
  const queryOf = (more: Record<string, string>) =>
    readSearchQuery(new URLSearchParams({ ...shelf.parameters(false), ...more }))
  const { items, scope } = await searchPage(app, anonymous, queryOf({ limit: shown }))
  const recent = searchItems(app, anonymous, queryOf({ limit: '1', dateFilter: '7days' }))
  const entries = items.map(({ row: { name, creators, slug, category, contentType } }) => ({
    name,
    ...(creators === undefined ? {} : { creators }),
    slug,
    category,
    contentType,
  }))
  return { newest: { entries, ofLastDays: recent.total }, scopes: [scope, recent.scope] }
}
