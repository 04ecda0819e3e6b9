import { beforeAll, describe, expect, test } from 'vitest'
import { someItems } from '../harness/items.ts'
import { expectValidXml, JsonFeed } from '../harness/document-schemas.ts'
import { serverOfFile } from '../harness/test-server.ts'

/* The public feeds (docs/spec/found-from-outside.md#feeds). */

const server = serverOfFile()

beforeAll(async () => {
  await someItems(server.app, [
    {
      name: 'War & Peace <1>',
      creators: 'Лев Толстой; A. "Translator"',
      description: 'First ]]> & paragraph,\nsecond line.\n\nA < B.',
      contentType: 'western',
      category: 'Novel',
      language: 'ru',
      year: '1869',
      series: 'Great works',
      tags: 'war; peace',
      slug: 'war-and-peace',
      postDate: '2024-03-10',
      rightsHolder: 'A. Holder',
      licence: 'CC-BY-4.0',
    },
    { name: 'Plain', contentType: 'asian', category: 'Film', slug: 'plain', postDate: '2024-03-09' },
    { name: 'Of its category', contentType: 'asian', category: 'Banned', slug: 'of-category', postDate: '2024-03-08' },
    { name: 'Of its type', contentType: 'unknown', category: 'Unknown', slug: 'of-type', postDate: '2024-03-07' },
    ...Array.from({ length: 60 }, (_, i) => ({
      name: `Old ${i}`,
      contentType: 'western',
      category: 'Novel',
      postDate: `20${String(i % 20).padStart(2, '0')}-02-01`,
    })),
  ])
})

const feed = async (path: string): Promise<JsonFeed> => {
  const answer = await server.request(path)
  expect(answer.status, answer.text).toBe(200)
  return JsonFeed.parse(answer.json())
}
const titles = async (path: string): Promise<string[]> => (await feed(path)).items.map(({ title }) => title)

describe('a feed', () => {
  test('is valid RSS in every section, and valid JSON Feed', async () => {
    for (const section of ['asian', 'western', 'banned', 'unknown', 'all']) {
      const rss = await server.request(`/feeds/${section}.rss`)
      expect(rss.headers['content-type']).toBe('application/rss+xml; charset=utf-8')
      await expectValidXml('rss', rss.text)
      const json = await server.request(`/feeds/${section}.json?tag=nobody`)
      expect(json.headers['content-type']).toBe('application/feed+json; charset=utf-8')
      JsonFeed.parse(json.json())
    }
    // Without an entry, too.
    await expectValidXml('rss', (await server.request('/feeds/all.rss?tag=nobody')).text)
  })

  test('has the newest 50 entries of its list', async () => {
    const western = await titles('/feeds/western.json')
    expect(western).toHaveLength(50)
    expect(western[0]).toBe('War & Peace <1>')
    expect(await titles('/feeds/asian.json')).toEqual(['Plain', 'Of its category'])
    expect(await titles('/feeds/banned.json')).toEqual(['Of its category'])
    expect(await titles('/feeds/unknown.json')).toEqual(['Of its type'])
    expect((await titles('/feeds/all.json')).slice(0, 4)).toEqual([
      'War & Peace <1>',
      'Plain',
      'Of its category',
      'Of its type',
    ])
  })

  test('tells of an entry its page, day, creators, text, rights and cover', async () => {
    const { publicUrl } = server.app.config
    const { items, feed_url, home_page_url } = await feed('/feeds/western.json?creator=лев толстой')
    const query = `?${new URLSearchParams({ creator: 'лев толстой' }).toString()}`
    expect([feed_url, home_page_url]).toEqual([
      `${publicUrl}/feeds/western.json${query}`,
      `${publicUrl}/western${query}`,
    ])
    const url = `${publicUrl}/western/war-and-peace`
    expect(items).toEqual([
      {
        id: url,
        url,
        title: 'War & Peace <1>',
        content_text:
          'First ]]> & paragraph,\nsecond line.\n\nA < B.\n\nRights: Public domain, A. Holder, CC-BY-4.0 (https://spdx.org/licenses/CC-BY-4.0.html)',
        image: `${publicUrl}/covers/war-and-peace.png`,
        date_published: '2024-03-10T00:00:00.000Z',
        date_modified: '2024-03-15T12:00:00.000Z',
        authors: [{ name: 'Лев Толстой' }, { name: 'A. "Translator"' }],
        tags: ['Novel', 'war', 'peace'],
        language: 'ru',
      },
    ])
    const { text } = await server.request('/feeds/western.rss?tag=war')
    expect(text).toContain('<title>War &#38; Peace &#60;1&#62;</title>')
    expect(text).toContain(`<guid isPermaLink="true">${url}</guid>`)
    expect(text).toContain('<pubDate>Sun, 10 Mar 2024 00:00:00 GMT</pubDate>')
    // HTML within XML: what was no markup stays none.
    expect(text).toContain('&#60;p&#62;A &#38;#60; B.&#60;/p&#62;')
    expect(text).toContain('second line')
  })

  test.each([
    ['search=толстой', ['War & Peace <1>']],
    ['category=novel&decade=1860', ['War & Peace <1>']],
    ['series=great works&language=ru', ['War & Peace <1>']],
    ['dateFilter=today', []],
    ['dateFilter=7days', ['War & Peace <1>', 'Plain']],
    ['month=03', ['War & Peace <1>', 'Plain', 'Of its category', 'Of its type']],
    ['format=EPUB', []],
    ['category=Banned', ['Of its category']],
    ['tag=&month=03&search=', ['War & Peace <1>', 'Plain', 'Of its category', 'Of its type']],
  ])('is narrowed by %s', async (query, found) => {
    expect(await titles(`/feeds/all.json?${query}`)).toEqual(found)
  })

  test('of a category is empty for another category', async () => {
    expect(await titles('/feeds/banned.json?category=banned')).toEqual(['Of its category'])
    expect(await titles('/feeds/banned.json?category=Film')).toEqual([])
  })
})

