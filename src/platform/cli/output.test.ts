import { execFileSync, spawnSync } from 'node:child_process'
import { lstat, mkdtemp, open, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { openOutput } from './output.ts'

let folder: string
let directory: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'daybook-output-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))
beforeEach(async () => {
  directory = await mkdtemp(join(folder, 'test-'))
})

async function write(path: string, text: string): Promise<void> {
  const output = await openOutput(path)
  await output.write(text)
  await output.finish()
}

it('gives a file its name only when it is whole', async () => {
  const path = join(directory, 'report.csv')
  await writeFile(path, 'earlier')
  const output = await openOutput(path)
  await output.write('new')
  expect(await readFile(path, 'utf8')).toBe('earlier')
  await output.finish()
  expect(await readFile(path, 'utf8')).toBe('new')
  const discarded = await openOutput(path)
  await discarded.write('half')
  await discarded.discard()
  expect(await readFile(path, 'utf8')).toBe('new')
  expect(await readdir(directory)).toEqual(['report.csv'])
})

it('touches no other file, and lets two write to one name', async () => {
  const path = join(directory, 'keep.csv')
  await writeFile(`${path}.part`, 'a file of its own')
  const outputs = await Promise.all([openOutput(path), openOutput(path)])
  for (const output of outputs) await output.write('whole')
  for (const output of outputs) await output.finish()
  expect(await readFile(path, 'utf8')).toBe('whole')
  expect(await readFile(`${path}.part`, 'utf8')).toBe('a file of its own')
})

it('writes into a pipe, also through a link, and leaves both as they are', async () => {
  const pipe = join(directory, 'pipe')
  execFileSync('/usr/bin/mkfifo', [pipe])
  await symlink(pipe, join(directory, 'link'))
  for (const name of ['pipe', 'link']) {
    await using reader = await open(pipe, 'r+')
    await write(join(directory, name), 'through')
    expect((await lstat(pipe)).isFIFO()).toBe(true)
    const { buffer, bytesRead } = await reader.read(Buffer.alloc(100), 0, 100)
    expect(buffer.toString('utf8', 0, bytesRead)).toBe('through')
  }
  expect((await readdir(directory)).sort()).toEqual(['link', 'pipe'])
})

it('replaces the file that a link leads to, and not the link', async () => {
  await writeFile(join(directory, 'file'), 'earlier')
  await symlink('file', join(directory, 'link'))
  await symlink('not-yet', join(directory, 'dangling'))
  await write(join(directory, 'link'), 'new')
  await write(join(directory, 'dangling'), 'first')
  for (const name of ['link', 'dangling']) expect((await lstat(join(directory, name))).isSymbolicLink()).toBe(true)
  expect(await readFile(join(directory, 'file'), 'utf8')).toBe('new')
  expect(await readFile(join(directory, 'not-yet'), 'utf8')).toBe('first')
})

it('removes what killed processes have left of the same file, and nothing else', async () => {
  const path = join(directory, 'report.csv')
  const output = await openOutput(path)
  const [partial] = (await readdir(directory)) as [string]
  const { pid: ended } = spawnSync(process.execPath, ['--version'])
  const leftover = partial.replace(`-${process.pid}-`, `-${ended}-`)
  const others = [
    leftover.replace('report', 'other'),
    leftover.replace('.part', '.park'),
    leftover.replace(/csv\.[0-9a-f]{8}/, 'csv.00000000'),
    `${basename(path)}.part`,
  ]
  for (const name of [leftover, ...others]) await writeFile(join(directory, name), 'x')
  await write(path, 'new')
  expect((await readdir(directory)).sort()).toEqual(['report.csv', partial, ...others].sort())
  await output.discard()
})
