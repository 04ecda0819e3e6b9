import { type FreePage, itemPath } from '../item/content-type.ts'
import { regionalFilters, type RowLook, type Shelf, usual, usualAdvice } from './shelf.ts'

export interface FreeShelf extends Shelf {
  /** For search engines. */
  description: string
}

const row: RowLook = { pathOf: itemPath, newLabel: 'NEW' }

/** The lists of a region (docs/spec/pages.md#listings). With a text or a creator every free type is searched, from either. */
function regional(region: 'asian' | 'western', texts: Pick<FreeShelf, 'name' | 'title' | 'description' | 'twin'>) {
  return {
    ...usual,
    ...texts,
    path: `/${region}`,
    access: 'anyone',
    filters: regionalFilters,
    parameters: (isWide) => (isWide ? { tier: 'free' } : { contentType: region }),
    row,
    empty: { title: 'No Content Found', advice: usualAdvice },
  } satisfies FreeShelf
}

/** The lists of a category (docs/spec/pages.md#category-listings). */
function ofCategory(name: 'Banned' | 'Unknown', description: string) {
  return {
    ...usual,
    path: `/${name.toLowerCase() as 'banned' | 'unknown'}`,
    access: 'anyone',
    name,
    title: `${name} Content`,
    description,
    filters: ['month', 'sort'],
    parameters: () => ({ category: name, tier: 'free' }),
    row,
    empty: { title: `No ${name} Content Found`, advice: usualAdvice },
  } satisfies FreeShelf
}

/** The free lists (docs/spec/search.md#free-lists). */
export const freeShelves: Readonly<Record<FreePage, FreeShelf>> = {
  asian: regional('asian', {
    name: 'Asian',
    title: 'Free Asian Content',
    description: 'Works from Asia, entry by entry and day by day: browse, search and filter the free catalogue.',
    twin: { path: '/western', name: 'Western' },
  }),
  western: regional('western', {
    name: 'Western',
    title: 'Free Western Content',
    description: 'Works from the West, entry by entry and day by day: browse, search and filter the free catalogue.',
    twin: { path: '/asian', name: 'Asian' },
  }),
  banned: ofCategory(
    'Banned',
    'Works that were censored, banned or withdrawn somewhere, at some time, in order of their entry.',
  ),
  unknown: ofCategory('Unknown', 'Works whose author or origin is not established, in order of their entry.'),
}
