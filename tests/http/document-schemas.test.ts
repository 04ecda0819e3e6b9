import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { validateXML } from 'xmllint-wasm'
import type { z } from 'zod'
import { AppManifest, expectValidXml, JsonFeed } from '../harness/document-schemas.ts'
import { someItems } from '../harness/items.ts'
import { serverOfFile } from '../harness/test-server.ts'
import { OpdsFeed, OpdsPublication } from './opds/opds-2.0.ts'

/* The schemas of the other tests refuse what they should: each document is broken on purpose. */

const server = serverOfFile()

beforeAll(async () => {
  await someItems(server.app, [
    {
      name: 'A work',
      slug: 'a-work',
      creators: 'A Writer',
      language: 'en',
      category: 'Film',
      link: 'https://mega.nz/file/a',
    },
  ])
})

const textOf = async (path: string): Promise<string> => {
  const { status, text } = await server.request(path)
  expect(status, path).toBe(200)
  return text
}

async function isOpds(xml: string): Promise<boolean> {
  const schema = await readFile(join(import.meta.dirname, 'opds/opds-1.2.rng'), 'utf8')
  return (await validateXML({ xml, schema, extension: 'relaxng' })).valid
}

const isValid = (kind: Parameters<typeof expectValidXml>[0]) => (xml: string) =>
  expectValidXml(kind, xml).then(
    () => true,
    () => false,
  )

describe.each([
  [
    '/sitemap.xml',
    isValid('sitemapIndex'),
    [
      ['<loc>', '<lok>'],
      ['</sitemap>', '<priority>1</priority></sitemap>'],
      ['xmlns=', 'xmlns:x='],
    ],
  ],
  [
    '/sitemap.xml?part=1',
    isValid('sitemap'),
    [
      ['<lastmod>2', '<lastmod>soon 2'],
      ['<loc>', '<loc>https://x.example</loc><loc>'],
      ['<urlset', '<urls'],
    ],
  ],
  [
    '/feeds/all.rss',
    isValid('rss'),
    [
      ['version="2.0"', 'version="0.9"'],
      ['<guid isPermaLink="true"', '<guid'],
      ['<link>http', '<link>ftp'],
      [' GMT</pubDate>', '</pubDate>'],
    ],
  ],
  [
    '/opensearch.xml',
    isValid('openSearch'),
    [
      ['<ShortName>', '<ShortName>A name of more than sixteen '],
      ['{searchTerms}', '{terms}'],
      ['UTF-8</Input', 'latin1</Input'],
    ],
  ],
  [
    '/opds',
    isOpds,
    [
      ['rel="start"', 'rel="begin"'],
      ['<updated>2', '<updated>day 2'],
      ['<id>', '<ids>'],
    ],
  ],
  [
    '/opds/entries',
    isOpds,
    [
      ['kind=acquisition', 'kind=other'],
      ['rel="http://opds-spec.org/acquisition"', 'rel="enclosure"'],
      ['<title>', '<name>'],
    ],
  ],
] as const)('%s', (path, isAllowed, faults) => {
  test('is valid as it is, and not with a fault', async () => {
    const whole = await textOf(path)
    expect(await isAllowed(whole)).toBe(true)
    for (const [right, wrong] of faults) {
      const broken = whole.replace(right, wrong)
      expect(broken, right).not.toBe(whole)
      expect(await isAllowed(broken), wrong).toBe(false)
    }
  })
})

describe.each<[string, z.ZodType, (readonly [string, string])[]]>([
  [
    '/feeds/all.json',
    JsonFeed,
    [
      ['version/1.1', 'version/9'],
      ['"date_published":"2', '"date_published":"on 2'],
      ['"url":"http', '"url":"'],
      ['"items":', '"entries":'],
    ],
  ],
  [
    '/site.webmanifest',
    AppManifest,
    [
      ['"standalone"', '"alone"'],
      ['"512x512"', '"large"'],
      ['"start_url"', '"begin"'],
    ],
  ],
  [
    '/opds/v2',
    OpdsFeed,
    [
      ['"navigation":', '"links2":'],
      ['"rel":"self"', '"rel":"own"'],
      ['"title":"', '"titel":"'],
    ],
  ],
  [
    '/opds/v2/entries',
    OpdsFeed,
    [
      ['"publications":', '"books":'],
      ['urn:uuid:', 'uuid:'],
      ['"numberOfItems":', '"count":'],
      ['http://opds-spec.org/acquisition', 'get'],
    ],
  ],
  [
    '/opds/v2/entries/a-work',
    OpdsPublication,
    [
      ['"images":', '"pictures":'],
      ['"rights":', '"licence":'],
      ['image/jpeg', 'image/tiff'],
    ],
  ],
])('%s', (path, schema, faults) => {
  test('is valid as it is, and not with a fault', async () => {
    const whole = await textOf(path)
    expect(schema.safeParse(JSON.parse(whole)).error).toBeUndefined()
    for (const [right, wrong] of faults) {
      const broken = whole.replace(right, wrong)
      expect(broken, right).not.toBe(whole)
      expect(schema.safeParse(JSON.parse(broken)).success, wrong).toBe(false)
    }
  })
})
