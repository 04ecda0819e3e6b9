import type { Scope } from '../../../http/cache/response-cache.ts'
import { hasRole, type Viewer } from '../../office/viewer/viewer.ts'
import type { CatalogueApp } from '../app.ts'
import type { DrawnWork } from '../covers/drawn/drawn-work.ts'
import { type ContentType, freePageOf, isVipType } from '../item/content-type.ts'
import { hashInCover } from '../item/cover-address.ts'
import { itemOf, storedItems } from '../publishing/stored-item.server.ts'

export interface FoundWork {
  work: DrawnWork
  /** The hash of its uploaded cover. */
  cover: string | undefined
  scope: Scope | undefined
}

/** The work behind a slug that this viewer may see now, as covers are drawn of it; administrators also see what is not published. */
export async function findDrawnWork(
  app: Pick<CatalogueApp, 'db' | 'listing'>,
  viewer: Viewer,
  slug: string,
): Promise<FoundWork | undefined> {
  const found = await app.listing.findItem(slug, viewer)
  if (found !== undefined) {
    const { item } = found
    const cover = item.cover === undefined ? undefined : hashInCover(item.cover)
    return { work: workOf(item), cover, scope: app.listing.scopeOfItem(found.no) }
  }
  if (!hasRole(viewer, 'admin')) return undefined
  const row = await storedItems(app.db)
    .where('items.slug', '=', slug)
    .where('items.status', '<>', 'removed')
    .executeTakeFirst()
  if (row === undefined) return undefined
  const item = itemOf(row)
  return { work: workOf(item), cover: item.cover ?? undefined, scope: undefined }
}

function workOf(item: {
  slug: string
  name: string
  creators?: readonly string[] | undefined
  seriesNumber?: number | null | undefined
  contentType: ContentType
  category: string
}): DrawnWork {
  const { slug, name, creators = [], seriesNumber } = item
  const shelf = isVipType(item.contentType) ? 'vip' : freePageOf(item)
  return { slug, name, creators, seriesNumber: seriesNumber ?? undefined, shelf }
}
