import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { checkLinks } from '../../src/features/catalogue/links/check-links.server.ts'
import { gatherLinks } from '../../src/features/catalogue/links/gather-links.server.ts'
import type { LinksForAdmin } from '../../src/features/catalogue/links/links-schema.ts'
import { drainJobs } from '../harness/drain.ts'
import { type CountingServer, startHttp } from '../harness/hostile-server.ts'
import { type ItemOverrides, someItems } from '../harness/items.ts'
import { aMember, bearer, passTime, post, signIn } from '../harness/members.ts'
import { fromHtml } from '../harness/rendered.ts'
import { openTestServer, type TestServer } from '../harness/test-server.ts'

const hourMs = 3_600_000

let host: CountingServer
let server: TestServer
let admin: { authorization: string }
let member: { authorization: string }
let vip: { authorization: string }
/** Paths that answer 404 at the host of all links. */
const gone = new Set<string>()

const at = (path: string): string => `http://files.example:${host.port}/${path}`
const read = async (query = '', headers = admin) => server.request(`/api/links${query}`, { headers })
const list = async (query = ''): Promise<LinksForAdmin> => (await read(query)).json() as LinksForAdmin
const report = (body: unknown, headers: Record<string, string> = {}) => post(server, '/links/report', body, headers)

async function checkAfter(ms: number): Promise<void> {
  await passTime(server, ms)
  await checkLinks(server.app)
  await server.app.listing.catchUp()
}

beforeAll(async () => {
  host = await startHttp((request, response) => response.writeHead(gone.has(request.url ?? '') ? 404 : 200).end())
  server = await openTestServer({
    env: { LINK_CHECKS: 'on' },
    linkProbe: { allowed: [host.place], hostGapMs: 1, resolve: () => Promise.resolve(['127.0.0.1']) },
  })
  const { app } = server
  const items: ItemOverrides[] = [
    { name: 'Whole', link: at('whole'), linkG: at('whole-g') },
    { name: 'Spare', link: at('first'), linkMV1: at('second') },
    { name: 'Lost', link: at('lost') },
    { name: 'Secret', contentType: 'vip-western', category: 'VIP Content', link: at('secret') },
  ]
  await someItems(app, items)
})
afterAll(async () => {
  await server.close()
  await host.close()
})

describe('a detail page', () => {
  const page = async (slug: string) => fromHtml((await server.request(`/western/${slug}`)).text)

  test('says nothing of mirrors before the first check, and then how many work, with the day of it', async () => {
    expect((await page('whole')).text).not.toMatch(/mirror/i)
    await checkAfter(0)
    const { text, html } = await page('whole')
    expect(text).toContain('2 of 2 mirrors working, checked on March 15, 2024')
    expect(html).toContain('<time dateTime="2024-03-15T12:00:00.000Z">')
    expect(text).toContain('files.example: Working')
    expect(text).toContain('Report a dead link')
  })

  test('passes over a dead mirror while another one works, and marks the only one', async () => {
    for (const path of ['/first', '/lost']) gone.add(path)
    await page('spare')
    await page('lost')
    await checkAfter(8 * 24 * hourMs)
    expect((await page('spare')).text).toContain('1 of 2 mirrors working, 1 in doubt, checked')
    expect((await page('spare')).hrefs).toContain(at('first'))
    await checkAfter(2 * hourMs)
    const spare = await page('spare')
    expect(spare.hrefs).toContain(at('second'))
    expect(spare.hrefs).not.toContain(at('first'))
    const lost = await page('lost')
    expect(lost.text).toContain('0 of 1 mirror working')
    expect(lost.text).toContain('Dead')
    expect(lost.hrefs).toContain(at('lost'))
  })
})

