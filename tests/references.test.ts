import { readdirSync, readFileSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { findReferenceFaults } from './harness/find-reference-faults.ts'

const root = resolve(import.meta.dirname, '..')
const isText = /\.(?:[cm]?[jt]sx?|json|md|css|html|sql|sh|ya?ml)$|^\.ci\/|^\.[\w.-]+$/
const folders = new Set(['.ci', '.github', 'bench', 'demo', 'docs', 'sandbox', 'scripts', 'src', 'tests'])
/** The lock file names no documents of ours, `.git` is a file in a worktree, and these tests show the faults. */
const unread = new Set(['package-lock.json', '.git', 'tests/references.test.ts'])

interface RepositoryPath {
  path: string
  isFile: boolean
}

function repositoryPaths(): RepositoryPath[] {
  const entries = readdirSync(root, { withFileTypes: true })
  const inFolders = entries
    .filter((entry) => entry.isDirectory() && folders.has(entry.name))
    .flatMap(({ name }) => readdirSync(join(root, name), { withFileTypes: true, recursive: true }))
  return [...entries, ...inFolders].map((entry) => ({
    path: relative(root, join(entry.parentPath, entry.name)).replaceAll('\\', '/'),
    isFile: entry.isFile(),
  }))
}

test('every reference to a document resolves, and none leads out of the repository', () => {
  const paths = repositoryPaths()
  const files = paths
    .filter(({ path, isFile }) => isFile && isText.test(path) && !unread.has(path))
    .map(({ path }) => path)
    .sort()
  const texts = new Map(files.map((path) => [path, readFileSync(join(root, path), 'utf8')]))
  expect(texts.size).toBeGreaterThan(400)
  expect(texts.has('docs/spec/README.md')).toBe(true)
  expect(findReferenceFaults(texts, new Set(paths.map(({ path }) => path)))).toEqual([])
})

describe('a fault is found', () => {
  const spec = '<a id="roles"></a>\n\n## Roles\n'
  const faultsOf = (files: Record<string, string>) =>
    findReferenceFaults(
      new Map(Object.entries({ 'docs/spec/access.md': spec, ...files })),
      new Set(['demo/sample.csv']),
    )

  test.each([
    [
      'a file that does not exist',
      { 'src/a.ts': '// docs/spec/doors.md#roles' },
      'src/a.ts: there is no docs/spec/doors.md',
    ],
    [
      'an anchor that does not exist',
      { 'src/a.ts': '/** Who may pass (docs/spec/access.md#rolls). */' },
      'src/a.ts: docs/spec/access.md has no anchor rolls',
    ],
    [
      'the anchor of a heading where it has to be written by hand',
      { 'docs/spec/access.md': '## Roles\n', 'src/a.ts': '// docs/spec/access.md#roles' },
      'src/a.ts: docs/spec/access.md has no anchor roles',
    ],
    [
      'an anchor that stands twice',
      { 'docs/spec/access.md': spec + spec },
      'docs/spec/access.md: the anchor roles stands there twice',
    ],
    ['a relative link to nothing', { 'docs/a.md': '[b](b.md)' }, 'docs/a.md: there is no docs/b.md'],
    ['a relative link out of the repository', { 'README.md': '[b](../b.md)' }, 'README.md: there is no ../b.md'],
    ['a link to no heading', { 'docs/a.md': '# Title\n[b](#titel)' }, 'docs/a.md: docs/a.md has no anchor titel'],
    [
      'a document outside, by name',
      { 'src/a.ts': 'const a = 1 // PRODUCT.md, "Words"' },
      "src/a.ts:1: 'PRODUCT.md' stands outside of the repository",
    ],
    [
      'a document outside, by the number of a section',
      { 'src/a.ts': '\n// as section 13.2 says' },
      "src/a.ts:2: 'section 13.2' stands outside of the repository",
    ],
    [
      'a document outside, by its path',
      { 'docs/a.md': 'see `../shared/rules.txt`' },
      "docs/a.md:1: '../shared/' stands outside of the repository",
    ],
  ])('for %s', (_, files, fault) => {
    expect(faultsOf(files)).toEqual([fault])
  })

  test('but not in references that resolve', () => {
    const page =
      '# A title, and more\n[rule](spec/access.md#roles), [sample](../demo/sample.csv), [top](#a-title-and-more)'
    expect(faultsOf({ 'docs/a.md': page, 'src/a.ts': '// docs/spec/access.md#roles, docs/a.md' })).toEqual([])
  })
})
