import { beforeEach, expect, test } from 'vitest'
import type { OpenDatabase } from '../db/open-database.ts'
import { DiskSpace } from './disk-space.ts'
import { openLog } from './log.ts'

const megabyte = 1024 * 1024

let free = 0
let isRefusing = false
let requested: string[] = []
let lines: string[] = []
let disk: DiskSpace

/** An engine that can refuse what it is told. */
const database = {
  engine: 'embedded',
  run(text: string) {
    requested.push(text)
    return isRefusing ? Promise.reject(new Error('The engine is at work.')) : Promise.resolve([])
  },
} as unknown as OpenDatabase

beforeEach(() => {
  free = 500 * megabyte
  isRefusing = false
  requested = []
  lines = []
  const log = openLog('info', { write: (line) => void lines.push((JSON.parse(line) as { msg: string }).msg) })
  disk = new DiskSpace({ dataDir: '/data' }, database, log, { freeBytes: () => Promise.resolve(free) })
})

const setReadOnly = (state: 'on' | 'off') => `set default_transaction_read_only = ${state}`

test('an engine that was not made read-only is told again, while writes are refused already', async () => {
  free = 10 * megabyte
  isRefusing = true
  await expect(disk.look()).rejects.toThrow('The engine is at work.')
  expect(disk.isFull).toBe(true)
  isRefusing = false
  await disk.look()
  await disk.look()
  expect(requested).toEqual([setReadOnly('on'), setReadOnly('on')])
  expect(lines).toEqual([expect.stringContaining('is full: 10 MB are free')])
  // The limit is the same before and after; only the end of it asks for more.
  free = 70 * megabyte
  await disk.look()
  expect(disk.isFull).toBe(true)
  expect(disk.sentence).toContain(
    '70 MB are free, and Daybook writes nothing below 64 MB. Make room there, until 80 MB are free;',
  )
})

test('a full disk is over only when the engine takes writes again', async () => {
  free = 10 * megabyte
  await disk.look()
  free = 500 * megabyte
  isRefusing = true
  await expect(disk.look()).rejects.toThrow('The engine is at work.')
  expect(disk.isFull).toBe(true)
  isRefusing = false
  await disk.look()
  await disk.look()
  expect(disk.isFull).toBe(false)
  expect(requested).toEqual([setReadOnly('on'), setReadOnly('off'), setReadOnly('off')])
  expect(lines).toHaveLength(2)
})

test('an engine that may have been told is told the other way when there is room again', async () => {
  free = 10 * megabyte
  isRefusing = true
  await expect(disk.look()).rejects.toThrow('The engine is at work.')
  isRefusing = false
  free = 500 * megabyte
  await disk.look()
  expect(disk.isFull).toBe(false)
  expect(requested).toEqual([setReadOnly('on'), setReadOnly('off')])
})

test("a full disk of PostgreSQL's server is told as its own, without figures that nobody knows", () => {
  const postgres = { ...database, engine: 'postgresql' } as OpenDatabase
  const remote = new DiskSpace({ dataDir: '/data' }, postgres, openLog('silent'))
  const refused = Object.assign(new Error('could not extend file'), { code: '53100' })
  expect(remote.explain(refused)).toMatchObject({ code: 'disk.full', status: 503 })
  expect(remote.sentence).toMatch(/^The disk of the database's server is full\./)
})

test('with PostgreSQL the data directory is watched: files are refused, and nothing else', async () => {
  const postgres = { ...database, engine: 'postgresql' } as OpenDatabase
  const freeBytes = (): Promise<number> => Promise.resolve(free)
  const remote = new DiskSpace({ dataDir: '/data' }, postgres, openLog('silent'), { freeBytes })
  await remote.look()
  expect(remote.warning).toContain('500 MB are free, and Daybook writes no files below 64 MB.')
  await remote.refuseFileWhenFull()
  free = 10 * megabyte
  await expect(remote.refuseFileWhenFull()).rejects.toMatchObject({ code: 'disk.full', status: 503 })
  await remote.refuseWhenFull()
  expect([remote.isFull, requested]).toEqual([false, []])
})
