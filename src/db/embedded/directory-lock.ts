import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

/**
 * The embedded database lets a second process open the same directory and corrupt it. An exclusive lock keeps the second
 * one out. It is the kernel's, taken through SQLite, which is the one lock of files that Node brings along: it ends with
 * its process however that ends, and it holds between containers that share a volume, where process ids say nothing.
 */
export class DirectoryLockedError extends Error {
  constructor(directory: string, holder: string) {
    super(
      `The data directory ${directory} is in use by another Daybook process${holder}. ` +
        `Stop that process first, or set DATA_DIR to another directory.`,
    )
    this.name = 'DirectoryLockedError'
  }
}

/**
 * Takes the lock and returns how to give it back.
 * @throws {DirectoryLockedError} when another process holds it
 */
export async function lockDirectory(directory: string): Promise<() => Promise<void>> {
  const note = join(directory, 'daybook.pid')
  const lock = new DatabaseSync(join(directory, 'daybook.lock'))
  try {
    lock.exec('begin exclusive')
  } catch (error) {
    lock.close()
    if ((error as { errcode?: number }).errcode !== sqliteBusy) throw error
    throw new DirectoryLockedError(directory, await holderIn(note))
  }
  // For people only: which process to look for, and since when it runs.
  await writeFile(note, `${process.pid} ${new Date(Date.now() - process.uptime() * 1_000).toISOString()}\n`)
  return async () => {
    await rm(note, { force: true })
    lock.close()
  }
}

const sqliteBusy = 5

async function holderIn(note: string): Promise<string> {
  const [pid, since] = (await readFile(note, 'utf8').catch(() => '')).trim().split(' ')
  return pid === undefined || pid === '' ? '' : ` (process id ${pid}, running since ${since})`
}
