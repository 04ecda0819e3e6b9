import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { readFormerAsset } from '../src/http/cache/assets.ts'

const { carryOver, deleteFormer } = (await import(
  pathToFileURL(resolve(import.meta.dirname, '../scripts/former-assets.mjs')).href
)) as {
  carryOver: (builds: { from: string; to: string; now: number }) => void
  deleteFormer: (build: string, now: number) => void
}

const dayMs = 86_400_000
const start = Date.parse('2026-11-01T00:00:00Z')

let folder: string
let builds = 0
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'daybook-builds-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

/** A new build of these files, which takes the place of the one before at this time. */
async function build(before: string, names: string[], now: number): Promise<string> {
  builds += 1
  const to = join(folder, String(builds))
  await mkdir(join(to, 'client', 'assets'), { recursive: true })
  for (const name of names) await writeFile(join(to, 'client', 'assets', name), `content of ${name}`)
  carryOver({ from: before, to, now })
  await rm(before, { recursive: true, force: true })
  return to
}

const formerOf = async (to: string): Promise<string[]> => (await readdir(join(to, 'former', 'assets'))).toSorted()

test('the files of a build before stay for seven days after they were replaced, through any number of builds', async () => {
  const first = await build(join(folder, 'none'), ['page-1.js', 'page-1.js.br', 'shared.js'], start)
  expect(await formerOf(first)).toEqual([])
  const second = await build(first, ['page-2.js', 'shared.js'], start)
  expect(await formerOf(second)).toEqual(['page-1.js', 'page-1.js.br'])
  const third = await build(second, ['page-3.js', 'shared.js'], start + 3 * dayMs)
  expect(await formerOf(third)).toEqual(['page-1.js', 'page-1.js.br', 'page-2.js'])
  const fourth = await build(third, ['page-3.js', 'shared.js'], start + 7 * dayMs - 1)
  expect(await formerOf(fourth)).toEqual(['page-1.js', 'page-1.js.br', 'page-2.js'])
  const fifth = await build(fourth, ['page-3.js', 'shared.js'], start + 7 * dayMs)
  expect(await formerOf(fifth)).toEqual(['page-2.js'])
})

test('they are deleted after seven days without another build too', async () => {
  const first = await build(join(folder, 'none'), ['page-1.js'], start)
  const second = await build(first, ['page-2.js'], start)
  deleteFormer(second, start + 7 * dayMs - 1)
  expect(await formerOf(second)).toEqual(['page-1.js'])
  deleteFormer(second, start + 7 * dayMs)
  expect(await formerOf(second)).toEqual([])
  deleteFormer(second, start + 8 * dayMs)
  expect(await readFile(join(second, 'former', 'replaced.json'), 'utf8')).toBe('{}\n')
})

test('a file that comes back is one of the new build, and counts anew when it is replaced again', async () => {
  const first = await build(join(folder, 'none'), ['page-1.js'], start)
  const second = await build(first, ['page-2.js'], start)
  const third = await build(second, ['page-1.js'], start + 6 * dayMs)
  expect(await formerOf(third)).toEqual(['page-2.js'])
  const fourth = await build(third, ['page-2.js'], start + 6 * dayMs)
  expect(await formerOf(fourth)).toEqual(['page-1.js'])
  deleteFormer(fourth, start + 12 * dayMs)
  expect(await formerOf(fourth)).toEqual(['page-1.js'])
})

test('a build that knows nothing of former files, and none at all, leave nothing behind', async () => {
  const old = join(folder, 'old')
  await mkdir(join(old, 'client'), { recursive: true })
  expect(await formerOf(await build(old, ['page-1.js'], start))).toEqual([])
  deleteFormer(join(folder, 'nowhere'), start)
  expect(existsSync(join(folder, 'nowhere'))).toBe(false)
})

test('the server gives a former file as what it was, and nothing else of the folder', async () => {
  const first = await build(join(folder, 'none'), ['page-1.js', 'page-1.js.br', 'font.woff2', '.hidden.js'], start)
  const second = await build(first, ['page-2.js'], start)
  const client = join(second, 'client')
  const answer = await readFormerAsset(client, '/assets/page-1.js')
  expect(answer).toMatchObject({ status: 200, contentType: 'application/javascript; charset=utf-8' })
  expect(answer?.headers).toEqual({ 'cache-control': 'public, max-age=31536000, immutable' })
  expect(answer?.ready('br')?.toString()).toBe('content of page-1.js.br')
  expect(await readFormerAsset(client, '/assets/font.woff2')).toBeDefined()
  const none = [
    '/assets/page-2.js',
    '/assets/page-1.js.br',
    '/assets/../replaced.json',
    '/assets/.hidden.js',
    '/page-1.js',
  ]
  for (const address of [...none, '/assets/', '/assets/page-3.js', '/assets/..%2fpage-1.js'])
    expect(await readFormerAsset(client, address), address).toBeUndefined()
})
