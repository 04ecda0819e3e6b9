import { beforeAll, expect, test, vi } from 'vitest'
import { someItems } from '../harness/items.ts'
import { serverOfFile } from '../harness/test-server.ts'

const server = serverOfFile()

beforeAll(async () => {
  await someItems(server.app, [
    { name: 'Of March', contentType: 'asian', postDate: '2024-03-01' },
    { name: 'Of May', contentType: 'asian', postDate: '2023-05-01' },
  ])
})

/** The keys of answers that were not found in the cache. */
async function missed(paths: string[]): Promise<string[]> {
  const get = vi.spyOn(server.app.answers, 'get')
  for (const path of paths) expect((await server.request(path)).status, path).toBe(200)
  const keys = get.mock.calls.map(([key]) => key)
  get.mockRestore()
  return keys
}

test('a page is rendered and kept once, whatever else stands in its address', async () => {
  const others = Array.from({ length: 20 }, (_, i) => `/asian?utm_source=mail-${i}&month=03&fbclid=${i}&search=`)
  expect(await missed(['/asian?month=03', ...others, '/asian?tier=vip&month=03'])).toEqual(['page /asian?month=03'])
  const [plain, ...rest] = await Promise.all(['/asian?month=03', ...others].map((path) => server.request(path)))
  for (const answer of rest) expect(answer.text).toBe(plain?.text)
  expect(plain?.text).toContain('Of March')
  expect(plain?.text).not.toContain('Of May')
})

test('a filter that the list does not take is told on the page that the server renders', async () => {
  const { text } = await server.request('/unknown?dateFilter=today&sort=oldest&utm_source=x')
  expect(text).toContain('Ignored in the address: dateFilter.')
})

test('a page that does not exist is told at the address as it came', async () => {
  const { status, headers } = await server.request('/no/such/page?ref=x&page=2')
  expect([status, headers.location]).toEqual([404, undefined])
})

test('the first who asks may be one with a foreign parameter, or with another order or spelling', async () => {
  const paths = ['/asian?ref=x&page=1&search=march', '/asian?search=march&page=1', '/asian?search=m%61rch&page=1&ref=y']
  expect(await missed(paths)).toEqual(['page /asian?search=march&page=1'])
})

test('the data of a page is kept in the same way, with the routes that are asked for', async () => {
  const paths = ['/asian.data?month=03&_routes=asian', '/asian.data?utm_source=x&month=03&_routes=asian']
  expect(await missed(paths)).toEqual(['page /asian.data?month=03&_routes=asian'])
})

test('the data of a page says for which build it is, as the page itself does', async () => {
  const build = /\/assets\/manifest-(\w+)\.js/.exec((await server.request('/asian')).text)?.[1]
  expect(build).toMatch(/^\w{8}$/)
  for (const path of ['/asian.data', '/asian/of-march.data', '/no/such/page.data', '/_.data'])
    expect((await server.request(path)).headers['x-build'], path).toBe(build)
  expect((await server.request('/asian')).headers['x-build']).toBeUndefined()
})

test('pages that read nothing are kept once, and no key holds the secret of an address', async () => {
  expect(await missed(['/chooser', '/chooser?utm_source=x', '/asian/of-march?fbclid=1', '/asian/of-march'])).toEqual([
    'page /chooser',
    'page /asian/of-march',
  ])
  const secrets = ['/reset-password?token=secret', '/reset-password.data?token=secret', '/register?email=secret']
  for (const key of await missed(secrets)) expect(key).not.toContain('secret')
})

test('a visitor loads none of the scripts and styles of the pages for members', async () => {
  for (const path of ['/', '/asian', '/asian/of-march'])
    expect((await server.request(path)).text, path).not.toMatch(
      /\/assets\/(members|account|text-field|dialog)-[\w-]+\.(js|css)"/,
    )
  expect((await server.request('/login')).text).toMatch(/\/assets\/members-[\w-]+\.js"/)
})
