import { open, readFile, rm } from 'node:fs/promises'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * The embedded database lets a second process open the same directory and corrupt it. This lock file, with the
 * holder's process id and start time, keeps the second one out; the start time tells a process from a later one
 * that was given the same id, so that a killed holder never locks its successor out.
 */
export class DirectoryLockedError extends Error {
  constructor(directory: string, pid: number) {
    super(
      `The data directory ${directory} is in use by another Daybook process (process id ${pid}). ` +
        `Stop that process first, or set DATA_DIR to another directory.`,
    )
    this.name = 'DirectoryLockedError'
  }
}

interface Holder {
  pid: number
  startedAt: string
}

/** Takes the lock and returns how to give it back. */
export async function lockDirectory(directory: string): Promise<() => Promise<void>> {
  const file = join(directory, 'daybook.lock')
  const mine: Holder = { pid: process.pid, startedAt: startOf(process.pid) ?? '' }
  for (;;) {
    try {
      const handle = await open(file, 'wx')
      await handle.writeFile(JSON.stringify(mine))
      await handle.sync()
      await handle.close()
      // Two processes that find the same stale file may both remove it, the slower one that of the quicker: look again.
      await new Promise((wake) => setTimeout(wake, 20))
      const holder = await readHolder(file)
      if (holder?.pid !== mine.pid) throw new DirectoryLockedError(directory, holder?.pid ?? 0)
      return async () => rm(file, { force: true })
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
    const holder = await readHolder(file)
    if (holder !== undefined && isAlive(holder)) throw new DirectoryLockedError(directory, holder.pid)
    await rm(file, { force: true })
  }
}

async function readHolder(file: string): Promise<Holder | undefined> {
  // A holder that is just writing its file is given a moment; what stays unreadable was left by a crash.
  for (let attempt = 0; attempt < 10; attempt += 1) {
    try {
      return JSON.parse(await readFile(file, 'utf8')) as Holder
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
      await new Promise((wake) => setTimeout(wake, 50))
    }
  }
  return undefined
}

function isAlive(holder: Holder): boolean {
  try {
    process.kill(holder.pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
  const startedAt = startOf(holder.pid)
  return startedAt === undefined || holder.startedAt === '' || startedAt === holder.startedAt
}

/** When a process began, as the kernel counts it; undefined where the system has no /proc. */
function startOf(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The name, in parentheses, may hold spaces: count from behind it. Field 22 is the start time in clock ticks.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]
  } catch {
    return undefined
  }
}
