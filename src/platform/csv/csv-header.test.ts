import { expect, test } from 'vitest'
import { boundHeader, refuseLargeHeader } from './csv-header.ts'

const kib = 1024

async function piecesOf(chunks: Buffer[], headerAfter: number): Promise<number[]> {
  const pieces: number[] = []
  let bytes = 0
  const source = (async function* () {
    yield* chunks
  })()
  for await (const piece of boundHeader(source, () => bytes >= headerAfter)) {
    bytes += piece.length
    pieces.push(piece.length)
  }
  return pieces
}

test('a file goes to its parser in small pieces within the bound until its header is known', async () => {
  expect(await piecesOf([Buffer.alloc(200 * kib), Buffer.alloc(300 * kib)], 100)).toEqual([
    8 * kib,
    192 * kib,
    300 * kib,
  ])
  expect(await piecesOf([Buffer.alloc(12 * kib), Buffer.alloc(40 * kib)], 18 * kib)).toEqual([
    8 * kib,
    4 * kib,
    8 * kib,
    32 * kib,
  ])
  expect(await piecesOf([Buffer.alloc(64 * kib)], 64 * kib + 1)).toEqual(Array.from({ length: 8 }, () => 8 * kib))
})

test('others are answered between two pieces of a header', async () => {
  let turns = 0
  let isOver = false
  const turn = (): void => {
    turns += 1
    if (!isOver) setImmediate(turn)
  }
  setImmediate(turn)
  await piecesOf([Buffer.alloc(64 * kib)], Infinity)
  isOver = true
  expect(turns).toBeGreaterThanOrEqual(8)
})

test('a header that does not end within 64 KiB is refused before the rest is parsed', async () => {
  const refusal = {
    code: 'import.header',
    status: 422,
    message: 'The first line of the file is longer than 64 KiB.',
  }
  await expect(piecesOf([Buffer.alloc(64 * kib + 1)], Infinity)).rejects.toMatchObject(refusal)
  await expect(piecesOf([Buffer.alloc(40 * kib), Buffer.alloc(40 * kib)], Infinity)).rejects.toMatchObject(refusal)
})

test('a header has up to 200 columns, with names of up to 60 characters', () => {
  const columns = Array.from({ length: 200 }, (_, no) => `${'x'.repeat(55)}${no}`)
  expect(() => refuseLargeHeader(columns)).not.toThrow()
  expect(() => refuseLargeHeader([...columns, 'name'])).toThrow(
    expect.objectContaining({
      code: 'import.header',
      message: 'The first line of the file names 201 columns; a file has up to 200.',
    }),
  )
  expect(() => refuseLargeHeader(['name', 'x'.repeat(61)])).toThrow(
    expect.objectContaining({
      code: 'import.header',
      message: 'The first line of the file is out of bounds: the name of column 2 is longer than 60 characters.',
    }),
  )
})
