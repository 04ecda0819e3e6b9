import { randomBytes } from 'node:crypto'
import { chmod, mkdir, readdir, rm, stat, statfs } from 'node:fs/promises'
import { createConnection, createServer, type Socket } from 'node:net'
import { join, relative } from 'node:path'
import type { OpenDatabase } from '../open-database.ts'

/* The embedded database is open in one process at a time. While that is the server, a command gets a copy of it, asked for
   over a socket in the data directory, which only the directory's owner may enter. */

/** Addresses of sockets are short: of the two ways to name one, the shorter. */
function socketIn(dataDir: string): string {
  const path = join(dataDir, 'daybook.sock')
  const fromHere = relative(process.cwd(), path)
  return fromHere.length < path.length ? fromHere : path
}

const folderIn = (dataDir: string): string => join(dataDir, 'snapshots')

/** Stays free beside a copy. */
const reserveBytes = 128 * 1024 * 1024

interface Answer {
  folder?: string
  refusal?: string
}

/**
 * Lends copies of the embedded database to commands, until the process ends. Each copy is deleted when its borrower has hung up.
 * @returns how to stop
 * @throws where no socket can be made there, as under a very long path
 */
export async function lendSnapshots(
  dataDir: string,
  { copyTo }: Pick<OpenDatabase, 'copyTo'>,
): Promise<() => Promise<void>> {
  if (copyTo === undefined) return () => Promise.resolve()
  // Borrowers of an earlier process, which was killed.
  await rm(folderIn(dataDir), { recursive: true, force: true })
  await rm(socketIn(dataDir), { force: true })
  const borrowers = new Set<Socket>()
  const server = createServer((socket) => {
    borrowers.add(socket)
    const folder = join(folderIn(dataDir), randomBytes(8).toString('hex'))
    const copied = copyInto(folder, dataDir, copyTo)
    socket.on('error', () => {})
    socket.once('close', () => {
      borrowers.delete(socket)
      void copied.then(() => rm(folder, { recursive: true, force: true }))
    })
    socket.resume()
    void copied.then((answer) => socket.writable && socket.write(`${JSON.stringify(answer)}\n`))
  })
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  server.once('error', reject)
  server.listen(socketIn(dataDir), resolve)
  await promise
  await chmod(socketIn(dataDir), 0o600)
  server.unref()
  return async () => {
    const closed = new Promise((done) => server.close(done))
    for (const socket of borrowers) socket.destroy()
    await closed
    await rm(folderIn(dataDir), { recursive: true, force: true })
  }
}

async function copyInto(folder: string, dataDir: string, copyTo: NonNullable<OpenDatabase['copyTo']>): Promise<Answer> {
  try {
    const needed = (await bytesIn(join(dataDir, 'postgres'))) + reserveBytes
    const { bavail, bsize } = await statfs(dataDir)
    if (bavail * bsize < needed) return { refusal: noRoom(dataDir, bavail * bsize, needed) }
    await mkdir(folder, { recursive: true, mode: 0o700 })
    await copyTo(folder)
    return { folder }
  } catch (error) {
    return { refusal: `The running server cannot copy its database: ${(error as Error).message}` }
  }
}

function noRoom(dataDir: string, free: number, needed: number): string {
  const [is, wanted] = [free, needed].map((bytes) => Math.floor(bytes / (1024 * 1024)).toLocaleString('en-US'))
  return `There is no room for a copy of the database in ${dataDir}: ${is} MB are free, and ${wanted} MB are needed.`
}

async function bytesIn(folder: string): Promise<number> {
  let bytes = 0
  for (const entry of await readdir(folder, { withFileTypes: true, recursive: true })) {
    if (!entry.isFile()) continue
    // The engine may delete one meanwhile.
    bytes += (await stat(join(entry.parentPath, entry.name)).catch(() => ({ size: 0 }))).size
  }
  return bytes
}

/**
 * Borrows a copy of the embedded database that a running server holds.
 * @returns its data directory, and how to give it back; undefined where no server answers
 * @throws {Error} with the server's refusal
 */
export async function borrowSnapshot(dataDir: string): Promise<{ dataDir: string; giveBack(): void } | undefined> {
  const socket = createConnection(socketIn(dataDir))
  const answer = await firstLine(socket).catch(() => undefined)
  if (answer === undefined) {
    socket.destroy()
    return undefined
  }
  const { folder, refusal = 'The running server gives no copy of its database.' } = JSON.parse(answer) as Answer
  if (folder === undefined) {
    socket.destroy()
    throw new Error(refusal)
  }
  // The server may end meanwhile: the copy stays until the next one begins.
  socket.on('error', () => {})
  return { dataDir: folder, giveBack: () => void socket.destroy() }
}

async function firstLine(socket: Socket): Promise<string | undefined> {
  let text = ''
  for await (const piece of socket.iterator({ destroyOnReturn: false })) {
    text += String(piece)
    if (text.includes('\n')) return text.slice(0, text.indexOf('\n'))
  }
  return undefined
}
