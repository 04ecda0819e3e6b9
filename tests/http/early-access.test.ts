import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { decode, type TestResponse } from '../harness/request.ts'
import { someItems } from '../harness/items.ts'
import { aMember, bearer, passTime, signIn } from '../harness/members.ts'
import { serverOfFile } from '../harness/test-server.ts'

/* Early access: VIPs see a scheduled free entry before its post date (docs/spec/catalogue.md#early-access). */

const day = 86_400_000
/** The gate goes by the clock of the database. */
const start = Math.floor(Date.now() / day) * day + day / 2
const iso = (days: number): string => new Date(start + days * day).toISOString()

let headers: Record<'vip' | 'member' | 'admin', { authorization: string }>

const server = serverOfFile({ now: iso(0), env: { EARLY_ACCESS_DAYS: '7' } })

beforeAll(async () => {
  const { app } = server
  headers = {
    vip: bearer(await signIn(server, await aMember(app, { isVip: true }))),
    member: bearer(await signIn(server, await aMember(app))),
    admin: bearer(await signIn(server, await aMember(app, { isAdmin: true }))),
  }
  await someItems(app, [
    { name: 'Moonstone soon', contentType: 'western', postDate: iso(3) },
    { name: 'Moonstone banned soon', contentType: 'banned', category: 'Banned', region: 'asian', postDate: iso(5) },
    { name: 'Moonstone later', contentType: 'western', postDate: iso(8) },
    { name: 'Moonstone now', contentType: 'western', postDate: iso(-40) },
    { name: 'Moonstone kept', contentType: 'vip-western', postDate: iso(-41) },
    { name: 'Moonstone kept soon', contentType: 'vip-western', postDate: iso(3) },
    { name: 'Moonstone draft', contentType: 'western', postDate: iso(3), status: 'draft' },
    { name: 'Moonstone restricted', contentType: 'western', postDate: iso(3), status: 'restricted' },
    { name: 'Moonstone removed', contentType: 'western', postDate: iso(3), status: 'removed' },
  ])
})
beforeEach(() => server.clock.set(iso(0)))

type Who = keyof typeof headers | 'nobody'
const call = (path: string, who: Who = 'nobody'): Promise<TestResponse> =>
  server.call(path, { headers: who === 'nobody' ? {} : headers[who] })

interface Found {
  data: { slug: string; vipFirst?: boolean }[]
  total: number
  totalPages: number
  nearest?: { slug: string }[]
}
async function search(query: string, who: Who = 'nobody'): Promise<Found> {
  const answer = await call(`/universal-search/search?${query}`, who)
  expect(answer.status, answer.text).toBe(200)
  return decode((answer.json() as { data: unknown }).data) as Found
}
const slugs = ({ data }: Found): string[] => data.map(({ slug, vipFirst }) => (vipFirst === true ? `${slug}!` : slug))

const early = ['moonstone-banned-soon!', 'moonstone-soon!']

