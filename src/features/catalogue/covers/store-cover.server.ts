import { createHash, randomBytes } from 'node:crypto'
import type { CatalogueApp } from '../app.ts'
import { coverWidths, type CoverWidth } from '../item/cover-address.ts'
import type { Pictures } from './read-picture.server.ts'
import { sql } from 'kysely'
import { deleteKeptPictures } from './drawn/kept-pictures.server.ts'

export type CoverStoringApp = Pick<CatalogueApp, 'db' | 'evidence' | 'clock' | 'diskSpace' | 'config' | 'log'>

/**
 * Stores a picture for the item whose row will name it. It is recorded before its files: what breaks in between, and what no
 * item names, is swept away.
 * @returns its hash, which nobody can guess from the picture
 * @throws {AppError} `evidence.store`, `disk.full`, 503
 */
export async function storeCover(app: CoverStoringApp, pictures: Pictures): Promise<string> {
  if (app.config.evidenceUrl === undefined) await app.diskSpace.refuseFileWhenFull()
  const hash = hashOf(pictures)
  await app.db
    .insertInto('covers')
    .values({ hash, stored_at: new Date(app.clock.now()) })
    .execute()
  try {
    for (const width of coverWidths) await app.evidence.put(coverFile(hash, width), pictures[width])
  } catch (error) {
    await withdrawCover(app, hash)
    throw error
  }
  return hash
}

/** Takes a picture back that no item came to name. A failure is left to the sweep. */
export async function withdrawCover(app: Pick<CatalogueApp, 'db' | 'evidence' | 'log'>, hash: string): Promise<void> {
  await deleteCover(app, hash).catch((cause: unknown) =>
    app.log.warn({ err: cause }, 'A picture that no entry has stays until the sweep.'),
  )
}

/** The files first: what is cut off in between is done again. */
async function deleteCover({ db, evidence }: Pick<CatalogueApp, 'db' | 'evidence'>, hash: string): Promise<void> {
  for (const width of coverWidths) await evidence.delete(coverFile(hash, width))
  await db.deleteFrom('covers').where('hash', '=', hash).execute()
}

export function coverFile(hash: string, width: CoverWidth): string {
  return `cover-${hash}-${width}`
}

/** With a secret in it: who has the same picture does not know where it lies. */
function hashOf(pictures: Pictures): string {
  return createHash('sha256').update(randomBytes(16)).update(pictures[640]).digest('hex').slice(0, 32)
}

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
