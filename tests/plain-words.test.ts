import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'

const root = resolve(import.meta.dirname, '..')
const pages = ['CONTRIBUTING.md', 'README.md', 'SECURITY.md']
const folders = ['bench', 'demo', 'dev', 'docs', 'sandbox', 'scripts', 'src', 'tests']
/** A question may begin so. */
const opening =
  /(?:^|[.!?] )(?:What|Who|Whoever|Whom|Whose|Whatever|Whichever|So many|So much|Of)\b(?![^.!?]*\?)[^.!?]*/g
const comments = /^[ \t]*\{?\/\*[^]*?\*\/|(?:^[ \t]*(?:\/\/|--) .*\n)+/gm

/** The sentences of comments, or of a document, that begin with a relative clause. Heads of tables may. */
function relativeSentences(path: string, text: string): string[] {
  const prose = path.endsWith('.md')
    ? [text.replaceAll(/^```[^]*?^```|^\|.*\n(?=\| ?:?-)/gm, '')]
    : (text.match(comments) ?? []).map((each) => each.replaceAll(/^[ \t]*(?:\{?\/\*+|\*(?!\/)|\/\/|--)|\*\/\}?$/gm, ''))
  return prose
    .flatMap((each) => each.split(/\n\s*\n|\n\s*(?:[-*]|\d+\.) |\|/))
    .map((each) => each.replaceAll(/(?:<[^>]*>|\*\*|^\s*- |\s)+/g, ' ').trim())
    .flatMap((each) => each.match(opening) ?? [])
    .map((sentence) => `${path}: ${sentence.replace(/^[.!?] /, '')}`)
}

test('no sentence of a comment or a document begins with a relative clause', () => {
  const files = folders
    .flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((path) => join(folder, path)),
    )
    .map((path) => path.replaceAll('\\', '/'))
    .concat(pages)
    .filter((path) => /\.(?:m?ts|tsx|mjs|css|md)$/.test(path))
  expect(files.length).toBeGreaterThan(400)
  expect(files.flatMap((path) => relativeSentences(path, readFileSync(join(root, path), 'utf8')))).toEqual([])
})

test('a sentence that begins so is found at the start of a comment and within it', () => {
  const source = `/** What is kept. */\n  // It stays. Who has\n  // it reads it. What now? Often.\nconst a = 'What is it.'\n`
  expect(relativeSentences('a.ts', source)).toEqual(['a.ts: What is kept', 'a.ts: Who has it reads it'])
  expect(relativeSentences('a.md', '| What |\n| ---- |\n| Of two one. |\n\n- Whoever comes.\n')).toEqual([
    'a.md: Of two one',
    'a.md: Whoever comes',
  ])
})
