import { uuidv7 } from 'uuidv7'
import { requireMember, type Viewer } from '../../office/viewer/viewer.ts'
import type { CatalogueApp } from '../app.ts'
import { fileIsEmpty, readImportFile } from './import-file.server.ts'
import { readPieces } from './pieces-of-import.server.ts'

const pieceBytes = 512 * 1024

/**
 * Stores an uploaded file piece by piece, so that every instance can read it, and looks at its header.
 * @returns the id of the import
 * @throws {AppError} `import.file`, `import.header` or `import.columns` when it is no file of the import format; then nothing is kept
 */
export async function storeImport(
  app: Pick<CatalogueApp, 'db'>,
  viewer: Viewer,
  { name, upload }: { name: string; upload: AsyncIterable<Buffer> },
): Promise<string> {
  const id = uuidv7()
  try {
    const size = await storePieces(app, id, upload)
    if (size === 0) throw fileIsEmpty(name)
    const { format, columns } = await readImportFile(readPieces(app, id), { path: name })
    await app.db
      .insertInto('imports')
      .values({
        id,
        file_name: name,
        format,
        columns: JSON.stringify(columns),
        byte_size: size,
        uploaded_by: requireMember(viewer).id,
        bytes_done: 0,
      })
      .execute()
    return id
  } catch (error) {
    await app.db.deleteFrom('import_pieces').where('import_id', '=', id).execute()
    throw error
  }
}

/** @returns the size of the whole */
async function storePieces(
  app: Pick<CatalogueApp, 'db'>,
  importId: string,
  upload: AsyncIterable<Buffer>,
): Promise<number> {
  let place = 0
  let size = 0
  for await (const bytes of inPieces(upload)) {
    await app.db.insertInto('import_pieces').values({ import_id: importId, place, bytes }).execute()
    place += 1
    size += bytes.length
  }
  return size
}

async function* inPieces(upload: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let gathered: Buffer[] = []
  let size = 0
  for await (const chunk of upload) {
    gathered.push(chunk)
    size += chunk.length
    if (size >= pieceBytes) {
      yield Buffer.concat(gathered)
      gathered = []
      size = 0
    }
  }
  if (size > 0) yield Buffer.concat(gathered)
}