test.each([
  'page=2',
  'limit=5',
  'sortBy=postDate',
  'tier=vip',
  'shelf=vip-first',
  'at=2024',
  'utm_source=x',
  'search=a&search=b',
  'utm=1&utm=2',
  'month=13',
  'month=3',
  'dateFilter=lately',
  'decade=1891',
  'decade=5000',
  'language=!!',
  `category=${'x'.repeat(61)}`,
  'tag=%ED%A0%80%00',
])('a feed refuses %s with 400, also when it is kept', async (query) => {
  for (const path of ['/feeds/all.rss', '/feeds/all.json']) {
    expect((await server.request(path)).status).toBe(200)
    const answer = await server.request(`${path}?${query}`)
    expect([answer.status, (answer.json() as { code: string }).code]).toEqual([400, 'search.parameter'])
  }
})

test('the page of feeds leads to each of them, and names the addresses for reading programs', async () => {
  const { publicUrl } = server.app.config
  const page = await server.request('/feeds')
  expect(page.status).toBe(200)
  const listed = [...page.text.matchAll(/href="(\/feeds\/[^"]+)"/g)].map(([, path = '']) => path)
  const sections = ['all', 'asian', 'western', 'banned', 'unknown']
  expect([...new Set(listed)].sort()).toEqual(
    sections.flatMap((section) => [`/feeds/${section}.json`, `/feeds/${section}.rss`]).sort(),
  )
  for (const path of [...listed, '/opds', '/opds/v2']) expect((await server.request(path)).status, path).toBe(200)
  for (const path of ['/opds', '/opds/v2']) expect(page.text).toContain(`<code>${publicUrl}${path}</code>`)
  expect((await server.request('/western')).text).toContain('href="/feeds"')
})

test.each(['/feeds/vip.rss', '/feeds/vip-asian.json', '/feeds/all.xml', '/feeds/all', '/feeds/ALL.rss', '/feeds/.rss'])(
  '%s is no feed',
  async (path) => {
    expect((await server.request(path)).status).toBe(404)
  },
)
