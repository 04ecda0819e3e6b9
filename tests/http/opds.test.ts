import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { validateXML } from 'xmllint-wasm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { basic, makeAppPassword, nextOf, titlesIn, walk } from '../harness/opds.ts'
import { anItem, someItems } from '../harness/items.ts'
import { aMember, aSignedInMember, bearer, signIn } from '../harness/members.ts'
import type { TestResponse } from '../harness/request.ts'
import { openTestServer, type TestServer } from '../harness/test-server.ts'
import { AuthenticationDocument, OpdsFeed, OpdsPublication } from './opds/opds-2.0.ts'

const atom = 'application/atom+xml;profile=opds-catalog;kind='
const link = 'https://mega.nz/file/secret-key'
const day = 86_400_000

let server: TestServer
let vip: Record<string, string>
let rng: string

const get = (path: string, headers: Record<string, string> = {}): Promise<TestResponse> =>
  server.request(path, { headers })

beforeAll(async () => {
  rng = await readFile(join(import.meta.dirname, 'opds/opds-1.2.rng'), 'utf8')
  server = await openTestServer({ env: { EARLY_ACCESS_DAYS: '7' } })
  const { app } = server
  const inDays = (days: number): string => new Date(app.clock.now() + days * day).toISOString()
  await someItems(app, [
    ...Array.from({ length: 205 }, (_, i) => ({
      name: `Many ${i + 1}`,
      slug: `many-${i + 1}`,
      category: 'Poetry',
      creators: Array.from({ length: 2 }, (__, k) => `Poet ${2 * i + k + 1}`).join('; '),
      postDate: `2023-0${1 + (i % 3)}-0${1 + (i % 9)}`,
      tags: 'verse',
      link,
    })),
    ...[10, 2, 1, 3.5].map((number) => ({
      name: `A volume ${number}`,
      slug: `volume-${String(number).replace('.', '-')}`,
      contentType: 'asian',
      series: 'The Long Series',
      seriesNumber: String(number),
      creators: 'Élodie Zola; Ægir <&> "Öst"',
      language: 'fr; pt-BR',
      year: '1890',
      description: 'It begins.\n\nIt ends & <never> returns.',
      link,
      linkFormat: 'EPUB',
      linkSize: '123456',
      linkG: 'https://archive.example/scan',
      postDate: '2022-05-05',
    })),
    {
      name: 'Secret of VIPs',
      slug: 'secret-of-vips',
      contentType: 'vip-asian',
      creators: 'A VIP creator',
      series: 'A VIP series',
      link: 'https://mega.nz/file/vip',
      linkFormat: 'PDF',
    },
    { name: 'Secret first', slug: 'secret-first', postDate: inDays(3), creators: 'Early Bird' },
    { name: 'Secret later', slug: 'secret-later', postDate: inDays(30), creators: 'A later creator' },
    { name: 'Secret draft', slug: 'secret-draft', status: 'draft', creators: 'A drafted creator' },
    { name: 'Secret held', slug: 'secret-held', status: 'restricted', creators: 'A held creator' },
    { name: 'Secret removed', slug: 'secret-removed', status: 'removed', creators: 'A removed creator' },
  ])
  vip = await basic(server, { isVip: true })
})
afterAll(() => server.close())

/** Every feed that a reader reaches. */
const feedsOf = (root: string, headers: Record<string, string> = {}) => walk(server, root, { headers, most: 150 })

test.each([
  ['/opds', { isVip: false }],
  ['/opds', { isVip: true }],
])('every feed of %s is OPDS 1.2, for VIPs and for everybody', async (root, { isVip }) => {
  const feeds = await feedsOf(root, isVip ? vip : {})
  expect(feeds.size).toBeGreaterThan(30)
  const xml = [...feeds.values()].map(({ text }, i) => ({ fileName: `${i}.xml`, contents: text }))
  const { errors } = await validateXML({ xml, schema: rng, extension: 'relaxng' })
  expect(errors).toEqual([])
  const wrong = (xml[0]?.contents ?? '').replace('kind=acquisition', 'kind=other')
  const refused = await validateXML({ xml: wrong, schema: rng, extension: 'relaxng' })
  expect(refused.valid).toBe(false)
  for (const { headers, text } of feeds.values())
    expect(headers['content-type']).toBe(
      atom + (text.includes('/acquisition" href') || !text.includes('<content') ? 'acquisition' : 'navigation'),
    )
})

