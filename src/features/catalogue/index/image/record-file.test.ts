import { mkdtempSync, readdirSync, rmSync, truncateSync, writeFileSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { sequence } from '../../../../../tests/harness/sequence.ts'
import { RecordFile } from './record-file.server.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'records-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const record = (no: number, text: string) => ({ no, bytes: Buffer.from(text) })
const textsIn = (file: RecordFile, numbers: number[]) => file.readAll(numbers).map((bytes) => bytes?.toString())
const pathOfOnly = () => join(folder, String(readdirSync(folder)[0]))

describe('RecordFile', () => {
  it('has the latest record of each item, after any writes, deletions and rewrites, and a restart', async () => {
    const random = sequence(7)
    const known = new Map<number, string>()
    let file = new RecordFile(folder, 'rows')
    for (let step = 0; step < 300; step += 1) {
      const numbers = Array.from({ length: 1 + Math.floor(random() * 5) }, () => 1 + Math.floor(random() * 3_000))
      const act = random()
      if (act < 0.7) {
        const texts = numbers.map((no) => record(no, `${no} ${'x'.repeat(Math.floor(random() * 2_000))}${step}`))
        file.write(texts)
        for (const { no, bytes } of texts) known.set(no, bytes.toString())
      } else if (act < 0.9) {
        for (const no of numbers) {
          file.delete(no)
          known.delete(no)
        }
      } else if (act < 0.95) {
        const late = record(1 + Math.floor(random() * 3_000), `while copied ${step}`)
        let isWritten = false
        await file.compact([...known.keys(), late.no], () => {
          if (!isWritten) file.write([late])
          isWritten = true
          return Promise.resolve()
        })
        known.set(late.no, late.bytes.toString())
        // An image of before names the file that is left.
        expect(readdirSync(folder)).toHaveLength(2)
        file.deleteFormer()
        expect(readdirSync(folder)).toHaveLength(1)
      } else {
        const { saved, sync } = file.save()
        await sync()
        file.close()
        file = new RecordFile(folder, 'rows', saved)
      }
      const asked = [...numbers, ...[...known.keys()].slice(0, 50)]
      expect(textsIn(file, asked)).toEqual(asked.map((no) => known.get(no)))
    }
    file.close()
  })

  it('does not have a record whose bytes are others, or another item\u2019s', () => {
    const former = new RecordFile(folder, 'rows')
    former.write([record(1, 'first'), record(2, 'other')])
    const ofFormer = former.save().saved
    former.close()
    const bytes = readFileSync(pathOfOnly())
    bytes[bytes.length - 1] = 0
    writeFileSync(pathOfOnly(), bytes)
    const file = new RecordFile(folder, 'rows', ofFormer)
    expect(textsIn(file, [1, 2])).toEqual(['first', undefined])
    expect(file.has(2)).toBe(false)
    const { saved } = file.save()
    const first = saved.addresses[1] as number
    saved.addresses[2] = first
    saved.lengths[2] = saved.lengths[1] as number
    file.close()
    const misled = new RecordFile(folder, 'rows', saved)
    expect(textsIn(misled, [2, 1])).toEqual([undefined, 'first'])
    misled.close()
  })

  it('refuses a file that is shorter than what was saved', () => {
    const file = new RecordFile(folder, 'rows')
    file.write([record(1, 'first'), record(2, 'second')])
    const { saved } = file.save()
    file.close()
    truncateSync(pathOfOnly(), 10)
    expect(() => new RecordFile(folder, 'rows', saved)).toThrow('is too short')
  })

  it('forgets at a compaction what no longer counts', async () => {
    const file = new RecordFile(folder, 'rows')
    file.write([record(1, 'first'), record(2, 'second'), record(3, 'third')])
    await file.compact([3, 1], () => Promise.resolve())
    expect(textsIn(file, [1, 2, 3])).toEqual(['first', undefined, 'third'])
    file.close()
  })

  it('is wasteful once it holds far more than what counts', async () => {
    const file = new RecordFile(folder, 'rows')
    const text = 'x'.repeat(1 << 20)
    for (let i = 0; i < 20; i += 1) file.write([record(1, text)])
    expect(file.isWasteful).toBe(true)
    await file.compact([1], () => Promise.resolve())
    expect(file.isWasteful).toBe(false)
    expect(textsIn(file, [1])).toEqual([text])
    file.close()
  })
})
