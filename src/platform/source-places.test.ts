import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, expect, test } from 'vitest'
import { inSources } from './source-places.ts'

const folder = mkdtempSync(join(tmpdir(), 'daybook-maps-'))
afterAll(() => rmSync(folder, { recursive: true }))

test('a place of the built server becomes one of its sources, and any other stays', () => {
  const server = join(folder, 'build', 'server')
  mkdirSync(server, { recursive: true })
  // The third line of the built file is the second of the source.
  const map = { version: 3, sources: ['../../src/db/open.ts'], names: [], mappings: ';;AACA' }
  writeFileSync(join(server, 'open.js.map'), JSON.stringify(map))
  const at = (file: string) => pathToFileURL(join(server, file)).href
  const stack = `Error: no\n    at open (${at('open.js')}:3:5)\n    at ${at('other.js')}:1:1\n    at node:fs:1:1\n    at file:///x/a.js:3:5`
  expect(inSources(stack)).toBe(
    `Error: no\n    at open (src/db/open.ts:2:5)\n    at ${at('other.js')}:1:1\n    at node:fs:1:1\n    at file:///x/a.js:3:5`,
  )
})
