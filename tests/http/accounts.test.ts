import { sql } from 'kysely'
import { randomBytes } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import type { Hasher } from '../../src/features/accounts/passwords/passwords.server.ts'
import { makeAdministrator } from '../../src/features/accounts/administrators/make-administrator.server.ts'
import type { TestResponse } from '../harness/request.ts'
import { readEmails, waitForEmail } from '../harness/emails.ts'
import { aGrant, aMember, bearer, type MadeMember, post, signIn } from '../harness/members.ts'
import { redisAnswers, redisUrl } from '../harness/redis.ts'
import { cheapHasher } from '../harness/test-app.ts'
import { openTestServer, type TestServer, serverOfFile } from '../harness/test-server.ts'
import { said, expectFailure } from '../harness/failures.ts'

const hour = 3_600_000
const start = '2024-03-15T12:00:00Z'

const hasRedis = await redisAnswers()

/** The compared passwords, with the cost of the hash. */
const compared: { password: string; cost: string | undefined }[] = []
const costOf = (passwordHash: string): string | undefined => /m=\d+,t=\d+,p=\d+/.exec(passwordHash)?.[0]
const hasher: Hasher = {
  hash: (password) => cheapHasher.hash(password),
  verify(passwordHash, password) {
    compared.push({ password, cost: costOf(passwordHash) })
    return cheapHasher.verify(passwordHash, password)
  },
}

// Each test comes from an address of its own, as behind a proxy: the limits of one do not reach another.
const server = serverOfFile({ now: start, hasher, env: { TRUSTED_PROXIES: '127.0.0.1/32' } })

let address = ''
let addresses = 0
beforeEach(() => {
  server.clock.set(start)
  addresses += 1
  address = `198.51.100.${addresses % 250}`
})

const from = () => ({ 'x-forwarded-for': address })
const key = () => ({ 'api-key': server.app.config.clientApiKey })
const send = (path: string, body: unknown, headers: Record<string, string> = {}) =>
  post(server, path, body, { ...from(), ...headers })
const get = (path: string, token: string) => server.request(path, { headers: bearer(token) })
const remove = (path: string, headers: Record<string, string>) => server.request(path, { method: 'DELETE', headers })

const logIn = (member: Pick<MadeMember, 'email' | 'password'>, isRemembered = false) =>
  signIn(
    { request: (path, query) => server.request(path, { ...query, headers: { ...query?.headers, ...from() } }) },
    member,
    {
      isRemembered,
    },
  )

let people = 0
const someone = (overrides: Partial<{ name: string; email: string; password: string }> = {}) => {
  people += 1
  return {
    name: 'Jane Reader',
    email: `person-${people}@readers.example`,
    password: 'quiet reading room',
    ...overrides,
  }
}

describe('registering', () => {
  test('opens an account, in which one can sign in at once, and sends a welcome', async () => {
    const person = someone({ email: 'Jane.Doe@Readers.Example', name: '  紅樓 夢  ' })
    const answer = await send('/auth/register', person)
    expect(answer.status, answer.text).toBe(201)
    expect(said(answer)).toEqual({ message: expect.any(String) as string })
    const logged = await send('/auth/login', { email: 'jane.doe@readers.example', password: person.password })
    expect(logged.status).toBe(200)
    expect(said(logged)).toEqual({
      token: expect.stringMatching(/^[\w-]{43}$/) as string,
      name: '紅樓 夢',
      email: person.email,
    })
    const email = await waitForEmail(server.app, { to: person.email })
    expect(email.text).toContain('紅樓 夢')
  })

  test('names the first rule that is broken, in the order of the specification', async () => {
    const answer = await send('/auth/register', {})
    expectFailure(answer, 422, 'Name is required')
    expect(said(answer)['field']).toBe('name')
    expectFailure(await send('/auth/register', { name: 'Jane' }), 422, 'Email is required')
    expectFailure(await send('/auth/register', { name: 'Jane', email: 'jane@x.example' }), 422, /at least 6/)
  })

  test.each([
    ['an address without a domain', { email: 'jane' }],
    ['a name that is no text', { name: { first: 'Jane' } as unknown as string }],
    ['a password that is a list', { password: ['a', 'b', 'c', 'd', 'e', 'f', 'g'] as unknown as string }],
    ['one of the most common passwords', { password: 'password123' }],
    ['a password made of the name', { name: 'Ophelia Marchbanks', password: 'ophelia.marchbanks1' }],
    ['a password made of the address', { email: 'o.marchbanks@quietmail.example', password: 'Quietmail99' }],
    ['a password made of the brand', { password: 'Daybook2026' }],
    ['a name without end', { name: 'x'.repeat(5_000) }],
    ['a password without end', { password: 'x'.repeat(5_000) }],
  ])('refuses %s', async (_what, wrong) => {
    expectFailure(await send('/auth/register', someone(wrong)), 422)
  })

  test('refuses an address that is in use, whatever its case, also when two ask at once', async () => {
    const person = someone()
    const answers = await Promise.all([
      send('/auth/register', person),
      send('/auth/register', { ...person, email: person.email.toUpperCase() }),
      send('/auth/register', { ...person, email: ` ${person.email} ` }),
    ])
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 409, 409])
    const late = await send('/auth/register', { ...person, password: 'another quiet room' })
    expectFailure(late, 409, 'An account with this email already exists.')
    expect(said(late)['field']).toBe('email')
    // Nobody has changed the password of the account that is there.
    expect((await send('/auth/login', person)).status).toBe(200)
  })

  test('is for ten an hour from one address, whatever address a forged header names', async () => {
    await using bare = await openTestServer()
    const register = (no: number) => post(bare, '/auth/register', someone(), { 'x-forwarded-for': `192.0.2.${no}` })
    for (let no = 0; no < 10; no += 1) expect((await register(no)).status).toBe(201)
    const refused = await register(10)
    expectFailure(refused, 429, /^Too many attempts\. Please try again in /)
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
    expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(3_600)
  })
})

