import { beforeAll, expect, test, vi } from 'vitest'
import { someItems } from '../harness/items.ts'
import { serverOfFile } from '../harness/test-server.ts'

/* Documents for programs come from memory while they are kept (docs/spec/found-from-outside.md). */

const server = serverOfFile()

beforeAll(() =>
  someItems(
    server.app,
    Array.from({ length: 30 }, (_, at) => ({ name: `Essay ${at}`, creators: 'Ann Writer', series: 'Essays' })),
  ),
)

/** How many statements a request asks the database. */
async function statementsOf(path: string): Promise<number> {
  const asked = vi.spyOn(server.app.db.getExecutor(), 'executeQuery')
  const before = asked.mock.calls.length
  expect((await server.request(path)).status, path).toBe(200)
  return asked.mock.calls.length - before
}

test.each([
  '/feeds/all.rss',
  '/feeds/western.json',
  '/feeds/western.json?search=essay&creator=ann+writer',
  '/opds',
  '/opds/entries',
  '/opds/v2/entries',
  '/opds/v2',
  '/sitemap.xml',
  '/sitemap.xml?part=1',
  '/robots.txt',
  '/site.webmanifest',
  '/opensearch.xml',
])('%s asks no database when it is asked for again', async (path) => {
  await statementsOf(path)
  expect(await statementsOf(path)).toBe(0)
})

test('a statement would be seen', async () => {
  expect(await statementsOf('/transparency.json')).toBeGreaterThan(0)
})
