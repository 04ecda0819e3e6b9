import { beforeAll, describe, expect, test } from 'vitest'
import { endAllSessions } from '../../src/features/accounts/sign-in/end-all-sessions.server.ts'
import { openLog } from '../../src/platform/log.ts'
import { expectValidXml, JsonFeed } from '../harness/document-schemas.ts'
import { someItems } from '../harness/items.ts'
import { aSignedInMember, type SignedIn } from '../harness/members.ts'
import { serverOfFile } from '../harness/test-server.ts'

/* Private feeds (docs/spec/found-from-outside.md#private-feeds). */

const tokenPath = '/account/feed-token'
const dayMs = 86_400_000

let logged = ''
const server = serverOfFile({
  env: { EARLY_ACCESS_DAYS: '3' },
  log: openLog('debug', { write: (line) => void (logged += line) }),
})

beforeAll(async () => {
  await someItems(server.app, [
    { name: 'Free', contentType: 'western', category: 'Novel', slug: 'free', postDate: '2024-03-01' },
    { name: 'Of VIPs', contentType: 'vip-asian', category: 'Film', slug: 'of-vips', postDate: '2024-03-02' },
    { name: 'Early', contentType: 'asian', category: 'Film', slug: 'early', postDate: '2024-03-17' },
    { name: 'Far', contentType: 'asian', category: 'Film', slug: 'far', postDate: '2024-05-17' },
    { name: 'Draft', contentType: 'asian', status: 'draft', slug: 'draft' },
  ])
})

interface Made {
  token: string
  rss: string
  json: string
}

async function make(member: SignedIn): Promise<Made> {
  const answer = await server.call(tokenPath, { method: 'POST', headers: member.headers })
  expect(answer.status, answer.text).toBe(201)
  expect(answer.headers['cache-control']).toContain('no-store')
  return answer.json() as Made
}
const pathOf = (address: string): string => new URL(address).pathname
const titles = async (made: Made, query = ''): Promise<string[]> => {
  const answer = await server.request(pathOf(made.json) + query)
  expect(answer.status, answer.text).toBe(200)
  return JsonFeed.parse(answer.json()).items.map(({ title }) => title)
}
const statusOf = async (made: Made): Promise<number> => (await server.request(pathOf(made.rss))).status

test('a VIP reads the entries of VIPs and of early access, a member those that are free', async () => {
  const [vip, member] = [await aSignedInMember(server, { isVip: true }), await aSignedInMember(server)]
  const [ofVip, ofMember] = [await make(vip), await make(member)]
  expect(await titles(ofVip)).toEqual(['Early', 'Of VIPs', 'Free'])
  expect(await titles(ofMember)).toEqual(['Free'])
  expect(await titles(ofVip, '?category=film')).toEqual(['Early', 'Of VIPs'])
  const { items } = JsonFeed.parse((await server.request(pathOf(ofVip.json))).json())
  const { publicUrl } = server.app.config
  expect(items.map(({ url, image }) => [url, image])).toEqual([
    [`${publicUrl}/vip/early`, undefined],
    [`${publicUrl}/vip-asian/of-vips`, undefined],
    [`${publicUrl}/western/free`, `${publicUrl}/covers/free.png`],
  ])
})

test('entries of VIPs leave with the membership, whether it has lapsed or was disabled', async () => {
  const lapsing = await make(await aSignedInMember(server, { vipExpiresAt: '2024-03-15T12:00:01Z' }))
  const banned = await aSignedInMember(server, { isVip: true })
  const ofBanned = await make(banned)
  expect([await titles(lapsing), await titles(ofBanned)]).toEqual([
    ['Early', 'Of VIPs', 'Free'],
    ['Early', 'Of VIPs', 'Free'],
  ])
  await server.app.db.updateTable('users').set({ vip_disabled: true }).where('id', '=', banned.id).execute()
  server.clock.advance(2_000)
  expect([await titles(lapsing), await titles(ofBanned)]).toEqual([['Free'], ['Free']])
})

test("an administrator's feed has nothing that only administrators see", async () => {
  const admin = await aSignedInMember(server, { isAdmin: true })
  expect(await titles(await make(admin))).toEqual(['Free'])
})