describe('GET /api/links', () => {
  // The checks of the pages took longer than a session lasts.
  beforeAll(async () => {
    const { app } = server
    admin = bearer(await signIn(server, await aMember(app, { isAdmin: true })))
    member = bearer(await signIn(server, await aMember(app)))
    vip = bearer(await signIn(server, await aMember(app, { vipExpiresAt: '2030-01-01T00:00:00Z' })))
  })

  test('lists entries with their links, those without a live mirror first', async () => {
    const { entries, total, totalPages, counts, entriesWithoutLiveMirror, checks, hosts } = await list()
    expect(entries[0]).toMatchObject({ name: 'Lost', slug: 'lost', hasLiveMirror: false })
    expect(entries[0]?.links).toMatchObject([
      {
        slot: 'link',
        address: at('lost'),
        host: 'files.example',
        state: 'dead',
        failures: 2,
        reason: 'http',
        status: 404,
      },
    ])
    expect(entries.map(({ name, links }) => [name, ...links.map(({ state }) => state)])).toEqual([
      ['Lost', 'dead'],
      ['Spare', 'dead', 'ok'],
      ['Whole', 'ok', 'ok'],
      ['Secret', 'ok'],
    ])
    expect({ total, totalPages }).toEqual({ total: 4, totalPages: 1 })
    expect(counts).toEqual({ ok: 4, suspect: 0, dead: 2, unknown: 0 })
    expect(entriesWithoutLiveMirror).toBe(1)
    expect(hosts).toEqual([{ host: 'files.example', links: 6, broken: 2 }])
    expect(checks).toEqual({ areOn: true, haveBegun: true, isRehearsal: false, unreachableSince: null })
  })

  test('names every host without www., those with broken links first', async () => {
    const hosts = Array.from({ length: 40 }, (_, n) => `www.host${n}.example`)
    const links = hosts.map((host) => ({ host, address: `https://${host}/`, next_check_at: new Date('2999-01-01') }))
    const { db } = server.app
    await db.insertInto('link_checks').values(links).execute()
    const named = (await list('?host=host9.example')).hosts
    await db.deleteFrom('link_checks').where('host', 'in', hosts).execute()
    expect([named.length, named[0]]).toEqual([41, { host: 'files.example', links: 6, broken: 2 }])
    expect(named.at(-1)).toEqual({ host: 'host9.example', links: 1, broken: 0 })
  })

  test.each([
    ['?state=dead', ['Lost', 'Spare'], 2],
    ['?state=ok', ['Spare', 'Whole', 'Secret'], 3],
    ['?state=suspect', [], 0],
    ['?host=files.example', ['Lost', 'Spare', 'Whole', 'Secret'], 4],
    ['?host=other.example', [], 0],
    ['?host=files.example&state=dead&limit=1&page=2', ['Spare'], 2],
    ['?limit=3&page=1', ['Lost', 'Spare', 'Whole'], 4],
    ['?limit=3&page=2', ['Secret'], 4],
    ['?limit=1&page=2', ['Spare'], 4],
    ['?limit=1&page=3', ['Whole'], 4],
    ['?page=9', [], 4],
  ])('%s: %s', async (query, names, total) => {
    const found = await list(query)
    expect(found.entries.map(({ name }) => name)).toEqual(names)
    expect(found.total).toBe(total)
  })

  test.each([
    '?page=0',
    '?page=x',
    '?page=-1',
    '?limit=901',
    '?limit=0',
    '?state=broken',
    '?page=1e3',
    `?host=${'x'.repeat(254)}`,
  ])('refuses %s', async (query) => {
    const answer = await read(query)
    expect(answer.status).toBe(400)
    expect(answer.json()).toMatchObject({ code: 'search.parameter' })
  })
})

