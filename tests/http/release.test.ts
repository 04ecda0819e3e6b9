import { spawnSync } from 'node:child_process'
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import packageFile from '../../package.json' with { type: 'json' }
import { addressOf, kill, type Started, startProcess } from '../harness/processes.ts'
import { sendRequest } from '../harness/request.ts'

/** The archive of `npm run release`, as an operator has it: nothing but it and Node, in an empty folder, with an empty HOME. */
const name = `daybook-${packageFile.version}`
let folder: string
let place: string
let started: Started | undefined

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'daybook-release-'))
  place = join(folder, 'place')
  for (const each of ['home', 'place']) await mkdir(join(folder, each))
})
afterAll(async () => {
  if (started !== undefined) await kill(started)
  await rm(folder, { recursive: true, force: true })
})

function shell(command: string, cwd: string): string {
  const { status, stdout, stderr } = spawnSync('sh', ['-c', command], { cwd, encoding: 'utf8' })
  expect(status, stderr).toBe(0)
  return stdout
}

const daybook = (...words: string[]): Started =>
  startProcess(
    [join(place, name, 'daybook.mjs'), ...words],
    { HOME: join(folder, 'home'), PATH: '', PORT: '0' },
    {
      input: '',
      cwd: place,
    },
  )

test('the archive starts in an empty folder, serves all that is built into it, and is a command line', async () => {
  const made = startProcess(['scripts/release.mjs', folder], {})
  expect(await made.ended, made.output()).toBe(0)
  const archive = `${name}.tar.gz`
  const files = [`${name}.sbom.cdx.json`, archive, `${archive}.sha256`]
  expect((await readdir(folder)).toSorted()).toEqual([...files, 'home', 'place'])
  shell(`sha256sum --check ${archive}.sha256`, folder)
  shell(`tar xzf ../${archive}`, place)
  expect(await readdir(place)).toEqual([name])
  shell('sha256sum --quiet --check SHA256SUMS', join(place, name))
  const megabytes = Number(shell(`du -sm --apparent-size ${name}`, place).split('\t')[0])
  expect(megabytes).toBeLessThanOrEqual(120)
  // The image is built from the folder of the release.
  for (const [, sources = ''] of shell('cat deploy/Containerfile', join(place, name)).matchAll(/^COPY (.+) \S+$/gm))
    for (const source of sources.split(' ')) expect(await readdir(join(place, name))).toContain(source)
  expect(shell('cat NOTICE', join(place, name))).toMatch(/date-holidays are data from Wikipedia, under CC BY-SA/)

  started = daybook()
  const url = await addressOf(started)
  const get = async (path: string) => {
    const answer = await sendRequest(`${url}${path}`)
    expect(answer.status, path).toBe(200)
    return answer.text
  }
  await get('/readyz')
  const list = await get('/western')
  const [, script = ''] = /src="(\/assets\/[^"]+\.js)"/.exec(list) ?? []
  const [, entry = ''] = /href="\/western\/([^"?]+)"/.exec(list) ?? []
  // Each of these loads what nothing has needed before.
  for (const path of [
    script,
    `/western/${entry}`,
    `/covers/${entry}.svg`,
    `/covers/${entry}.png`,
    '/openapi.json',
    '/docs',
    '/plans',
  ])
    await get(path)
  expect(started.output()).toMatch(/Payments are played at http/)
  started.child.kill('SIGTERM')
  expect(await started.ended, started.output()).toBe(0)

  const admins = daybook('admin', 'list')
  expect(await admins.ended, admins.output()).toBe(0)
  expect(admins.out()).toContain('admin@')
  const wrong = daybook('fly')
  expect(await wrong.ended).toBe(1)
  expect(wrong.err()).toContain('`node daybook.mjs --help` lists the commands.')
  expect(await readdir(join(folder, 'home'))).toEqual([])
}, 300_000)
