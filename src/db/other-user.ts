import { mkdtemp, readFile, rmdir, stat } from 'node:fs/promises'
import { join } from 'node:path'

/** Another user's data directory. */
interface OtherUser {
  /** The name of the user whom the files belong to, and that of this process, or their ids, as `chown` takes both. */
  owner: string
  user: string
  /** Typed before a command that is to run as the owner. */
  asOwner: string
  /** Says so, for the operator. */
  sentence: string
}

/** The user of this process, and the owner of a file that it makes in a folder: undefined where it may make none. */
interface Maker {
  uid: number | undefined
  ownerOfNewIn(folder: string): Promise<number | undefined>
}

/**
 * Files that another user makes in the data directory, root above all, keep the server from opening its own database. The
 * last start wrote `database.json`; where none was, the embedded database shows whose directory it is.
 * @returns undefined where it is this process's own, or nobody's yet
 */
export async function otherUserOf(
  dataDir: string,
  { uid, ownerOfNewIn }: Maker = { uid: process.getuid?.(), ownerOfNewIn: ownerOfNewFolderIn },
): Promise<OtherUser | undefined> {
  const ownerId = await ownerOf(dataDir, ['database.json', 'postgres'])
  if (uid === undefined || ownerId === undefined || ownerId === uid) return undefined
  // Networks (NFS, CIFS) and folders of another system in a container may give one user all files, whoever makes them.
  if ((await ownerOfNewIn(dataDir)) === ownerId) return undefined
  const [ownerName, userName] = await Promise.all([nameOf(ownerId), nameOf(uid)])
  const owner = ownerName ?? String(ownerId)
  const user = userName ?? String(uid)
  return {
    owner,
    user,
    asOwner:
      ownerName === undefined
        ? `setpriv --reuid ${ownerId} or sudo -u '#${ownerId}'`
        : `runuser -u ${ownerName} -- or sudo -u ${ownerName}`,
    sentence: `The files in ${dataDir} belong to the user ${owner}, and this runs as ${user}: files that it makes could keep the server from its database.`,
  }
}

/** @returns undefined where none of the files is there; a folder that is closed to us answers for what is in it */
async function ownerOf(dataDir: string, [name, ...others]: string[]): Promise<number | undefined> {
  if (name === undefined) return undefined
  try {
    return (await stat(join(dataDir, name))).uid
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EACCES')
      return stat(dataDir).then(
        ({ uid }) => uid,
        () => undefined,
      )
    return ownerOf(dataDir, others)
  }
}

async function ownerOfNewFolderIn(folder: string): Promise<number | undefined> {
  try {
    const made = await mkdtemp(join(folder, 'owner-'))
    const { uid } = await stat(made)
    await rmdir(made)
    return uid
  } catch {
    return undefined
  }
}

/** As the machine's own list has it; Node names the user of this process alone. */
async function nameOf(uid: number): Promise<string | undefined> {
  const users = await readFile('/etc/passwd', 'utf8').catch(() => '')
  const line = users.split('\n').find((one) => one.split(':')[2] === String(uid))
  return line?.split(':')[0]
}