describe('what is sent', () => {
  test.each([
    ['no JSON', 'email=jane', 'application/x-www-form-urlencoded', 415],
    ['text', '{"email":"a"}', 'text/plain', 415],
    ['broken JSON', '{"email":', 'application/json', 400],
    ['a list', '[]', 'application/json', 400],
    ['null', 'null', 'application/json', 400],
    ['bytes that are no text', Buffer.from([0x7b, 0xff, 0xfe, 0x7d]), 'application/json', 400],
    ['more than 16 KiB', JSON.stringify({ email: 'x'.repeat(17_000) }), 'application/json', 413],
  ])('%s is refused', async (_what, body, type, status) => {
    const answer = await server.request('/auth/login', { method: 'POST', body, headers: { 'content-type': type } })
    expectFailure(answer, status)
  })

  test('a page of another site cannot write here', async () => {
    const person = someone()
    for (const origin of ['https://evil.example', 'null', `${server.url}.evil.example`]) {
      expectFailure(await send('/auth/register', person, { origin }), 403)
    }
    expect((await send('/auth/register', person, { origin: server.url })).status).toBe(201)
  })
})

describe('signing in', () => {
  test.each([
    ['a wrong password', { password: 'a wrong password' }],
    ['an address that nobody has', { email: 'nobody@readers.example' }],
  ])('refuses %s with the same answer', async (_what, wrong) => {
    const member = await aMember(server.app)
    const answer = await send('/auth/login', { email: member.email, password: member.password, ...wrong })
    expectFailure(answer, 401, 'Invalid email or password.')
  })

  test('needs both fields', async () => {
    expectFailure(await send('/auth/login', { password: 'x' }), 422, 'Email is required')
    expectFailure(await send('/auth/login', { email: 'a@b.example' }), 422, 'Password is required')
  })

  // The hash is all of the time that it takes: an answer without one would come ten times as fast.
  test('compares a hash for an address that nobody has as for a wrong password', async () => {
    const { email } = await aMember(server.app)
    for (const [i, one] of [email, 'nobody-at-all-here@readers.example'].entries()) {
      address = `203.0.113.${i}`
      compared.length = 0
      const answer = await send('/auth/login', { email: one, password: 'a wrong password' })
      expect(answer.status).toBe(401)
      expect(compared).toEqual([{ password: 'a wrong password', cost: costOf(await cheapHasher.hash('any')) }])
    }
  })

  test('after ten wrong passwords waits, for known and unknown addresses alike, also all at once', async () => {
    const member = await aMember(server.app)
    for (const email of [member.email, 'nobody-at-all@readers.example']) {
      const answers = await Promise.all(
        Array.from({ length: 30 }, () => send('/auth/login', { email, password: 'a wrong password' })),
      )
      expect(answers.filter(({ status }) => status === 401)).toHaveLength(10)
      const refused = answers.filter(({ status }) => status === 429)
      expect(refused).toHaveLength(20)
      for (const answer of refused) expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0)
    }
    // Also with the right password, and from anywhere: a guess must not be told apart.
    address = '198.51.100.251'
    expectFailure(await send('/auth/login', member), 429, /^Too many attempts\. Please try again in /)
  })

  test('lasts 24 hours, however busy', async () => {
    const token = await logIn(await aMember(server.app))
    for (let hours = 0; hours < 23; hours += 4) {
      expect((await get('/auth/status', token)).status).toBe(200)
      server.clock.advance(4 * hour)
    }
    expect((await get('/auth/status', token)).status).toBe(401)
  })

  test('ends after eight hours without use, because the server cannot see the browser close', async () => {
    const token = await logIn(await aMember(server.app))
    server.clock.advance(8 * hour - 1)
    expect((await get('/auth/status', token)).status).toBe(200)
    server.clock.advance(8 * hour)
    expect((await get('/auth/status', token)).status).toBe(401)
  })

  test("lasts 30 days with 'Remember me', without use too", async () => {
    const member = await aMember(server.app)
    const token = await logIn(member, true)
    server.clock.advance(30 * 24 * hour - 1)
    expect((await get('/auth/status', token)).status).toBe(200)
    server.clock.advance(1)
    expect((await get('/auth/status', token)).status).toBe(401)
  })

  test('with an old password that is being changed opens nothing', async () => {
    const member = await aMember(server.app)
    const token = await logIn(member)
    const [changed, ...signIns] = await Promise.all([
      send('/reset-password/account', { token, password: 'an entirely new room' }, { ...bearer(token), ...key() }),
      ...Array.from({ length: 6 }, () => send('/auth/login', member)),
    ])
    expect(changed.status, changed.text).toBe(200)
    for (const answer of signIns) {
      if (answer.status !== 200) continue
      const opened = said(answer)['token'] as string
      expect((await get('/auth/status', opened)).status).toBe(401)
    }
    expect((await get('/auth/status', said(changed)['token'] as string)).status).toBe(200)
  })
})

