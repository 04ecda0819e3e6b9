import { beforeAll, expect, test } from 'vitest'
import { pages } from '../../src/app/pages.ts'
import { routes } from '../../src/app/server.ts'
import { categoriesMissed, regions, vipContentTypes } from '../../src/features/catalogue/item/content-type.ts'
import { vipShelfNames } from '../../src/features/catalogue/item/vip-shelf.ts'
import { type ItemOverrides, someItems } from '../harness/items.ts'
import { aMember, bearer, signIn } from '../harness/members.ts'
import { decode, type TestRequest, type TestResponse } from '../harness/request.ts'
import { serverOfFile } from '../harness/test-server.ts'

/*
 * Every public address and every answer of the interface is walked as each caller who is no VIP, and holds nothing of a VIP
 * item. Names and links carry words that occur nowhere else; what an answer may not hold stands in `secrets`.
 */

const name = 'Kanarienvogel'
const linkPart = 'zwitscher'

/** Texts that no caller but a VIP may be sent, however they are encoded. */
const secrets = [name, name.toLowerCase(), linkPart]

const links = Object.fromEntries(
  ['link', 'link2', 'linkG', 'linkP', 'linkMV1', 'linkMV2', 'linkMV3', 'linkMV4'].map((slot) => [
    slot,
    `https://mega.nz/file/${linkPart}-${slot}`,
  ]),
)

/** Each VIP type in each of its categories and regions; the slug, which a caller may send, says nothing. */
const vipItems: (ItemOverrides & { slug: string })[] = vipContentTypes
  .flatMap((contentType) =>
    ['Banned', 'Unknown', 'VIP Content', 'VIP Banned', 'VIP Unknown', 'Film']
      .filter((category) => categoriesMissed({ contentType, category }) === undefined)
      .flatMap((category) =>
        (/asian|western/.test(contentType) ? [contentType.slice(4)] : regions).map((region) => ({
          contentType,
          category,
          region,
        })),
      ),
  )
  .map((item, i) => ({ ...item, ...links, name: `${name} ${i}`, slug: `hidden-${i}`, postDate: '2024-03-14' }))

const freeItems: ItemOverrides[] = [
  { name: 'Open Asian', contentType: 'asian', category: 'Film', slug: 'open-asian' },
  { name: 'Open Western', contentType: 'western', category: 'Film', slug: 'open-western' },
  { name: 'Open Banned', contentType: 'banned', region: 'asian', category: 'Banned', slug: 'open-banned' },
  { name: 'Open Unknown', contentType: 'unknown', region: 'western', category: 'Unknown', slug: 'open-unknown' },
]

const texts = ['', name, 'kanarienvogl', 'open', '0']

const filters = texts.flatMap((search) =>
  [
    {},
    { category: 'VIP Content' },
    { category: 'VIP Banned' },
    { category: 'Banned' },
    { category: 'Unknown' },
    { month: '03' },
    { dateFilter: 'yesterday' },
    { sort: 'oldest' },
    { region: 'asian' },
    { page: '2' },
  ].map((filter) => ({ ...(search === '' ? {} : { search }), ...filter })),
)

const searches = texts.flatMap((search) =>
  [
    {},
    ...['free', 'vip'].map((tier) => ({ tier })),
    ...vipShelfNames.map((shelf) => ({ shelf })),
    ...vipShelfNames.map((shelf) => ({ shelf, tier: 'free' })),
    ...vipContentTypes.map((contentType) => ({ contentType })),
    ...regions.map((region) => ({ region })),
    ...['VIP Content', 'VIP Banned', 'VIP Unknown', 'Banned', 'Unknown', 'Film'].map((category) => ({ category })),
    { month: '03' },
    { dateFilter: 'yesterday' },
    { sortOrder: 'ASC', limit: '1', page: '2' },
  ].map((query) => ({ ...(search === '' ? {} : { search }), ...query })),
)

const slugs = ['hidden-0', vipItems.at(-1)?.slug ?? '', 'no-such-item']

/** An address for each way to fill a declared path. */
function filled(path: string): string[] {
  if (!path.includes('/:')) return [path]
  return slugs.map((slug) => path.replace(/\/:(slug|item)\b/, `/${slug}`).replaceAll(/\/:\w+\??/g, '/none'))
}

const pageAddresses = pages.flatMap(({ path }) =>
  filled(path).flatMap((address) => {
    const queries = /^\/(vip-)?(asian|western|banned|unknown)$/.test(address) ? filters : [{}]
    const data = `${address === '/' ? '/_root' : address}.data`
    return queries.flatMap((query) => {
      const search = new URLSearchParams(query).toString()
      const suffix = search === '' ? '' : `?${search}`
      return [address + suffix, data + suffix]
    })
  }),
)

