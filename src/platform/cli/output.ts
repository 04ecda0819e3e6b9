import { hash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { fstatSync } from 'node:fs'
import { type FileHandle, lstat, open, readdir, realpath, rename, rm, stat } from 'node:fs/promises'
import { hostname } from 'node:os'
import { basename, dirname, join } from 'node:path'

export interface Output {
  write(piece: string | Uint8Array): Promise<void>
  /** All is written: a file gets its name. */
  finish(): Promise<void>
  /** Drops the new content: the earlier file stays. */
  discard(): Promise<void>
}

/**
 * Opens a path that an operator has named. A new file is a partial file beside its name until it is whole. A path that
 * is no file (a pipe, a device, this process's own standard output) is written to and never replaced.
 * @throws the system's error when it cannot be opened
 */
export async function openOutput(path: string): Promise<Output> {
  const stream = await ownStreamAt(path)
  if (stream !== undefined) return streamOutput(stream)
  // A link stays: the file that it leads to is replaced. One that leads to no file is opened as it is.
  const target = await realpath(path).catch(() => path)
  const there = await lstat(target).catch(() => undefined)
  if (there === undefined || there.isFile()) return wholeFile(target)
  return written(await open(target, 'w'))
}

export function streamOutput(stream: NodeJS.WriteStream): Output {
  return {
    async write(piece) {
      if (stream.errored !== null) throw new Error('Nobody reads the output any more.', { cause: stream.errored })
      if (!stream.write(piece)) await once(stream, 'drain')
    },
    finish: () => Promise.resolve(),
    discard: () => Promise.resolve(),
  }
}

/** Opening one's own output by its path would begin at its start again, and a socket cannot be opened so at all. */
async function ownStreamAt(path: string): Promise<NodeJS.WriteStream | undefined> {
  const there = await stat(path, { bigint: true }).catch(() => undefined)
  return [process.stdout, process.stderr].find(({ fd }) => {
    try {
      const own = fstatSync(fd, { bigint: true })
      return own.ino === there?.ino && own.dev === there.dev
    } catch {
      // It is closed, or belongs to no file (a worker's stream).
      return false
    }
  })
}

function written(handle: FileHandle): Output {
  return {
    write: (piece) => handle.appendFile(piece),
    finish: () => handle.close(),
    discard: () => handle.close(),
  }
}

async function wholeFile(path: string): Promise<Output> {
  await removeLeftovers(path)
  const partial = `${path}.${ownMark()}-${process.pid}-${randomBytes(6).toString('hex')}.part`
  // Never an existing file, whatever its name. Only the operator may read an export.
  const handle = await open(partial, 'wx', 0o600)
  return {
    write: (piece) => handle.appendFile(piece),
    async finish() {
      await handle.sync()
      await handle.close()
      await rename(partial, path)
    },
    async discard() {
      await handle.close()
      await rm(partial, { force: true })
    },
  }
}

/** Process ids say nothing about another machine or container that shares the folder. */
function ownMark(): string {
  return hash('sha256', hostname(), 'hex').slice(0, 8)
}

/** Removes the partial files that killed processes of this machine have left of the same file. */
async function removeLeftovers(path: string): Promise<void> {
  const folder = dirname(path)
  const start = `${basename(path)}.${ownMark()}-`
  const names = await readdir(folder).catch(() => [])
  for (const name of names) {
    const [, pid] = (name.startsWith(start) && /^(\d+)-[0-9a-f]{12}\.part$/.exec(name.slice(start.length))) || []
    if (pid !== undefined && !isAlive(Number(pid))) await rm(join(folder, name), { force: true })
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH'
  }
}
