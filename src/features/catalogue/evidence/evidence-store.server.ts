import { createReadStream } from 'node:fs'
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../../../platform/config/config.ts'
import { S3EvidenceStore } from './s3-evidence-store.server.ts'

/**
 * Where files of evidence lie, by their ids (docs/spec/publishing.md#evidence-files). A file is whole or not there. What it
 * is of stands in the database: a file without a row there is swept away later.
 */
export interface EvidenceStore {
  put(id: string, bytes: Buffer): Promise<void>
  /** @throws where it is not there */
  read(id: string): AsyncIterable<Uint8Array>
  /** The ids of all files, with the time each was stored, in milliseconds since 1970. */
  list(): AsyncIterable<{ id: string; storedAt: number }>
  delete(id: string): Promise<void>
}

export function openEvidenceStore({ dataDir, evidenceUrl }: Pick<Config, 'dataDir' | 'evidenceUrl'>): EvidenceStore {
  return evidenceUrl === undefined
    ? new FolderEvidenceStore(join(dataDir, 'evidence'))
    : new S3EvidenceStore(evidenceUrl)
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
    await mkdir(this.#folder, { recursive: true, mode: 0o700 })
    const path = join(this.#folder, `${unfinished}${id}`)
    const file = await open(path, 'wx', 0o600)
    try {
      await file.writeFile(bytes)
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(path, join(this.#folder, id))
    const folder = await open(this.#folder)
    try {
      await folder.sync()
    } finally {
      await folder.close()
    }
  }

  read(id: string): AsyncIterable<Uint8Array> {
    return createReadStream(join(this.#folder, id)) as AsyncIterable<Buffer>
  }

  async *list(): AsyncGenerator<{ id: string; storedAt: number }> {
    const names = await readdir(this.#folder).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return []
      throw error
    })
    for (const name of names) {
      const { mtimeMs } = await stat(join(this.#folder, name))
      yield { id: name, storedAt: mtimeMs }
    }
  }

  async delete(id: string): Promise<void> {
    await rm(join(this.#folder, id), { force: true })
  }
}
