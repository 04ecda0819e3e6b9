import type { Scope } from '../../../http/cache/response-cache.ts'
import { defineError, isAppError } from '../../../platform/errors.ts'
import { hasRole, type Viewer } from '../../office/viewer/viewer.ts'
import type { CatalogueApp } from '../app.ts'
import { coverFile } from '../covers/store-cover.server.ts'
import { type CoverWidth, hashInCover } from '../item/cover-address.ts'
import type { DrawnWork } from '../covers/drawn/drawn-work.ts'
import { type ContentType, freePageOf, isVipType } from '../item/content-type.ts'
import { itemOf, storedItems } from '../publishing/stored-item.server.ts'

interface StoredPicture {
  bytes: Buffer
  scope: Scope
}

/**
 * A picture of an item that this viewer may see now (docs/spec/publishing.md#covers). Administrators see those of every item
 * but a removed one.
 * @throws {AppError} `cover.not_found`, 404; `evidence.store`, 503
 */
export async function readCover(
  app: Pick<CatalogueApp, 'db' | 'listing' | 'evidence' | 'log'>,
  viewer: Viewer,
  { hash, width }: { hash: string; width: CoverWidth },
): Promise<StoredPicture> {
  const found = await app.db
    .selectFrom('items as covered')
    .select('no')
    .where('cover', '=', hash)
    .where((where) =>
      hasRole(viewer, 'admin') ? where('status', '<>', 'removed') : app.listing.isVisible('covered.id', viewer),
    )
    .limit(1)
    .executeTakeFirst()
  if (found === undefined) throw coverNotFound()
  return { bytes: await readFile(app, coverFile(hash, width)), scope: app.listing.scopeOfItem(found.no) }
}

async function readFile({ evidence, log }: Pick<CatalogueApp, 'evidence' | 'log'>, name: string): Promise<Buffer> {
  try {
    const pieces: Uint8Array[] = []
    for await (const piece of await evidence.read(name)) pieces.push(piece)
    return Buffer.concat(pieces)
  } catch (error) {
    if (!isAppError(error) || error.status !== 404) throw error
    log.warn({ name }, 'The picture of an entry is not in the store of files.')
    throw coverNotFound()
  }
}

export const coverNotFound = defineError({
  code: 'cover.not_found',
  status: 404,
  sentence: 'There is no such picture.',
  remedy: 'Take its address from the item.',
})

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
