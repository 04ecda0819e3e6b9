import type { Scope } from '../../../http/cache/response-cache.ts'
import { defineError, isAppError } from '../../../platform/errors.ts'
import { hasRole, type Viewer } from '../../office/viewer/viewer.ts'
import type { CatalogueApp } from '../app.ts'
import { coverFile } from '../covers/store-cover.server.ts'
import type { CoverWidth } from '../item/cover-address.ts'

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