test('an answer is for one reader, and names neither its address nor a download', async () => {
  const made = await make(await aSignedInMember(server, { isVip: true }))
  for (const address of [made.rss, made.json]) {
    const answer = await server.request(pathOf(address))
    expect(answer.headers).toMatchObject({
      'cache-control': 'private, no-store',
      'x-robots-tag': 'noindex',
      'referrer-policy': 'no-referrer',
    })
    expect(answer.text).not.toContain(made.token)
    expect(answer.text).not.toMatch(/mega\.nz|\/go\//)
  }
  await expectValidXml('rss', (await server.request(pathOf(made.rss))).text)
  for (const query of ['page=2', 'month=13', 'search=a&search=b'])
    expect((await server.request(`${pathOf(made.rss)}?${query}`)).status).toBe(400)
  expect((await server.request(pathOf(made.rss), { method: 'HEAD' })).status).toBe(200)
  expect((await server.request(pathOf(made.rss), { method: 'POST' })).status).toBe(405)
})

test('a token is stored as its digest alone, and stands in no log', async () => {
  logged = ''
  const made = await make(await aSignedInMember(server))
  await titles(made)
  await server.request(`/feeds/private/${made.token}.xml`)
  await server.request(`/feeds/private/${made.token}`)
  await server.request(`/FEEDS/private/${made.token}.rss?search=x`)
  const rows = await server.app.db.selectFrom('feed_tokens').selectAll().execute()
  const audit = await server.app.db.selectFrom('audit_events').selectAll().execute()
  const stored = JSON.stringify([rows, audit])
  expect(stored).not.toContain(made.token)
  expect(stored).not.toContain(Buffer.from(made.token, 'base64url').toString('hex'))
  expect(logged).toContain('/feeds/private/:file')
  expect(logged).not.toContain(made.token)
})

test('a token opens the feed of its owner and nothing else', async () => {
  const made = await make(await aSignedInMember(server, { isVip: true }))
  const headers = { authorization: `Bearer ${made.token}` }
  for (const path of ['/auth/dashboard', '/auth/status', tokenPath])
    expect((await server.call(path, { headers })).status).toBe(401)
})

describe('an ended token and a made-up one are the same 404', () => {
  const unknown = async (): Promise<unknown> => (await server.request(`/feeds/private/${'A'.repeat(43)}.rss`)).json()
  const expectEnded = async (made: Made): Promise<void> => {
    const answer = await server.request(pathOf(made.rss))
    expect([answer.status, answer.json()]).toEqual([404, await unknown()])
  }

  test('once it was ended, or replaced', async () => {
    const member = await aSignedInMember(server)
    const first = await make(member)
    const second = await make(member)
    await expectEnded(first)
    expect(await statusOf(second)).toBe(200)
    const end = () => server.call(tokenPath, { method: 'DELETE', headers: member.headers })
    expect((await end()).status).toBe(204)
    await expectEnded(second)
    expect((await end()).status).toBe(404)
    expect((await server.call(tokenPath, { headers: member.headers })).status).toBe(404)
  })

  test('once the password is another one', async () => {
    const member = await aSignedInMember(server)
    const made = await make(member)
    const body = JSON.stringify({
      token: member.headers.authorization.slice(7),
      password: 'another quiet reading room',
    })
    const changed = await server.call('/reset-password/account', {
      method: 'POST',
      headers: { ...member.headers, 'content-type': 'application/json' },
      body,
    })
    expect(changed.status, changed.text).toBe(200)
    await expectEnded(made)
  })

  test('once the account is deleted', async () => {
    const member = await aSignedInMember(server)
    const made = await make(member)
    const path = `/auth/delete-account/${encodeURIComponent(member.email)}`
    expect((await server.call(path, { method: 'DELETE', headers: member.headers })).status).toBe(200)
    await expectEnded(made)
  })

  test('once all access has ended, as in a restored copy', async () => {
    const made = await make(await aSignedInMember(server))
    await endAllSessions(server.app)
    await expectEnded(made)
  })

  test.each(['', 'x', 'A'.repeat(42), 'A'.repeat(44), '%00', 'a/b'])('for %j', async (token) => {
    const answer = await server.request(`/feeds/private/${token}.rss`)
    expect(answer.status).toBe(404)
    if (!token.includes('/') && token !== '') expect(answer.json()).toEqual(await unknown())
  })
})

test('the last use is known to the hour', async () => {
  const member = await aSignedInMember(server)
  const made = await make(member)
  const known = async () => (await server.call(tokenPath, { headers: member.headers })).json()
  const createdAt = new Date(server.clock.now()).toISOString()
  expect(await known()).toEqual({ createdAt, lastUsedAt: null })
  await titles(made)
  const first = new Date(server.clock.now()).toISOString()
  server.clock.advance(60_000)
  await titles(made)
  expect(await known()).toEqual({ createdAt, lastUsedAt: first })
  server.clock.advance(3_600_000)
  await titles(made)
  expect(await known()).toEqual({ createdAt, lastUsedAt: new Date(server.clock.now()).toISOString() })
})

test('of two that are made at once, one works', async () => {
  const member = await aSignedInMember(server)
  const made = await Promise.all([make(member), make(member), make(member)])
  expect((await Promise.all(made.map(statusOf))).toSorted((one, other) => one - other)).toEqual([200, 404, 404])
})

test('the data export and the page of a member tell when, and not how', async () => {
  server.clock.advance(dayMs)
  const [member, admin] = [await aSignedInMember(server), await aSignedInMember(server, { isAdmin: true })]
  const about = { createdAt: new Date(server.clock.now()).toISOString(), lastUsedAt: null }
  const before = await server.call(`/api/people/${member.id}`, { headers: admin.headers })
  expect(before.json()).toMatchObject({ privateFeed: null })
  const { token } = await make(member)
  const file = await server.call('/auth/export', { headers: member.headers })
  expect(file.json()).toMatchObject({ privateFeeds: [about] })
  expect(file.text).not.toContain(token)
  const person = await server.call(`/api/people/${member.id}`, { headers: admin.headers })
  expect(person.json()).toMatchObject({ privateFeed: about })
  expect((await server.call('/auth/dashboard', { headers: member.headers })).json()).toMatchObject({
    hasPrivateFeed: true,
  })
})

describe('the feed of a saved search', () => {
  const searches = '/account/saved-searches'
  const save = async (member: SignedIn, list: string, query: string): Promise<string> => {
    const body = JSON.stringify({ list, query, name: `${list} ${query}` })
    const answer = await server.call(searches, {
      method: 'POST',
      headers: { ...member.headers, 'content-type': 'application/json' },
      body,
    })
    expect(answer.status, answer.text).toBe(201)
    return (answer.json() as { id: string }).id
  }
  const feedOf = (member: SignedIn, id: string, method: 'POST' | 'DELETE' = 'POST') =>
    server.call(`${searches}/${id}/feed`, { method, headers: member.headers })
  const makeFeed = async (member: SignedIn, id: string): Promise<Made> => {
    const answer = await feedOf(member, id)
    expect(answer.status, answer.text).toBe(201)
    return answer.json() as Made
  }

  test('has its list and filters alone, whatever the address asks, beside the feed of all', async () => {
    const member = await aSignedInMember(server)
    const [own, western, film] = [
      await make(member),
      await makeFeed(member, await save(member, 'western', '')),
      await makeFeed(member, await save(member, 'western', '?search=nothing-of-this')),
    ]
    expect(await titles(own)).toEqual(['Free'])
    expect(await titles(western)).toEqual(['Free'])
    expect(await titles(western, '?category=film')).toEqual([])
    expect(await titles(film)).toEqual([])
    expect(await titles(film, '?search=free')).toEqual([])
  })

  test('ends with its search, by itself, with another one, and with a new password; its owner alone may do so', async () => {
    const [member, other] = [await aSignedInMember(server), await aSignedInMember(server)]
    const id = await save(member, 'western', '')
    expect((await feedOf(other, id)).status).toBe(404)
    expect((await feedOf(member, id, 'DELETE')).status).toBe(404)
    const first = await makeFeed(member, id)
    expect((await feedOf(other, id, 'DELETE')).status).toBe(404)
    const second = await makeFeed(member, id)
    expect([await statusOf(first), await statusOf(second)]).toEqual([404, 200])
    expect((await feedOf(member, id, 'DELETE')).status).toBe(204)
    expect(await statusOf(second)).toBe(404)
    const third = await makeFeed(member, id)
    const listed = await server.call(searches, { headers: member.headers })
    expect(listed.json()).toMatchObject({ searches: [{ id, hasFeed: true }] })
    expect((await server.call(`${searches}/${id}`, { method: 'DELETE', headers: member.headers })).status).toBe(204)
    expect(await statusOf(third)).toBe(404)
    const fourth = await makeFeed(member, await save(member, 'asian', ''))
    await endAllSessions(server.app)
    expect(await statusOf(fourth)).toBe(404)
  })

  test('is none of the account, which says whether there is one of all', async () => {
    const member = await aSignedInMember(server)
    await makeFeed(member, await save(member, 'western', ''))
    const account = await server.call('/auth/dashboard', { headers: member.headers })
    expect(account.json()).toMatchObject({ hasPrivateFeed: false })
    expect((await server.call(tokenPath, { headers: member.headers })).status).toBe(404)
  })

  test('of a list of VIPs is empty for whoever is none', async () => {
    const [vip, member] = [await aSignedInMember(server, { isVip: true }), await aSignedInMember(server)]
    expect(await titles(await makeFeed(vip, await save(vip, 'vip-asian', '')))).toEqual(['Of VIPs'])
    expect(await titles(await makeFeed(member, await save(member, 'vip-asian', '')))).toEqual([])
  })
})