test('every feed and entry of /opds/v2 is OPDS 2.0, for VIPs and for everybody', async () => {
  for (const headers of [{}, vip]) {
    const feeds = await feedsOf('/opds/v2', headers)
    expect(feeds.size).toBeGreaterThan(30)
    for (const [address, { text, headers: own }] of feeds) {
      const isFeed = !/\/entries\/./.test(address)
      expect(own['content-type'], address).toBe(isFeed ? 'application/opds+json' : 'application/opds-publication+json')
      const { error } = (isFeed ? OpdsFeed : OpdsPublication).safeParse(JSON.parse(text))
      expect(error?.message, address).toBeUndefined()
    }
  }
  expect(OpdsPublication.safeParse((await get('/opds/v2/entries/volume-1')).json()).error).toBeUndefined()
})

test('no public document has a VIP, early, scheduled, drafted, held or removed entry, a direct link, or a name of theirs', async () => {
  for (const root of [
    '/opds',
    '/opds/v2',
    '/opds/search.xml',
    '/opds/entries?query=secret',
    '/opds/v2/entries?query=secret',
  ])
    for (const [address, { text }] of await feedsOf(root))
      // The query stands in the title of its own answer.
      expect(text.replaceAll(/query=secret|Search: secret/g, ''), address).not.toMatch(
        /secret|VIP|Early Bird|(?:later|drafted|held|removed) creator|mega\.nz|archive\.example\//i,
      )
  for (const slug of [
    'secret-of-vips',
    'secret-first',
    'secret-later',
    'secret-draft',
    'secret-held',
    'secret-removed',
  ]) {
    expect((await get(`/opds/v2/entries/${slug}`)).status).toBe(404)
    expect((await get(`/opds/covers/${slug}`)).status).toBe(404)
  }
  for (const query of ['shelf=vip-asian', 'shelf=vip-first', 'creator=A+VIP+creator', 'series=A+VIP+series'])
    expect((await get(`/opds/entries?${query}`)).status, query).toBe(404)
})

test('a page has 100 entries, its totals, and links to the pages around it; beyond the last there is nothing', async () => {
  const pages: string[] = []
  const seen = new Set<string>()
  for (
    let next: string | undefined = '/opds/entries?category=Poetry';
    next !== undefined;
    next = nextOf(pages.at(-1) ?? '')
  ) {
    const { status, text } = await get(next)
    expect(status).toBe(200)
    pages.push(text)
    for (const title of titlesIn(text).slice(1)) seen.add(title)
  }
  expect(pages.map((text) => titlesIn(text).length - 1)).toEqual([100, 100, 5])
  expect(seen.size).toBe(205)
  expect(pages[1]).toContain('<opensearch:totalResults>205</opensearch:totalResults>')
  expect(pages[1]).toContain('<opensearch:startIndex>101</opensearch:startIndex>')
  for (const [rel, at] of [
    ['first', ''],
    ['previous', ''],
    ['next', '&amp;page=3'],
    ['last', '&amp;page=3'],
  ])
    expect(pages[1]).toContain(`<link rel="${rel}" href="/opds/entries?category=Poetry${at}"`)
  expect(pages[0]).not.toMatch(/rel="previous"/)
  const json = (await get('/opds/v2/entries?category=Poetry&page=3')).json() as {
    metadata: object
    publications: object[]
  }
  expect(json.metadata).toMatchObject({ numberOfItems: 205, itemsPerPage: 100, currentPage: 3 })
  expect(json.publications).toHaveLength(5)
  for (const path of [
    '/opds/entries?category=Poetry&page=4',
    '/opds/creators?page=9',
    '/opds/v2/series?page=2',
    '/opds/nothing',
    '/opds/entries?creator=Nobody',
    '/opds/entries?shelf=__proto__',
    '/opds/entries?shelf=banned&category=Poetry',
    '/opds/entries?category=None',
    '/opds/v2/entries/nothing',
  ])
    expect((await get(path)).status, path).toBe(404)
  for (const path of [
    '/opds?page=1',
    '/opds/entries?page=0',
    '/opds/entries?page=1&page=2',
    '/opds/creators?color=red',
    '/opds/entries?month=2006-13',
    '/opds/entries?language=!',
    '/opds?auth=2',
  ])
    expect((await get(path)).status, path).toBe(400)
  expect((await get('/opds?page=2')).text).toContain('There is no parameter page here. It takes auth.')
})

