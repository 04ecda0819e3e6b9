import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { readImage, writeImage } from './image-file.server.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'image-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const image = {
  facts: { name: 'Träumerei', numbers: [1, 2] },
  columns: {
    bytes: Uint8Array.of(1, 2, 3),
    none: new Int32Array(),
    numbers: Float64Array.of(Number.NaN, 1.5, -Infinity),
    others: Uint32Array.of(4_294_967_295),
  },
}

describe('an image', () => {
  it('is read as it was written, in shared memory, and replaces the one before', async () => {
    const path = join(folder, 'image')
    expect(readImage(path)).toBeUndefined()
    await writeImage(path, { facts: {}, columns: { long: new Int32Array(100_000).fill(7) } })
    await writeImage(path, image)
    const found = readImage(path)
    expect(found).toEqual(image)
    expect(found?.columns['bytes']?.buffer).toBeInstanceOf(SharedArrayBuffer)
  })

  it('leaves the one before, and nothing else, where the disk is full', async () => {
    const path = join(folder, 'image')
    await writeImage(path, image)
    symlinkSync('/dev/full', `${path}.new`)
    await expect(writeImage(path, { facts: {}, columns: {} })).rejects.toThrow('ENOSPC')
    expect(readdirSync(folder)).toEqual(['image'])
    expect(readImage(path)).toEqual(image)
  })

  it('is refused wherever it is torn or one of its bytes is another', async () => {
    const path = join(folder, 'image')
    await writeImage(path, image)
    const whole = readFileSync(path)
    for (let at = 0; at < whole.length; at += 1) {
      writeFileSync(path, whole.subarray(0, at))
      expect(() => readImage(path), `cut at ${at}`).toThrow(/./)
      const changed = Buffer.from(whole)
      changed[at] = (changed[at] as number) ^ 1
      writeFileSync(path, changed)
      expect(() => readImage(path), `changed at ${at}`).toThrow(/./)
    }
  })
})
