import { createRequire } from 'node:module'
import type Sharp from 'sharp'
import { beforeAll, describe, expect, test } from 'vitest'
import { AppManifest, expectValidXml } from '../harness/document-schemas.ts'
import { anItem, someItems } from '../harness/items.ts'
import { openTestServer, serverOfFile } from '../harness/test-server.ts'

/* The site as programs find it (docs/spec/found-from-outside.md). */

const sharp = createRequire(import.meta.url)('sharp') as typeof Sharp

let ids: string[]
const server = serverOfFile({
  env: { BRAND_NAME: 'Библиотека редких & старых книг', PUBLIC_URL: 'https://library.example', PAYMENTS: 'off' },
})

beforeAll(async () => {
  const made = await someItems(server.app, [
    { name: 'Two', contentType: 'western', slug: 'two', postDate: '2024-03-01' },
    { name: 'One', contentType: 'asian', category: 'Banned', slug: 'one', postDate: '2024-03-14' },
    { name: 'Hidden', contentType: 'vip', category: 'Film', slug: 'hidden' },
  ])
  ids = made.map(({ id }) => id)
})

const headers = { host: 'library.example' }
const get = (path: string, more: Record<string, string> = {}, method = 'GET') =>
  server.request(path, { method, headers: { ...headers, ...more } })

const documents = [
  '/robots.txt',
  '/sitemap.xml',
  '/sitemap.xml?part=pages',
  '/sitemap.xml?part=1',
  '/opensearch.xml',
  '/site.webmanifest',
  '/favicon.ico',
  '/icons/180.png',
  '/icons/192.png',
  '/icons/512.png',
  '/icons/maskable-512.png',
  '/feeds/all.rss',
  '/feeds/all.json',
]

