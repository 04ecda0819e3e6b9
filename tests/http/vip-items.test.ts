import { beforeAll, describe, expect, test, vi } from 'vitest'
import { categoriesMissed, regions, vipContentTypes } from '../../src/features/catalogue/item/content-type.ts'
import { noFilters, searchParameters } from '../../src/features/catalogue/search/listing-address.ts'
import { vipItemPath, vipPageOf } from '../../src/features/catalogue/item/vip-page.ts'
import { vipShelves } from '../../src/features/catalogue/shelves/vip-shelves.ts'
import { editItem, type ItemOverrides, type MadeItem, someItems } from '../harness/items.ts'
import { aGrant, aMember, bearer, type MadeMember, signIn } from '../harness/members.ts'
import { decode } from '../harness/request.ts'
import { type WireItem, serverOfFile } from '../harness/test-server.ts'

const links = {
  link: 'https://mega.nz/file/a1',
  linkG: 'https://gofile.io/d/b1',
  linkP: 'https://pixeldrain.com/u/c1',
  linkMV1: 'https://mega.nz/file/m1',
  linkMV2: 'https://pixeldrain.com/u/m2',
  linkMV3: 'https://gofile.io/d/m3',
}

/** Every pair of VIP type and category that the gate lets pass, in both regions where the type leaves that open. */
const works = vipContentTypes
  .flatMap((contentType) =>
    ['Asian', 'Banned', 'Unknown', 'VIP Content', 'VIP Banned', 'VIP Unknown', 'Film']
      .filter((category) => categoriesMissed({ contentType, category }) === undefined)
      .flatMap((category) =>
        (/asian|western/.test(contentType) ? [contentType.slice(4)] : regions).map((region) => ({
          contentType,
          category,
          region,
        })),
      ),
  )
  .map((work, i) => ({
    ...work,
    ...links,
    name: `Work ${i} of ${work.category}`,
    slug: `work-${i}`,
    // In two months, the later ones first.
    postDate: `2024-0${1 + (i % 2)}-${String(28 - (i % 28)).padStart(2, '0')}`,
  }))

let made: MadeItem[]
let vip: MadeMember
let ofVip: Record<string, string>
let ofAdmin: Record<string, string>
let ofMember: Record<string, string>

const server = serverOfFile({ now: '2024-03-15T12:00:00Z' })

beforeAll(async () => {
  made = await someItems(server.app, [
    ...works,
    { name: 'Free and banned', contentType: 'banned', region: 'asian', category: 'Banned', slug: 'free-banned' },
    { name: 'Free work', contentType: 'asian', category: 'Film', slug: 'free-work', ...links },
    { name: 'VIP draft', contentType: 'vip-asian', category: 'Film', slug: 'draft', status: 'draft' },
    { name: 'VIP ahead', contentType: 'vip-asian', category: 'Film', slug: 'ahead', postDate: '2024-03-16' },
    {
      name: 'Free ahead',
      contentType: 'asian',
      category: 'Film',
      slug: 'free-ahead',
      postDate: '2024-03-17',
      ...links,
    },
  ])
  vip = await aMember(server.app, { isVip: true })
  ofVip = bearer(await signIn(server, vip))
  ofAdmin = bearer(await signIn(server, await aMember(server.app, { isAdmin: true })))
  ofMember = bearer(await signIn(server, await aMember(server.app)))
})

async function search(query: URLSearchParams | string, headers = ofVip) {
  const answer = await server.call(`/universal-search/search?${query.toString()}`, { headers })
  expect(answer.status, query.toString()).toBe(200)
  const found = decode((answer.json() as { data: unknown }).data)
  return found as { data: WireItem[]; total: number; totalPages: number; nearest?: WireItem[] }
}

test('a search shows an administrator what is posted later, and nobody else', async () => {
  const found = async (query: string, headers: Record<string, string>) => {
    const { data, nearest = [] } = await search(query, headers)
    return [...data, ...nearest].map(({ slug }) => slug).filter((slug) => slug.endsWith('ahead'))
  }
  for (const query of ['limit=3', 'search=ahead', 'search=aheadd', 'month=03&category=film']) {
    expect((await found(query, ofAdmin)).sort(), query).toEqual(['ahead', 'free-ahead'])
    for (const headers of [{}, ofMember, ofVip]) expect(await found(query, headers), query).toEqual([])
  }
  expect(await found('dateFilter=today', ofAdmin)).toEqual([])
  const { total } = await search('', ofAdmin)
  expect(total).toBe((await search('')).total + 2)
})

