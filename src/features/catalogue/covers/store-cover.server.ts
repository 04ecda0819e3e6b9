import { createHash, randomBytes } from 'node:crypto'
import type { CatalogueApp } from '../app.ts'
import { coverWidths, type CoverWidth } from '../item/cover-address.ts'
import type { Pictures } from './read-picture.server.ts'

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
export async function deleteCover(
  { db, evidence }: Pick<CatalogueApp, 'db' | 'evidence'>,
  hash: string,
): Promise<void> {
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
