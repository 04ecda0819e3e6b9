import { beforeAll, describe, expect, test } from 'vitest'
import { deleteOldCounts } from '../../src/features/catalogue/gateway/delete-old-rows.server.ts'
import { maxTextsOfADay, maxTextsOfAVisitor } from '../../src/features/catalogue/search/missed-searches.server.ts'
import type { StatisticsReport } from '../../src/features/site/statistics/statistics-schema.ts'
import { someItems } from '../harness/items.ts'
import { aMember, bearer, type MadeMember, signIn } from '../harness/members.ts'
import type { TestRequest } from '../harness/request.ts'
import { serverOfFile } from '../harness/test-server.ts'

const minuteMs = 60_000
const dayMs = 86_400_000

let chief: MadeMember
let admin: Record<string, string>
let member: Record<string, string>
let vip: Record<string, string>

const server = serverOfFile({ env: { TRUSTED_PROXIES: '127.0.0.0/8' } })

beforeAll(async () => {
  chief = await aMember(server.app, { isAdmin: true })
  admin = bearer(await signIn(server, chief))
  member = bearer(await signIn(server, await aMember(server.app)))
  vip = bearer(await signIn(server, await aMember(server.app, { isVip: true })))
  await someItems(server.app, [{ name: 'Moby Dick' }, { name: 'A secret work', contentType: 'vip-western' }])
})

describe('GET /api/stats', () => {
  test('answers the five figures', async () => {
    const answer = await server.call('/api/stats', { headers: admin })
    expect(answer.status).toBe(200)
    expect(answer.headers['cache-control']).toContain('no-store')
    expect(answer.json()).toEqual({
      totalUsers: 3,
      totalVIPs: 1,
      totalContentRecommendations: 0,
      usersLastMonth: 3,
      vipPercentage: 33.3,
    })
  })
})

async function report(range = '30d'): Promise<StatisticsReport> {
  await server.app.searchMisses.flush()
  // It is computed at most once a minute.
  server.clock.advance(minuteMs + 1)
  const path = `/api/stats/report?range=${range}`
  let answer = await server.request(path, { headers: admin })
  if (answer.status === 401) {
    // Too long without use: one sign-in for each report would meet a limit.
    admin = bearer(await signIn(server, chief))
    answer = await server.request(path, { headers: admin })
  }
  expect(answer.status).toBe(200)
  return answer.json() as StatisticsReport
}

describe('GET /api/stats/report', () => {
  test('knows its ranges', async () => {
    expect((await server.request('/api/stats/report?range=7d', { headers: admin })).status).toBe(400)
    for (const range of ['30d', '90d', '12m', 'all']) expect((await report(range)).range).toBe(range)
  })

  test('is computed once a minute, whoever asks', async () => {
    const { computedAt } = await report()
    server.clock.advance(minuteMs - 1)
    const again = await server.request('/api/stats/report', { headers: admin })
    expect((again.json() as StatisticsReport).computedAt).toBe(computedAt)
    expect((await report()).computedAt).not.toBe(computedAt)
  })
})