describe('a bearer', () => {
  test.each([
    ['nothing after the scheme', 'Bearer '],
    ['another scheme', 'Basic amFuZTpzZWNyZXQ='],
    ['a made-up token', `Bearer ${'a'.repeat(43)}`],
    ['a token without the scheme', 'a'.repeat(43)],
    ['SQL', "Bearer ' or 1=1 --"],
    ['a text without end', `Bearer ${'a'.repeat(8_000)}`],
  ])('that is %s is refused, on public calls too', async (_what, authorization) => {
    for (const path of ['/auth/status', '/auth/dashboard', '/universal-search/search?limit=1']) {
      const answer = await server.request(path, { headers: { authorization, ...key() } })
      expectFailure(answer, 401, 'Your session is not valid. Please sign in again.')
    }
  })

  // Every route: guards.test.ts.
  test('is needed to see an account', async () => {
    expectFailure(await server.request('/auth/status', { headers: key() }), 401, 'Please sign in first.')
  })

  test('that holds works for searches, which show what its owner may see', async () => {
    const token = await logIn(await aMember(server.app))
    const search = (query: string) =>
      server.request(`/universal-search/search?${query}`, { headers: { ...bearer(token), ...key() } })
    expect((await search('limit=1')).status).toBe(200)
    expect((await search('tier=vip')).status).toBe(403)
  })

  test('gives the roles that its owner has now, not those of the sign-in', async () => {
    const member = await aMember(server.app)
    const token = await logIn(member)
    const { db } = server.app
    const status = async () => said(await get('/auth/status', token))
    expect(await status()).toEqual({ isAdmin: false, isVip: false, needsSecondFactor: false })
    await aGrant(server.app, member.id, '2024-03-20T00:00:00Z')
    expect(await status()).toEqual({ isAdmin: false, isVip: true, needsSecondFactor: false })
    await db.updateTable('users').set({ vip_disabled: true }).where('id', '=', member.id).execute()
    expect(await status()).toEqual({ isAdmin: false, isVip: false, needsSecondFactor: false })
    await aMember(server.app, { isAdmin: true })
    await db.updateTable('users').set({ vip_disabled: false, is_admin: true }).where('id', '=', member.id).execute()
    expect(await status()).toEqual({ isAdmin: true, isVip: true, needsSecondFactor: false })
    await db.updateTable('users').set({ is_admin: false }).where('id', '=', member.id).execute()
    const over = new Date('2024-03-15T11:59:59Z')
    await db
      .updateTable('access_grants')
      .set({ ends_at: over, effective_until: over })
      .where('user_id', '=', member.id)
      .execute()
    expect(await status()).toEqual({ isAdmin: false, isVip: false, needsSecondFactor: false })
  })
})

