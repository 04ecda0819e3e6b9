import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { routes } from '../../src/app/server.ts'
import { adminKeyOf } from '../../src/features/accounts/sessions/tokens.server.ts'
import { anItem, type MadeItem } from '../harness/items.ts'
import { aMember, bearer, type MadeMember, post, signIn } from '../harness/members.ts'
import type { TestResponse } from '../harness/request.ts'
import { serverOfFile } from '../harness/test-server.ts'

/** The guards of all routes, by what the routes say of themselves. Which routes are open to whom stands in the test of the architecture. */

let chief: MadeMember
let chiefToken: string
let member: MadeMember
let item: MadeItem
let requestId: string
/** Signed-in callers without the role of administrator, by kind. */
const tokens: Record<string, string> = {}

const server = serverOfFile()

beforeAll(async () => {
  const { app } = server
  chief = await aMember(app, { isAdmin: true })
  chiefToken = await signIn(server, chief)
  member = await aMember(app)
  tokens['a member'] = await signIn(server, member)
  tokens['a VIP'] = await signIn(server, await aMember(app, { isVip: true }))
  const former = await aMember(app, { isAdmin: true })
  tokens['a former administrator'] = await signIn(server, former)
  await app.db.updateTable('users').set({ is_admin: false }).where('id', '=', former.id).execute()
  item = await anItem(app)
  const made = await post(server, '/recommendations', { title: 'A wanted work' }, bearer(tokens['a member'] ?? ''))
  requestId = (made.json() as { id: string }).id
})

/** An address of the route that leads to something: where it can, to what is the member's own. */
function addressOf(path: string, { email } = member): string {
  const id = path.startsWith('/api/people') ? member.id : path.startsWith('/recommendations') ? requestId : item.id
  const values: Record<string, string> = {
    id,
    item: item.id,
    email,
    key: 'brand.name',
    name: 'agent',
    consent: id,
    reference: 'N-0000-0000',
    slug: item.slug,
    provider: 'mailgun',
  }
  return path.replaceAll(/:(\w+)/g, (_, name: string) => {
    const value = values[name]
    if (value === undefined) throw new Error(`There is no value for :${name} of ${path}.`)
    return encodeURIComponent(value)
  })
}

function send(
  method: string,
  address: string,
  headers: Record<string, string>,
  body: object = {},
): Promise<TestResponse> {
  if (method === 'GET') return server.request(address, { method, headers })
  const text = JSON.stringify(body)
  // Node's client sends no length with a DELETE by itself.
  const facts = { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(text)) }
  return server.request(address, { method, body: text, headers: { ...headers, ...facts } })
}

/** The content of every table except those that record presence. */
async function contents(): Promise<Record<string, unknown>> {
  const { rows } = await sql<{ name: string }>`
    select table_name as name from information_schema.tables
     where table_schema = 'public' and table_type = 'BASE TABLE' and table_name not in ('sessions', 'rate_limits')
     order by 1`.execute(server.app.db)
  const found: Record<string, unknown> = {}
  for (const { name } of rows) {
    const sum = await sql<{ sum: string | null }>`
      select md5(string_agg(t::text, '|' order by t::text)) as sum from ${sql.table(name)} t`.execute(server.app.db)
    found[name] = sum.rows[0]?.sum
  }
  return found
}

const ofAdministrators = routes.filter(({ access }) => access === 'admin')

test('a route for members or VIPs asks who it is, and one for VIPs refuses a member', async () => {
  const ofMembers = routes.filter(({ access }) => access === 'member' || access === 'vip')
  expect(ofMembers.length).toBeGreaterThan(30)
  const clientKey = { 'api-key': server.app.config.clientApiKey }
  const before = await contents()
  for (const { method, path, access } of ofMembers) {
    const ask = async (headers: Record<string, string>): Promise<unknown[]> => {
      const answer = await send(method, addressOf(path), { ...clientKey, ...headers })
      return [answer.status, (answer.json() as { code: string }).code]
    }
    expect(await ask({}), `${method} ${path}`).toEqual([401, 'session.missing'])
    expect((await ask(bearer('x'.repeat(43))))[0], `${method} ${path}`).toBe(401)
    if (access === 'vip')
      expect(await ask(bearer(tokens['a member'] ?? '')), `${method} ${path}`).toEqual([403, 'vip.only'])
  }
  expect(await contents()).toEqual(before)
})