describe('a VIP', () => {
  test('finds scheduled free entries in searches, marked, and before everything else that is newest', async () => {
    expect(slugs(await search('search=moonstone', 'vip'))).toEqual([...early, 'moonstone-now', 'moonstone-kept'])
    expect(slugs(await search('search=moonstone&sortOrder=ASC', 'vip'))).toEqual([
      'moonstone-kept',
      'moonstone-now',
      ...early.toReversed(),
    ])
    // The searches of the pages of the VIP area.
    expect(slugs(await search('search=moonstone&tier=vip', 'vip'))).toEqual([...early, 'moonstone-kept'])
    expect(slugs(await search('search=moonstone&shelf=vip-unknown', 'vip'))).toEqual([...early, 'moonstone-kept'])
    expect(slugs(await search('search=moonstone&shelf=vip-banned', 'vip'))).toEqual(['moonstone-banned-soon!'])
    expect(slugs(await search('search=moonstone&contentType=western', 'vip'))).toEqual([
      'moonstone-soon!',
      'moonstone-now',
    ])
    expect(slugs(await search('search=moonstone&region=asian', 'vip'))).toEqual(['moonstone-banned-soon!'])
    expect(slugs(await search('search=moonstone&dateFilter=today', 'vip'))).toEqual([])
  })

  test('turns every page of both parts, with one total', async () => {
    for (const order of ['ASC', 'DESC']) {
      const whole = slugs(await search(`sortOrder=${order}`, 'vip'))
      expect(whole).toHaveLength(4)
      for (const text of ['', '&search=moonstone']) {
        const pages = await Promise.all(
          [1, 2, 3, 4, 5].map((page) => search(`page=${page}&limit=1&sortOrder=${order}${text}`, 'vip')),
        )
        expect(pages.flatMap(slugs)).toEqual(whole)
        expect(pages.at(-1)).toMatchObject({ data: [], total: 4, totalPages: 4 })
      }
    }
  })

  test('has them alone on the shelf of early access, and not on the lists of VIP types', async () => {
    expect(slugs(await search('shelf=vip-first', 'vip'))).toEqual(early)
    expect(slugs(await search('shelf=vip-first&limit=1&page=2', 'vip'))).toEqual(early.slice(1))
    expect(slugs(await search('contentType=vip-western', 'vip'))).toEqual(['moonstone-kept'])
    expect(slugs(await search('shelf=vip-banned', 'vip'))).toEqual([])
    expect(slugs(await search('tier=free', 'vip'))).toEqual(['moonstone-now'])
  })

  test('reads them by the VIP calls of their region, with direct links, and not by the free ones', async () => {
    const answer = await call('/vip-westerncontent/moonstone-soon', 'vip')
    expect(answer.status).toBe(200)
    const item = decode((answer.json() as { data: unknown }).data) as { vipFirst: boolean; link: string }
    expect(item).toMatchObject({ slug: 'moonstone-soon', contentType: 'western', vipFirst: true })
    expect(item.link).toMatch(/^https:/)
    expect((await call('/vip-asiancontent/moonstone-banned-soon', 'vip')).status).toBe(200)
    for (const path of [
      '/vip-asiancontent/moonstone-soon',
      '/westerncontent/moonstone-soon',
      '/vip-westerncontent/moonstone-later',
      '/vip-westerncontent/moonstone-kept-soon',
      '/vip-westerncontent/moonstone-now',
      '/vip-westerncontent/moonstone-draft',
      '/vip-westerncontent/moonstone-restricted',
      '/vip-westerncontent/moonstone-removed',
    ]) {
      expect((await call(path, 'vip')).status, path).toBe(404)
      if (path.startsWith('/vip')) expect((await call(`${path}/neighbours`, 'vip')).status, path).toBe(404)
    }
    const neighbours = await call('/vip-westerncontent/moonstone-soon/neighbours', 'vip')
    expect([neighbours.status, neighbours.json()]).toEqual([200, { volumes: [] }])
    expect((await call('/vip-westerncontent/moonstone-soon/neighbours', 'member')).status).toBe(403)
  })

  test('can report a dead link of one, and their downloads are counted', async () => {
    const body = JSON.stringify({ slug: 'moonstone-soon', slot: 'link' })
    const type = { 'content-type': 'application/json' }
    const report = (who: Who) =>
      server.call('/links/report', {
        method: 'POST',
        body,
        headers: { ...type, ...(who === 'nobody' ? {} : headers[who]) },
      })
    expect((await report('vip')).status).toBeLessThan(300)
    for (const who of ['member', 'nobody'] as const) expect((await report(who)).status).toBe(404)
  })
})

