import { open, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { CatalogueConfig } from '../catalogue-config.server.ts'
import type { Log } from '../../../platform/log.ts'
import { makePrivateFolder } from '../../../platform/private-folder.ts'
import { writeWhole } from '../../../platform/whole-file.ts'
import { lostFile } from './evidence-failures.ts'
import { S3EvidenceStore } from './s3-evidence-store.server.ts'

/**
 * Stores files of evidence by their ids (docs/spec/publishing.md#evidence-files). A file is whole or not there. The
 * database says which item it belongs to.
 */
export interface EvidenceStore {
  put(id: string, bytes: Buffer): Promise<void>
  /** @throws {AppError} `evidence.lost`, 404, where it is not there */
  read(id: string): Promise<AsyncIterable<Uint8Array>>
  /** The names of all files; others may keep theirs beside ours. */
  list(): AsyncIterable<string>
  /** Also what a broken off `put` has left. */
  delete(id: string): Promise<void>
}

export function openEvidenceStore(
  { dataDir, evidenceUrl }: Pick<CatalogueConfig, 'dataDir' | 'evidenceUrl'>,
  log: Log,
): EvidenceStore {
  return evidenceUrl === undefined
    ? new FolderEvidenceStore(join(dataDir, 'evidence'))
    : new S3EvidenceStore(evidenceUrl, log)
}

/** Begins the name of a file that is not whole. */
const unfinished = '.unfinished-'

/** In the data directory: for one instance, and backed up with that directory. */
class FolderEvidenceStore implements EvidenceStore {
  readonly #folder: string

  constructor(folder: string) {
    this.#folder = folder
  }

  async put(id: string, bytes: Buffer): Promise<void> {
    // Others of this machine's users have no business with it.
    await makePrivateFolder(this.#folder)
    await writeWhole(join(this.#folder, id), join(this.#folder, `${unfinished}${id}`), [bytes])
  }

  async read(id: string): Promise<AsyncIterable<Uint8Array>> {
    const file = await open(join(this.#folder, id)).catch((error: NodeJS.ErrnoException) => {
      throw error.code === 'ENOENT' ? lostFile() : error
    })
    return file.createReadStream() as AsyncIterable<Buffer>
  }

  async *list(): AsyncGenerator<string> {
    yield* await readdir(this.#folder).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return []
      throw error
    })
  }

  async delete(id: string): Promise<void> {
    await rm(join(this.#folder, `${unfinished}${id}`), { force: true })
    await rm(join(this.#folder, id), { force: true })
  }
}
