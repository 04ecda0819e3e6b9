import type { Transaction } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { pages } from '../../src/app/pages.ts'
import { routes } from '../../src/app/server.ts'
import type { CatalogueDatabase } from '../../src/features/catalogue/app.ts'
import { freeContentTypes, vipContentTypes } from '../../src/features/catalogue/item/content-type.ts'
import { lockCatalogue } from '../../src/features/catalogue/publishing/save-items.server.ts'
import { holdItems } from '../../src/features/catalogue/removal/hold-items.server.ts'
import { removeItems } from '../../src/features/catalogue/removal/remove-items.server.ts'
import { type ItemOverrides, type MadeItem, someItems } from '../harness/items.ts'
import { decode } from '../harness/request.ts'
import { serverOfFile } from '../harness/test-server.ts'

/*
 * Every document and page that strangers can read is walked, from the tables of routes and pages along the links to others, and holds
 * nothing of what they may not see (docs/spec/found-from-outside.md). Names carry words that occur nowhere else.
 */

const sections = [...freeContentTypes, 'all']

/** Documents of the routes that have a parameter: each of these routes is walked, or its answers are asked for by the slugs of what is hidden. */
const byRoute: Record<string, readonly string[]> = {
  '/feeds/:file': sections.flatMap((section) => ['rss', 'json'].map((format) => `/feeds/${section}.${format}`)),
  '/opds/:list': ['creators', 'series', 'categories', 'languages', 'months'].map((list) => `/opds/${list}`),
  '/opds/v2/:list': ['creators', 'series', 'categories', 'languages', 'months'].map((list) => `/opds/v2/${list}`),
  '/icons/:file': [],
  '/marks/:file': [],
}

/** Those that answer of one item. */
const ofOneItem: Record<string, (slug: string) => readonly string[]> = {
  '/asiancontent/:item': (slug) => [`/asiancontent/${slug}`],
  '/westerncontent/:item': (slug) => [`/westerncontent/${slug}`],
  '/covers/:file': (slug) => ['', '.svg', '.png'].map((end) => `/covers/${slug}${end}`),
  // The hash of a picture is known to those alone who have seen its item.
  '/covers/:hash/:file': () => [],
  '/opds/covers/:file': (slug) => ['', '.jpg'].map((end) => `/opds/covers/${slug}${end}`),
  '/opds/v2/entries/:slug': (slug) => [`/opds/v2/entries/${slug}`],
  // Without its token it is nobody's.
  '/feeds/private/:file': (slug) => [`/feeds/private/${slug}.rss`],
}

const openPaths = routes.flatMap(({ method, path, access }) => (method === 'GET' && access === 'anyone' ? [path] : []))
const openPages = pages.filter((page) => page.kind !== 'shell' || page.access === 'anyone').map(({ path }) => path)

/** Where programs and readers begin: every document and page without a parameter, and what can be asked for by a name. */
const starts = [
  ...openPaths.flatMap((path) => (path.includes(':') ? (byRoute[path] ?? []) : [path])),
  ...openPages.filter((path) => !/[:*]/.test(path)),
  '/universal-search/search?limit=300&search=Open',
]

/** These lead on, or are not there where nothing is set. */
const otherStatuses: Record<string, number> = {
  '/.well-known/change-password': 302,
  '/.well-known/security.txt': 404,
  '/metrics': 404,
  '/opds/': 302,
  '/opds/v2/': 302,
}

/** Links to documents and to pages without a query are followed; acts, downloads, files and sign-ins are not. */
const isFollowed = (path: string): boolean =>
  /^\/(?:sitemap\.xml|feeds\/|opds(?!\/covers|.*auth=1))/.test(path) ||
  (!path.includes('?') && /^\/(?:asian|western|banned|unknown)\/[^/]+$/.test(path))

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

/** The texts of all documents and pages by their addresses. */
async function walk(): Promise<ReadonlyMap<string, string>> {
  const { publicUrl } = server.app.config
  const found = new Map<string, string>()
  const waiting = [...starts]
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (found.has(path)) continue
    const answer = await server.call(path)
    if (answer.status !== (otherStatuses[path] ?? 200)) throw new Error(`${path} answered ${answer.status}.`)
    const isList = path.startsWith('/universal-search/search')
    const text = isList ? JSON.stringify(decode((answer.json() as { data: unknown }).data)) : answer.text
    found.set(path, text)
    waiting.push(...linksIn(text, publicUrl).filter(isFollowed))
  }
  return found
}

const placesOf = (slug: string, among = texts): string[] =>
  [...among].filter(([, text]) => text.includes(slug)).map(([path]) => path)

test('every route and page that is open to strangers is walked', () => {
  const known = [...Object.keys(byRoute), ...Object.keys(ofOneItem)]
  expect(openPaths.filter((path) => path.includes(':')).sort()).toEqual(known.sort())
  const bySecret = ['/go/*', '/go/:ticket', '/report/receipt/:token', '/report/track/:token', '/unsubscribe/:token']
  const bySlug = [...freeContentTypes.map((type) => `/${type}/:slug`), '/go/:slug/:slot']
  expect(openPages.filter((path) => /[:*]/.test(path)).sort()).toEqual([...bySecret, ...bySlug].sort())
})

test('the walk has come to every part, and has seen what is there for everybody', () => {
  expect([...texts.keys()]).toEqual(
    expect.arrayContaining([...starts, '/sitemap.xml?part=pages', '/sitemap.xml?part=1']),
  )
  for (const { slug, contentType } of open)
    expect(placesOf(slug)).toEqual(
      expect.arrayContaining([
        '/feeds/all.rss',
        '/feeds/all.json',
        '/sitemap.xml?part=1',
        `/${contentType}/${slug}`,
        '/universal-search/search?limit=300&search=Open',
      ]),
    )
})

test('nothing of VIPs, no draft, nothing ahead of its date, held or removed stands in any document or page', () => {
  for (const [path, text] of texts) expect(text, path).not.toMatch(/kanarienvogel|hidden-\d/i)
})

test('what is hidden is not told by its name either', async () => {
  for (const { slug } of hidden) {
    const addresses = [
      ...Object.values(ofOneItem).flatMap((of) => of(slug)),
      ...freeContentTypes.map((type) => `/${type}/${slug}`),
      `/go/${slug}/link`,
    ]
    for (const path of addresses) {
      const { status, text } = await server.call(path)
      expect([404, 410, 451], `${path}: ${status}`).toContain(status)
      expect(text, path).not.toMatch(/kanarienvogel/i)
    }
  }
})

test('no address of a download, and none of the gateway but on pages of entries and in OPDS, stands in any of them', () => {
  for (const [path, text] of texts) {
    expect(text, path).not.toMatch(/mega\.nz\/file|files\.example/)
    if (!/^\/(?:robots\.txt|opds|docs|openapi\.json|(?:asian|western|banned|unknown)\/)/.test(path))
      expect(text, path).not.toContain('/go/')
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
    const gone = new Set(['/western/held-later', '/western/removed-later'])
    expect(placesOf('open-western', after)).toEqual(placesOf('open-western').filter((path) => !gone.has(path)))
  })

  test('and what has come by the clock is there', async () => {
    server.clock.advance(86_400_000)
    const slug = hidden.at(-1)?.slug ?? ''
    expect(placesOf(slug, await walk())).toEqual(
      expect.arrayContaining(['/feeds/western.rss', '/feeds/all.json', '/sitemap.xml?part=1']),
    )
  })
})