test('a route that asks for the client key refuses whoever sends another one or none', async () => {
  const withClientKey = routes.filter(({ needsClientKey }) => needsClientKey === true)
  const beside = withClientKey.filter(({ needsAdminKey }) => needsAdminKey !== true)
  expect(beside.map(({ method, path }) => `${method} ${path}`).toSorted()).toEqual(
    [
      'DELETE /account/feed-token',
      'POST /account/feed-token',
      'GET /allcontent',
      'GET /api/stats',
      'GET /asiancontent',
      'GET /asiancontent/:item',
      'DELETE /auth/delete-account/:email',
      'GET /bannedcontent',
      'GET /linkvertise-config',
      'POST /reset-password',
      'POST /reset-password/account',
      'GET /universal-search/facets',
      'GET /universal-search/search',
      'GET /unknowncontent',
      'GET /vip-asiancontent/:item',
      'GET /vip-asiancontent/:item/neighbours',
      'GET /vip-westerncontent/:item',
      'GET /vip-westerncontent/:item/neighbours',
      'GET /vipcontent',
      'GET /westerncontent',
      'GET /westerncontent/:item',
    ].toSorted(),
  )
  const keys = { ...bearer(chiefToken), 'admin-key': adminKeyOf(chiefToken) }
  for (const { method, path } of withClientKey)
    for (const key of [{}, { 'api-key': '' }, { 'api-key': 'guessed' }]) {
      const answer = await send(method, addressOf(path), { ...keys, ...key })
      expect([answer.status, answer.json()], `${method} ${path}`).toMatchObject([401, { code: 'client.key' }])
    }
})

describe('a route for administrators', () => {
  test('refuses everybody else, whatever keys and fields they send, and changes nothing', async () => {
    expect(ofAdministrators.length).toBeGreaterThan(50)
    const before = await contents()
    const clientKey = { 'api-key': server.app.config.clientApiKey }
    const wrong: string[] = []
    for (const { method, path } of ofAdministrators) {
      const address = addressOf(path)
      const ask = async (who: string, headers: Record<string, string>, allowed: readonly number[]): Promise<void> => {
        const answer = await send(method, address, headers, { isAdmin: true, version: 1 })
        const { error, message } = answer.json() as { error?: unknown; message?: unknown }
        const isSentence = typeof error === 'string' && error === message && !/ at |select |insert /.test(answer.text)
        if (!allowed.includes(answer.status) || !isSentence)
          wrong.push(`${method} ${path} answered ${who} with ${answer.status}: ${answer.text}`)
      }
      const asked = Object.entries(tokens).flatMap(([who, token]) =>
        [{}, ...[adminKeyOf(token), adminKeyOf(chiefToken)].map((key) => ({ 'admin-key': key }))].map((keys) =>
          ask(who, { ...bearer(token), ...clientKey, ...keys }, [403, 404]),
        ),
      )
      for (const keys of [{}, { ...clientKey, 'admin-key': adminKeyOf(chiefToken) }]) {
        asked.push(ask('a visitor', keys, [401]))
        asked.push(ask('a made-up token', { ...keys, ...bearer('x'.repeat(43)) }, [401]))
      }
      await Promise.all(asked)
    }
    expect(wrong).toEqual([])
    expect(await contents()).toEqual(before)
  })

  const withAdminKey = routes.filter(({ needsAdminKey }) => needsAdminKey === true)

  test('that asks for the admin key refuses an administrator without their own one', async () => {
    const other = await signIn(server, await aMember(server.app, { isAdmin: true }))
    const headers = { ...bearer(chiefToken), 'api-key': server.app.config.clientApiKey }
    for (const { method, path } of withAdminKey)
      for (const keys of [{}, { 'admin-key': 'guessed' }, { 'admin-key': adminKeyOf(other) }]) {
        const answer = await send(method, addressOf(path), { ...headers, ...keys })
        expect([answer.status, answer.json()], `${method} ${path}`).toMatchObject([401, { code: 'admin.key' }])
      }
  })

  test('that writes an item asks for it', () => {
    const writers = routes.filter(({ method, path }) => method !== 'GET' && /^\/(?:\w+content|api\/items)\b/.test(path))
    expect(writers.length).toBeGreaterThanOrEqual(15)
    expect(writers.filter(({ needsAdminKey, needsClientKey }) => !needsAdminKey || !needsClientKey)).toEqual([])
  })
})