test('a series stands in the order of its volumes, and creators stand in that of the alphabet, page after page', async () => {
  const series = await get('/opds/entries?series=The+Long+Series')
  expect(titlesIn(series.text).slice(1)).toEqual(['A volume 1', 'A volume 2', 'A volume 3.5', 'A volume 10'])
  expect(series.text).toContain('<schema:Series schema:name="The Long Series" schema:position="3.5"/>')
  expect(series.text).toContain('<summary type="text">Volume 10 of The Long Series.')
  const first = await get('/opds/creators')
  expect(first.text).toContain('<opensearch:totalResults>412</opensearch:totalResults>')
  expect(titlesIn(first.text).slice(1, 5)).toEqual([
    'Ægir &lt;&amp;&gt; &quot;Öst&quot;',
    'Élodie Zola',
    'Poet 1',
    'Poet 2',
  ])
  expect(titlesIn(first.text)[12]).toBe('Poet 10')
  expect(titlesIn((await get('/opds/creators?page=5')).text)).toHaveLength(13)
  const all = await feedsOf('/opds/creators')
  expect([...all.keys()].filter((path) => path.includes('creator='))).toContain(
    '/opds/entries?creator=%C3%89lodie+Zola',
  )
  expect(titlesIn((await get('/opds/months')).text).slice(1)).toEqual([
    'March 2023',
    'February 2023',
    'January 2023',
    'May 2022',
  ])
  expect(titlesIn((await get('/opds/languages')).text).slice(1)).toEqual([
    'Brazilian Portuguese',
    'French',
    'Portuguese',
  ])
})

test('free readers get the addresses of the gateway, VIPs direct links of the type and length of the file', async () => {
  const { text } = await get('/opds/entries?series=The+Long+Series')
  expect(text).toContain(
    '<link rel="http://opds-spec.org/acquisition" href="/go/volume-1/link" type="text/html" title="EPUB, 123 kB, Mega"/>',
  )
  const direct = (await get('/opds/entries?series=The+Long+Series', vip)).text
  expect(direct).toContain(`href="${link}" type="application/epub+zip" title="EPUB, 123 kB, Mega" length="123456"/>`)
  expect(direct).toContain('href="https://archive.example/scan" type="text/html"')
  expect(direct).not.toContain('/go/')
  const shelves = (await get('/opds', vip)).text
  expect(titlesIn(shelves)).toEqual(expect.arrayContaining(['VIP Asian', 'VIP first']))
  expect(shelves).not.toContain('auth=1')
  expect(titlesIn((await get('/opds/entries?shelf=vip-first', vip)).text).slice(1)).toEqual(['Secret first'])
  expect((await get('/opds/entries?shelf=vip-asian', vip)).text).toContain(
    'href="https://mega.nz/file/vip" type="application/pdf"',
  )
  expect((await get('/opds/entries?query=secret', vip)).text).not.toMatch(/Secret (later|draft|held|removed)/)
  expect((await get('/opds/v2/entries/secret-of-vips', vip)).status).toBe(200)
})

test('a member who is no VIP any more has the free catalogue', async () => {
  const { app, clock } = server
  const member = await aSignedInMember(server, { vipExpiresAt: new Date(clock.now() + day).toISOString() })
  const headers = await makeAppPassword(server, member)
  expect((await get('/opds/entries?shelf=vip-asian', headers)).status).toBe(200)
  await app.db
    .updateTable('access_grants')
    .set({ ends_at: new Date(clock.now() - 1), effective_until: new Date(clock.now() - 1) })
    .where('user_id', '=', member.id)
    .execute()
  expect((await get('/opds/entries?shelf=vip-asian', headers)).status).toBe(404)
  const { status, text } = await get('/opds', headers)
  expect(status).toBe(200)
  expect(titlesIn(text)).not.toContain('VIP Asian')
  expect((await get('/opds/entries?series=The+Long+Series', headers)).text).toContain('href="/go/volume-1/link"')
})