describe('the dashboard', () => {
  test("is a member's own, flat, and never kept", async () => {
    const member = await aMember(server.app, { vipExpiresAt: '2024-04-01T00:00:00.000Z' })
    const answer = await get('/auth/dashboard', await logIn(member))
    expect(said(answer)).toEqual({
      isAdmin: false,
      isVip: true,
      needsSecondFactor: false,
      name: member.name,
      email: member.email,
      isEmailConfirmed: true,
      requestedEmail: null,
      emailStop: null,
      hasPrivateFeed: false,
      profileImage: null,
      createdAt: '2024-03-15T12:00:00.000Z',
      vipExpirationDate: '2024-04-01T00:00:00.000Z',
    })
    expect(answer.headers['cache-control']).toBe('private, no-store')
  })

  test('gives administrators a key that belongs to their session alone', async () => {
    const admin = await aMember(server.app, { isAdmin: true })
    const [one, two] = [await logIn(admin), await logIn(admin)]
    const keyOf = async (token: string) => said(await get('/auth/dashboard', token))['adminKey']
    expect(await keyOf(one)).toMatch(/^[\w-]{43}$/)
    expect(await keyOf(one)).toBe(await keyOf(one))
    expect(await keyOf(one)).not.toBe(await keyOf(two))
    expect(await keyOf(one)).not.toBe(one)
  })
})

describe('signing out', () => {
  test('ends this session at once, and no other', async () => {
    const member = await aMember(server.app)
    const [one, two] = [await logIn(member), await logIn(member)]
    const answer = await send('/auth/logout', undefined, bearer(one))
    expect(answer.status).toBe(204)
    expect(answer.bytes).toHaveLength(0)
    expect((await get('/auth/dashboard', one)).status).toBe(401)
    expect((await send('/auth/logout', undefined, bearer(one))).status).toBe(401)
    expect((await get('/auth/dashboard', two)).status).toBe(200)
  })

  test('is known to every instance at once', async () => {
    const member = await aMember(server.app)
    const token = await logIn(member)
    expect((await get('/auth/status', token)).status).toBe(200)
    // Another instance only writes to the database.
    await server.app.db.deleteFrom('sessions').where('user_id', '=', member.id).execute()
    expect((await get('/auth/status', token)).status).toBe(401)
  })
})

describe('sessions', () => {
  test('are listed with device and last use, the present one first, without anything that opens them', async () => {
    const member = await aMember(server.app)
    const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0'
    const other = await send('/auth/login', member, { 'user-agent': firefox })
    server.clock.advance(hour)
    const token = await logIn(member, true)
    const answer = await get('/auth/sessions', token)
    const { sessions } = said(answer) as { sessions: Record<string, unknown>[] }
    expect(sessions).toEqual([
      expect.objectContaining({ isCurrent: true, isRemembered: true, device: 'Unknown device' }),
      expect.objectContaining({
        isCurrent: false,
        isRemembered: false,
        device: 'Firefox on Linux',
        lastSeenAt: '2024-03-15T12:00:00.000Z',
      }),
    ])
    expect(answer.text).not.toContain(said(other)['token'])
    expect(answer.text).not.toContain(token)
  })

  test('can be ended one by one, or all others at once', async () => {
    const member = await aMember(server.app)
    const [one, two, three] = [await logIn(member), await logIn(member), await logIn(member)]
    const { sessions } = said(await get('/auth/sessions', two)) as { sessions: { id: string }[] }
    expect((await remove(`/auth/sessions/${sessions[0]?.id}`, bearer(one))).status).toBe(204)
    expect((await get('/auth/status', two)).status).toBe(401)
    expectFailure(
      await remove(`/auth/sessions/${sessions[0]?.id}`, bearer(one)),
      404,
      'This session has already ended.',
    )
    expectFailure(await remove('/auth/sessions/no-such-id', bearer(one)), 404)
    expect((await remove('/auth/sessions', bearer(one))).status).toBe(204)
    expect((await get('/auth/status', three)).status).toBe(401)
    expect((await get('/auth/status', one)).status).toBe(200)
  })

  test('of somebody else can be neither seen nor ended', async () => {
    const [victim, attacker] = [await aMember(server.app), await aMember(server.app)]
    const [theirs, mine] = [await logIn(victim), await logIn(attacker)]
    const { sessions } = said(await get('/auth/sessions', theirs)) as { sessions: { id: string }[] }
    expectFailure(
      await remove(`/auth/sessions/${sessions[0]?.id}`, bearer(mine)),
      404,
      'This session has already ended.',
    )
    expect((await remove('/auth/sessions', bearer(mine))).status).toBe(204)
    expect((await get('/auth/status', theirs)).status).toBe(200)
  })
})

