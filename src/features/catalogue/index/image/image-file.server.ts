import { closeSync, openSync, readSync } from 'node:fs'
import { crc32 } from 'node:zlib'
import { writeWhole } from '../../../../platform/whole-file.ts'

export type Column = Uint8Array | Int32Array | Uint32Array | Float64Array
const kinds = { Uint8Array, Int32Array, Uint32Array, Float64Array }

/** Facts as JSON, and columns of numbers by their names. */
export interface Image<Facts> {
  facts: Facts
  columns: Record<string, Column>
}

interface Heading {
  facts: unknown
  columns: { name: string; kind: keyof typeof kinds; length: number; checksum: number }[]
}

/** At the beginning: the format, the length of the heading and its checksum. */
const format = 'daybook2'
const beginningBytes = 16

/** Writes an image in place of the one that is there: a power cut leaves the old one or the new one. */
export async function writeImage(path: string, { facts, columns }: Image<unknown>): Promise<void> {
  const named = Object.entries(columns)
  const heading: Heading = {
    facts,
    columns: named.map(([name, column]) => ({
      name,
      kind: column.constructor.name as keyof typeof kinds,
      length: column.length,
      checksum: crc32(bytesOf(column)),
    })),
  }
  const text = Buffer.from(JSON.stringify(heading))
  const beginning = Buffer.alloc(beginningBytes)
  beginning.write(format, 'latin1')
  beginning.writeUInt32LE(text.length, 8)
  beginning.writeUInt32LE(crc32(text), 12)
  await writeWhole(path, `${path}.new`, [beginning, text, ...named.map(([, column]) => bytesOf(column))])
}

/**
 * Reads an image. Its columns lie in shared memory.
 * @returns undefined when there is none
 * @throws {Error} when it is torn, or no image
 */
export function readImage<Facts>(path: string): Image<Facts> | undefined {
  let file: number
  try {
    file = openSync(path, 'r')
  } catch (error) {
    if ((error as { code?: string }).code === 'ENOENT') return undefined
    throw error
  }
  try {
    let at = 0
    const next = (bytes: Buffer): Buffer => {
      for (let read = 0; read < bytes.length;) {
        const count = readSync(file, bytes, read, bytes.length - read, at + read)
        if (count === 0) throw new Error('It is too short.')
        read += count
      }
      at += bytes.length
      return bytes
    }
    const beginning = next(Buffer.alloc(beginningBytes))
    if (beginning.toString('latin1', 0, format.length) !== format) throw new Error('It has another format.')
    const text = next(Buffer.alloc(beginning.readUInt32LE(8)))
    if (crc32(text) !== beginning.readUInt32LE(12)) throw new Error('Its heading is torn.')
    const heading = JSON.parse(text.toString()) as Heading
    const columns = heading.columns.map(({ name, kind, length, checksum }) => {
      const kindOf = kinds[kind] as new (buffer: SharedArrayBuffer) => Column
      const column = new kindOf(new SharedArrayBuffer(length * kinds[kind].BYTES_PER_ELEMENT))
      if (crc32(next(bytesOf(column))) !== checksum) throw new Error(`Its column ${name} is torn.`)
      return [name, column] as const
    })
    return { facts: heading.facts as Facts, columns: Object.fromEntries(columns) }
  } finally {
    closeSync(file)
  }
}

function bytesOf(column: Column): Buffer {
  return Buffer.from(column.buffer, column.byteOffset, column.byteLength)
}
