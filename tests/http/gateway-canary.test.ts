import { beforeAll, expect, test } from 'vitest'
import { pages } from '../../src/app/pages.ts'
import { routes } from '../../src/app/server.ts'
import { someItems } from '../harness/items.ts'
import { aGrant, aSignedInMember } from '../harness/members.ts'
import { decode } from '../harness/request.ts'
import { serverOfFile } from '../harness/test-server.ts'

/*
 * The canary of direct links: every link on a file host holds a word that stands nowhere else, and nobody but a VIP or an
 * administrator ever finds it, wherever they look, whoever looked before them (docs/spec/catalogue.md#direct-links).
 */

const canary = 'canary7f3a'
const link = (host: string, slot: string): string => `https://${host}/${canary}/${slot}`
const links = {
  link: link('mega.nz', 'link'),
  link2: link('mega.nz', 'link2'),
  linkG: link('gofile.io', 'linkG'),
  linkP: link('pixeldrain.com', 'linkP'),
  linkMV1: link('sub.mega.nz', 'linkMV1'),
  linkMV2: link('pixeldrain.com', 'linkMV2'),
  linkMV3: link('gofile.io', 'linkMV3'),
  linkMV4: link('MEGA.NZ', 'linkMV4'),
}

/** The callers without access, by their tokens. */
let barred: Record<string, Record<string, string>>
let vip: Record<string, string>

const server = serverOfFile({ now: '2024-03-15T12:00:00Z' })

beforeAll(async () => {
  const { app } = server
  await someItems(app, [
    { name: 'Asian entry', contentType: 'asian', ...links },
    { name: 'Western entry', contentType: 'western', ...links },
    { name: 'Banned entry', contentType: 'banned', category: 'Banned', region: 'asian', ...links },
    { name: 'Unknown entry', contentType: 'unknown', category: 'Unknown', region: 'western', ...links },
    { name: 'Vip entry', contentType: 'vip-asian', ...links },
  ])
  const disabled = await aSignedInMember(server, { vipDisabled: true })
  await aGrant(app, disabled.id, '2024-04-15T12:00:00Z')
  barred = {
    visitor: {},
    member: (await aSignedInMember(server)).headers,
    expired: (await aSignedInMember(server, { vipExpiresAt: '2024-03-15T11:59:59Z' })).headers,
    disabled: disabled.headers,
  }
  vip = (await aSignedInMember(server, { isVip: true })).headers
})

const entries = ['asian', 'western', 'banned', 'unknown', 'vip'].map((kind) => `${kind}-entry`)
const slots = [...Object.keys(links), 'nothing']

/** Every address that reads, with each entry and slot where it has a parameter, and the data of every page. */
function addresses(): string[] {
  const fill = (path: string): string[] => {
    const [name] = /:\w+\??/.exec(path) ?? []
    if (name === undefined) return [path]
    // Every slot of one entry, and one of the others: they are read alike.
    const someSlots = path.includes('asian-entry') ? slots : ['linkMV4']
    const values = name.startsWith(':slot') ? someSlots : /^:(slug|item)/.test(name) ? entries : ['made-up']
    const filled = values.flatMap((value) => fill(path.replace(name, value)))
    return name.endsWith('?') ? [...filled, ...fill(path.replace(`/${name}`, ''))] : filled
  }
  const ofPages = pages.flatMap(({ path }) => fill(path))
  return [
    ...ofPages,
    ...ofPages.map((path) => (path === '/' ? '/_.data' : `${path}.data`)),
    ...routes.filter(({ method }) => method === 'GET').flatMap(({ path }) => fill(path)),
    ...['', '?search=entry', '?search=canary7f3a', '?limit=1'].map((query) => `/universal-search/search${query}`),
    ...['', '?search=entry', '?search=canary7f3a'].flatMap((query) => [`/asian${query}`, `/western${query}`]),
    '/no/such/page',
  ]
}

async function look(path: string, headers: Record<string, string>): Promise<string> {
  const answer = await server.call(path, { headers })
  const location = answer.headers.location ?? ''
  const parts = [answer.text, JSON.stringify(answer.headers)]
  const { data } = (answer.headers['content-type']?.startsWith('application/json') === true ? answer.json() : {}) as {
    data?: unknown
  }
  // Encoded text is read as a browser reads it.
  if (typeof data === 'string') parts.push(JSON.stringify(decode(data)))
  // The page on which visitors wait, and what it tells whom.
  if (location.startsWith('/go/')) {
    const page = await server.request(location, { headers })
    const early = await server.request(location, { method: 'POST', headers })
    expect(page.status).toBe(200)
    expect(early.status).toBe(403)
    parts.push(page.text, JSON.stringify(page.headers), early.text, JSON.stringify(early.headers))
  }
  return parts.join('\n')
}

test('the canary is where it may be: in the answer to a VIP', async () => {
  for (const path of ['/asiancontent/asian-entry', '/westerncontent/western-entry'])
    expect(await look(path, vip)).toContain(canary)
})

test('nobody else finds a link on a file host, in any page, its data, any answer or any head, also not after a VIP', async () => {
  const all = addresses()
  expect(all).toContain('/go/asian-entry/linkMV4')
  expect(all).toContain('/western/western-entry.data')
  for (const path of all) {
    const found: string[] = []
    const heldFor = async (who: string, headers: Record<string, string>): Promise<void> => {
      const text = await look(path, headers)
      if (text.toLowerCase().includes(canary) && !path.includes(canary)) found.push(who)
    }
    for (const [who, headers] of Object.entries(barred)) await heldFor(who, headers)
    await server.call(path, { headers: vip })
    await heldFor('visitor after a VIP', {})
    expect(found, path).toEqual([])
    // The limit of one address is no part of this story.
    await server.app.limits.limit({ name: 'passage.block', points: 120, seconds: 60 }).delete('127.0.0.1')
  }
})
