import { beforeAll, describe, expect, test } from 'vitest'
import { routes } from '../../src/app/server.ts'
import type { TestResponse, TestRequest } from '../harness/request.ts'
import { someItems } from '../harness/items.ts'
import { aMember, bearer, signIn } from '../harness/members.ts'
import { serverOfFile } from '../harness/test-server.ts'

/** Nobody's, a member's and an administrator's. */
let tokens: string[]

const server = serverOfFile()

beforeAll(async () => {
  await someItems(server.app, [{ name: 'Entry', contentType: 'asian', postDate: '2024-03-01' }])
  const people = [await aMember(server.app), await aMember(server.app, { isAdmin: true, isVip: true })]
  tokens = ['nonsense']
  for (const person of people) tokens.push(await signIn(server, person))
})

/** Both ways: as the first to ask, and when an anonymous caller has just been answered out of memory. */
async function answersToBearers(path: string, query: TestRequest = {}): Promise<TestResponse[]> {
  const answers: TestResponse[] = []
  for (const token of tokens) {
    const headers = { 'api-key': 'daybook-web', ...query.headers, ...bearer(token) }
    answers.push(await server.request(path, { ...query, headers }))
  }
  return answers
}

function expectPrivate(answers: TestResponse[]): void {
  for (const { status, headers } of answers) {
    expect(headers['cache-control'], String(status)).toBe('private, no-store')
    expect(headers.vary?.split(/,\s*/), String(status)).toContain('authorization')
  }
}

// Signing out comes last: it ends the sessions that the others need.
const every = routes
  .filter(({ path, method }) => path !== '/auth/logout' && !(method === 'DELETE' && path === '/auth/sessions'))
  .map(({ method, path }) => [method, path.replace(/:(slug|id|email)/, 'entry')] as const)

describe('an answer to a bearer is private and kept by nobody', () => {
  test.each(every)('%s %s', async (method, path) => {
    expectPrivate(await answersToBearers(path, { method }))
  })

  test.each([
    ['a page', '/asian'],
    ['an entry', '/asian/entry'],
    ['the data of a page', '/asian.data'],
    ['a shell', '/account'],
    ['a page that does not exist', '/no/such/page'],
    ['another spelling of a page', '/ASIAN'],
    ['a file', '/favicon.svg'],
    ['the way to a download', '/go/entry/link'],
    ['a ticket of nobody', '/go/nothing'],
    ['the data of a page that does not exist', '/no/such/page.data'],
    ['a redirect', '/.well-known/change-password'],
    ['nothing well known', '/.well-known/security.txt'],
    ['a search', '/universal-search/search?limit=3'],
    ['a refused search', '/universal-search/search?page=0'],
    ['nothing of the interface', '/auth/nothing'],
    ['health', '/healthz'],
    ['readiness', '/readyz'],
  ])('%s', async (_kind, path) => {
    const anonymous = await server.call(path)
    expect(anonymous.headers.vary ?? '').not.toContain('authorization')
    expectPrivate(await answersToBearers(path))
    expectPrivate(await answersToBearers(path, { method: 'HEAD' }))
    expectPrivate(await answersToBearers(path, { headers: { 'accept-encoding': 'br' } }))
    expectPrivate(await answersToBearers(path, { method: 'PATCH' }))
    const again = await server.call(path)
    expect(again.headers['cache-control']).toBe(anonymous.headers['cache-control'])
  })

  test('also when nothing has changed, where a write comes from another site, and where nothing can be read', async () => {
    const { etag = '' } = (await server.call('/universal-search/search')).headers
    const [, unchanged] = await answersToBearers('/universal-search/search', { headers: { 'if-none-match': etag } })
    expect(unchanged?.status).toBe(304)
    const kinds: TestRequest[] = [
      { headers: { 'if-none-match': etag } },
      { method: 'POST', headers: { origin: 'https://elsewhere.example' } },
      { method: 'POST', body: Buffer.alloc(1024 * 1024 + 1) },
      { method: 'POST', headers: { expect: 'miracles' } },
    ]
    for (const kind of kinds) expectPrivate(await answersToBearers('/universal-search/search', kind))
  })
})

test('signing out has the browser forget what it keeps of this site, and nothing else', async () => {
  const [, token = ''] = tokens
  const answer = await server.request('/auth/logout', { method: 'POST', headers: bearer(token) })
  expect(answer.status).toBe(204)
  expect(answer.headers['clear-site-data']).toBe('"cache"')
  expect(answer.headers['cache-control']).toBe('private, no-store')
})
