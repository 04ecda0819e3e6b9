import { requireMember, type Viewer } from '../../office/viewer/viewer.ts'
import type { CatalogueApp } from '../app.ts'
import { readPicture } from '../covers/read-picture.server.ts'
import { type CoverStoringApp, storeCover, withdrawCover } from '../covers/store-cover.server.ts'
import { coverAddress } from '../item/cover-address.ts'
import type { ItemForAdmin } from './content-schema.ts'
import { readItemOfForm } from './read-item-for-admin.server.ts'
import { assertOpenToEdits, assertVersion } from './refuse-item.server.ts'
import { changeItem } from './save-item.server.ts'

interface Change {
  id: string
  version: number
}

/**
 * Gives an item a cover, or another one. It is an edit: a published item is cleared anew, or the cover is refused.
 * @param pieces the picture, as it arrives
 * @throws {AppError} as `changeItem` and `readPicture`; `body.too_large`, 413; `evidence.store`, `disk.full`, 503
 */
export async function changeCover(
  app: CoverStoringApp & Pick<CatalogueApp, 'listing'>,
  viewer: Viewer,
  { id, version }: Change,
  pieces: AsyncIterable<Buffer>,
): Promise<ItemForAdmin> {
  const kept: Buffer[] = []
  for await (const piece of pieces) kept.push(piece)
  // A late edit is refused before the work.
  const before = await readItemOfForm(app, app.db, id, requireMember(viewer).id)
  assertVersion(before, version)
  assertOpenToEdits(before)
  const hash = await storeCover(app, await readPicture(Buffer.concat(kept)))
  try {
    return await changeItem(app, viewer, { id, storedCover: hash }, { version, cover: coverAddress(hash) })
  } catch (error) {
    await withdrawCover(app, hash)
    throw error
  }
}

/**
 * Takes the cover of an item away; its pictures are deleted by the sweep.
 * @throws {AppError} as `changeItem`
 */
export function removeCover(
  app: Pick<CatalogueApp, 'db' | 'config' | 'clock' | 'listing'>,
  viewer: Viewer,
  { id, version }: Change,
): Promise<ItemForAdmin> {
  return changeItem(app, viewer, { id }, { version, cover: null })
}