describe.each(documents)('%s', (path) => {
  const isDated = /sitemap|feeds/.test(path)

  test('is there for strangers, for at most a minute, without asking the site again', async () => {
    const answer = await get(path)
    expect(answer.status, answer.text).toBe(200)
    const [, age = ''] = /^public, max-age=(\d+)$/.exec(answer.headers['cache-control'] ?? '') ?? []
    expect(Number(age)).toBeGreaterThan(0)
    if (!/icon/.test(path)) expect(Number(age)).toBeLessThanOrEqual(60)
    expect(answer.headers.etag).toMatch(/^W\/"/)
    expect(answer.headers['last-modified'] !== undefined).toBe(isDated)
    expect(answer.headers['x-content-type-options']).toBe('nosniff')
  })

  test('is not sent again to who has it', async () => {
    const { etag = '', 'last-modified': modified = '' } = (await get(path)).headers
    const unchanged = await get(path, { 'if-none-match': etag })
    expect([unchanged.status, unchanged.text, unchanged.headers.etag]).toEqual([304, '', etag])
    expect((await get(path, { 'if-none-match': '"another"' })).status).toBe(200)
    if (!isDated) return
    expect((await get(path, { 'if-modified-since': modified })).status).toBe(304)
    const before = new Date(Date.parse(modified) - 1_000).toUTCString()
    expect((await get(path, { 'if-modified-since': before })).status).toBe(200)
    expect((await get(path, { 'if-modified-since': 'nonsense' })).status).toBe(200)
    // The tag decides.
    expect((await get(path, { 'if-modified-since': modified, 'if-none-match': '"another"' })).status).toBe(200)
  })

  test('answers HEAD as GET, without compression as with it, and no other method', async () => {
    const answer = await get(path)
    const head = await get(path, {}, 'HEAD')
    const told = ['content-type', 'etag', 'cache-control', 'last-modified', 'content-length'] as const
    expect([head.status, head.text]).toEqual([200, ''])
    for (const name of told) expect([name, head.headers[name]]).toEqual([name, answer.headers[name]])
    expect(answer.headers['content-encoding']).toBeUndefined()
    for (const method of ['POST', 'PUT', 'DELETE', 'PATCH']) {
      const refused = await get(path, {}, method)
      expect([method, refused.status, refused.headers.allow]).toEqual([method, 405, 'GET, HEAD'])
    }
  })
})

test('a document is compressed for who takes it so', async () => {
  await someItems(
    server.app,
    Array.from({ length: 20 }, (_, i) => ({ name: `More ${i}`, postDate: '2023-01-01' })),
  )
  for (const path of ['/feeds/all.rss', '/feeds/all.json', '/sitemap.xml?part=1'])
    expect((await get(path, { 'accept-encoding': 'br' })).headers['content-encoding']).toBe('br')
})

test('robots.txt keeps search engines from what is of no use to them', async () => {
  const answer = await get('/robots.txt')
  expect(answer.headers['content-type']).toBe('text/plain; charset=utf-8')
  expect(answer.text.split('\n')).toEqual([
    'User-agent: *',
    ...['/go/', '/account', '/admin', '/admin-', '/report', '/feeds/private/', '/login', '/register'].map(
      (path) => `Disallow: ${path}`,
    ),
    ...['/reset-password', '/forgot-password', '/*?*search='].map((path) => `Disallow: ${path}`),
    '',
    'Sitemap: https://library.example/sitemap.xml',
    '',
  ])
})

describe('the sitemap', () => {
  const locations = (text: string): string[] =>
    [...text.matchAll(/<loc>([^<]*)<\/loc>/g)].map(([, place = '']) => place)

  test('names its parts, and the pages that are no entries', async () => {
    const index = await get('/sitemap.xml')
    await expectValidXml('sitemapIndex', index.text)
    expect(locations(index.text)).toEqual([
      'https://library.example/sitemap.xml?part=pages',
      'https://library.example/sitemap.xml?part=1',
    ])
    const pages = await get('/sitemap.xml?part=pages')
    await expectValidXml('sitemap', pages.text)
    for (const place of locations(pages.text)) {
      const page = await get(new URL(place).pathname)
      expect([place, page.status]).toEqual([place, 200])
      expect(page.text).not.toContain('content="noindex"')
      expect(page.text).toContain(`<link rel="canonical" href="${place}"`)
    }
  })

  test('has free entries by their ids, each with its page and last change', async () => {
    const { text } = await get('/sitemap.xml?part=1')
    await expectValidXml('sitemap', text)
    expect(ids.toSorted()).toEqual(ids)
    expect(locations(text).slice(0, 2)).toEqual([
      'https://library.example/western/two',
      'https://library.example/banned/one',
    ])
    expect(text).toContain('<lastmod>2024-03-15T12:00:00.000Z</lastmod>')
    for (const place of locations(text).slice(0, 2)) expect((await get(new URL(place).pathname)).status).toBe(200)
  })

  test('is another one after a change, and tells so', async () => {
    const before = await get('/sitemap.xml?part=1')
    await anItem(server.app, { name: 'Newest', slug: 'newest' })
    const after = await get('/sitemap.xml?part=1', { 'if-none-match': before.headers.etag ?? '' })
    expect(after.status).toBe(200)
    expect(locations(after.text).at(-1)).toBe('https://library.example/western/newest')
  })

  test.each([
    ['part=2', 404],
    ['part=0', 404],
    ['part=01', 404],
    ['part=vip', 404],
    ['part=', 404],
    ['part=99999999999', 404],
    ['page=1', 400],
    ['part=1&part=1', 400],
    ['part=1&x=1', 400],
  ])('answers %s with %i', async (query, status) => {
    expect((await get(`/sitemap.xml?${query}`)).status).toBe(status)
  })
})

test('OpenSearch describes the search, with a brand of any length', async () => {
  const { text, headers: told } = await get('/opensearch.xml')
  expect(told['content-type']).toBe('application/opensearchdescription+xml; charset=utf-8')
  await expectValidXml('openSearch', text)
  expect(text).toContain('<ShortName>Библиотека редки</ShortName>')
  const [, template = ''] = /type="text\/html" method="get" template="([^"]+)"/.exec(text) ?? []
  const page = await get(new URL(template.replace('{searchTerms}', 'Two')).pathname + '?search=Two')
  expect(page.text).toContain('/western/two')
})