test('the free catalogue is kept for half a minute and asked for again by its tag; that of a member is theirs alone', async () => {
  for (const path of [
    '/opds',
    '/opds/entries',
    '/opds/creators',
    '/opds/search.xml',
    '/opds/v2',
    '/opds/v2/entries/volume-1',
    '/opds/covers/volume-1.jpg',
  ]) {
    const whole = await get(path)
    expect(whole.headers, path).toMatchObject({
      'cache-control': 'public, max-age=30',
      vary: 'accept-encoding, authorization',
    })
    expect(whole.headers['content-encoding']).toBeUndefined()
    expect((await get(path, { 'if-none-match': whole.headers.etag ?? '' })).status).toBe(304)
    const head = await server.request(path, { method: 'HEAD' })
    expect([head.status, head.text, head.headers['content-length'], head.headers['content-type']]).toEqual([
      200,
      '',
      String(whole.bytes.length),
      whole.headers['content-type'],
    ])
    const mine = await get(path, vip)
    expect([mine.status, mine.headers['cache-control']], path).toEqual([200, 'private, no-store'])
    for (const method of ['POST', 'PUT', 'DELETE']) {
      const refused = await server.request(path, { method })
      expect([refused.status, refused.headers.allow], path).toEqual([405, 'GET, HEAD'])
    }
  }
  expect((await get('/opds/entries', { 'accept-encoding': 'gzip' })).headers['content-encoding']).toBe('gzip')
})

test('a slash at the end of a root leads to it', async () => {
  for (const root of ['/opds', '/opds/v2'])
    expect([(await get(`${root}/`)).headers.location, (await get(`${root}/`, vip)).headers.location]).toEqual([
      root,
      root,
    ])
})

test('a removal is gone with the next request', async () => {
  const { app } = server
  const item = await anItem(app, { name: 'Soon gone', slug: 'soon-gone', creators: 'A Gone Creator' })
  const paths = ['/opds/entries', '/opds/v2/entries', '/opds/creators', '/opds/v2/creators']
  for (const path of paths) expect((await get(path)).text, path).toMatch(/Soon gone|Gone Creator/)
  await app.db.updateTable('items').set({ status: 'restricted' }).where('id', '=', item.id).execute()
  await app.listing.catchUp()
  for (const path of paths) expect((await get(path)).text, path).not.toMatch(/Soon gone|Gone Creator/)
  expect((await get('/opds/entries?creator=A+Gone+Creator')).status).toBe(404)
})

test('who is to sign in is told how, in version 2.0 by an authentication document; both roots lead there', async () => {
  const [one, two] = [await get('/opds?auth=1'), await get('/opds/v2?auth=1')]
  for (const { status, headers } of [one, two]) {
    expect(status).toBe(401)
    expect(headers['www-authenticate']).toMatch(/^Basic realm="[^"]+"/)
    expect(headers['cache-control']).toBe('no-store')
  }
  expect(two.headers['content-type']).toBe('application/opds-authentication+json')
  expect(AuthenticationDocument.safeParse(two.json()).error).toBeUndefined()
  const root = (await get('/opds')).text
  expect(root).toContain('href="/opds?auth=1"')
  expect(root).toContain('href="/opds/v2?auth=1" type="application/opds-authentication+json"')
  expect((await get('/opds/v2')).text).toContain(
    '"href":"/opds/v2?auth=1","type":"application/opds-authentication+json"',
  )
  for (const root of ['/opds', '/opds/v2']) expect((await get(`${root}?auth=1`, vip)).status).toBe(200)
})

