import { PageScope } from '../../../http/pages/page-scope.ts'
import type { Scope } from '../../../http/cache/response-cache.ts'
import { freeContentTypes } from '../../catalogue/item/content-type.ts'
import { freeShelves } from '../../catalogue/shelves/free-shelves.ts'
import { anonymous } from '../../office/viewer/viewer.ts'
import type { SiteApp } from '../app.ts'
import type { Feed } from './feed.ts'
import { type FeedParameters, readFeedEntries } from './feed-entries.server.ts'

/** The lists that have a feed; `all` are the four together. */
export const feedSections = [...freeContentTypes, 'all'] as const
export type FeedSection = (typeof feedSections)[number]

/** The feed of a free list, for everybody (docs/spec/found-from-outside.md#feeds). */
export async function publicFeed(
  app: SiteApp,
  { section, format, parameters }: { section: FeedSection; format: string; parameters: FeedParameters },
): Promise<{ feed: Feed; scope: Scope }> {
  const shelf = section === 'all' ? undefined : freeShelves[section]
  // As the list itself: a text and a creator are looked for in every free type.
  const isWide = parameters['search'] !== undefined || parameters['creator'] !== undefined
  const own: FeedParameters = shelf?.parameters(isWide) ?? { tier: 'free' }
  // The two shelves of a category have no other.
  const isOutside = isAnother(own['category'], parameters['category'])
  const scope = new PageScope()
  scope.state(app.listing.scopeOfSettings())
  // Read in any case: a parameter that is wrong is refused.
  const found = await readFeedEntries(app, anonymous, { ...parameters, ...own })
  scope.state(found.scope)
  const { publicUrl } = app.config
  const { brandName } = app.texts.inForce
  const query = queryOf(parameters)
  return {
    scope,
    feed: {
      title: [brandName, shelf?.name ?? 'All entries', ...valuesOf(parameters)].join(' · '),
      description: shelf?.description ?? `The newest entries of ${brandName}.`,
      home: `${publicUrl}${shelf === undefined ? '/' : shelf.path + query}`,
      self: `${publicUrl}/feeds/${section}.${format}${query}`,
      icon: `${publicUrl}/icons/512.png`,
      entries: isOutside ? [] : found.entries,
    },
  }
}

function isAnother(own: string | undefined, given = ''): boolean {
  return own !== undefined && given.trim() !== '' && own.toLowerCase() !== given.trim().toLowerCase()
}

export function valuesOf(parameters: FeedParameters): string[] {
  return Object.values(parameters).filter((value) => value.trim() !== '')
}

function queryOf(parameters: FeedParameters): string {
  const query = new URLSearchParams(Object.entries(parameters).filter(([, value]) => value.trim() !== '')).toString()
  return query === '' ? '' : `?${query}`
}
