import type { Transaction } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import type { CatalogueDatabase } from '../../src/features/catalogue/app.ts'
import { freeContentTypes, vipContentTypes } from '../../src/features/catalogue/item/content-type.ts'
import { lockCatalogue } from '../../src/features/catalogue/publishing/save-items.server.ts'
import { holdItems } from '../../src/features/catalogue/removal/hold-items.server.ts'
import { removeItems } from '../../src/features/catalogue/removal/remove-items.server.ts'
import { type ItemOverrides, type MadeItem, someItems } from '../harness/items.ts'
import { serverOfFile } from '../harness/test-server.ts'

/*
 * Every document that strangers can read is walked, from its addresses along the links to others of its kind, and holds nothing of
 * what they may not see (docs/spec/found-from-outside.md). Names carry words that occur nowhere else.
 */

const sections = [...freeContentTypes, 'all']

/** Where programs begin. */
const starts = [
  '/robots.txt',
  '/opensearch.xml',
  '/site.webmanifest',
  '/sitemap.xml',
  '/opds',
  '/opds/v2',
  ...sections.flatMap((section) => ['rss', 'json'].map((format) => `/feeds/${section}.${format}`)),
]

/** The paths of documents: a link to one is followed, one to a page or a picture is not. */
const isDocument = (path: string): boolean =>
  /^\/(?:robots\.txt|opensearch\.xml|site\.webmanifest|sitemap\.xml|feeds\/|opds(?!\/covers|.*auth=1))/.test(path)

/** The addresses of this site in a document of any format. */
function linksIn(text: string, origin: string): string[] {
  const plain = text.replaceAll('&#38;', '&').replaceAll('&amp;', '&').replaceAll('\\/', '/')
  const absolute = plain
    .split(origin)
    .slice(1)
    .flatMap((rest) => /^\/[^\s"'<>\\{}]*/.exec(rest)?.[0] ?? [])
  const relative = [...plain.matchAll(/(?:href|src)"?[=:]\s?"(\/[^"{}]*)"/g)].map(([, path = '']) => path)
  return [...absolute, ...relative]
}

const secret = 'Kanarienvogel'
/** A removal blocks its links: each item has its own. */
const linkOf = (slug: string): string => `https://mega.nz/file/${slug}`
const hidden: (ItemOverrides & { slug: string })[] = [
  ...vipContentTypes.map((contentType) => ({
    contentType,
    category: contentType === 'vip-banned' ? 'VIP Banned' : contentType === 'vip-unknown' ? 'VIP Unknown' : 'Film',
  })),
  { contentType: 'western', status: 'draft' as const },
  { contentType: 'asian', status: 'restricted' as const },
  { contentType: 'asian', status: 'removed' as const },
  { contentType: 'western', postDate: '2024-03-16' },
].map((item, place) => ({
  ...item,
  name: `${secret} ${place}`,
  slug: `hidden-${place}`,
  description: `${secret} sings.`,
}))

const open: (ItemOverrides & { slug: string })[] = [
  { contentType: 'asian', category: 'Film', slug: 'open-asian' },
  { contentType: 'western', category: 'Film', slug: 'open-western' },
  { contentType: 'banned', region: 'asian', category: 'Banned', slug: 'open-banned' },
  { contentType: 'unknown', region: 'western', category: 'Unknown', slug: 'open-unknown' },
  { contentType: 'western', category: 'Film', slug: 'held-later' },
  { contentType: 'western', category: 'Film', slug: 'removed-later' },
].map((item) => ({ ...item, name: `Open ${item.slug}`, postDate: '2024-03-14', link: linkOf(item.slug) }))

let items: MadeItem[]
let texts: ReadonlyMap<string, string>
const server = serverOfFile({ env: { EARLY_ACCESS_DAYS: '3' } })

beforeAll(async () => {
  items = await someItems(server.app, [...hidden, ...open])
  texts = await walk()
})

/** The texts of all documents by their addresses. */
async function walk(): Promise<ReadonlyMap<string, string>> {
  const { publicUrl } = server.app.config
  const found = new Map<string, string>()
  const waiting = [...starts]
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (found.has(path)) continue
    const answer = await server.request(path)
    if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}.`)
    found.set(path, answer.text)
    waiting.push(...linksIn(answer.text, publicUrl).filter(isDocument))
  }
  return found
}

const placesOf = (slug: string, among = texts): string[] =>
  [...among].filter(([, text]) => text.includes(slug)).map(([path]) => path)

test('the walk has come to every part, and has seen what is there for everybody', () => {
  expect([...texts.keys()]).toEqual(
    expect.arrayContaining([...starts, '/sitemap.xml?part=pages', '/sitemap.xml?part=1']),
  )
  for (const { slug } of open)
    expect(placesOf(slug)).toEqual(expect.arrayContaining(['/feeds/all.rss', '/feeds/all.json', '/sitemap.xml?part=1']))
})

test('nothing of VIPs, no draft, nothing ahead of its date, held or removed stands in any document', () => {
  for (const [path, text] of texts) expect(text, path).not.toMatch(/kanarienvogel|hidden-\d/i)
})

test('no address of a download, and none of the gateway but in OPDS, stands in any document', () => {
  for (const [path, text] of texts) {
    expect(text, path).not.toMatch(/mega\.nz|files\.example/)
    if (path !== '/robots.txt' && !path.startsWith('/opds')) expect(text, path).not.toContain('/go/')
  }
})

describe('what is taken away is gone from every document', () => {
  const taken = async (work: (trx: Transaction<CatalogueDatabase>) => Promise<unknown>): Promise<void> => {
    await server.app.db.transaction().execute(async (trx) => {
      await lockCatalogue(trx)
      await work(trx)
    })
    await server.app.listing.catchUp()
  }
  const idOf = (slug: string): string => items.find((item) => item.slug === slug)?.id ?? ''

  test('once it is held', async () => {
    await taken((trx) =>
      holdItems(trx, { reference: 'N-2JZ4-8K0P', itemIds: [idOf('held-later')], hides: true, by: 'system' }),
    )
    expect(placesOf('held-later', await walk())).toEqual([])
  })

  test('once it is removed', async () => {
    await taken((trx) =>
      removeItems(trx, {
        reference: 'N-2JZ4-8K0Q',
        itemIds: [idOf('removed-later')],
        answer: 451,
        kind: 'Copyright',
        by: 'system',
      }),
    )
    const after = await walk()
    expect(placesOf('removed-later', after)).toEqual([])
    expect(placesOf('open-western', after)).toEqual(placesOf('open-western'))
  })

  test('and what has come by the clock is there', async () => {
    server.clock.advance(86_400_000)
    const slug = hidden.at(-1)?.slug ?? ''
    expect(placesOf(slug, await walk())).toEqual(
      expect.arrayContaining(['/feeds/western.rss', '/feeds/all.json', '/sitemap.xml?part=1']),
    )
  })
})