describe('changing the password', () => {
  const change = (token: string, body: Record<string, unknown>) =>
    send('/reset-password/account', { token, ...body }, { ...bearer(token), ...key() })

  test('lets the new one in and the old one no more, ends every other session, and is told by mail', async () => {
    const member = await aMember(server.app)
    const [mine, elsewhere] = [await logIn(member), await logIn(member, true)]
    const answer = await change(mine, { password: 'an entirely new room' })
    expect(answer.status, answer.text).toBe(200)
    const { token } = said(answer) as { token: string }
    expect(said(answer)).toEqual({ message: 'Password changed successfully!', token })
    expect((await get('/auth/status', token)).status).toBe(200)
    expect((await get('/auth/status', mine)).status).toBe(401)
    expect((await get('/auth/status', elsewhere)).status).toBe(401)
    expectFailure(await send('/auth/login', member), 401)
    expect((await send('/auth/login', { ...member, password: 'an entirely new room' })).status).toBe(200)
    const email = await waitForEmail(server.app, { to: member.email, subject: /password/i })
    expect(`${email.text}${email.html}`).not.toContain('entirely new room')
  })

  test.each([
    ['seven characters', '1234567', 'Password must be at least 8 characters long'],
    ['a common password', 'password123', /most common/],
    ['a password made of the name', 'JaneReader1', /most common/],
    ['a password made of the brand', 'daybook-1', /most common/],
  ])('refuses %s', async (_what, password, sentence) => {
    const member = await aMember(server.app)
    const token = await logIn(member)
    const answer = await change(token, { password })
    expectFailure(answer, 422, sentence)
    expect(said(answer)['field']).toBe('password')
    expect((await send('/auth/login', member)).status).toBe(200)
  })

  test('refuses an administrator fewer than 12 characters', async () => {
    const head = await aMember(server.app, { isAdmin: true })
    const token = await logIn(head)
    const sentence = 'Password must be at least 12 characters long'
    expectFailure(await change(token, { password: 'kettle 4 ow' }), 422, sentence)
    expect((await change(token, { password: 'kettle 4 owl' })).status).toBe(200)
  })

  test("reaches nobody else's account, whatever token is in the body", async () => {
    const [victim, attacker] = [await aMember(server.app), await aMember(server.app)]
    const [theirs, mine] = [await logIn(victim), await logIn(attacker)]
    for (const token of [theirs, '', 'x', theirs.toUpperCase()]) {
      const body = { token, password: 'taken over by me', email: victim.email, id: victim.id, userId: victim.id }
      expectFailure(await send('/reset-password/account', body, { ...bearer(mine), ...key() }), 403)
    }
    expect((await send('/auth/login', victim)).status).toBe(200)
    expect((await send('/auth/login', attacker)).status).toBe(200)
  })
})