describe('searches without a result', () => {
  /** Each search comes from a visitor of its own, where the test does not say from which. */
  let visitors = 0
  const newVisitor = (): string => `198.51.100.${(visitors += 1)}`
  const from = (visitor: string, query: TestRequest = {}): TestRequest => ({
    ...query,
    headers: { 'x-forwarded-for': visitor, ...query.headers },
  })
  const search = (text: string, more = '', query: TestRequest = {}, visitor = newVisitor()) =>
    server.call(`/universal-search/search?search=${encodeURIComponent(text)}${more}`, from(visitor, query))
  const missed = async (tier: 'free' | 'vip' = 'free') =>
    new Map((await report()).searches[tier].texts.map(({ text, searches }) => [text, searches]))

  test('are counted each time the answer is sent, also a kept one and one that the browser has already', async () => {
    const first = await search('Nosuchwörk')
    expect(first.status).toBe(200)
    await search('Nosuchwörk')
    const unchanged = await search('Nosuchwörk', '', { headers: { 'if-none-match': String(first.headers['etag']) } })
    expect(unchanged.status).toBe(304)
    await search('  NOSUCHWORK ')
    expect((await missed()).get('nosuchwork')).toBe(4)
  })

  test('are counted on the pages, kept ones too, and on neither for a further page or a HEAD', async () => {
    for (let i = 0; i < 3; i += 1)
      expect((await server.request('/western?search=pagemiss', from(newVisitor()))).status).toBe(200)
    await server.request('/western?search=pagemiss', from(newVisitor(), { method: 'HEAD' }))
    await search('pagemiss', '&page=2')
    await search('pagemiss', '', { method: 'HEAD' })
    expect((await missed()).get('pagemiss')).toBe(3)
  })

  test('are none where something was found, where no text was given, and where the search was refused', async () => {
    await search('moby')
    await server.call('/universal-search/search?category=Nothing', from(newVisitor()))
    expect((await search('refusedmiss', '&limit=0')).status).toBe(400)
    expect((await search('refusedmiss', '&tier=vip')).status).toBe(403)
    const texts = await missed()
    expect([...texts.keys()].filter((text) => /moby|^$|refused/.test(text))).toEqual([])
  })

  test('are none where a filter may be what left nothing', async () => {
    const filters = ['category=Film', 'month=02', 'dateFilter=today', 'contentType=asian', 'region=asian']
    for (const filter of filters) await search('moby', `&${filter}`)
    await search('filteredmiss', '&month=02')
    await search('filteredmiss', '&shelf=vip-banned', { headers: vip })
    await server.request('/banned?search=filteredmiss', from(newVisitor()))
    expect([...(await missed()).keys()].filter((text) => /moby|filtered/.test(text))).toEqual([])
    expect((await missed('vip')).get('filteredmiss')).toBeUndefined()
    await search('filteredmiss', '&shelf=vip-unknown', { headers: vip })
    expect((await missed('vip')).get('filteredmiss')).toBe(1)
  })

  test('of one visitor count once an hour for each text, and for so many texts', async () => {
    const { clock } = server
    const flood = async (visitor: string) => {
      for (let i = 0; i < maxTextsOfAVisitor + 5; i += 1) await search(`flood ${i}`, '', {}, visitor)
      for (let i = 0; i < 3; i += 1) await search('flood 0', '', {}, visitor)
    }
    await flood('203.0.113.7')
    const texts = async () => [...(await missed())].filter(([text]) => text.startsWith('flood'))
    expect(await texts()).toHaveLength(maxTextsOfAVisitor)
    expect((await texts()).every(([, searches]) => searches === 1)).toBe(true)
    // All addresses of a /48 are one visitor.
    await search('flood of one network', '', {}, '2001:db8:1:1::1')
    await search('flood of one network', '', {}, '2001:db8:1:2::2')
    expect((await missed()).get('flood of one network')).toBe(1)
    clock.advance(60 * minuteMs)
    await search('flood 0', '', {}, '203.0.113.7')
    expect((await missed()).get('flood 0')).toBe(2)
  })

  test('of VIP entries stand apart: a VIP entry is none for a free visitor', async () => {
    await search('a secret work')
    await search('a secret work', '', { headers: vip })
    await search('vipmiss', '&tier=vip', { headers: vip })
    await search('vipmiss', '&tier=free', { headers: vip })
    await search('vipmiss', '', { headers: member })
    expect([(await missed()).get('a secret work'), (await missed('vip')).get('a secret work')]).toEqual([1, undefined])
    expect([(await missed()).get('vipmiss'), (await missed('vip')).get('vipmiss')]).toEqual([2, 1])
  })

  test('leave nothing of who searched, and long texts are cut', async () => {
    await search(`x${'y'.repeat(150)}`)
    expect((await missed()).get(`x${'y'.repeat(99)}`)).toBe(1)
    const columns = await server.app.db.selectFrom('search_misses').selectAll().limit(1).execute()
    expect(Object.keys(columns[0] ?? {}).toSorted()).toEqual(['day', 'searches', 'text', 'tier'])
  })

  test('fill neither the memory nor the table: what is too much is counted together', async () => {
    const { app, clock } = server
    clock.advance(2 * dayMs)
    let counted = 0
    const count = (text: string): void => {
      counted += 1
      app.searchMisses.count({ text, tier: 'free', callerAddress: `10.0.${counted >> 8}.${counted & 255}` })
    }
    for (let part = 0; part < 3; part += 1) {
      for (let i = 0; i < 1_200; i += 1) count(`text ${part} ${i}`)
      // Searched by many, while the list is full of what was searched once.
      if (part > 0) for (let i = 0; i < 3; i += 1) count('wanted by many')
      await app.searchMisses.flush()
    }
    const day = new Date(clock.now()).toISOString().slice(0, 10)
    const rows = await app.db
      .selectFrom('search_misses')
      .select(['text', 'searches'])
      .where('day', '=', day as unknown as Date)
      .execute()
    expect(rows.length).toBeLessThanOrEqual(maxTextsOfADay + 1)
    expect(rows.length).toBeGreaterThan(maxTextsOfADay - 5)
    expect(rows.reduce((sum, { searches }) => sum + searches, 0)).toBe(counted)
    expect(rows.find(({ text }) => text === 'wanted by many')?.searches).toBe(6)
    // The newest ones are there.
    expect(rows.some(({ text }) => text === 'text 2 1199')).toBe(true)
    const { texts, others } = (await report()).searches.free
    expect(texts[0]).toEqual({ text: 'wanted by many', searches: 6 })
    expect(texts).toHaveLength(50)
    expect(others + texts.reduce((sum, { searches }) => sum + searches, 0)).toBeGreaterThanOrEqual(counted)
  })

  test('that could not be written are written the next time, and old ones are deleted', async () => {
    const { app, clock } = server
    await app.db.schema.alterTable('search_misses').renameTo('elsewhere').execute()
    app.searchMisses.count({ text: 'kept in memory', tier: 'vip', callerAddress: '10.9.9.9' })
    await expect(app.searchMisses.flush()).rejects.toThrow()
    await app.db.schema.alterTable('elsewhere').renameTo('search_misses').execute()
    expect((await missed('vip')).get('kept in memory')).toBe(1)
    clock.advance(401 * dayMs)
    await deleteOldCounts(app)
    expect(await app.db.selectFrom('search_misses').select('text').execute()).toEqual([])
  })
})
