import { createReadStream } from 'node:fs'
import { lstat } from 'node:fs/promises'
import { pipeline, Readable } from 'node:stream'
import { pipeline as pipe } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { ageLine, decrypted, encrypted } from './age.server.ts'
import { openOutput, type Output, streamOutput } from '../../../platform/cli/output.ts'
import { BackupFault } from './frames.ts'

/** The first line of every backup, before what is compressed: `head -1` shows what a file is. */
const firstLine = Buffer.from('Daybook backup 1\n')

/** A quick compression: rows are texts that repeat themselves. */
const compressionLevel = 2

/**
 * Writes a backup to a file that has its name when it is whole, or to standard output.
 * @param path `-` for standard output
 * @param options.force replaces a file that is there
 * @param options.recipients for whom it is encrypted with age; without any it is not
 */
export async function writeBackupFile(
  path: string,
  frames: AsyncIterable<Buffer>,
  { force = false, recipients = [] }: { force?: boolean; recipients?: readonly string[] } = {},
): Promise<void> {
  if (path !== '-' && !force) {
    const there = await lstat(path).catch(() => undefined)
    if (there?.isFile() === true) throw new Error(`${path} is there already. Name another file, or say --force.`)
  }
  const target = path === '-' ? streamOutput(process.stdout) : await openTarget(path)
  try {
    const plain = packed(frames)
    for await (const piece of recipients.length === 0 ? plain : encrypted(plain, recipients)) await target.write(piece)
    await target.finish()
  } catch (error) {
    await target.discard().catch(() => {})
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'ENOSPC' || code === 'EDQUOT')
      throw new Error(`There is no room for ${path}: ${message}. Nothing was written.`, { cause: error })
    throw error
  }
}

async function* packed(frames: AsyncIterable<Buffer>): AsyncGenerator<Uint8Array> {
  yield firstLine
  const gzip = createGzip({ level: compressionLevel })
  // A frame is compressed before the next one is read: together they would take two processors from visitors. Errors are
  // those of the reading below; that ends after the transaction of the frames.
  const ended = pipe(frames, gzip).catch(() => {})
  try {
    yield* gzip as AsyncIterable<Buffer>
  } finally {
    await ended
  }
}

function openTarget(path: string): Promise<Output> {
  return openOutput(path).catch((cause: Error) => {
    throw new Error(`The file ${path} cannot be written: ${cause.message}.`, { cause })
  })
}

/**
 * Reads a backup.
 * @param path `-` for standard input
 * @param keys those of age, for one that is encrypted
 * @throws {BackupFault} where it is none, or not whole, or encrypted for other keys
 */
export async function* readBackupFile(path: string, keys?: string): AsyncGenerator<Buffer> {
  const source: Readable = path === '-' ? process.stdin : createReadStream(path, { highWaterMark: 256 * 1024 })
  try {
    yield* unpacked(source, keys)
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException
    if (error instanceof BackupFault) throw error
    if (code === 'Z_BUF_ERROR') throw new BackupFault('is cut off.', { cause: error })
    if (code.startsWith('Z_')) throw new BackupFault('is damaged.', { cause: error })
    if (code === 'ENOENT') throw new BackupFault('is not there.', { cause: error })
    if (/^E[A-Z]+$/.test(code)) throw new BackupFault(`cannot be read: ${message}.`, { cause: error })
    throw error
  } finally {
    source.destroy()
  }
}

async function* unpacked(source: AsyncIterable<Buffer>, keys: string | undefined): AsyncGenerator<Buffer> {
  const { first, all } = await peek(source, ageLine.length)
  if (first.equals(ageLine)) {
    if (keys === undefined) throw new BackupFault('is encrypted. Say --identity FILE, the file of the key.')
    yield* unpacked(decrypted(all, keys), undefined)
    return
  }
  if (!first.subarray(0, firstLine.length).equals(firstLine)) throw new BackupFault('is no backup of Daybook.')
  const gunzip = createGunzip()
  // Its errors are those of the reading below.
  pipeline(Readable.from(compressedOf(all)), gunzip, () => {})
  yield* gunzip as AsyncIterable<Buffer>
}

async function* compressedOf(pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let left = firstLine.length
  for await (const piece of pieces) {
    yield piece.subarray(left)
    left = Math.max(0, left - piece.length)
  }
}

/** The first bytes of what is read, and all of it. */
async function peek(
  source: AsyncIterable<Buffer>,
  length: number,
): Promise<{ first: Buffer; all: AsyncIterable<Buffer> }> {
  const pieces = source[Symbol.asyncIterator]()
  let seen = Buffer.alloc(0)
  while (seen.length < length) {
    const { value, done } = await pieces.next()
    if (done === true) break
    seen = Buffer.concat([seen, value])
  }
  async function* all(): AsyncGenerator<Buffer> {
    yield seen
    for (let next = await pieces.next(); next.done !== true; next = await pieces.next()) yield next.value
  }
  return { first: seen.subarray(0, length), all: all() }
}