const apiAddresses = [
  ...routes
    .filter(({ method, path }) => method === 'GET' && path !== '/universal-search/search')
    .flatMap(({ path }) => filled(path)),
  ...searches.map((query) => `/universal-search/search?${new URLSearchParams(query).toString()}`),
]

/** Addresses beside the pages and the interface, also those that are not built yet. */
const otherAddresses = [
  '/openapi.json',
  '/sitemap.xml',
  '/robots.txt',
  '/feeds/vip.rss',
  '/feeds/vip-asian.json',
  '/feeds/western.rss',
  '/go/hidden-0/link',
  '/metrics',
  '/no/such/page',
]

const addresses = [...pageAddresses, ...apiAddresses, ...otherAddresses]

/** The headers of each caller who is no VIP. */
let callers: Record<string, Record<string, string>>
let vips: Record<string, string>[]

const server = serverOfFile({ now: '2024-03-15T12:00:00Z' })

beforeAll(async () => {
  await someItems(server.app, [...freeItems, ...vipItems])
  const as = async (overrides: Parameters<typeof aMember>[1]): Promise<Record<string, string>> =>
    bearer(await signIn(server, await aMember(server.app, overrides)))
  callers = {
    visitor: {},
    'free member': await as({}),
    'expired VIP': await as({ vipExpiresAt: '2024-03-15T11:59:59Z' }),
    'disabled VIP': await as({ isVip: true, vipDisabled: true }),
  }
  vips = [await as({ isVip: true }), await as({ isAdmin: true })]
})

/** A request with the client key, which opens nothing. */
const send = (address: string, headers: Record<string, string>, request: TestRequest = {}): Promise<TestResponse> =>
  server.call(address, { ...request, headers: { ...request.headers, ...headers } })

/** All that an answer says: its head, its body, and what is encoded in that. The caller's own words are taken out. */
function contentOf(answer: TestResponse, address: string): string {
  let text = `${JSON.stringify(answer.headers)}\n${answer.text}`
  if (answer.headers['content-type']?.startsWith('application/json') === true) {
    const { data } = (answer.json() ?? {}) as { data?: unknown }
    if (typeof data === 'string') text += JSON.stringify(decode(data))
  }
  // A page shows the search text that it was asked for, written in one of these ways.
  const search = new URL(address, server.url).searchParams.get('search') ?? ''
  return search === name ? text.replaceAll(new RegExp(`${name}(?! \\d)`, 'g'), '') : text
}

function expectSilent(answer: TestResponse, address: string, caller: string): void {
  const content = contentOf(answer, address)
  for (const secret of secrets) {
    if (content.includes(secret)) throw new Error(`${address} tells ${caller} of “${secret}”: ${content.slice(0, 500)}`)
  }
}

test('a VIP finds by these addresses what nobody else may be told, so that the walk can find something', async () => {
  const found = new Set<string>()
  for (const address of apiAddresses) {
    const content = contentOf(await send(address, vips[0] ?? {}), address)
    for (const secret of [name, linkPart]) if (content.includes(secret)) found.add(secret)
  }
  expect(found).toEqual(new Set([name, linkPart]))
})

test(
  `no answer of ${addresses.length} to anybody who is no VIP holds a VIP item's name or a VIP link, also right after VIPs have been there`,
  { timeout: 600_000 },
  async () => {
    for (const address of addresses) {
      for (const vip of vips) await send(address, vip)
      for (const [caller, headers] of Object.entries(callers)) {
        expectSilent(await send(address, headers), address, caller)
        // A second time it may come out of memory.
        expectSilent(await send(address, headers), address, caller)
      }
    }
  },
)

test('what a VIP was given is not confirmed to anybody else', async () => {
  for (const address of apiAddresses.filter((each) => each.includes('hidden') || each.includes('search='))) {
    const { etag, 'last-modified': modified } = (await send(address, vips[0] ?? {})).headers
    const conditions = {
      ...(etag === undefined ? {} : { 'if-none-match': etag }),
      ...(modified === undefined ? {} : { 'if-modified-since': modified }),
    }
    const plain = await send(address, {})
    const { status } = await send(address, conditions)
    // The same bytes as anybody gets may be confirmed.
    if (status === 304) expect(plain.headers.etag, address).toBe(etag)
    else expect(status, address).toBe(plain.status)
  }
})

test('nobody can tell a VIP item from one that does not exist', async () => {
  const patterns = [...routes, ...pages].map(({ path }) => path).filter((path) => /\/:(slug|item)$/.test(path))
  for (const headers of Object.values(callers)) {
    for (const pattern of patterns) {
      const [hidden, absent] = await Promise.all(
        ['hidden-0', 'no-such-item'].map((slug) => send(pattern.replace(/:\w+$/, slug), headers)),
      )
      expect(hidden?.status, pattern).toBe(absent?.status)
      expect(hidden?.text.replaceAll('hidden-0', 'no-such-item'), pattern).toBe(absent?.text)
    }
  }
})
