import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { routes } from '../../src/app/server.ts'
import { makeMemberAdministrator } from '../../src/features/accounts/people/change-role.server.ts'
import { deleteExpired } from '../../src/features/accounts/sign-in/delete-expired.server.ts'
import { proofOf, type Route } from '../../src/http/route.ts'
import { ageProof, aMember, bearer, type MadeMember, post, signIn, viewerOf } from '../harness/members.ts'
import type { TestResponse } from '../harness/request.ts'
import { serverOfFile } from '../harness/test-server.ts'

const minute = 60_000
const hour = 60 * minute
const now = '2024-03-15T12:00:00Z'

const server = serverOfFile({ now })
beforeEach(() => server.clock.set(now))

type AnyRoute = Pick<Route<never, never>, 'method' | 'path' | 'access' | 'needsProofWithin' | 'bodyKind'>

const guarded = (routes as readonly AnyRoute[]).filter((route) => proofOf(route) !== undefined)

const get = (path: string, token: string, headers: Record<string, string> = {}): Promise<TestResponse> =>
  server.call(path, { headers: { ...bearer(token), ...headers } })
const statusOf = async (token: string): Promise<number> => (await get('/auth/status', token)).status
const prove = (token: string, password: unknown): Promise<TestResponse> =>
  post(server, '/auth/proof', { password }, bearer(token))
const codeOf = (answer: TestResponse): unknown =>
  answer.status < 400 ? undefined : (answer.json() as { code: unknown }).code

/** An administrator with a session and the key of it. */
async function anAdministrator(): Promise<{ admin: MadeMember; token: string; headers: Record<string, string> }> {
  const admin = await aMember(server.app, { isAdmin: true, isVip: true })
  const token = await signIn(server, admin)
  return { admin, token, headers: await headersOf(token) }
}

async function headersOf(token: string): Promise<Record<string, string>> {
  const { adminKey } = (await get('/auth/dashboard', token)).json() as { adminKey: string }
  return { ...bearer(token), 'api-key': server.app.config.clientApiKey, 'admin-key': adminKey }
}

/** A call of a route about nothing that there is. */
function callOf({ method, path, bodyKind }: AnyRoute, headers: Record<string, string>): Promise<TestResponse> {
  const isUpload = bodyKind === 'upload'
  const type = isUpload ? 'application/octet-stream' : 'application/json'
  return server.request(path.replaceAll(/:\w+/g, '00000000-0000-4000-8000-000000000000'), {
    method,
    headers: { ...headers, ...(method === 'GET' ? {} : { 'content-type': type }) },
    ...(method === 'GET' ? {} : { body: isUpload ? 'name,category\n' : '{"token":"none"}' }),
  })
}

/** Everything that is stored, but for when somebody was seen. */
async function everything(): Promise<unknown> {
  const { rows: tables } = await sql<{ name: string }>`
    select table_name as name from information_schema.tables
     where table_schema = 'public' and table_type = 'BASE TABLE' order by 1`.execute(server.app.db)
  return Promise.all(
    tables.map(async ({ name }) => {
      const { rows } = await sql`
        select md5(coalesce(string_agg((to_jsonb(t) - 'last_seen_at')::text, '|' order by t::text), '')) as digest
          from ${sql.table(name)} t`.execute(server.app.db)
      return [name, rows[0]]
    }),
  )
}

describe('an old proof', () => {
  test('opens none of the calls that need a fresh one, and nothing is changed', async () => {
    const { admin, headers } = await anAdministrator()
    for (const minutes of [15, 60] as const) {
      await ageProof(server.app, admin, minutes)
      const changed = await everything()
      for (const route of guarded.filter((each) => (proofOf(each) ?? 0) <= minutes)) {
        const answer = await callOf(route, headers)
        expect(answer.status, `${route.method} ${route.path}`).toBe(403)
        expect(answer.json()).toMatchObject({
          code: 'proof.needed',
          message: 'Please confirm who you are, and try again. Nothing was changed.',
          withinMinutes: proofOf(route),
        })
      }
      expect(await everything()).toEqual(changed)
    }
  })

  test('of less than that is good: each call then answers for itself', async () => {
    for (const minutes of [15, 60] as const) {
      for (const route of guarded.filter((each) => proofOf(each) === minutes)) {
        const { admin, headers } = await anAdministrator()
        await ageProof(server.app, admin, minutes - 0.1)
        expect(codeOf(await callOf(route, headers)), `${route.method} ${route.path}`).not.toBe('proof.needed')
      }
    }
  })

  test('does not keep anybody from reading, asking, voting and signing out', async () => {
    const { admin, token, headers } = await anAdministrator()
    await ageProof(server.app, admin, 24 * 60)
    for (const path of ['/auth/dashboard', '/auth/sessions', '/auth/proof', '/api/people', '/api/admin/home'])
      expect((await get(path, token)).status, path).toBe(200)
    const request = { title: 'A book of maps', description: 'The one of 1912, with all its plates.' }
    expect((await post(server, '/recommendations', request, headers)).status).toBe(201)
    expect((await post(server, '/auth/logout', {}, headers)).status).toBe(204)
  })

  test('lets a stolen token of an administrator read, and write nothing after an hour', async () => {
    const { headers, token } = await anAdministrator()
    const add = (name: string): Promise<TestResponse> => post(server, '/api/categories', { name }, headers)
    expect((await add('Before')).status).toBe(201)
    for (const _ of [1, 2, 3]) {
      server.clock.advance(20 * minute)
      expect(await statusOf(token)).toBe(200)
    }
    expect(codeOf(await add('After'))).toBe('proof.needed')
    const { categories } = (await get('/api/categories', token)).json() as { categories: { name: string }[] }
    expect(categories.map(({ name }) => name)).toContain('Before')
    expect(categories.map(({ name }) => name)).not.toContain('After')
  })
})