describe('the shelves', () => {
  const slugsOf = (items: readonly { slug: string }[]) => items.map(({ slug }) => slug).sort()
  const inCategories = (...categories: string[]) =>
    slugsOf(works.filter(({ category }) => categories.includes(category)))

  test.each([
    ['vip-banned', '', inCategories('Banned', 'VIP Banned')],
    ['vip-banned', 'work', inCategories('Banned', 'VIP Banned')],
    ['vip-unknown', '', inCategories('Unknown', 'VIP Unknown')],
    ['vip-unknown', 'work', slugsOf(works)],
  ])('%s with the text %j holds the VIP items that belong there', async (shelf, text, wanted) => {
    for (const headers of [ofVip, ofAdmin]) {
      const { data, total } = await search(new URLSearchParams({ shelf, search: text }), headers)
      expect(slugsOf(data)).toEqual(wanted)
      expect(total).toBe(wanted.length)
    }
  })

  test('combine with month, region, order, type, category and limit', async () => {
    const banned = works.filter(({ category }) => ['Banned', 'VIP Banned'].includes(category))
    const asked = async (more: Record<string, string>) =>
      (await search(new URLSearchParams({ shelf: 'vip-banned', ...more }))).data
    expect(slugsOf(await asked({ region: 'western' }))).toEqual(
      slugsOf(banned.filter(({ region }) => region === 'western')),
    )
    expect(slugsOf(await asked({ month: '02' }))).toEqual(
      slugsOf(banned.filter(({ postDate }) => postDate.startsWith('2024-02'))),
    )
    expect(slugsOf(await asked({ contentType: 'vip-asian' }))).toEqual(
      slugsOf(banned.filter(({ contentType }) => contentType === 'vip-asian')),
    )
    expect(slugsOf(await asked({ category: 'vip banned' }))).toEqual(inCategories('VIP Banned'))
    expect(await asked({ category: 'Film' })).toEqual([])
    expect(await asked({ tier: 'free' })).toEqual([])
    const newest = (await asked({})).map(({ slug }) => slug)
    expect((await asked({ sortOrder: 'ASC' })).map(({ slug }) => slug)).toEqual(newest.toReversed())
    const paged = await search('shelf=vip-banned&limit=2&page=2')
    expect(paged.data.map(({ slug }) => slug)).toEqual(newest.slice(2, 4))
    expect(paged.totalPages).toBe(Math.ceil(newest.length / 2))
  })

  test.each(['shelf=vip-banned', 'shelf=vip-unknown&search=work', 'shelf=vip-banned&tier=free'])(
    '%s is refused to whoever is no VIP',
    async (query) => {
      for (const headers of [{}, ofMember]) {
        const answer = await server.call(`/universal-search/search?${query}`, { headers })
        expect(answer.status).toBe(403)
        expect((answer.json() as { message: string }).message).toBe('You are not a VIP to access this page.')
      }
    },
  )

  test.each(['shelf=vip', 'shelf=banned', 'shelf=VIP-Banned', 'shelf=vip-banned&shelf=vip-banned'])(
    '%s answers 400 to everybody',
    async (query) => {
      for (const headers of [{}, ofMember, ofVip]) {
        const answer = await server.call(`/universal-search/search?${query}`, { headers })
        expect(answer.status).toBe(400)
        expect((answer.json() as { field: string }).field).toBe('shelf')
      }
    },
  )
})

