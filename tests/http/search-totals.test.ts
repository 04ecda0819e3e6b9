import { afterAll, beforeAll, expect, test } from 'vitest'
import { decodePayload } from '../../src/features/catalogue/item/encoding.ts'
import { aMember, bearer, signIn } from '../harness/members.ts'
import { someItems } from '../harness/items.ts'
import { fromHtml } from '../harness/rendered.ts'
import { openTestServer, type TestServer } from '../harness/test-server.ts'

/* The total of a text that very many names have: a lower bound at first, and exact once it is counted. */

let server: TestServer
const all = 1_400

beforeAll(async () => {
  server = await openTestServer()
  const items = Array.from({ length: all }, (_, no) => ({ name: `The book ${no}`, slug: `book-${no}` }))
  await someItems(server.app, items)
})
afterAll(() => server.close())

interface Answer {
  total: number
  totalIsExact: boolean
  totalPages: number
}

async function search(query: string, headers: Record<string, string> = {}): Promise<Answer> {
  const answer = await server.request(`/universal-search/search?limit=100&${query}`, {
    headers: { 'api-key': server.app.config.clientApiKey, ...headers },
  })
  expect(answer.status).toBe(200)
  const { data } = answer.json() as { data: string }
  return decodePayload(data) as Answer
}

const exact = { total: all, totalIsExact: true, totalPages: all / 100 }

test('asked twice, it is exact, through the cache of answers, on every page and in both orders', async () => {
  const first = await search('search=the')
  expect(first.totalIsExact).toBe(false)
  expect(first.total).toBeLessThan(all)
  expect(first.totalPages).toBeGreaterThan(1)
  await server.app.listing.whenCounted()
  expect(await search('search=the')).toMatchObject(exact)
  expect(await search('search=the&page=3')).toMatchObject(exact)
  expect((await search('search=the&sortOrder=ASC')).totalIsExact).toBe(false)
  await server.app.listing.whenCounted()
  expect(await search('search=the&sortOrder=ASC')).toMatchObject(exact)
})

test('until it is counted, the lower bound is kept and not computed anew', async () => {
  const searched: string[] = []
  const { listing } = server.app
  const original = listing.search.bind(listing)
  listing.search = (query, viewer) => {
    searched.push(query.text)
    return original(query, viewer)
  }
  try {
    expect((await search('search=book')).totalIsExact).toBe(false)
    await listing.whenCounted()
    for (let no = 0; no < 3; no += 1) expect(await search('search=book')).toMatchObject(exact)
  } finally {
    listing.search = original
  }
  // Once for the lower bound and once for the exact total.
  expect(searched).toEqual(['book', 'book'])
})

test('a page of a shelf that is kept shows the exact number, too', async () => {
  const section = await sectionOf()
  const words = async (): Promise<string> => fromHtml((await server.request(`/${section}?search=he+bo`)).text).text
  expect(await words()).toMatch(/[\d,]+\+ entries/)
  await server.app.listing.whenCounted()
  expect(await words()).toContain('1,400 entries')
})

test('so it is for a member, whose answers nobody keeps', async () => {
  const headers = bearer(await signIn(server, await aMember(server.app)))
  expect((await search('search=boo', headers)).totalIsExact).toBe(false)
  await server.app.listing.whenCounted()
  expect(await search('search=boo', headers)).toMatchObject(exact)
})

test('a write while it is counted makes no total wrong', async () => {
  expect((await search('search=ook')).totalIsExact).toBe(false)
  await someItems(server.app, [{ name: 'The book of a later day', slug: 'book-later' }])
  await server.app.listing.whenCounted()
  await search('search=ook')
  await server.app.listing.whenCounted()
  expect(await search('search=ook')).toMatchObject({ total: all + 1, totalIsExact: true })
})

async function sectionOf(): Promise<string> {
  const { content_type: type } = await server.app.db
    .selectFrom('items')
    .select('content_type')
    .limit(1)
    .executeTakeFirstOrThrow()
  return type
}