describe('a proof', () => {
  test('with the right password opens them again under the same token', async () => {
    const { admin, token, headers } = await anAdministrator()
    await ageProof(server.app, admin, 61)
    const add = (): Promise<TestResponse> => post(server, '/api/categories', { name: 'Proved' }, headers)
    expect(codeOf(await add())).toBe('proof.needed')
    expect((await get('/auth/proof', token)).json()).toEqual({
      provedAt: '2024-03-15T10:59:00.000Z',
      ageSeconds: 61 * 60,
      factors: [],
    })
    const proved = await prove(token, admin.password)
    expect(proved.status).toBe(200)
    expect(proved.json()).toEqual({ provedAt: '2024-03-15T12:00:00.000Z', ageSeconds: 0 })
    expect((await add()).status).toBe(201)
    // It is one of this session alone.
    const other = await signIn(server, admin)
    await ageProof(server.app, admin, 61)
    await prove(other, admin.password)
    expect((await get('/auth/proof', token)).json()).toMatchObject({ ageSeconds: 61 * 60 })
  })

  test('with a wrong one is refused, says where, and proves nothing', async () => {
    const { admin, token } = await anAdministrator()
    await ageProof(server.app, admin, 61)
    const wrong = await prove(token, 'another password')
    expect(wrong.status).toBe(403)
    expect(wrong.json()).toMatchObject({
      code: 'proof.wrong',
      message: 'This is not your current password.',
      field: 'password',
    })
    expect((await prove(token, 'x'.repeat(10_000))).status).toBe(403)
    for (const missing of ['', undefined, null]) {
      const refused = await prove(token, missing)
      expect([refused.status, codeOf(refused)]).toEqual([422, 'account.invalid'])
    }
    expect((await get('/auth/proof', token)).json()).toMatchObject({ ageSeconds: 61 * 60 })
    expect((await post(server, '/auth/proof', { password: admin.password })).status).toBe(401)
  })

  test('that is guessed is limited like a sign-in, whatever session it comes from', async () => {
    const member = await aMember(server.app)
    const tokens = [await signIn(server, member), await signIn(server, member)]
    for (let guess = 0; guess < 10; guess += 1)
      expect((await prove(tokens[guess % 2] ?? '', `guess ${guess}`)).status).toBe(403)
    for (const token of tokens) {
      const limited = await prove(token, member.password)
      expect([limited.status, codeOf(limited)]).toEqual([429, 'limit.exceeded'])
      expect(Number(limited.headers['retry-after'])).toBeGreaterThan(0)
    }
    // The session itself goes on.
    expect(await statusOf(tokens[0] ?? '')).toBe(200)
  })

  test('of a password that was changed meanwhile proves nothing', async () => {
    const member = await aMember(server.app)
    const token = await signIn(server, member)
    await ageProof(server.app, member, 61)
    await server.app.db
      .updateTable('users')
      .set({ password_hash: await server.app.passwords.hash('nine blue herons') })
      .where('id', '=', member.id)
      .execute()
    expect((await prove(token, member.password)).status).toBe(403)
    expect((await prove(token, 'nine blue herons')).status).toBe(200)
  })
})

