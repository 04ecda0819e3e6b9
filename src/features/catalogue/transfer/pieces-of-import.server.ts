import { defineError } from '../../../platform/errors.ts'
import type { CatalogueApp } from '../app.ts'

export async function* readPieces({ db }: Pick<CatalogueApp, 'db'>, importId: string): AsyncGenerator<Buffer> {
  for (let place = 0; ; place += 1) {
    const piece = await db
      .selectFrom('import_pieces')
      .select('bytes')
      .where('import_id', '=', importId)
      .where('place', '=', place)
      .executeTakeFirst()
    if (piece === undefined && place === 0) throw fileIsGone()
    if (piece === undefined) return
    yield Buffer.from(piece.bytes)
  }
}

export const fileIsGone = defineError({
  code: 'import.gone',
  status: 409,
  sentence: 'The file of this import is deleted: it was imported, or lay here for a week. Upload it again.',
  remedy: 'Upload the file again.',
})