describe('the endpoints of VIP items', () => {
  const endpoints = ['vip-asiancontent', 'vip-westerncontent']

  test('give a VIP and an administrator each item of their region, with its direct links', async () => {
    for (const headers of [ofVip, ofAdmin]) {
      for (const { slug, region, contentType, category } of works) {
        for (const endpoint of endpoints) {
          const answer = await server.call(`/${endpoint}/${slug}`, { headers })
          const isThere = endpoint === `vip-${region}content`
          expect(answer.status, `${endpoint} ${slug}`).toBe(isThere ? 200 : 404)
          if (!isThere) continue
          const item = decode((answer.json() as { data: unknown }).data)
          expect(item).toMatchObject({ slug, region, contentType, category, ...links })
        }
      }
    }
  })

  test('and those of free items show an administrator what is posted later, and nobody else', async () => {
    const free = '/asiancontent/free-ahead'
    for (const path of ['/vip-asiancontent/ahead', free])
      expect((await server.call(path, { headers: ofAdmin })).status).toBe(200)
    // Data read for an administrator is shown to nobody else.
    for (const headers of [{}, ofMember, ofVip]) expect((await server.call(free, { headers })).status).toBe(404)
    expect((await server.call('/vip-asiancontent/ahead', { headers: ofVip })).status).toBe(404)
    for (const path of ['/asian/free-ahead', '/go/free-ahead/link'])
      expect((await server.request(path, { headers: ofAdmin })).status).toBe(404)
    // Nor are VIP items at the endpoints of free ones.
    expect((await server.call('/asiancontent/ahead', { headers: ofAdmin })).status).toBe(404)
  })

  test.each(['free-work', 'free-banned', 'draft', 'ahead', 'no-such-item', 'UPPER', '%00', 'x'.repeat(200)])(
    'do not have %j',
    async (slug) => {
      for (const endpoint of endpoints)
        expect((await server.call(`/${endpoint}/${slug}`, { headers: ofVip })).status).toBe(404)
    },
  )

  test('answer 401 without a token and 403 to a member, alike for slugs that exist and that do not', async () => {
    for (const endpoint of endpoints) {
      for (const [headers, status] of [
        [{}, 401],
        [bearer('nonsense'), 401],
        [ofMember, 403],
      ] as const) {
        const [there, absent] = await Promise.all(
          ['work-0', 'no-such-item'].map((slug) => server.call(`/${endpoint}/${slug}`, { headers })),
        )
        expect(there?.status).toBe(status)
        expect(absent?.status).toBe(status)
        expect(there?.text).toBe(absent?.text)
      }
      expect((await server.request(`/${endpoint}/work-0`, { headers: ofVip })).status).toBe(401)
    }
  })

  test('read an item once, show each edit, and close with the membership', async () => {
    const own = await aMember(server.app, { vipExpiresAt: '2024-03-15T12:30:00Z' })
    const headers = bearer(await signIn(server, own))
    const index = works.findIndex(({ contentType }) => contentType === 'vip-asian')
    const item = made[index] as MadeItem
    const path = `/vip-asiancontent/${item.slug}`
    const nameNow = async (): Promise<unknown> => {
      const answer = await server.call(path, { headers })
      return answer.status === 200
        ? (decode((answer.json() as { data: unknown }).data) as WireItem).name
        : answer.status
    }
    expect(await nameNow()).toBe(item.name)
    const read = vi.spyOn(server.app.db, 'selectFrom')
    expect(await nameNow()).toBe(item.name)
    // The session and the roles; the item is at hand.
    const tables = read.mock.calls.map(([table]) => table)
    read.mockRestore()
    expect(tables).not.toContain('items')
    await editItem(server.app, item, { ...(works[index] as ItemOverrides), name: 'Renamed' })
    expect(await nameNow()).toBe('Renamed')
    // It has become free: whoever has it no longer finds it here.
    await editItem(server.app, item, { ...(works[index] as ItemOverrides), contentType: 'asian', category: 'Film' })
    expect(await nameNow()).toBe(404)
    expect((await server.call(`/asiancontent/${item.slug}`)).status).toBe(200)
    await editItem(server.app, item, works[index] as ItemOverrides)
    expect((await server.call(`/asiancontent/${item.slug}`)).status).toBe(404)
    server.clock.set('2024-03-15T12:30:00Z')
    expect(await nameNow()).toBe(403)
    await aGrant(server.app, own.id, '2024-03-20T12:00:00Z')
    expect(await nameNow()).toBe(item.name)
  })
})

test('every row of every VIP list leads to a page of the VIP area whose endpoint has the item, and no item is on none', async () => {
  const listed = new Set<string>()
  for (const shelf of Object.values(vipShelves)) {
    for (const text of ['', 'work']) {
      const { data } = await search(searchParameters(shelf, { ...noFilters, search: text }, 1))
      expect(data.length, shelf.path).toBeGreaterThan(0)
      for (const item of data) {
        const path = vipItemPath(item)
        expect((await server.request(path)).status, path).toBe(200)
        expect((await server.call(`/vip-${item.region}content/${item.slug}`, { headers: ofVip })).status).toBe(200)
        if (text === '') listed.add(item.slug)
        // The list of its own page is one in which it can stand.
        expect(Object.keys(vipShelves)).toContain(vipPageOf(item))
      }
    }
  }
  expect([...listed].sort()).toEqual(works.map(({ slug }) => slug).sort())
})

test('a text that matches nothing on a VIP list offers VIP names alone', async () => {
  for (const shelf of Object.values(vipShelves)) {
    const { nearest = [] } = await search(searchParameters(shelf, { ...noFilters, search: 'werk of banned' }, 1))
    expect(nearest.length, shelf.path).toBeGreaterThan(0)
    for (const { contentType } of nearest) expect(contentType).toMatch(/^vip/)
  }
})
