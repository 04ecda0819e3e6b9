import { createReadStream } from 'node:fs'
import { lstat } from 'node:fs/promises'
import { pipeline, Readable } from 'node:stream'
import { pipeline as pipe } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
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
 */
export async function writeBackupFile(
  path: string,
  frames: AsyncIterable<Buffer>,
  { force = false }: { force?: boolean } = {},
): Promise<void> {
  if (path !== '-' && !force) {
    const there = await lstat(path).catch(() => undefined)
    if (there?.isFile() === true) throw new Error(`${path} is there already. Name another file, or say --force.`)
  }
  const target = path === '-' ? streamOutput(process.stdout) : await openTarget(path)
  try {
    await pipe(
      Readable.from(frames),
      createGzip({ level: compressionLevel }),
      async (compressed: AsyncIterable<Buffer>) => {
        await target.write(firstLine)
        for await (const piece of compressed) await target.write(piece)
      },
    )
    await target.finish()
  } catch (error) {
    await target.discard().catch(() => {})
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'ENOSPC' || code === 'EDQUOT')
      throw new Error(`There is no room for ${path}: ${message}. Nothing was written.`, { cause: error })
    throw error
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
 * @throws {BackupFault} where it is none, or not whole
 */
export async function* readBackupFile(path: string): AsyncGenerator<Buffer> {
  const source: Readable = path === '-' ? process.stdin : createReadStream(path, { highWaterMark: 256 * 1024 })
  try {
    yield* unpacked(source)
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

async function* unpacked(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const pieces = source[Symbol.asyncIterator]()
  let first = Buffer.alloc(0)
  while (first.length < firstLine.length) {
    const { value, done } = await pieces.next()
    if (done === true) break
    first = Buffer.concat([first, value])
  }
  if (!first.subarray(0, firstLine.length).equals(firstLine)) throw new BackupFault('is no backup of Daybook.')
  async function* compressed(): AsyncGenerator<Buffer> {
    yield first.subarray(firstLine.length)
    for (let next = await pieces.next(); next.done !== true; next = await pieces.next()) yield next.value
  }
  const gunzip = createGunzip()
  // Its errors are those of the reading below.
  pipeline(Readable.from(compressed()), gunzip, () => {})
  yield* gunzip as AsyncIterable<Buffer>
}
