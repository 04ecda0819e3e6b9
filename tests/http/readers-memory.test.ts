import { beforeAll, describe, expect, test } from 'vitest'
import { queueDigests } from '../../src/features/catalogue/saved-searches/digests.server.ts'
import type { SavedSearch, SavedSearches } from '../../src/features/catalogue/saved-searches/saved-search-schema.ts'
import type { ReadersMemory, RememberedEntries } from '../../src/features/catalogue/saved/saved-schema.ts'
import { waitForEmail } from '../harness/emails.ts'
import { someItems } from '../harness/items.ts'
import { aSignedInMember, post, type SignedIn } from '../harness/members.ts'
import type { TestResponse } from '../harness/request.ts'
import { serverOfFile } from '../harness/test-server.ts'

/* The memory of readers (docs/spec/readers-memory.md), over HTTP. */

let reader: SignedIn
let other: SignedIn

const server = serverOfFile()

beforeAll(async () => {
  await someItems(server.app, [
    { name: 'First' },
    { name: 'Second' },
    { name: 'Secret', contentType: 'vip-western', linkP: 'https://pixeldrain.com/u/vip' },
  ])
  ;[reader, other] = [await aSignedInMember(server), await aSignedInMember(server)]
})

const as = (by: SignedIn, method: string, path: string, body?: object): Promise<TestResponse> =>
  server.request(path, {
    method,
    headers: { ...by.headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
const save = (by: SignedIn, body: object): Promise<TestResponse> => as(by, 'POST', '/account/saved-searches', body)
const aSearch = async (by: SignedIn, query = ''): Promise<SavedSearch> =>
  (await save(by, { list: 'western', query, name: 'Western' })).json() as SavedSearch

test('a guest gets none of it, and pages and lists are the same for everybody', async () => {
  for (const [method, path] of [
    ['POST', '/account/visit'],
    ['GET', '/account/saved-entries'],
    ['PUT', '/account/saved-entries/first'],
    ['DELETE', '/account/saved-entries/first'],
    ['GET', '/account/downloads'],
    ['DELETE', '/account/downloads'],
    ['GET', '/account/saved-searches'],
    ['DELETE', '/account/saved-searches/01a22713-7850-7716-9a00-28fd03cc0b7b'],
  ] as const)
    expect((await server.request(path, { method })).status, `${method} ${path}`).toBe(401)
  const before = (await server.request('/western')).text
  await as(reader, 'PUT', '/account/saved-entries/first')
  await as(reader, 'POST', '/account/visit')
  for (const headers of [{}, reader.headers]) {
    const { text } = await server.request('/western', { headers })
    expect(text.replaceAll(/nonce="[^"]*"/g, '')).toBe(before.replaceAll(/nonce="[^"]*"/g, ''))
  }
  for (const page of ['/account/saved', '/account/history', '/account/searches']) {
    const { status, text, headers } = await server.request(page)
    expect(status, page).toBe(200)
    expect(text, page).toContain('noindex')
    expect(text, page).not.toContain('First')
    expect(headers['set-cookie'], page).toBeUndefined()
  }
  await as(reader, 'DELETE', '/account/saved-entries/first')
})

test('a call that is typed into the address bar leads to its page, and stays a call for everything else', async () => {
  for (const [call, page] of [
    ['/account/saved-entries', '/account/saved'],
    ['/account/downloads', '/account/history'],
    ['/account/saved-searches', '/account/searches'],
  ] as const) {
    const { status, headers } = await server.request(call, { headers: { 'sec-fetch-mode': 'navigate' } })
    expect([status, headers['location'], headers['cache-control']], call).toEqual([302, page, 'no-store'])
    expect((await server.request(call, { headers: { 'sec-fetch-mode': 'cors' } })).status, call).toBe(401)
  }
})

describe('saved entries', () => {
  const saved = async (by: SignedIn): Promise<RememberedEntries> =>
    (await as(by, 'GET', '/account/saved-entries')).json() as RememberedEntries

  test('are saved, listed and taken out, each by its own reader', async () => {
    expect((await as(reader, 'PUT', '/account/saved-entries/first')).status).toBe(204)
    expect((await as(reader, 'PUT', '/account/saved-entries/first')).status).toBe(204)
    expect((await as(reader, 'PUT', '/account/saved-entries/secret')).status).toBe(404)
    expect((await as(reader, 'PUT', '/account/saved-entries/no-such-entry')).status).toBe(404)
    expect((await as(reader, 'PUT', '/account/saved-entries/..%2F..')).status).toBe(404)
    expect((await as(other, 'DELETE', '/account/saved-entries/first')).status).toBe(204)
    expect(await saved(reader)).toMatchObject({ entries: [{ name: 'First', path: '/western/first' }], next: null })
    expect((await saved(other)).entries).toEqual([])
    const { saved: known } = (await as(reader, 'POST', '/account/visit')).json() as ReadersMemory
    expect(known).toEqual(['first'])
    for (const after of ['x', '1', '1.first', '999999999999999.first.'])
      expect((await as(reader, 'GET', `/account/saved-entries?after=${after}`)).status, after).toBe(400)
  })
})

describe('the history of downloads', () => {
  const history = async (by: SignedIn): Promise<RememberedEntries> =>
    (await as(by, 'GET', '/account/downloads')).json() as RememberedEntries

  test('is the reader’s own, switched off and cleared', async () => {
    expect((await as(reader, 'POST', '/account/downloads', { slug: 'first', slot: 'link' })).status).toBe(204)
    expect((await as(reader, 'POST', '/account/downloads', { slug: 'secret', slot: 'linkP' })).status).toBe(404)
    expect((await history(reader)).entries).toMatchObject([{ name: 'First', host: 'Mega' }])
    expect((await history(other)).entries).toEqual([])
    expect((await as(reader, 'PUT', '/account/downloads', { keepsHistory: 'no' })).status).toBe(422)
    expect((await as(reader, 'PUT', '/account/downloads', { keepsHistory: false })).status).toBe(204)
    await as(reader, 'POST', '/account/downloads', { slug: 'second', slot: 'link' })
    expect(await history(reader)).toMatchObject({ entries: [{ name: 'First' }], keepsHistory: false })
    expect((await as(other, 'DELETE', '/account/downloads')).status).toBe(204)
    expect((await history(reader)).entries).toHaveLength(1)
    expect((await as(reader, 'DELETE', '/account/downloads')).status).toBe(204)
    expect((await history(reader)).entries).toEqual([])
  })
})

describe('saved searches', () => {
  test('are refused with a sentence where they are wrong', async () => {
    for (const [body, field] of [
      [{ list: 'nowhere', query: '', name: 'x' }, 'list'],
      [{ list: 'western', query: 'x'.repeat(2_001), name: 'x' }, 'query'],
      // Longer than they look: composed, and as the address writes them.
      [{ list: 'western', query: `?tag=${'\u0958'.repeat(31)}`, name: 'x' }, 'query'],
      [{ list: 'western', query: `?search=${'書'.repeat(250)}`, name: 'x' }, 'query'],
      [{ list: 'western', query: '', name: ' ' }, 'name'],
      [{ list: 'western', query: '', name: 'x'.repeat(121) }, 'name'],
      [{ list: 'western', query: '', name: 'a\nb' }, 'name'],
    ] as const) {
      const answer = await save(reader, body)
      expect(answer.status, answer.text).toBe(422)
      expect((answer.json() as { field?: string }).field).toBe(field)
    }
    const { id } = await aSearch(reader)
    for (const body of [
      { hour: 24 },
      { hour: 1.5 },
      { timeZone: '+02:00' },
      { timeZone: 'Mars/Olympus' },
      { digest: 'hourly' },
      { owner: other.id },
    ])
      expect((await as(reader, 'PUT', `/account/saved-searches/${id}`, body)).status, JSON.stringify(body)).toBe(422)
  })

  test('of somebody else are not there', async () => {
    const { id } = await aSearch(reader)
    expect((await as(other, 'PUT', `/account/saved-searches/${id}`, { name: 'Mine' })).status).toBe(404)
    expect((await as(other, 'DELETE', `/account/saved-searches/${id}`)).status).toBe(404)
    expect((await as(other, 'DELETE', '/account/saved-searches/1')).status).toBe(404)
    const { searches } = (await as(other, 'GET', '/account/saved-searches')).json() as SavedSearches
    expect(searches).toEqual([])
  })

  test('are part of the data export, with everything else that is remembered', async () => {
    server.clock.advance(1_000)
    await as(reader, 'PUT', '/account/saved-entries/second')
    await as(reader, 'PUT', '/account/downloads', { keepsHistory: true })
    await as(reader, 'POST', '/account/downloads', { slug: 'second', slot: 'link' })
    const answer = await server.request('/auth/export', { headers: reader.headers })
    expect(answer.status).toBe(200)
    expect(answer.json()).toMatchObject({
      downloads: expect.arrayContaining([
        expect.objectContaining({ slug: 'second', item: 'Second', host: 'Mega' }),
      ]) as unknown,
      reading: { keepsHistory: true, saved: [{ slug: 'second', item: 'Second' }, { slug: 'first' }] },
      searches: [{ name: 'Western', digest: 'off' }],
    })
  })

  test('are changed so often, and no more', async () => {
    const busy = await aSignedInMember(server)
    const statuses = new Set<number>()
    for (let i = 0; i < 130; i += 1) statuses.add((await save(busy, { list: 'asian', query: '', name: 'x' })).status)
    expect([...statuses]).toEqual([201, 200, 429])
  })
})

describe('one-click unsubscribe', () => {
  test('ends a digest by one POST without a session; a GET ends nothing', async () => {
    const { id } = await aSearch(reader, '?search=news')
    await as(reader, 'PUT', `/account/saved-searches/${id}`, { digest: 'daily', hour: 8, timeZone: 'UTC' })
    server.clock.advance(1)
    await someItems(server.app, [{ name: 'News', postDate: '2024-03-15' }])
    server.clock.advance(24 * 3_600_000)
    await server.app.listing.catchUp()
    await queueDigests(server.app)
    const email = await waitForEmail(server.app, { to: reader.email, subject: /^1 new entry/ })
    const address = /^<(.+)>$/.exec(email.headers.get('list-unsubscribe') ?? '')?.[1] ?? ''
    const { pathname } = new URL(address)

    const page = await server.request(pathname)
    expect(page.status).toBe(200)
    expect(page.text).toContain('End these emails')
    expect(page.headers['cache-control']).toContain('no-store')
    // No other site learns more than the name of this one.
    expect(page.headers['referrer-policy']).toBe('strict-origin-when-cross-origin')
    const digestOf = async (): Promise<unknown> =>
      server.app.db.selectFrom('saved_searches').select('digest').where('id', '=', id).executeTakeFirst()
    expect(await digestOf()).toEqual({ digest: 'daily' })

    const once = (path: string) =>
      server.request(path, {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: 'List-Unsubscribe=One-Click',
      })
    expect((await once(`${pathname.slice(0, -1)}_`)).status).toBe(404)
    expect(await digestOf()).toEqual({ digest: 'daily' })
    const ended = await once(pathname)
    expect(ended.status).toBe(200)
    expect(ended.text).toContain('This digest has ended')
    expect(await digestOf()).toEqual({ digest: 'off' })
    expect((await once(pathname)).status).toBe(200)
    // It opens nothing else.
    const token = pathname.split('/').at(-1) ?? ''
    for (const path of ['/account/saved-searches', '/auth/dashboard'])
      expect((await server.request(path, { headers: { authorization: `Bearer ${token}` } })).status).toBe(401)
  })

  test('takes the form that some providers send in parts', async () => {
    const fresh = await aSignedInMember(server)
    const { id } = await aSearch(fresh, '?search=parts')
    await as(fresh, 'PUT', `/account/saved-searches/${id}`, { digest: 'weekly' })
    const { writeUnsubscribeToken } =
      await import('../../src/features/catalogue/saved-searches/unsubscribe-token.server.ts')
    const token = await writeUnsubscribeToken(server.app, server.app.db, id)
    const boundary = 'a-boundary'
    const answer = await server.request(`/unsubscribe/${token}`, {
      method: 'POST',
      headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
      body: `--${boundary}\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--${boundary}--\r\n`,
    })
    expect(answer.status).toBe(200)
    expect(answer.text).toContain('This digest has ended')
  })
})

test('the calls of a member are so many a minute', async () => {
  const busy = await aSignedInMember(server)
  let refused: TestResponse | undefined
  for (let i = 0; i < 260 && refused === undefined; i += 1) {
    const answer = await as(busy, 'POST', '/account/visit')
    if (answer.status === 429) refused = answer
  }
  expect(refused?.headers['retry-after']).toBeDefined()
  expect((await post(server, '/auth/login', { email: busy.email, password: busy.password })).status).toBe(200)
})