describe('for everybody else they are not there', () => {
  test.each(['nobody', 'member'] as const)(
    '%s finds no name, no total, no nearest name and no page of them',
    async (who) => {
      for (const query of ['search=moonstone', 'tier=free', 'search=moonstone&contentType=western', '']) {
        const found = await search(query, who)
        expect(slugs(found), query).toEqual(['moonstone-now'])
        expect(found).toMatchObject({ total: 1, totalPages: 1 })
      }
      const missed = await search('search=moonstone%20soom', who)
      expect(missed.nearest?.map(({ slug }) => slug)).toEqual(['moonstone-now'])
      expect((await call('/universal-search/search?shelf=vip-first', who)).status).toBe(403)
      for (const path of ['/westerncontent/moonstone-soon', '/asiancontent/moonstone-banned-soon'])
        expect((await call(path, who)).status, path).toBe(404)
      const refusals = await Promise.all(
        ['moonstone-soon', 'no-such-work'].map((slug) => call(`/vip-westerncontent/${slug}`, who)),
      )
      const [there, absent] = refusals.map(
        ({ status, text }) => `${status} ${text.replaceAll('moonstone-soon', 'no-such-work')}`,
      )
      expect(there).toBe(absent)
    },
  )

  test('no page, list, passage or kept answer holds them, whoever has asked before', async () => {
    for (const path of ['/western', '/banned', '/', '/western?search=moonstone', '/sitemap.xml', '/vip/moonstone-soon'])
      for (let i = 0; i < 2; i += 1) {
        await search('search=moonstone', 'vip')
        const { text } = await server.request(path)
        expect(text.replaceAll('vip/moonstone-soon', ''), path).not.toContain('oonstone soon')
      }
    for (const path of ['/western/moonstone-soon', '/banned/moonstone-banned-soon', '/go/moonstone-soon/link'])
      expect((await server.request(path)).status, path).toBe(404)
    expect((await call('/go/moonstone-soon/link', 'vip')).status).toBe(404)
  })
})

test('administrators see scheduled entries as before, and those of early access on the VIP page', async () => {
  const before = slugs(await search('search=moonstone', 'admin')).map((slug) => slug.replace('!', ''))
  expect(before.toSorted()).toEqual([
    'moonstone-banned-soon',
    'moonstone-kept',
    'moonstone-kept-soon',
    'moonstone-later',
    'moonstone-now',
    'moonstone-soon',
  ])
  expect(slugs(await search('shelf=vip-first', 'admin'))).toEqual(early)
  expect((await call('/westerncontent/moonstone-soon', 'admin')).status).toBe(200)
  expect((await call('/vip-westerncontent/moonstone-soon', 'admin')).status).toBe(200)
})

test('at the moment of the post date they are everybody’s, without a restart and without a write', async () => {
  const visitor = async () => slugs(await search('search=moonstone'))
  expect(await visitor()).toEqual(['moonstone-now'])
  expect((await server.request('/western/moonstone-soon')).status).toBe(404)
  await passTime(server, 3 * day - 1)
  expect(await visitor()).toEqual(['moonstone-now'])
  expect(slugs(await search('shelf=vip-first', 'vip'))).toEqual(['moonstone-later!', ...early])

  await passTime(server, 1)
  expect(await visitor()).toEqual(['moonstone-soon', 'moonstone-now'])
  expect((await server.request('/western/moonstone-soon')).status).toBe(200)
  expect((await call('/westerncontent/moonstone-soon', 'vip')).status).toBe(200)
  expect((await call('/vip-westerncontent/moonstone-soon', 'vip')).status).toBe(404)
  expect(slugs(await search('shelf=vip-first', 'vip'))).toEqual(['moonstone-later!', 'moonstone-banned-soon!'])
  // It is one of the free ones now, and the VIP entry of the same day has come.
  expect(slugs(await search('search=moonstone%20soon', 'vip'))).toEqual([
    'moonstone-banned-soon!',
    'moonstone-kept-soon',
    'moonstone-soon',
  ])
})

test('an entry that is restricted is gone at once', async () => {
  const { app } = server
  await app.db.updateTable('items').set({ status: 'restricted' }).where('slug', '=', 'moonstone-banned-soon').execute()
  await app.listing.catchUp()
  expect(slugs(await search('shelf=vip-first', 'vip'))).toEqual(['moonstone-soon!'])
  expect((await call('/vip-asiancontent/moonstone-banned-soon', 'vip')).status).toBe(404)
})
