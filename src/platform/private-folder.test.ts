import { chmod, mkdir, mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { isOpenToOthers, makePrivateFolder } from './private-folder.ts'

let root: string
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'daybook-private-'))
})
afterEach(() => rm(root, { recursive: true, force: true }))

const modeOf = async (path: string): Promise<number> => (await stat(path)).mode & 0o7777

test('a private folder is its owner\u2019s alone, new or not', async () => {
  await makePrivateFolder(join(root, 'a', 'b'))
  expect(await modeOf(join(root, 'a', 'b'))).toBe(0o700)
  const open = join(root, 'open')
  await mkdir(open)
  await chmod(open, 0o755)
  expect(await isOpenToOthers(open)).toBe(true)
  await makePrivateFolder(open)
  expect(await modeOf(open)).toBe(0o700)
  expect(await isOpenToOthers(open)).toBe(false)
})

test('a place that everybody shares stays as it is', async () => {
  const shared = join(root, 'tmp')
  await mkdir(shared)
  await chmod(shared, 0o1777)
  await makePrivateFolder(shared)
  expect(await modeOf(shared)).toBe(0o1777)
})
