import { createHash } from 'node:crypto'
import { readPicture } from '../../catalogue/covers/read-picture.server.ts'
import type { SiteApp } from '../app.ts'

/**
 * Reads a picture, writes it anew, and stores it as a mark that the appearance may name.
 * @returns its hash
 * @throws {AppError} as `readPicture`; `body.too_large`, 413
 */
export async function storeMark(
  { db, clock }: Pick<SiteApp, 'db' | 'clock'>,
  pieces: AsyncIterable<Buffer>,
): Promise<string> {
  const kept: Buffer[] = []
  for await (const piece of pieces) kept.push(piece)
  // Twice as wide as it is ever shown.
  const { 320: picture } = await readPicture(Buffer.concat(kept))
  const hash = createHash('sha256').update(picture).digest('hex').slice(0, 32)
  await db
    .insertInto('brand_marks')
    .values({ hash, picture, stored_at: new Date(clock.now()) })
    .onConflict((conflict) => conflict.column('hash').doUpdateSet({ stored_at: new Date(clock.now()) }))
    .execute()
  return hash
}

/** The picture of a mark; undefined where there is none. */
export async function readMark({ db }: Pick<SiteApp, 'db'>, hash: string): Promise<Buffer | undefined> {
  const found = await db.selectFrom('brand_marks').select('picture').where('hash', '=', hash).executeTakeFirst()
  return found && Buffer.from(found.picture)
}