describe('a change of the password', () => {
  const change = (token: string, password: string): Promise<TestResponse> =>
    server.call('/reset-password/account', {
      method: 'POST',
      headers: { ...bearer(token), 'content-type': 'application/json' },
      body: JSON.stringify({ token, password }),
    })

  test('gives a new token to the same session, and ends the old one with all others', async () => {
    const member = await aMember(server.app)
    const [token, other] = [await signIn(server, member), await signIn(server, member)]
    const { sessions: before } = (await get('/auth/sessions', token)).json() as { sessions: { isCurrent: boolean }[] }
    const answer = await change(token, 'nine blue herons')
    expect(answer.status).toBe(200)
    const { message, token: renewed } = answer.json() as { message: string; token: string }
    expect(message).toBe('Password changed successfully!')
    expect(renewed).toMatch(/^[\w-]{43}$/)
    expect(renewed).not.toBe(token)
    expect(await Promise.all([token, other, renewed].map(statusOf))).toEqual([401, 401, 200])
    const { sessions } = (await get('/auth/sessions', renewed)).json() as { sessions: unknown[] }
    expect(sessions).toEqual(before.filter(({ isCurrent }) => isCurrent))
  })

  test('by two at once succeeds once, and leaves one session', async () => {
    const member = await aMember(server.app)
    const token = await signIn(server, member)
    const answers = await Promise.all(['nine blue herons', 'ten grey storks'].map((one) => change(token, one)))
    expect(answers.map(({ status }) => status).sort((a, b) => a - b)).toEqual([200, 401])
    const { count } = await server.app.db
      .selectFrom('sessions')
      .select(({ fn }) => fn.countAll<string>().as('count'))
      .where('user_id', '=', member.id)
      .executeTakeFirstOrThrow()
    expect(Number(count)).toBe(1)
  })
})

describe("an administrator's session", () => {
  const sessionOf = async (token: string): Promise<Record<string, unknown>> =>
    ((await get('/auth/sessions', token)).json() as { sessions: Record<string, unknown>[] }).sessions[0] ?? {}

  test('ends after 30 minutes without use, and after 12 hours of use', async () => {
    const admin = await aMember(server.app, { isAdmin: true })
    const idle = await signIn(server, admin)
    const used = await signIn(server, admin)
    server.clock.advance(30 * minute - 1)
    expect(await statusOf(used)).toBe(200)
    server.clock.advance(1)
    expect(await statusOf(idle)).toBe(401)
    for (let elapsed = 30; elapsed < 12 * 60; elapsed += 15) {
      expect(await statusOf(used), `${elapsed} minutes`).toBe(200)
      server.clock.advance(15 * minute)
    }
    expect(await statusOf(used)).toBe(401)
  })

  test('is not held open by what a page asks by itself', async () => {
    const token = await signIn(server, await aMember(server.app, { isAdmin: true }))
    for (const _ of [1, 2]) {
      server.clock.advance(14 * minute)
      expect((await get('/api/admin/waiting', token, { 'x-unattended': '1' })).status).toBe(200)
    }
    server.clock.advance(2 * minute)
    expect(await statusOf(token)).toBe(401)
  })

  test("is never remembered, and the sign-in answers as it does to anybody's", async () => {
    const [admin, reader] = [await aMember(server.app, { isAdmin: true }), await aMember(server.app)]
    const logIn = ({ email, password }: MadeMember) => post(server, '/auth/login', { email, password, remember: true })
    const [answer, readers] = [await logIn(admin), await logIn(reader)]
    expect([answer.status, Object.keys(answer.json() as object)]).toEqual([200, Object.keys(readers.json() as object)])
    const { token } = answer.json() as { token: string }
    expect(await sessionOf(token)).toMatchObject({ isRemembered: false, expiresAt: '2024-03-16T00:00:00.000Z' })
    server.clock.advance(31 * minute)
    expect(await statusOf(token)).toBe(401)
  })

  test('that began as a remembered one of a member is short from then on, and is deleted when it is over', async () => {
    const { app } = server
    const member = await aMember(app)
    const token = await signIn(server, member, { isRemembered: true })
    server.clock.advance(5 * hour)
    expect(await statusOf(token)).toBe(200)
    // In whatever way they have become one.
    await app.db.updateTable('users').set({ is_admin: true }).where('id', '=', member.id).execute()
    expect(await sessionOf(token)).toMatchObject({ isRemembered: false, expiresAt: '2024-03-16T00:00:00.000Z' })
    server.clock.advance(31 * minute)
    expect(await statusOf(token)).toBe(401)

    const reader = await aMember(app)
    const readers = await signIn(server, reader, { isRemembered: true })
    server.clock.advance(31 * minute)
    await deleteExpired(app)
    const left = await app.db.selectFrom('sessions').select('user_id').execute()
    expect(left.map(({ user_id: id }) => id)).toContain(reader.id)
    expect(left.map(({ user_id: id }) => id)).not.toContain(member.id)
    expect(await statusOf(readers)).toBe(200)
  })

  test('begins anew when an administrator makes another one', async () => {
    const { admin } = await anAdministrator()
    const member = await aMember(server.app)
    const token = await signIn(server, member, { isRemembered: true })
    await makeMemberAdministrator(server.app, viewerOf(admin, 'admin'), { id: member.id })
    expect(await statusOf(token)).toBe(401)
  })
})
