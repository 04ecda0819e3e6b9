import { existsSync, globSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test, vi } from 'vitest'
import packageFile from '../package.json' with { type: 'json' }
import { runCommand } from '../src/cli.ts'

/* Commands that stand in the documents with places to fill in, which no test can run: they are there, with these words and options. */

const root = resolve(import.meta.dirname, '..')
const text = ['*.md', 'docs/**/*.md', 'deploy/*']
  .flatMap((pattern) => globSync(pattern, { cwd: root }))
  .filter((path) => !path.startsWith('docs/decisions/') && path !== 'CHANGELOG.md')
  .map((path) => readFileSync(join(root, path), 'utf8'))
  .join('\n')

/** The words of each command of a program that the documents name, up to what is the shell's or the sentence's. */
const named = (program: string): string[][] =>
  [...text.matchAll(new RegExp(`${program} ([a-z][^\`|"'\\n]*)`, 'g'))].map(([, words = '']) =>
    words.trim().split(/\s+/),
  )

async function readHelp(): Promise<string> {
  let out = ''
  vi.spyOn(process.stdout, 'write').mockImplementation((said) => Boolean((out += String(said))))
  await runCommand(['help'], {}).finally(() => vi.restoreAllMocks())
  return out
}

test('every command and option that the documents name is in the help', async () => {
  const help = await readHelp()
  const commands = [...named('npm run daybook --'), ...named('node (?:/opt/daybook/)?daybook.mjs')]
  expect(commands.length).toBeGreaterThan(40)
  const missing = commands.filter(([name = '', ...words]) => {
    const usage = help.match(new RegExp(`^  ${name}\\b[^]*?(?=^  (?!${name}\\b)\\S|^$|(?![^]))`, 'gm'))?.join('') ?? ''
    const [verb = ''] = /^[a-z][a-z-]*$/.exec(words[0] ?? '') ?? []
    const options = words.flatMap((word) => /--[a-z-]+/.exec(word) ?? [])
    const inUsage = new Set(['', ...(usage.match(/[a-z-]+/g) ?? [])])
    return usage === '' || [verb, ...options].some((word) => !inUsage.has(word))
  })
  expect(missing).toEqual([])
})

test('every script that the documents name is there', () => {
  const scripts = [...text.matchAll(/npm run (?:-s )?([a-z]+)/g)].map(([, name = '']) => name)
  expect(scripts.filter((name) => !(name in packageFile.scripts))).toEqual([])
  const proofs = named('npm run prove --').map(([name = '']) => name)
  expect(proofs.length).toBeGreaterThan(2)
  expect(proofs.filter((name) => !existsSync(join(root, 'tests/proofs', `${name}.ts`)))).toEqual([])
})
