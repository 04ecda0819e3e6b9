import { setImmediate } from 'node:timers/promises'
import { defineError } from '../errors.ts'

/** Bytes of the first line of a file, with its line break. */
export const longestHeader = 64 * 1024
/** Bytes of it that are parsed at once. A parser takes several milliseconds for them. */
const headerPiece = 8 * 1024
const mostColumns = 200
/** In characters. */
const longestName = 60

/**
 * The pieces of a CSV file for its parser, none beyond the bound while the header has not ended: nobody waits until a file that is
 * one line has been taken apart.
 * @param hasHeader whether the parser has told the header; asked before each piece
 * @throws {AppError} `import.header`, 422
 */
export async function* boundHeader(chunks: AsyncIterable<Buffer>, hasHeader: () => boolean): AsyncGenerator<Buffer> {
  let bytes = 0
  for await (const chunk of chunks) {
    let start = 0
    while (start < chunk.length && !hasHeader()) {
      if (bytes === longestHeader) throw headerRefused(`is longer than ${longestHeader / 1024} KiB`)
      const piece = chunk.subarray(start, start + Math.min(headerPiece, longestHeader - bytes))
      bytes += piece.length
      start += piece.length
      yield piece
      // Between two pieces others are answered.
      await setImmediate()
    }
    if (start < chunk.length) yield chunk.subarray(start)
  }
}

/** @throws {AppError} `import.header`, 422, for more columns or longer names than any file of ours has */
export function refuseLargeHeader(columns: readonly string[]): void {
  if (columns.length > mostColumns)
    throw headerRefused(`names ${columns.length.toLocaleString('en-US')} columns; a file has up to ${mostColumns}`)
  const long = columns.findIndex((name) => name.length > longestName)
  if (long === -1) return
  const name = `the name of column ${(long + 1).toLocaleString('en-US')}`
  throw headerRefused(`is out of bounds: ${name} is longer than ${longestName} characters`)
}

export const headerRefused = defineError({
  code: 'import.header',
  status: 422,
  sentence: (problem: string) => `The first line of the file ${problem}.`,
  remedy: 'Correct the first line of the file: it names the columns, and nothing else.',
})