describe("a body that is not an administrator's", () => {
  const id = '018bcfe5-dead-7000-8000-000000000000'
  const day = '1999-09-09T09:09:09Z'
  const wishes: Record<string, unknown> = {
    id,
    userId: id,
    user_id: id,
    authorId: id,
    author_id: id,
    createdAt: day,
    created_at: day,
    updatedAt: day,
    decidedAt: day,
    decided_at: day,
    closedAt: day,
    postDate: day,
    vipUntil: '2099-09-09',
    vip_until: '2099-09-09',
    vipExpirationDate: '2099-09-09',
    role: 'admin',
    roles: ['admin'],
    isAdmin: true,
    is_admin: true,
    isVip: true,
    is_vip: true,
    vipDisabled: true,
    vip_disabled: true,
    purchasesBlocked: true,
    permissions: ['admin'],
    status: 'approved',
    state: 'closed',
    votes: 99,
    version: 99,
    clearedVersion: 99,
    publish: true,
  }
  const password = 'another quiet reading room'

  /** The body of each route; undefined without one. */
  const bodies: Record<string, ((by: MadeMember, token: string) => object) | undefined> = {
    'POST /auth/register': () => ({ name: 'New Reader', email: 'new@readers.example', password }),
    'POST /auth/login': (by) => ({ email: by.email, password: by.password }),
    'POST /auth/logout': undefined,
    'POST /auth/proof': ({ password }) => ({ password }),
    'POST /auth/proof/options': undefined,
    'POST /auth/passkeys/options': undefined,
    'POST /auth/passkeys': () => ({ name: 'My laptop', response: {} }),
    'PUT /auth/passkeys/:id': () => ({ name: 'My laptop' }),
    'DELETE /auth/passkeys/:id': undefined,
    'POST /auth/totp': undefined,
    'POST /auth/totp/confirm': () => ({ code: '123456' }),
    'DELETE /auth/totp': undefined,
    'POST /auth/recovery-codes': undefined,
    'DELETE /auth/devices': undefined,
    'DELETE /auth/devices/:id': undefined,
    'DELETE /auth/sessions': undefined,
    'DELETE /auth/sessions/:id': undefined,
    'POST /reset-password/account': (_by, token) => ({ token, password }),
    'POST /forgot-password': (by) => ({ email: by.email }),
    'POST /reset-password': () => ({ token: 'x'.repeat(43), password }),
    'POST /auth/address': () => ({ email: 'another@readers.example' }),
    'DELETE /auth/address': undefined,
    'POST /account/feed-token': undefined,
    'DELETE /account/email-stop': undefined,
    'DELETE /account/feed-token': undefined,
    'POST /account/app-passwords': () => ({ name: 'A reading program' }),
    'DELETE /account/app-passwords/:id': undefined,
    'POST /account/visit': undefined,
    'PUT /account/saved-entries/:slug': undefined,
    'DELETE /account/saved-entries/:slug': undefined,
    'POST /account/downloads': () => ({ slug: item.slug, slot: 'link' }),
    'PUT /account/downloads': () => ({ keepsHistory: true }),
    'DELETE /account/downloads': undefined,
    'DELETE /account/downloads/:slug': undefined,
    'POST /account/saved-searches': () => ({ list: 'western', query: '?search=faust', name: 'Faust' }),
    'PUT /account/saved-searches/:id': () => ({ name: 'Faust' }),
    'DELETE /account/saved-searches/:id': undefined,
    'POST /account/saved-searches/:id/feed': undefined,
    'DELETE /account/saved-searches/:id/feed': undefined,
    'POST /auth/address/confirmation': undefined,
    'POST /confirm-address': () => ({ token: 'x'.repeat(43) }),
    'DELETE /auth/delete-account/:email': undefined,
    'POST /pay/vip-payment': (by) => ({ email: by.email, planType: 'annual' }),
    'POST /stripe-portal/create-portal-session': undefined,
    'POST /webhooks/mail/:provider': () => ({}),
    'POST /webhooks/stripe': () => ({ type: 'customer.updated' }),
    'POST /downloads': () => ({ slug: item.slug, slot: 'link' }),
    'POST /links/report': () => ({ slug: item.slug, slot: 'link' }),
    'POST /recommendations': (by) => ({ title: `Wanted by ${by.email}`, description: 'Please.' }),
    'PUT /recommendations/:id/vote': undefined,
    'DELETE /recommendations/:id/vote': undefined,
    'POST /support': () => ({ name: 'New Reader', email: 'new@readers.example', message: 'Hello.' }),
  }
  const ofOthers = routes.filter(({ access, method }) => access !== 'admin' && method !== 'GET')

  test('is known of every route here', () => {
    expect(Object.keys(bodies).toSorted()).toEqual(ofOthers.map(({ method, path }) => `${method} ${path}`).toSorted())
  })

  test('sets no role, no status, no date and no id, in any table', async () => {
    const { app } = server
    const administrators = async () =>
      (await app.db.selectFrom('users').select('id').where('is_admin', '=', true).orderBy('id').execute()).map(
        ({ id }) => id,
      )
    const before = await administrators()
    const taken: string[] = []
    for (const { method, path } of ofOthers) {
      const by = await aMember(app, { isVip: path === '/downloads' })
      const token = await signIn(server, by)
      const headers = { ...bearer(token), 'api-key': app.config.clientApiKey }
      const body = bodies[`${method} ${path}`]?.(by, token) ?? {}
      const sendWith = (wished: object) => send(method, addressOf(path, by), headers, { ...body, ...wished })
      const answer = await sendWith(wishes)
      if (answer.status < 300) taken.push(`${method} ${path}`)
      // A route that refuses what it does not know is asked for each alone.
      else if (answer.status === 422)
        for (const [field, value] of Object.entries(wishes)) await sendWith({ [field]: value })
    }
    expect(taken).toEqual(expect.arrayContaining(['POST /auth/register', 'POST /reset-password/account']))
    // They came through where nothing was wished for.
    const own = bearer(await signIn(server, member))
    expect((await send('POST', '/recommendations', own, { title: 'Another', description: '' })).status).toBe(201)

    const { rows } = await sql<{ name: string }>`
      select table_name as name from information_schema.tables
       where table_schema = 'public' and table_type = 'BASE TABLE' order by 1`.execute(app.db)
    for (const { name } of rows) {
      const found = await sql`
        select t::text from ${sql.table(name)} t where t::text ~ '018bcfe5-dead|1999-09-09|2099-09-09'`.execute(app.db)
      expect(found.rows, name).toEqual([])
    }
    expect(await administrators()).toEqual(before)
    const users = await app.db.selectFrom('users').select(['vip_disabled', 'purchases_blocked']).distinct().execute()
    expect(users).toEqual([{ vip_disabled: false, purchases_blocked: false }])
    const grants = await app.db.selectFrom('access_grants').select('granted_by').execute()
    expect(new Set(grants.map(({ granted_by }) => granted_by))).toEqual(new Set(['a test']))
    const requests = await app.db.selectFrom('content_requests').select(['status', 'votes']).execute()
    expect(requests.length).toBeGreaterThan(1)
    for (const { status, votes } of requests) {
      expect(status).toBe('pending')
      // One of theirs, and at most one more of another member.
      expect([1, 2]).toContain(votes)
    }
    const items = await app.db.selectFrom('items').select(['status', 'version']).execute()
    expect(items).toEqual([{ status: 'published', version: 1 }])
    const inquiries = await app.db.selectFrom('inquiries').select(['state', 'is_vip']).execute()
    for (const inquiry of inquiries) expect(inquiry).toEqual({ state: 'open', is_vip: false })
  })
})
