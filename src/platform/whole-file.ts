import { open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'

/** So that the name of a new file is not lost in a power cut. */
export async function syncFolder(path: string): Promise<void> {
  await using folder = await open(path)
  await folder.sync()
}

/** Writes a file by way of a partial one: a power cut, or a disk that is full, leaves what was there or all of it. */
export async function writeWhole(path: string, partial: string, pieces: Iterable<Uint8Array>): Promise<void> {
  try {
    await using file = await open(partial, 'w', 0o600)
    for (const piece of pieces) await file.writeFile(piece)
    await file.sync()
    await rename(partial, path)
  } catch (error) {
    // Half a file would keep the room that the disk may lack.
    await rm(partial, { force: true })
    throw error
  }
  await syncFolder(dirname(path))
}