test('the manifest and its icons make the site one that can be installed', async () => {
  const answer = await get('/site.webmanifest')
  expect(answer.headers['content-type']).toBe('application/manifest+json; charset=utf-8')
  const { name, icons } = AppManifest.parse(answer.json())
  expect(name).toBe('Библиотека редких & старых книг')
  expect(icons.map(({ sizes, purpose }) => `${sizes} ${purpose}`)).toEqual([
    '192x192 any',
    '512x512 any',
    '512x512 maskable',
  ])
  for (const { src, sizes } of icons) {
    const icon = await get(src)
    const { width, height, format } = await sharp(icon.bytes).metadata()
    expect([icon.headers['content-type'], format, `${width}x${height}`]).toEqual(['image/png', 'png', sizes])
  }
})

test('the favicon holds pictures of three sizes', async () => {
  const { bytes } = await get('/favicon.ico')
  expect([bytes.readUInt16LE(0), bytes.readUInt16LE(2), bytes.readUInt16LE(4)]).toEqual([0, 1, 3])
  for (const [place, size] of [16, 32, 48].entries()) {
    const at = 6 + 16 * place
    const [length, offset] = [bytes.readUInt32LE(at + 8), bytes.readUInt32LE(at + 12)]
    const picture = await sharp(bytes.subarray(offset, offset + length)).metadata()
    expect([bytes[at], picture.format, picture.width, picture.height]).toEqual([size, 'png', size, size])
  }
})

test('another name of the brand has other icons', async () => {
  const before = (await get('/icons/192.png')).headers.etag
  await using other = await openTestServer({ env: { BRAND_NAME: '書庫' } })
  const icon = await other.request('/icons/192.png')
  expect(icon.status).toBe(200)
  expect(icon.headers.etag).not.toBe(before)
})

test.each(['/icons/64.png', '/icons/constructor', '/icons/180.svg', '/icons/'])('%s is no icon', async (path) => {
  expect((await get(path)).status).toBe(404)
})

test.each([
  ['/asian?category=History&month=03&page=2', '/feeds/asian.rss?month=03&category=History'],
  ['/banned?search=a+b&sort=oldest', '/feeds/banned.rss?search=a+b'],
  ['/western?at=2006-05', '/feeds/western.rss'],
])('%s names the feed %s, which answers', async (path, feed) => {
  expect((await get(path)).text).toContain(`type="application/rss+xml" href="${feed.replace('&', '&amp;')}"/>`)
  expect((await get(feed)).status).toBe(200)
})

test.each([
  ['/asian', '/feeds/asian'],
  ['/western', '/feeds/western'],
  ['/banned', '/feeds/banned'],
  ['/unknown', '/feeds/unknown'],
  ['/', '/feeds/all'],
])('%s leads to its feeds, the manifest, the icon and the search, and says how it is shared', async (path, feed) => {
  const { text } = await get(path)
  for (const link of [
    `<link rel="alternate" type="application/rss+xml" href="${feed}.rss"/>`,
    `<link rel="alternate" type="application/feed+json" href="${feed}.json"/>`,
    '<link rel="alternate" type="application/atom+xml;profile=opds-catalog" href="/opds"/>',
    '<link rel="manifest" href="/site.webmanifest"/>',
    '<link rel="apple-touch-icon" href="/icons/180.png"/>',
    '<link rel="search" type="application/opensearchdescription+xml" href="/opensearch.xml" title="Библиотека редких &amp; старых книг"/>',
  ])
    expect(text).toContain(link)
  for (const property of ['og:title', 'og:site_name', 'og:type', 'og:description', 'og:url', 'og:image'])
    expect(text).toContain(`<meta property="${property}" content="`)
})
