import { readdirSync, readFileSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { findMissingNames } from './harness/find-named-files.ts'

const root = resolve(import.meta.dirname, '..')
const folders = ['bench', 'demo', 'deploy', 'dev', 'docs', 'sandbox', 'scripts', 'src', 'tests']

const paths = [
  ...folders.map((folder) => `${folder}/`),
  ...folders
    .flatMap((folder) => readdirSync(join(root, folder), { withFileTypes: true, recursive: true }))
    .map((entry) => {
      const path = relative(root, join(entry.parentPath, entry.name)).replaceAll('\\', '/')
      return entry.isDirectory() ? `${path}/` : path
    }),
  ...readdirSync(root),
]
const documents = ['docs/architecture.md', ...paths.filter((path) => /^src\/.*README\.md$/.test(path))]

test('there are documents to read', () => {
  expect(documents.length).toBeGreaterThan(6)
})

test.each(documents)('%s names only files and folders that exist', (document) => {
  expect(findMissingNames(readFileSync(join(root, document), 'utf8'), paths)).toEqual([])
})

test('a name that nothing has is found', () => {
  const all = ['src/jobs/', 'src/jobs/jobs.ts', 'src/mail/mail.ts', 'src/jobs/emails/']
  const found = (text: string) => findMissingNames(text, all)
  expect(found('`jobs.ts`, `emails/`, `mail/mail.ts`, `*.ts` and `app.texts.get`')).toEqual([])
  expect(found('`ail.ts`, `mail/post.ts`, `letters/`')).toEqual(['ail.ts', 'mail/post.ts', 'letters/'])
})