describe('a forgotten password', () => {
  const clear = (email: unknown) => send('/forgot-password', { email })
  const reset = (token: unknown, password: unknown) => send('/reset-password', { token, password }, key())
  async function linkFor(member: MadeMember): Promise<string> {
    expect((await clear(member.email)).status).toBe(200)
    const email = await waitForEmail(server.app, { to: member.email, subject: /reset/i })
    const link = new URL(email.links.find((one) => one.includes('/reset-password?token=')) as string)
    expect(link.origin).toBe(server.app.config.publicUrl)
    return link.searchParams.get('token') as string
  }

  test('is answered in the same words whether or not anybody has the address', async () => {
    const member = await aMember(server.app)
    const [known, unknown] = [await clear(member.email), await clear('nobody@readers.example')]
    for (const answer of [known, unknown]) {
      expect(answer.status).toBe(200)
      expect(said(answer)).toEqual({ message: 'Password reset link sent!' })
    }
    const names = (answer: TestResponse) => Object.keys(answer.headers).sort()
    expect(names(known)).toEqual(names(unknown))
  })

  test.each(['', '   ', 'jane', 17, null])('needs an address: %j is none', async (email) => {
    expectFailure(await clear(email), 422)
  })

  test("is reset by the mail's link, once: old password, old sessions and the link itself are over", async () => {
    const member = await aMember(server.app)
    const elsewhere = await logIn(member, true)
    const token = await linkFor(member)
    const answer = await reset(token, 'a room of my own')
    expect(answer.status, answer.text).toBe(200)
    expect(said(answer)).toEqual({ message: 'Password reset successfully.' })
    expect((await get('/auth/status', elsewhere)).status).toBe(401)
    expectFailure(await send('/auth/login', member), 401)
    expect((await send('/auth/login', { ...member, password: 'a room of my own' })).status).toBe(200)
    expectFailure(
      await reset(token, 'another room again'),
      400,
      'This link is not valid any more. Please ask for a new one.',
    )
    await waitForEmail(server.app, { to: member.email, subject: /changed/i })
  })

  test('is reset once, also when the link is used many times at once', async () => {
    const member = await aMember(server.app)
    const token = await linkFor(member)
    const passwords = Array.from({ length: 8 }, (_, i) => `a room of number ${i}`)
    const answers = await Promise.all(passwords.map((password) => reset(token, password)))
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
      200, 400, 400, 400, 400, 400, 400, 400,
    ])
    const winner = passwords[answers.findIndex(({ status }) => status === 200)] as string
    expect((await send('/auth/login', { ...member, password: winner })).status).toBe(200)
  })

  test('a link is good for 30 minutes, beside others; the one that is used ends them all', async () => {
    const member = await aMember(server.app)
    const first = await linkFor(member)
    server.clock.advance(30 * 60_000)
    expectFailure(await reset(first, 'a room of my own'), 400)
    const second = await aMember(server.app)
    const old = await linkFor(second)
    server.clock.advance(10 * 60_000)
    await clear(second.email)
    await server.app.jobs.drain()
    const emails = (await readEmails(server.app)).filter(({ to }) => to === second.email)
    expect(emails).toHaveLength(2)
    const tokens = emails.flatMap(({ links }) => links.map((link) => new URL(link).searchParams.get('token')))
    const newer = tokens.find((token) => token !== null && token !== old)
    expect((await reset(old, 'a room of my own')).status).toBe(200)
    expectFailure(await reset(newer, 'another room again'), 400)
  })

  test('a wrong new password does not use the link up', async () => {
    const member = await aMember(server.app)
    const token = await linkFor(member)
    expectFailure(await reset(token, '1234567'), 422, 'Password must be at least 8 characters long')
    expectFailure(await reset(token, 'password123'), 422)
    expectFailure(await reset(token, 'JaneReader1'), 422, /most common/)
    expect((await reset(token, 'a room of my own')).status).toBe(200)
  })

  test("an administrator's new password has at least 12 characters", async () => {
    const head = await aMember(server.app, { isAdmin: true })
    const token = await linkFor(head)
    expectFailure(await reset(token, 'kettle 4 ow'), 422, 'Password must be at least 12 characters long')
    expect((await reset(token, 'kettle 4 owl')).status).toBe(200)
  })

  test.each(['', 'x', 'a'.repeat(43), null, 17, "' or 1=1 --"])('a made-up link opens nothing: %j', async (token) => {
    const answer = await reset(token, 'a room of my own')
    expect([400, 422]).toContain(answer.status)
    expectFailure(answer, answer.status)
  })

  test('a link ends when the password is changed otherwise', async () => {
    const member = await aMember(server.app)
    const token = await linkFor(member)
    const mine = await logIn(member)
    await send(
      '/reset-password/account',
      { token: mine, password: 'an entirely new room' },
      { ...bearer(mine), ...key() },
    )
    expectFailure(await reset(token, 'a room of my own'), 400)
  })

  test("lets the owner in at once although others have guessed: the reset ends the account's wait", async () => {
    const member = await aMember(server.app)
    for (let i = 0; i < 10; i += 1) await send('/auth/login', { ...member, password: 'a wrong password' })
    expect((await send('/auth/login', member)).status).toBe(429)
    expect((await reset(await linkFor(member), 'a room of my own')).status).toBe(200)
    expect((await send('/auth/login', { ...member, password: 'a room of my own' })).status).toBe(200)
  })

  test('is refused to nobody because strangers have typed their address, and fills no inbox', async () => {
    const member = await aMember(server.app)
    const link = await linkFor(member)
    const typed = { email: member.email.toUpperCase() }
    for (let i = 0; i < 40; i += 1) {
      const stranger = { 'x-forwarded-for': `198.51.100.${i}` }
      expect((await post(server, '/forgot-password', typed, stranger)).status).toBe(200)
    }
    expect((await clear(member.email)).status).toBe(200)
    await server.app.jobs.drain()
    expect((await readEmails(server.app)).filter(({ to }) => to === member.email)).toHaveLength(1)
    expect((await reset(link, 'a room of my own')).status).toBe(200)
  })

  test("builds the link from the site's address, never from what the caller calls the host", async () => {
    const member = await aMember(server.app)
    const headers = { host: 'evil.localhost', 'x-forwarded-host': 'evil.example', ...from() }
    await post(server, '/forgot-password', { email: member.email }, headers)
    const email = await waitForEmail(server.app, { to: member.email, subject: /reset/i })
    expect(`${email.text}${email.html}`).not.toContain('evil')
  })
})

