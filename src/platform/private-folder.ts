import { chmod, mkdir, stat } from 'node:fs/promises'

/** The sticky bit: a place that a machine's users share, such as /tmp, is nobody's to close. */
const shared = 0o1000

/** Makes a folder that only its owner may enter; one that is there already is closed to all others. */
export async function makePrivateFolder(path: string): Promise<void> {
  await mkdir(path, { recursive: true, mode: 0o700 })
  const { mode, uid } = await stat(path)
  const isOurs = process.getuid === undefined || process.getuid() === uid
  if (isOurs && (mode & shared) === 0 && (mode & 0o077) !== 0) await chmod(path, 0o700)
}

/** Whether others than its owner may read or enter a folder. */
export async function isOpenToOthers(path: string): Promise<boolean> {
  return ((await stat(path)).mode & 0o077) !== 0
}

/** From now on every file of this process is its owner's alone: accounts, exports, secrets. */
export function keepFilesPrivate(): void {
  process.umask(0o077)
}
