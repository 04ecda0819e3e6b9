/**
 * The directory of the tests' files. Plain JavaScript: the commands that start the tests use it before anything is
 * built.
 */
import { mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { join } from 'node:path'

const memory = '/dev/shm'
/** A whole run has less than this at a time. */
const enough = 4 * 2 ** 30

/**
 * A folder in memory for everything that tests write, where there is room for it: they make and delete hundreds of data
 * directories, and ext4 then spends half of the processor's time on looking for free inodes. It goes with this process.
 * @returns {Record<string, string>} what to add to the environment; nothing where TMPDIR is set or memory is short
 */
export function scratchInMemory() {
  if (process.env.TMPDIR !== undefined || !hasRoom()) return {}
  const folder = mkdtempSync(join(memory, 'daybook-tests-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  return { TMPDIR: folder }
}

function hasRoom() {
  try {
    const { bavail, bsize } = statfsSync(memory)
    return bavail * bsize >= enough
  } catch {
    return false
  }
}
