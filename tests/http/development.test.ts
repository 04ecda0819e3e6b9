import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { serverOfFile } from '../harness/test-server.ts'

/* The pages of `npm run dev` are nowhere in `npm start`. */

const root = resolve(import.meta.dirname, '../..')

const server = serverOfFile()

test('a production server has no page of components', async () => {
  const { status } = await server.request('/docs/ui', { headers: { accept: 'text/html' } })
  expect(status).toBe(404)
})

test('a production build holds no code of dev/, and nothing of Vite', () => {
  const page = readFileSync(join(root, 'dev', 'ui-page.tsx'), 'utf8')
  const traces = [
    'Every token and component of src/ui',
    'ui-swatches',
    'docs/ui',
    '@vite/client',
    '__vite_plugin_react_preamble',
  ]
  // So that the page cannot change and leave the search with nothing to find.
  for (const trace of traces.slice(0, 2)) expect(page).toContain(trace)
  const texts = ['client', 'server'].flatMap((half) =>
    readdirSync(join(root, 'build', half), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && /\.(js|css|map)$/.test(entry.name))
      .map((entry) => [entry.name, readFileSync(join(entry.parentPath, entry.name), 'utf8')] as const),
  )
  expect(texts.length).toBeGreaterThan(20)
  const found = texts.flatMap(([name, text]) =>
    traces.filter((trace) => text.includes(trace)).map((trace) => [name, trace]),
  )
  expect(found).toEqual([])
})
