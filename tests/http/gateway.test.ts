import { generateKeyPairSync } from 'node:crypto'
import { sql } from 'kysely'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { editItem, type ItemOverrides, someItems } from '../harness/items.ts'
import { aMember, bearer, post, signIn } from '../harness/members.ts'
import { decode, type TestResponse } from '../harness/request.ts'
import { openTestServer, serverOfFile } from '../harness/test-server.ts'

const links = {
  link: 'https://mega.nz/file/a1#key',
  link2: 'https://mega.nz.example.com/a2',
  linkG: 'https://gofile.io/d/b1',
  linkP: 'https://files.example.org/c1',
  linkMV1: 'https://sub.mega.nz/file/m1',
  linkMV2: 'https://pixeldrain.com/u/m2',
  linkMV3: 'https://gofile.io./d/m3',
  linkMV4: 'https://notmega.nz/m4',
}
/** Links to other hosts are shown as they are. */
const plain = { link2: links.link2, linkP: links.linkP, linkMV4: links.linkMV4 }
const gated = Object.fromEntries(
  Object.keys(links)
    .filter((slot) => !(slot in plain))
    .map((slot) => [slot, `/go/a-work/${slot}`]),
)

const hidden: ItemOverrides[] = [
  { name: 'Draft', contentType: 'asian', link: links.link, status: 'draft' },
  { name: 'Restricted', contentType: 'asian', link: links.link, status: 'restricted' },
  { name: 'Future', contentType: 'asian', link: links.link, postDate: '2024-03-16' },
  { name: 'Vip', contentType: 'vip-asian', link: links.link },
]

let tokens: { member: string; vip: string; admin: string }

const server = serverOfFile({ now: '2024-03-15T12:00:00Z' })

beforeAll(async () => {
  await someItems(server.app, [{ name: 'A work', contentType: 'asian', ...links }, ...hidden])
  const sign = async (overrides: Parameters<typeof aMember>[1]): Promise<string> =>
    signIn(server, await aMember(server.app, overrides))
  tokens = { member: await sign({}), vip: await sign({ isVip: true }), admin: await sign({ isAdmin: true }) }
})
afterEach(async () => {
  await server.app.db.deleteFrom('gateway_settings').execute()
  await server.app.listing.catchUp()
})

const settings = () => server.request('/api/gateway', { headers: bearer(tokens.admin) })
const save = async (changes: object): Promise<TestResponse> => {
  const body = { ...((await settings()).json() as object), ...changes }
  const headers = { 'content-type': 'application/json', ...bearer(tokens.admin) }
  return server.request('/api/gateway', { method: 'PUT', body: JSON.stringify(body), headers })
}
/** A form without fields, as a browser sends it from the site's own page. */
const press = (path: string, headers: Record<string, string> = {}, body = '') =>
  server.request(path, {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/x-www-form-urlencoded', origin: server.url, ...headers },
  })
const ticket = async (slot = 'link'): Promise<string> =>
  (await server.request(`/go/a-work/${slot}`)).headers.location ?? ''
const endWaits = () => sql`update gateway_tickets set ready_at = ready_at - interval '5 seconds'`.execute(server.app.db)
const headings = ({ text }: TestResponse): string => /<h1[^>]*>([^<]*)/.exec(text)?.[1] ?? ''

