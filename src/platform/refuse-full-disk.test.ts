import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeDataDir, refuseFullDisk } from './disk-space.ts'

let directory: string
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'daybook-disk-'))
  await writeFile(join(directory, 'file'), '')
})
afterAll(() => rm(directory, { recursive: true, force: true }))

describe('refuseFullDisk', () => {
  const refuse = (dataDir: string, free: number) =>
    refuseFullDisk({ databaseUrl: undefined, dataDir }, true, () => Promise.resolve(free * 1024 * 1024))

  it('lets a directory pass that has room, also one that is still to be made', async () => {
    await expect(refuse(directory, 200)).resolves.toBeUndefined()
    await expect(refuse(join(directory, 'new', 'data'), 200)).resolves.toBeUndefined()
  })

  it('says how much room is missing', async () => {
    await expect(refuse(directory, 100)).rejects.toThrow(
      /is full: 100 MB are free, and Daybook writes nothing below 128 MB/,
    )
  })

  it.each(['file', 'file/data'])('names DATA_DIR when it cannot be one: %s', async (path) => {
    await expect(refuse(join(directory, path), 200)).rejects.toThrow(
      /^DATA_DIR must be a directory that this user may write to/,
    )
  })

  it.runIf(process.platform === 'linux')('names DATA_DIR on what the kernel makes up, which has no room', async () => {
    await expect(refuse('/proc/data', 200)).rejects.toThrow(/^DATA_DIR must be/)
  })

  it('has nothing to say where PostgreSQL keeps the data', async () => {
    await expect(
      refuseFullDisk({ databaseUrl: 'postgresql://x', dataDir: join(directory, 'file') }, true),
    ).resolves.toBeUndefined()
  })
})

describe('makeDataDir', () => {
  it('makes it, and leaves one that is there', async () => {
    const dataDir = join(directory, 'made', 'data')
    await makeDataDir({ dataDir })
    await makeDataDir({ dataDir })
    expect((await stat(dataDir)).isDirectory()).toBe(true)
  })

  it.each(['file', 'file/data'])('names DATA_DIR where it cannot be made, also for PostgreSQL: %s', async (path) => {
    await expect(makeDataDir({ dataDir: join(directory, path) })).rejects.toThrow(
      /^DATA_DIR must be a directory that this user may write to/,
    )
  })
})