describe('deleting the account', () => {
  const close = (email: string, token: string) =>
    remove(`/auth/delete-account/${encodeURIComponent(email)}`, { ...bearer(token), ...key() })

  test('takes everything with it, is confirmed by mail, and frees the address', async () => {
    const person = someone({ email: 'Leaving+soon@Readers.Example' })
    await send('/auth/register', person)
    const [mine, elsewhere] = [await logIn(person), await logIn(person)]
    const answer = await close('leaving+soon@readers.example', mine)
    expect(answer.status, answer.text).toBe(200)
    for (const token of [mine, elsewhere]) expect((await get('/auth/dashboard', token)).status).toBe(401)
    expectFailure(await send('/auth/login', person), 401)
    const email = await waitForEmail(server.app, { to: person.email, subject: /deleted/i })
    expect(email.text).toContain(person.name)
    expect((await send('/auth/register', person)).status).toBe(201)
  })

  test("is for one's own account only", async () => {
    const [victim, attacker] = [await aMember(server.app), await aMember(server.app)]
    const mine = await logIn(attacker)
    for (const email of [victim.email, `${victim.email}%00`, '*', '%']) {
      expectFailure(await close(email, mine), 403, 'You can delete only your own account.')
    }
    const admin = await logIn(await aMember(server.app, { isAdmin: true }))
    expectFailure(await close(victim.email, admin), 403)
    expect((await send('/auth/login', victim)).status).toBe(200)
    expect((await send('/auth/login', attacker)).status).toBe(200)
  })

  test('is not for the last administrator, also when the last two go at once', async () => {
    await using alone = await openTestServer()
    const [one, two] = [await aMember(alone.app, { isAdmin: true }), await aMember(alone.app, { isAdmin: true })]
    const [first, second] = [await signIn(alone, one), await signIn(alone, two)]
    const leave = (member: MadeMember, token: string) =>
      alone.request(`/auth/delete-account/${member.email}`, {
        method: 'DELETE',
        headers: { ...bearer(token), 'api-key': alone.app.config.clientApiKey },
      })
    const answers = await Promise.all([leave(one, first), leave(two, second)])
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409])
    const left = await alone.app.db.selectFrom('users').select('id').where('is_admin', '=', true).execute()
    expect(left).toHaveLength(1)
    const [stays, token] = left[0]?.id === one.id ? [one, first] : [two, second]
    const refused = await leave(stays, token)
    expectFailure(refused, 409, /last administrator/)
  })
})

describe('making an administrator', () => {
  test('of an account that a stranger opened with that address leaves the stranger nothing', async () => {
    const stranger = await aMember(server.app)
    const token = await logIn(stranger)
    const appointed = { email: stranger.email.toUpperCase(), name: 'The Head', password: 'the head librarian' }
    expect(await makeAdministrator(server.app, appointed)).toBe('promoted')
    expect((await get('/auth/status', token)).status).toBe(401)
    expectFailure(await send('/auth/login', stranger), 401)
    const own = await logIn({ email: stranger.email, password: appointed.password })
    expect(said(await get('/auth/status', own))).toEqual({ isAdmin: true, isVip: false, needsSecondFactor: false })
  })
})

describe("taking one's data along", () => {
  test('gives all that is kept of a member, as a file, and nothing that opens anything', async () => {
    const member = await aMember(server.app, { isAdmin: true })
    const token = await logIn(member)
    const answer = await get('/auth/export', token)
    expect(answer.status).toBe(200)
    expect(answer.headers['content-disposition']).toMatch(/^attachment; filename="[\w-]+\.json"$/)
    expect(answer.json()).toEqual({
      exportedAt: '2024-03-15T12:00:00.000Z',
      account: {
        isAdmin: true,
        isSafetyOfficer: false,
        isVip: false,
        name: member.name,
        email: member.email,
        isEmailConfirmed: true,
        requestedEmail: null,
        emailStop: null,
        profileImage: null,
        createdAt: '2024-03-15T12:00:00.000Z',
        passwordChangedAt: '2024-03-15T12:00:00.000Z',
        vipExpirationDate: null,
      },
      sessions: [expect.objectContaining({ isCurrent: true })],
      devices: [expect.objectContaining({ device: 'Unknown device' })],
      privateFeeds: [],
      appPasswords: [],
      emails: [],
      factors: { passkeys: [], totp: null, recoveryCodesLeft: 0 },
      note: { text: '', version: 0, changedAt: null },
      downloads: [],
      reading: { saved: [], keepsHistory: true, lastSeenAt: null },
      searches: [],
      requests: { own: [], votes: [] },
      inquiries: [],
      membership: {
        isVip: false,
        reason: 'never',
        sentence: 'Not VIP: no membership yet.',
        planType: null,
        endsAt: null,
        renewsAt: null,
        canManage: false,
        hasLiveSubscription: false,
        pastDueUntil: null,
        bans: { vipDisabled: false, purchasesBlocked: false },
        payments: [],
        stripeCustomer: null,
        checkoutFromEntry: null,
      },
    })
    expect(answer.text).not.toMatch(/argon2|adminKey/)
    expect(answer.text).not.toContain(token)
  })
})