describe('a free caller', () => {
  test.each(['visitor', 'member'])(
    '(%s) gets the gateway in place of every link on a file host, in every slot',
    async (who) => {
      const headers = who === 'visitor' ? {} : bearer(tokens.member)
      const answer = await server.call('/asiancontent/a-work', { headers })
      expect(answer.status).toBe(200)
      expect(decode((answer.json() as { data: unknown }).data)).toMatchObject({ ...plain, ...gated })
    },
  )

  test('finds the same addresses on the page, with what a click does, and nothing that a browser would fetch ahead', async () => {
    const { text } = await server.request('/asian/a-work')
    expect(text).toContain('href="/go/a-work/link"')
    expect(text).toContain('href="/go/a-work/linkG"')
    expect(text).toContain(`href="${links.linkP}"`)
    expect(text).toContain('Opens after a 5-second wait')
    for (const [anchor] of text.matchAll(/<a [^>]*href="\/go\/[^>]*>/g)) {
      expect(anchor).toContain('nofollow')
      expect(anchor).not.toContain('data-discover')
    }
    expect(text).not.toMatch(/rel="prefetch"[^>]*\/go\//)
  })
})

test.each(['vip', 'admin'] as const)(
  'a bearer of role %s gets the direct links, which are kept for nobody',
  async (role) => {
    const read = async (headers: Record<string, string>) => {
      const answer = await server.call('/asiancontent/a-work', { headers })
      return { answer, item: decode((answer.json() as { data: unknown }).data) }
    }
    await read({})
    const own = await read(bearer(tokens[role]))
    expect(own.item).toMatchObject(links)
    expect(own.answer.headers['cache-control']).toBe('private, no-store')
    expect((await read({})).item).toMatchObject(gated)
  },
)

describe('/go/{slug}/{slot}', () => {
  test('makes another ticket each time and leads to it; nothing keeps that', async () => {
    const [one, two] = [await server.request('/go/a-work/link'), await server.request('/go/a-work/link')]
    for (const { status, headers } of [one, two]) {
      expect(status).toBe(303)
      expect(headers.location).toMatch(/^\/go\/[\w-]{60,}$/)
      expect(headers['cache-control']).toBe('no-store')
    }
    expect(one.headers.location).not.toBe(two.headers.location)
  })

  test('of nothing, a draft, an item of the future, a VIP item, an unknown or an empty slot is 404, alike, whatever the bearer', async () => {
    const absent = await server.request('/go/no-such-slug/link')
    expect(absent.status).toBe(404)
    expect(absent.headers['content-type']).toMatch(/^text\/html/)
    expect(absent.text).toContain('<title>Not found</title>')
    const paths = ['/go/draft/link', '/go/restricted/link', '/go/future/link', '/go/vip/link', '/go/a-work/linkX']
    paths.push('/go/vip/linkG', '/go/a-work/LINK', '/go/%E7%B4%85/link', '/go/a-work/constructor')
    for (const path of paths) {
      for (const headers of [{}, bearer(tokens.vip), bearer(tokens.admin), bearer('nonsense')]) {
        const answer = await server.request(path, { headers })
        expect(answer.status, path).toBe(404)
        expect(withoutPath(answer.text), path).toBe(withoutPath(absent.text))
        expect(answer.headers['cache-control'], path).toContain('no-store')
      }
    }
  })

  test.each(['/go', '/go/', '/go/a/b/c', '/go/a-work/link/x', '/go/a/b/c/d/e'])(
    '%s is a 404 that nothing keeps',
    async (path) => {
      for (const headers of [{}, bearer(tokens.vip)]) {
        const answer = await server.request(path, { headers })
        expect(answer.status).toBe(404)
        expect(answer.headers['content-type']).toMatch(/^text\/html/)
        expect(answer.headers['cache-control']).toContain('no-store')
      }
    },
  )

  test('leads straight to a link on another host', async () => {
    expect((await server.request('/go/a-work/linkP')).headers.location).toBe(links.linkP)
  })

  test('takes no form, and a HEAD only looks', async () => {
    expect((await press('/go/a-work/link')).status).toBe(404)
    const head = await server.request('/go/a-work/linkP', { method: 'HEAD' })
    expect(head.status).toBe(303)
    const counted = await server.app.db.selectFrom('download_events').select('id').where('slot', '=', 'linkP').execute()
    await server.request('/go/a-work/linkP')
    const after = await server.app.db.selectFrom('download_events').select('id').where('slot', '=', 'linkP').execute()
    expect(after.length).toBe(counted.length + 1)
  })
})

/** A page without its own address, which its data hold. */
function withoutPath(html: string): string {
  return html
    .replaceAll(/\/go\/[^"'\\<\s]*/g, '/go/…')
    .replaceAll(/"(slug|slot)",?"[^"]*"/g, '')
    .replaceAll(/no-such-slug|draft|restricted|future|vip(?=")|a-work|link\w?"|LINK"|constructor|紅|%E7%B4%85/g, '')
}

describe('the page of a ticket', () => {
  test('opens the download after the wait, once, by a form that needs no script', async () => {
    const path = await ticket()
    const page = await server.request(path)
    expect(page.status).toBe(200)
    expect(headings(page)).toBe('A work')
    expect(page.text).toContain('Wait 5 seconds, then press the button.')
    expect(page.text).toContain(`<form class="wait-panel" action="${path}" method="post">`)
    expect(page.text).toContain('Become VIP')
    expect(page.text).toMatch(/<meta name="robots" content="noindex"/)
    expect(page.text).not.toContain('mega.nz/file')

    const early = await press(path)
    expect(early.status).toBe(403)
    expect(early.headers['retry-after']).toMatch(/^[1-5]$/)
    expect(early.text).toMatch(/That was too early\. Please wait [1-5] seconds?, then press the button again\./)
    expect(early.text).not.toContain('mega.nz/file')

    await endWaits()
    const passed = await press(path)
    expect(passed.status).toBe(303)
    expect(passed.headers.location).toBe(links.link)
    for (const again of [await press(path), await server.request(path)]) {
      expect(again.status).toBe(410)
      expect(headings(again)).toBe('This download link has been used')
      expect(again.text).toContain('href="/asian/a-work"')
    }
  })

  test('is refused while it was never opened; a HEAD opens nothing', async () => {
    const path = await ticket()
    expect((await server.request(path, { method: 'HEAD' })).status).toBe(200)
    const refused = await press(path)
    expect(refused.status).toBe(403)
    expect(refused.text).toContain('Begin the wait')
    expect((await server.request(path)).text).toContain('Wait 5 seconds')
  })

  test('that was forged is 404, that is over 410', async () => {
    const path = await ticket()
    for (const answer of [
      await server.request(`${path}x`),
      await press(`${path}x`),
      await server.request('/go/ticket'),
    ]) {
      expect(answer.status).toBe(404)
      expect(answer.headers['content-type']).toMatch(/^text\/html/)
    }
  })

  test('of an item that was taken away in between is 410', async () => {
    const [made] = await someItems(server.app, [{ name: 'Fleeting', contentType: 'asian', link: links.link }])
    const path = (await server.request('/go/fleeting/link')).headers.location ?? ''
    await server.request(path)
    await endWaits()
    await server.app.db
      .updateTable('items')
      .set({ status: 'restricted' })
      .where('id', '=', made?.id ?? '')
      .execute()
    await server.app.listing.catchUp()
    const gone = await press(path)
    expect(gone.status).toBe(410)
    expect(headings(gone)).toBe('This download is no longer offered')
  })

  test('is kept by nobody, and its form alone may lead to another site', async () => {
    const path = await ticket()
    const policies: Record<string, string> = {}
    for (const address of [path, '/asian/a-work', '/go/a-work/linkX', '/plans', '/account']) {
      const { headers } = await server.request(address)
      policies[address] = /form-action [^;]*/.exec(String(headers['content-security-policy']))?.[0] ?? ''
      if (address.startsWith('/go/')) expect(headers['cache-control']).toBe('no-store')
    }
    expect(policies[path]).toBe('form-action http: https:')
    delete policies[path]
    expect(new Set(Object.values(policies))).toEqual(new Set(["form-action 'self'"]))
  })
})

describe('a form that is sent to a page', () => {
  test.each([
    ['from another site', { origin: 'https://elsewhere.example' }, '', 403, /comes from a page of another site/],
    ['from nowhere that can be named', { origin: 'null' }, '', 403, /comes from a page of another site/],
    ['as JSON', { 'content-type': 'application/json' }, '{}', 415, /Send a form/],
    ['with files', { 'content-type': 'multipart/form-data; boundary=x' }, '--x--', 415, /Send a form/],
    ['too large', {}, 'a='.padEnd(2_000, 'x'), 413, /larger than/],
  ])('%s is refused by the page, in its words', async (_how, headers, body, status, words) => {
    const path = await ticket()
    await server.request(path)
    await endWaits()
    const answer = await press(path, headers, body)
    expect(answer.status).toBe(status)
    expect(answer.headers['content-type']).toMatch(/^text\/html/)
    expect(answer.headers['cache-control']).toBe('no-store')
    expect(answer.text).toMatch(words)
    // Nothing was done.
    expect((await press(path)).status).toBe(303)
  })

  test('needs no Origin', async () => {
    const path = await ticket()
    await server.request(path)
    await endWaits()
    const answer = await server.request(path, { method: 'POST' })
    expect(answer.status).toBe(303)
  })

  test('is nothing to a page that takes none', async () => {
    for (const path of ['/asian/a-work', '/plans', '/go/a-work/link']) expect((await press(path)).status).toBe(404)
  })
})

test('a flood from one address is refused with a page', async () => {
  await using own = await openTestServer({ now: '2024-03-15T12:00:00Z' })
  const limit = own.app.limits.limit({ name: 'passage.block', points: 120, seconds: 60 })
  for (let i = 0; i < 120; i += 1) await limit.consume('127.0.0.1')
  const refused = await own.request('/go/nothing/link')
  expect(refused.status).toBe(429)
  expect(refused.headers['content-type']).toMatch(/^text\/html/)
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
  expect(refused.text).toContain('Too many attempts.')
})

test('a flood of looks at tickets from one address is refused with a page, whether it looks or presses', async () => {
  const path = await ticket()
  const limit = server.app.limits.limit({ name: 'passage.look', points: 300, seconds: 60 })
  try {
    for (let i = 0; i < 300; i += 1) await limit.count('127.0.0.1')
    for (const refused of [await server.request(path), await press(path)]) {
      expect(refused.status).toBe(429)
      expect(refused.headers['content-type']).toMatch(/^text\/html/)
      expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
    }
  } finally {
    await limit.delete('127.0.0.1')
  }
  expect((await server.request(path)).status).toBe(200)
})

describe('/api/gateway', () => {
  const { publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const key = publicKey.export({ format: 'der', type: 'spki' }).toString('base64')
  const environment = { provider: 'local', account: '', publicKey: '', raw: false, waitSeconds: 5, version: 0 }

  test('switches it off and on at once, for pages and answers that are kept already', async () => {
    const page = async () => (await server.request('/asian/a-work')).text
    const answer = async () => (await server.call('/asiancontent/a-work')).text
    const [before, answered] = [await page(), await answer()]
    expect(before).not.toContain(links.link)
    expect((await save({ provider: 'off' })).json()).toEqual({ ...environment, provider: 'off', version: 1 })
    expect(await page()).toContain(`href="${links.link}"`)
    expect(await answer()).not.toBe(answered)
    const straight = await server.request('/go/a-work/link')
    expect([straight.status, straight.headers.location]).toEqual([303, links.link])
    expect((await server.call('/linkvertise-config')).json()).toMatchObject({ activeAccount: null, provider: 'off' })

    expect((await save({ provider: 'local', waitSeconds: 7 })).status).toBe(200)
    expect(await page()).toContain('Opens after a 7-second wait')
    expect(await page()).not.toContain(links.link)
    expect(await answer()).toBe(answered)
  })

  test('leads to Linkvertise with an account of its own', async () => {
    expect((await save({ provider: 'linkvertise', account: '4711', publicKey: key })).status).toBe(200)
    const { status, headers } = await server.request('/go/a-work/link')
    expect(status).toBe(303)
    expect(headers.location).toMatch(/^https:\/\/link-to\.net\/4711\/\d+\/dynamic\/\?r=[^&]+&v=2$/)
    expect((await server.call('/linkvertise-config')).json()).toEqual({
      activeAccount: '4711',
      provider: 'linkvertise',
      domains: ['mega.nz', 'gofile.io', 'pixeldrain.com'],
    })
    expect((await server.request('/linkvertise-config')).status).toBe(401)
  })

  test.each([
    ['provider', { provider: 'adfly' }],
    ['account', { account: 'me' }],
    ['account', { provider: 'linkvertise', publicKey: key }],
    ['account', { provider: 'linkvertise', account: '518238', publicKey: key }],
    ['publicKey', { publicKey: 'no key' }],
    ['publicKey', { provider: 'linkvertise', account: '4711' }],
    ['raw', { raw: 'yes' }],
    ['waitSeconds', { waitSeconds: -1 }],
    ['waitSeconds', { waitSeconds: 1.5 }],
    ['waitSeconds', { waitSeconds: 601 }],
    ['version', { version: 'latest' }],
  ])('refuses what cannot work, and names the field %s: %j', async (field, changes) => {
    const refused = await save(changes)
    expect(refused.status).toBe(422)
    expect(refused.json()).toMatchObject({ field })
    expect((await settings()).json()).toEqual(environment)
  })

  test('refuses unknown fields, and what was read before somebody else saved, with what is saved now', async () => {
    expect((await save({ secret: 1 })).status).toBe(422)
    await save({ waitSeconds: 9 })
    const late = await save({ waitSeconds: 3, version: 0 })
    expect(late.status).toBe(409)
    expect(late.json()).toMatchObject({ current: { ...environment, waitSeconds: 9, version: 1 } })
    expect((await settings()).json()).toMatchObject({ waitSeconds: 9, version: 1 })
  })

  test('the report counts what was begun', async () => {
    const path = await ticket()
    await server.request(path)
    await endWaits()
    const read = async () =>
      (await server.request('/api/gateway/report', { headers: bearer(tokens.admin) })).json() as {
        passages: { today: number }
        vipDownloads: { today: number }
      }
    const before = await read()
    await press(path)
    await press(path)
    const body = { slug: 'a-work', slot: 'link' }
    expect((await post(server, '/downloads', body, bearer(tokens.vip))).status).toBe(204)
    expect((await post(server, '/downloads', body, bearer(tokens.vip))).status).toBe(204)
    const after = await read()
    expect(after.passages.today).toBe(before.passages.today + 1)
    expect(after.vipDownloads.today).toBe(before.vipDownloads.today + 1)
    expect((await post(server, '/downloads', body, bearer(tokens.member))).status).toBe(403)
    expect((await post(server, '/downloads', { slug: 'draft', slot: 'link' }, bearer(tokens.vip))).status).toBe(404)
    expect((await post(server, '/downloads', { slug: 'vip', slot: 'link' }, bearer(tokens.admin))).status).toBe(204)
  })
})

test('the environment decides until something is saved, and what was saved is in force after a start', async () => {
  await using own = await openTestServer({ now: '2024-03-15T12:00:00Z', env: { GATEWAY_WAIT_SECONDS: '1' } })
  const [made] = await someItems(own.app, [{ name: 'Own', contentType: 'asian', link: links.link }])
  const path = (await own.request('/go/own/link')).headers.location ?? ''
  expect((await own.request(path)).text).toContain('Wait 1 second, then press the button.')
  if (made !== undefined) await editItem(own.app, made, { name: 'Own', contentType: 'asian', link: links.linkG })
  await sql`update gateway_tickets set ready_at = now() - interval '1 second'`.execute(own.app.db)
  expect((await own.request(path, { method: 'POST' })).headers.location).toBe(links.linkG)
})
