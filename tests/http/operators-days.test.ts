import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openPostOffice, type PostOffice } from '../harness/post-office.ts'
import { startProgram } from '../harness/processes.ts'

const root = resolve(import.meta.dirname, '../..')

let folder: string
let office: PostOffice
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'daybook-days-'))
  office = await openPostOffice()
})
afterAll(async () => {
  await office.close()
  await rm(folder, { recursive: true, force: true })
})

/** The commands of the blocks that operators may copy, in the order of the page. */
function commandsOf(page: string): string[] {
  return [...page.matchAll(/^ *```sh\n([^]*?)^ *```$/gm)].flatMap(([, block = '']) =>
    block
      .trim()
      .split('\n')
      .map((line) => line.trim()),
  )
}

/** The lines of the settings file that the page begins with. */
function settingsOf(page: string): string {
  const [block = ''] = /(?:^ {7}[A-Z_]+=.*\n)+/m.exec(page) ?? []
  return block.replaceAll(/^ +/gm, '')
}

it("runs every command of the operator's days, as they stand in docs/operating.md", { timeout: 300_000 }, async () => {
  const page = await readFile(join(root, 'docs/operating.md'), 'utf8')
  const commands = commandsOf(page)
  // A page whose blocks are not found would pass.
  expect(commands.length).toBeGreaterThan(15)
  const env = {
    PATH: `${join(root, 'node_modules/.bin')}:${process.env['PATH']}`,
    DATA_DIR: join(folder, 'data'),
    KEEP: folder,
    EMBEDDED_SYNC: 'off',
    SMTP_URL: office.url,
  }
  await mkdir(env.DATA_DIR)
  await writeFile(join(env.DATA_DIR, 'daybook.env'), settingsOf(page))
  // The page says some of them again; that they can be run is known by then.
  for (const command of new Set(commands)) {
    const { ended, output } = startProgram(['bash', '-c', command], env, { input: 'a long word for the desk\n' })
    expect(await ended, `${command}\n${output()}`).toBe(0)
  }
  expect(office.taken).toHaveLength(1)
  expect(settingsOf(page)).toContain('DEMO=0\n')
  const [head = '', ...entries] = (await readFile(join(folder, 'library.csv'), 'utf8')).trim().split('\n')
  expect(head).toMatch(/^name,slug,/)
  expect(entries.length).toBeGreaterThanOrEqual(8)
})
