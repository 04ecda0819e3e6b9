import { sql } from 'kysely'
import type { CatalogueApp } from '../app.ts'
import { deleteKeptPictures } from './drawn/kept-pictures.server.ts'
import { deleteCover } from './store-cover.server.ts'

/** A picture is stored before its item names it. */
const restMs = 24 * 3_600_000
const coversAtOnce = 500

/**
 * Deletes the pictures that no item has any more, and those of interrupted uploads (docs/spec/publishing.md#covers). It can be
 * repeated and run concurrently: a hash is never used again.
 * @returns how many were deleted
 */
export async function sweepCovers(
  app: Pick<CatalogueApp, 'db' | 'evidence' | 'log' | 'clock' | 'config'>,
): Promise<number> {
  const before = new Date(app.clock.now() - restMs)
  let deleted = 0
  for (;;) {
    const unneeded = await app.db
      .selectFrom('covers')
      .select('hash')
      .where('stored_at', '<', before)
      .where(({ not, exists, selectFrom }) =>
        not(exists(selectFrom('items').whereRef('items.cover', '=', 'covers.hash'))),
      )
      .limit(coversAtOnce)
      .execute()
    if (unneeded.length === 0) break
    for (const { hash } of unneeded) await deleteCover(app, hash)
    deleted += unneeded.length
  }
  await deleteKeptPictures(app.config.dataDir, async (hashes) => {
    const known = await app.db
      .selectFrom('covers')
      .select('hash')
      .where(sql<boolean>`hash = any(${hashes}::text[])`)
      .execute()
    return new Set(known.map(({ hash }) => hash))
  })
  if (deleted > 0) app.log.info({ deleted }, 'Pictures that no entry has any more were deleted.')
  return deleted
}