test('what stands in the database signs nobody in', async () => {
  const member = await aMember(server.app)
  const token = await logIn(member)
  await send('/forgot-password', { email: member.email })
  const email = await waitForEmail(server.app, { to: member.email, subject: /reset/i })
  const link = email.links.find((one) => one.includes('token=')) as string
  const resetToken = new URL(link).searchParams.get('token') as string
  const dump = await everything()
  expect(dump).toContain(member.email)
  for (const secret of [token, resetToken, member.password]) expect(dump).not.toContain(secret)
  // Neither does what stands there work as a token itself, in whatever spelling.
  const { token_hash: digest } = await server.app.db
    .selectFrom('sessions')
    .select('token_hash')
    .where('user_id', '=', member.id)
    .executeTakeFirstOrThrow()
  for (const spelling of ['hex', 'base64', 'base64url'] as const) {
    expect((await get('/auth/status', Buffer.from(digest).toString(spelling))).status).toBe(401)
  }
})

/** Every row of every table of every schema of ours, as text. */
async function everything(): Promise<string> {
  const { rows } = await sql<{ name: string }>`
    select format('%I.%I', schemaname, tablename) as name from pg_tables
     where schemaname not in ('pg_catalog', 'information_schema')`.execute(server.app.db)
  let dump = ''
  for (const { name } of rows) {
    const { rows: lines } = await sql<{ line: string }>`select t::text as line from ${sql.raw(name)} as t`.execute(
      server.app.db,
    )
    dump += `${name}\n${lines.map(({ line }) => line).join('\n')}\n`
  }
  return dump
}

describe('pages of members', () => {
  test.each(['/login', '/register', '/forgot-password', '/account', '/vip', '/vip-asian/anything', '/admin/settings'])(
    '%s is the same shell for everybody, and is not indexed',
    async (path) => {
      const page = await server.request(path)
      expect(page.status).toBe(200)
      expect(page.text).toMatch(/<meta name="robots" content="noindex/)
      const token = await logIn(await aMember(server.app, { isVip: true }))
      expect((await server.request(path, { headers: bearer(token) })).text).toBe(page.text)
    },
  )

  test('a reset link is nowhere in the page that it opens', async () => {
    const page = await server.request('/reset-password?token=secret-of-the-link')
    expect(page.status).toBe(200)
    expect(page.text).not.toContain('secret-of-the-link')
  })

  test('an address of the interface that is no page is told in JSON', async () => {
    expectFailure(await server.request('/auth/nothing'), 404)
    for (const path of ['/auth/login', '/reset-password/account']) expectFailure(await server.request(path), 405)
  })
})

describe('limits over HTTP', () => {
  /** Counters in a shared Redis stay for an hour: a /64 that no other run of these tests has used. */
  const freshBlock = () => {
    const [a, b, c] = randomBytes(6).toString('hex').match(/.{4}/g) as string[]
    return `2001:${a}:${b}:${c}`
  }

  test('count the addresses of one IPv6 /64 as one', async () => {
    const block = freshBlock()
    const statuses: number[] = []
    for (let i = 0; i < 12; i += 1) {
      address = `${block}:${i.toString(16)}::1`
      statuses.push((await send('/auth/register', someone())).status)
    }
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 201), 429, 429])
    address = `${freshBlock()}::1`
    expect((await send('/auth/register', someone())).status).toBe(201)
  })

  test.skipIf(!hasRedis)('are shared by instances with one Redis', async () => {
    const env = { TRUSTED_PROXIES: '127.0.0.1', REDIS_URL: redisUrl }
    const instances = [await openTestServer({ env }), await openTestServer({ env })]
    try {
      const headers = { 'x-forwarded-for': `${freshBlock()}::1` }
      const statuses: number[] = []
      for (let i = 0; i < 12; i += 1) {
        const instance = instances[i % 2] as TestServer
        const person = someone({ email: `${randomBytes(8).toString('hex')}@readers.example` })
        statuses.push((await post(instance, '/auth/register', person, headers)).status)
      }
      expect(statuses).toEqual([...Array.from({ length: 10 }, () => 201), 429, 429])
    } finally {
      for (const instance of instances) await instance.close()
    }
  })
})
