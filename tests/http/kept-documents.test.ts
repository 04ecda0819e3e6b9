import { beforeAll, expect, test, vi } from 'vitest'
import { currentRequest } from '../../src/platform/current-request.ts'
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

/** How many statements a request asks the database; the changes of the catalogue are read besides. */
async function statementsOf(path: string): Promise<number> {
  const asking: (string | undefined)[] = []
  const executor = server.app.db.getExecutor()
  const execute = executor.executeQuery.bind(executor)
  vi.spyOn(executor, 'executeQuery').mockImplementation((...query) => {
    asking.push(currentRequest()?.requestId)
    return execute(...query)
  })
  const { status, headers } = await server.request(path)
  expect(status, path).toBe(200)
  const id = headers['x-request-id']
  expect(id).toBeDefined()
  return asking.filter((asker) => asker === id).length
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

test('a kept list is for callers with the key alone, whatever else stands in the address', async () => {
  const path = '/universal-search/search?limit=20'
  const { clientApiKey } = server.app.config
  const withKey = { headers: { 'api-key': clientApiKey } }
  const [first, kept] = [await server.request(path, withKey), await server.request(path, withKey)]
  expect([first.status, kept.status, kept.text === first.text]).toEqual([200, 200, true])
  for (const other of [path, `${path}&x=1`]) expect((await server.request(other)).status, other).toBe(401)
  const wrong = { headers: { 'api-key': 'another' } }
  expect((await server.request(path, wrong)).status).toBe(401)
})