describe('POST /links/report', () => {
  test('moves the check to the front, and says the same again', async () => {
    await passTime(server, hourMs)
    for (let i = 0; i < 2; i += 1) {
      const answer = await report({ slug: 'whole', slot: 'linkG' })
      expect(answer.status).toBe(202)
      expect(answer.json()).toEqual({ message: 'Thank you. The link has been reported.' })
    }
    const reported = (await list()).entries.flatMap(({ name, links }) =>
      links.flatMap(({ slot, reportedAt }) => (reportedAt === null ? [] : [{ name, slot, reportedAt }])),
    )
    expect(reported).toEqual([{ name: 'Whole', slot: 'linkG', reportedAt: new Date(server.clock.now()).toISOString() }])
    host.requests.length = 0
    await checkLinks(server.app)
    expect(host.requests).toEqual(['HEAD /whole-g'])
  })

  test('knows no item that the caller may not see', async () => {
    const absent = await report({ slug: 'nothing', slot: 'link' })
    expect(absent.status).toBe(404)
    for (const headers of [{}, member]) {
      const answer = await report({ slug: 'secret', slot: 'link' }, headers)
      expect([answer.status, answer.text]).toEqual([404, absent.text])
    }
    expect((await report({ slug: 'secret', slot: 'link' }, vip)).status).toBe(202)
  })

  test('refuses a slot that no item has, another method and another site', async () => {
    for (const body of [{ slug: 'whole', slot: 'name' }, { slug: 'whole' }, { slug: 7, slot: 'link' }])
      expect((await report(body)).status).toBe(422)
    expect((await server.request('/links/report')).status).toBe(405)
    expect((await report({ slug: 'whole', slot: 'link' }, { origin: 'https://elsewhere.example' })).status).toBe(403)
  })
})

describe('POST /api/links/:id/check', () => {
  test('is for administrators; it has the link checked at once', async () => {
    const lost = (await list()).entries.find(({ name }) => name === 'Lost')
    const path = `/api/links/${lost?.links[0]?.id}/check`
    expect((await post(server, path, {}, member)).status).toBe(403)
    gone.clear()
    host.requests.length = 0
    expect((await post(server, path, {}, admin)).status).toBe(202)
    await drainJobs(server.app)
    expect(host.requests[0]).toBe('HEAD /lost')
    expect((await list()).entriesWithoutLiveMirror).toBe(0)
    for (const id of ['0', '999999', 'x', '99999999999999'])
      expect((await post(server, `/api/links/${id}/check`, {}, admin)).status).toBe(404)
  })

  test('works where no links are checked by the clock, and so does a check of all; a rehearsal refuses both', async () => {
    await using own = await openTestServer({
      linkProbe: { allowed: [host.place], hostGapMs: 1, resolve: () => Promise.resolve(['127.0.0.1']) },
    })
    await someItems(own.app, [
      { name: 'First', link: at('1') },
      { name: 'Second', link: at('2') },
    ])
    await gatherLinks(own.app)
    const headers = bearer(await signIn(own, await aMember(own.app, { isAdmin: true })))
    const listed = async () => (await own.request('/api/links', { headers })).json() as LinksForAdmin
    const states = async () => (await listed()).entries.map(({ links }) => links[0]?.state)
    const { checks, entries } = await listed()
    expect(checks).toMatchObject({ areOn: false, haveBegun: false })
    // An answer that says nothing leaves the state as it was.
    const first = own.app.db.updateTable('link_checks').where('id', '=', entries[0]?.links[0]?.id ?? 0)
    await first.set({ checked_at: new Date() }).execute()
    expect((await listed()).checks.haveBegun).toBe(true)
    await first.set({ checked_at: null }).execute()
    // Reports are kept all the same.
    expect((await post(own, '/links/report', { slug: 'second', slot: 'link' })).status).toBe(202)
    expect((await listed()).entries[0]).toMatchObject({ name: 'Second' })

    const one = `/api/links/${entries[1]?.links[0]?.id}/check`
    expect((await post(own, one, {}, headers)).status).toBe(202)
    await drainJobs(own.app)
    expect(await states()).toEqual(['unknown', 'ok'])
    expect((await listed()).checks.haveBegun).toBe(true)
    expect((await post(own, '/api/links/check', {})).status).toBe(401)
    expect((await post(own, '/api/links/check', {}, headers)).status).toBe(202)
    await drainJobs(own.app)
    expect(await states()).toEqual(['ok', 'ok'])

    // A check that waits is not carried out in a rehearsal either.
    expect((await post(own, '/api/links/check', {}, headers)).status).toBe(202)
    host.requests.length = 0
    // A change that is read later would bring back what the database says of it.
    await own.app.listing.catchUp()
    own.app.rehearsal.use(true)
    await drainJobs(own.app)
    expect(host.requests).toEqual([])
    for (const path of [one, '/api/links/check']) {
      const answer = await post(own, path, {}, headers)
      expect([answer.status, answer.json()]).toMatchObject([409, { code: 'links.off' }])
    }
  })
})