test('an unknown address, a wrong password, one that has ended and that of the account are refused alike', async () => {
  const member = await aSignedInMember(server, { isVip: true })
  const ended = await makeAppPassword(server, member)
  const [{ id } = { id: '' }] = (await get('/account/app-passwords', member.headers)).json() as { id: string }[]
  expect(
    (await server.request(`/account/app-passwords/${id}`, { method: 'DELETE', headers: member.headers })).status,
  ).toBe(204)
  const headersOf = (user: string, password: string) => ({
    authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`,
  })
  const tries = [
    ended,
    headersOf(member.email, member.password),
    headersOf(member.email, 'wrong'),
    headersOf('nobody@readers.example', 'wrong'),
    { authorization: 'Basic !' },
    { authorization: 'Digest username="x"' },
    headersOf('a\0b', 'c'),
  ]
  for (const path of ['/opds/entries', '/opds/v2', '/opds/covers/volume-1']) {
    const answers = await Promise.all(tries.map((headers) => get(path, headers)))
    expect(
      new Set(
        answers.map(({ status, text, headers }) =>
          JSON.stringify([
            status,
            text,
            headers['www-authenticate'],
            headers['cache-control'],
            headers['content-type'],
          ]),
        ),
      ).size,
    ).toBe(1)
    expect(answers[0]?.status).toBe(401)
  }
})

test('after ten wrong ones for an address wrong ones wait; a sign-in and a right password go on, also at its first use', async () => {
  const { app } = server
  const member = await aSignedInMember(server)
  const [used, fresh] = [await makeAppPassword(server, member), await makeAppPassword(server, member)]
  expect((await get('/opds', used)).status).toBe(200)
  const wrong = { authorization: `Basic ${Buffer.from(`${member.email.toUpperCase()}:wrong`).toString('base64')}` }
  const statuses = (await Promise.all(Array.from({ length: 14 }, () => get('/opds', wrong)))).map(
    ({ status }) => status,
  )
  expect(statuses.toSorted((one, other) => one - other)).toEqual([
    ...Array.from({ length: 10 }, () => 401),
    ...Array.from({ length: 4 }, () => 429),
  ])
  expect((await get('/opds/v2', wrong)).headers['retry-after']).toBeDefined()
  expect((await get('/opds', fresh)).status).toBe(200)
  expect((await get('/opds', used)).status).toBe(200)
  await signIn(server, member)
  expect((await get('/opds')).status).toBe(200)
  server.clock.advance(15 * 60_000)
  const [row] = await app.db
    .selectFrom('app_passwords')
    .select('last_used_at')
    .where('user_id', '=', member.id)
    .where('last_used_at', 'is not', null)
    .execute()
  expect(row?.last_used_at).toBeInstanceOf(Date)
})

test('an app password opens nothing but the catalogues, as Basic and as bearer', async () => {
  const member = await aMember(server.app, { isAdmin: true })
  const headers = await makeAppPassword(server, { ...member, headers: bearer(await signIn(server, member)) })
  const secret =
    Buffer.from(headers.authorization?.split(' ')[1] ?? '', 'base64')
      .toString()
      .split(':')
      .at(-1) ?? ''
  const { routes } = await import('../../src/app/server.ts')
  for (const { method, path } of routes) {
    const at = path.replace(':file', 'volume-1').replaceAll(/:\w+/g, '0')
    if (at.startsWith('/opds')) continue
    for (const authorization of [
      headers.authorization ?? '',
      `Bearer ${secret}`,
      `Bearer ${secret.replaceAll('-', '')}`,
    ]) {
      const { status } = await server.call(at, {
        method,
        headers: { authorization, 'content-type': 'application/json' },
      })
      expect([401, 403, 404, 413, 422], `${method} ${at}`).toContain(status)
    }
  }
  expect((await get('/auth/dashboard', headers)).status).toBe(401)
  expect((await get('/opds', { authorization: `Bearer ${secret}` })).status).toBe(401)
  // An administrator reads the catalogue of a VIP there, and nothing that is scheduled or drafted.
  const { text } = await get('/opds/entries?query=secret', headers)
  expect(titlesIn(text)).toContain('Secret of VIPs')
  expect(text).not.toMatch(/Secret (later|draft|held|removed)/)
})

interface Step {
  says: string
  method?: string
  path: string
  headers: Record<string, string>
  status: number
  type?: string
  holds?: string[]
  /** Patterns for what later steps name in braces. */
  take?: Record<string, string>
}

test.each(['koreader', 'thorium'])('a conversation of %s goes as it is written down', async (name) => {
  const steps = JSON.parse(await readFile(join(import.meta.dirname, `opds/${name}.json`), 'utf8')) as Step[]
  const known: Record<string, string> = { credentials: vip['authorization']?.split(' ')[1] ?? '' }
  const filled = (text: string): string => text.replaceAll(/\{(\w+)\}/g, (whole, key: string) => known[key] ?? whole)
  for (const { says, method = 'GET', path, headers, status, type, holds = [], take = {} } of steps) {
    const sent = Object.fromEntries(Object.entries(headers).map(([key, each]) => [key, filled(each)]))
    const answer = await server.request(filled(path), { method, headers: sent })
    expect([answer.status, answer.headers['content-encoding']], says).toEqual([status, undefined])
    if (type !== undefined) expect(answer.headers['content-type'], says).toBe(type)
    for (const part of holds) expect(answer.text, says).toContain(part)
    for (const [key, pattern] of Object.entries(take)) {
      const [, found] = new RegExp(pattern).exec(answer.text) ?? []
      expect(found, `${says} ${key}`).toBeDefined()
      known[key] = found?.replaceAll('&amp;', '&') ?? ''
    }
  }
})
