import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'

/** Another user's data directory. */
interface OtherUser {
  /** The name of the user whom the files belong to, and that of this process, or their ids. */
  owner: string
  user: string
  /** Says so, for the operator. */
  sentence: string
}

/**
 * Files that another user makes in the data directory, root above all, keep the server from opening its own database. The
 * last start wrote `database.json`; where none was, the embedded database shows whose directory it is.
 * @returns undefined where it is this process's own, or nobody's yet
 */
export async function otherUserOf(dataDir: string, uid = process.getuid?.()): Promise<OtherUser | undefined> {
  const ownerId = await ownerOf(dataDir, ['database.json', 'postgres'])
  if (uid === undefined || ownerId === undefined || ownerId === uid) return undefined
  const [owner, user] = await Promise.all([nameOf(ownerId), nameOf(uid)])
  const sentence = `The files in ${dataDir} belong to the user ${owner}, and this runs as ${user}: files that it makes could keep the server from its database.`
  return { owner, user, sentence }
}

/** @returns undefined where none of the files is there; a folder that is closed to us answers for what is in it */
async function ownerOf(dataDir: string, [name, ...others]: string[]): Promise<number | undefined> {
  if (name === undefined) return undefined
  try {
    return (await stat(join(dataDir, name))).uid
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EACCES') return (await stat(dataDir)).uid
    return ownerOf(dataDir, others)
  }
}

/** As the machine's own list has it; Node names the user of this process alone. */
async function nameOf(uid: number): Promise<string> {
  const users = await readFile('/etc/passwd', 'utf8').catch(() => '')
  const line = users.split('\n').find((one) => one.split(':')[2] === String(uid))
  return line?.split(':')[0] ?? `#${uid}`
}
