import { sql } from 'kysely'
import { TOTP } from 'otpauth'
import { beforeEach, describe, expect, test } from 'vitest'
import { routes } from '../../src/app/server.ts'
import { makeAdministrator } from '../../src/features/accounts/administrators/make-administrator.server.ts'
import type { FactorsForMember, TotpSetup } from '../../src/features/accounts/factors/factor-schema.ts'
import { lockFactors } from '../../src/features/accounts/factors/second-factor.server.ts'
import { removeFactorsByOperator } from '../../src/features/accounts/factors/remove-factors.server.ts'
import { deleteExpired } from '../../src/features/accounts/sign-in/delete-expired.server.ts'
import { notifyOfUnfinished } from '../../src/features/accounts/sign-in/unfinished-sign-ins.server.ts'
import { Authenticator, type BrowserOptions } from '../harness/authenticator.ts'
import { drainJobs } from '../harness/drain.ts'
import { readEmails, waitForEmail } from '../harness/emails.ts'
import { ageProof, aMember, bearer, type MadeMember, post, signIn } from '../harness/members.ts'
import type { TestResponse } from '../harness/request.ts'
import { openTestServer, serverOfFile } from '../harness/test-server.ts'

/* docs/spec/accounts.md#second-factor */

const start = '2024-03-15T12:00:00Z'
const secondMs = 1_000
const minuteMs = 60_000
const origin = 'http://localhost:3000'

const server = serverOfFile({
  now: start,
  env: { PUBLIC_URL: origin, TRUSTED_PROXIES: '127.0.0.1/32', REQUIRE_ADMIN_SECOND_FACTOR: '1' },
})
beforeEach(() => server.clock.set(start))

const codeOf = (answer: TestResponse): unknown => (answer.json() as { code?: unknown }).code

/** The outcome of a call in two words. */
const outcomeOf = (answer: TestResponse): [number, unknown] => [
  answer.status,
  answer.status < 400 ? undefined : codeOf(answer),
]

let strangers = 0
function elsewhere(): string {
  strangers += 1
  return `2001:db8:${strangers.toString(16)}::1`
}

const send = (
  method: string,
  path: string,
  token: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<TestResponse> =>
  server.request(path, {
    method,
    headers: {
      ...bearer(token),
      'api-key': server.app.config.clientApiKey,
      ...headers,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })

const factorsOf = async (token: string): Promise<FactorsForMember> =>
  (await send('GET', '/auth/factors', token)).json() as FactorsForMember

const statusOf = async (token: string): Promise<unknown> => (await send('GET', '/auth/status', token)).json()

/** The code that an app shows, so far after now. */
const codeAfter = ({ secret }: { secret: string }, ms = 0): string =>
  new TOTP({ secret }).generate({ timestamp: server.clock.now() + ms })

interface WithApp {
  member: MadeMember
  token: string
  app: TotpSetup
  recoveryCodes: string[]
}

async function setUpApp(token: string): Promise<{ app: TotpSetup; recoveryCodes: string[] | null }> {
  const app = (await send('POST', '/auth/totp', token, {})).json() as TotpSetup
  const added = await send('POST', '/auth/totp/confirm', token, { code: codeAfter(app) })
  expect(outcomeOf(added)).toEqual([201, undefined])
  return { app, ...(added.json() as { recoveryCodes: string[] | null }) }
}

/** A member with an authenticator app, whose first code may be shown again in the next half minute. */
async function aMemberWithApp(isAdmin = false): Promise<WithApp> {
  const member = await aMember(server.app, { isAdmin })
  const token = await signIn(server, member)
  const { app, recoveryCodes } = await setUpApp(token)
  server.clock.advance(30 * secondMs)
  return { member, token, app, recoveryCodes: recoveryCodes ?? [] }
}

const anAuthenticator = (countsBy = 1): Authenticator => new Authenticator({ origin, rpId: 'localhost', countsBy })

const offered = async (token: string): Promise<BrowserOptions> =>
  (await send('POST', '/auth/passkeys/options', token, {})).json() as BrowserOptions

const addPasskey = async (token: string, key: Authenticator, name = 'My laptop'): Promise<TestResponse> =>
  send('POST', '/auth/passkeys', token, { name, response: key.create(await offered(token)) })

async function aMemberWithPasskey(countsBy = 1): Promise<{ member: MadeMember; token: string; key: Authenticator }> {
  const member = await aMember(server.app)
  const token = await signIn(server, member)
  const key = anAuthenticator(countsBy)
  expect(outcomeOf(await addPasskey(token, key))).toEqual([201, undefined])
  return { member, token, key }
}

const login = (
  { email, password }: Pick<MadeMember, 'email' | 'password'>,
  shown: { code?: string; passkey?: object } = {},
  headers: Record<string, string> = { 'x-forwarded-for': elsewhere() },
): Promise<TestResponse> => post(server, '/auth/login', { email, password, ...shown }, headers)

/** The right password, and what the server wants to see beside it. */
async function needed(member: MadeMember): Promise<{ factors: string[]; passkey?: BrowserOptions }> {
  const answer = await login(member)
  expect(outcomeOf(answer)).toEqual([401, 'factor.needed'])
  return answer.json() as { factors: string[]; passkey?: BrowserOptions }
}

async function challengeOf(member: MadeMember): Promise<BrowserOptions> {
  const { passkey } = await needed(member)
  if (passkey === undefined) throw new Error('No passkey is asked for.')
  return passkey
}

/** The audit events of a member's sign-ins, the first one first. */
async function signInsOf({ id }: MadeMember): Promise<unknown[]> {
  const events = await server.app.db
    .selectFrom('audit_events')
    .select('details')
    .where('actor_id', '=', id)
    .where('action', '=', 'session.opened')
    .orderBy('id')
    .execute()
  return events.map(({ details }) => (details as { factor?: string }).factor)
}

const inOrder = (answers: TestResponse[]): unknown[] =>
  answers.map(outcomeOf).toSorted(([one], [another]) => one - another)

describe('an authenticator app', () => {
  test('is in force once a code of it is shown, with ten recovery codes, and ends the other sessions', async () => {
    const member = await aMember(server.app)
    const [token, other] = [await signIn(server, member), await signIn(server, member)]
    const setup = (await send('POST', '/auth/totp', token, {})).json() as TotpSetup
    expect(setup.uri).toContain('otpauth://totp/')
    expect(setup.uri).toContain(`secret=${setup.secret}`)
    // Not yet.
    expect((await factorsOf(token)).totp).toBeNull()
    expect((await login(member)).status).toBe(200)

    const wrong = await send('POST', '/auth/totp/confirm', token, { code: '000000' })
    expect(wrong.json()).toMatchObject({ code: 'totp.wrong', field: 'code' })
    const added = await send('POST', '/auth/totp/confirm', token, { code: codeAfter(setup) })
    const { recoveryCodes } = added.json() as { recoveryCodes: string[] }
    expect(new Set(recoveryCodes).size).toBe(10)
    expect(recoveryCodes[0]).toMatch(/^[A-Z2-7]{4}(-[A-Z2-7]{4}){3}$/)
    expect(await factorsOf(token)).toEqual({
      passkeys: [],
      totp: { addedAt: '2024-03-15T12:00:00.000Z', lastUsedAt: null },
      recoveryCodesLeft: 10,
      isRequired: false,
      passkeysPossible: true,
    })
    expect((await send('GET', '/auth/status', other)).status).toBe(401)
    expect((await send('GET', '/auth/status', token)).status).toBe(200)
    const email = await waitForEmail(server.app, { to: member.email, subject: /authenticator app was added/ })
    expect(email.text).not.toContain(setup.secret)
  })

  test('is asked for after the right password alone, and nothing is opened before', async () => {
    const { member, app } = await aMemberWithApp()
    const sessions = (): Promise<unknown[]> =>
      server.app.db.selectFrom('sessions').select('id').where('user_id', '=', member.id).execute()
    const before = await sessions()
    const answer = await login(member)
    expect(answer.status).toBe(401)
    expect(answer.json()).toEqual({
      error: expect.any(String) as string,
      message: expect.any(String) as string,
      code: 'factor.needed',
      factors: ['totp', 'recovery'],
    })
    expect(answer.headers['set-cookie']).toBeUndefined()
    expect(await sessions()).toEqual(before)
    // Without the password nothing reveals it.
    const wrong = await login({ ...member, password: 'a wrong password' }, { code: codeAfter(app) })
    const unknown = await login({ email: 'nobody@readers.example', password: 'a wrong password' }, { code: '123456' })
    expect(wrong.json()).toEqual(unknown.json())
    expect(outcomeOf(wrong)).toEqual([401, 'sign_in.failed'])

    const shown = codeAfter(app)
    expect((await login(member, { code: `${shown.slice(0, 3)} ${shown.slice(3)}` })).status).toBe(200)
  })

  test('takes each code once, and none of before', async () => {
    const { member, app } = await aMemberWithApp()
    const code = codeAfter(app)
    const earlier = codeAfter(app, -30 * secondMs)
    expect((await login(member, { code })).status).toBe(200)
    expect((await login(member, { code })).json()).toMatchObject({
      code: 'factor.wrong',
      field: 'code',
      factors: ['totp', 'recovery'],
    })
    expect(outcomeOf(await login(member, { code: earlier }))).toEqual([401, 'factor.wrong'])
    server.clock.advance(30 * secondMs)
    expect(outcomeOf(await login(member, { code }))).toEqual([401, 'factor.wrong'])
    expect((await login(member, { code: codeAfter(app) })).status).toBe(200)
  })

  test('takes neither the code that has put it into force again, nor one of another time', async () => {
    const member = await aMember(server.app)
    const { app } = await setUpApp(await signIn(server, member))
    expect(outcomeOf(await login(member, { code: codeAfter(app) }))).toEqual([401, 'factor.wrong'])
    for (const ms of [-60, 61, 3_600].map((seconds) => seconds * secondMs))
      expect(outcomeOf(await login(member, { code: codeAfter(app, ms) }))).toEqual([401, 'factor.wrong'])
    // The clock of a phone may be half a minute ahead.
    expect((await login(member, { code: codeAfter(app, 30 * secondMs) })).status).toBe(200)
  })

  test('lets one in of two who show the same code at once', async () => {
    const { member, app } = await aMemberWithApp()
    const code = codeAfter(app)
    const answers = await Promise.all([login(member, { code }), login(member, { code })])
    expect(inOrder(answers)).toEqual([
      [200, undefined],
      [401, 'factor.wrong'],
    ])
  })

  test('that is being set up ends after 15 minutes, with another one, and works in its own session', async () => {
    const member = await aMember(server.app)
    const [token, other] = [await signIn(server, member), await signIn(server, member)]
    const first = (await send('POST', '/auth/totp', token, {})).json() as TotpSetup
    const confirm = (by: string, app: TotpSetup): Promise<TestResponse> =>
      send('POST', '/auth/totp/confirm', by, { code: codeAfter(app) })
    expect(outcomeOf(await confirm(other, first))).toEqual([409, 'totp.none'])
    const second = (await send('POST', '/auth/totp', token, {})).json() as TotpSetup
    expect(outcomeOf(await confirm(token, first))).toEqual([422, 'totp.wrong'])
    server.clock.advance(15 * minuteMs - 1)
    await deleteExpired(server.app)
    server.clock.advance(1)
    await ageProof(server.app, member, 1)
    expect(outcomeOf(await confirm(token, second))).toEqual([409, 'totp.none'])
    await deleteExpired(server.app)
    const left = await server.app.db.selectFrom('totp_setups').selectAll().where('user_id', '=', member.id).execute()
    expect(left).toEqual([])
  })

  test('is put into force once by two confirmations at once', async () => {
    const member = await aMember(server.app)
    const token = await signIn(server, member)
    const app = (await send('POST', '/auth/totp', token, {})).json() as TotpSetup
    const confirm = (): Promise<TestResponse> => send('POST', '/auth/totp/confirm', token, { code: codeAfter(app) })
    expect(inOrder(await Promise.all([confirm(), confirm()]))).toEqual([
      [201, undefined],
      [409, 'totp.none'],
    ])
    expect((await factorsOf(token)).recoveryCodesLeft).toBe(10)
  })

  test('takes the place of the one before, whose codes end, and leaves the recovery codes', async () => {
    const { member, token, app } = await aMemberWithApp()
    const { app: second, recoveryCodes } = await setUpApp(token)
    expect(recoveryCodes).toBeNull()
    server.clock.advance(30 * secondMs)
    expect(outcomeOf(await login(member, { code: codeAfter(app) }))).toEqual([401, 'factor.wrong'])
    expect((await login(member, { code: codeAfter(second) })).status).toBe(200)
  })
})

describe('recovery codes', () => {
  test.each(['insert', 'update'] as const)(
    'are left where the session that one was shown for comes to nothing: its %s fails',
    async (write) => {
      const { member, token, recoveryCodes } = await aMemberWithApp()
      const [code = ''] = recoveryCodes
      const show = (): Promise<TestResponse> =>
        write === 'insert' ? login(member, { code }) : send('POST', '/auth/proof', token, { code })
      const { db } = server.app
      await sql`create function lose_session() returns trigger language plpgsql as $$
        begin raise exception 'The process was killed here.'; end $$`.execute(db)
      await sql`create trigger lose_session before ${sql.raw(write)} on sessions
        for each row execute function lose_session()`.execute(db)
      try {
        expect((await show()).status).toBe(500)
      } finally {
        await sql`drop function lose_session cascade`.execute(db)
      }
      expect((await factorsOf(token)).recoveryCodesLeft).toBe(10)
      expect(outcomeOf(await show())).toEqual([200, undefined])
      expect((await factorsOf(token)).recoveryCodesLeft).toBe(9)
    },
  )

  test('work once, also of two who prove who they are with the same one at once', async () => {
    const { token, recoveryCodes } = await aMemberWithApp()
    const [code = ''] = recoveryCodes
    const both = await Promise.all([
      send('POST', '/auth/proof', token, { code }),
      send('POST', '/auth/proof', token, { code }),
    ])
    expect(inOrder(both)).toEqual([
      [200, undefined],
      [403, 'proof.wrong'],
    ])
  })

  test('let in once each, however they are typed, and their owner is told', async () => {
    const { member, recoveryCodes } = await aMemberWithApp()
    const [first = '', second = ''] = recoveryCodes
    const token = (
      (await login(member, { code: first.toLowerCase().replaceAll('-', ' ') })).json() as { token: string }
    ).token
    expect((await factorsOf(token)).recoveryCodesLeft).toBe(9)
    expect(outcomeOf(await login(member, { code: first }))).toEqual([401, 'factor.wrong'])
    expect((await login(member, { code: second.replaceAll('-', '') })).status).toBe(200)
    const email = await waitForEmail(server.app, { to: member.email, subject: /recovery code was used/ })
    expect(email.text).toMatch(/\d codes are left/)
    const events = await server.app.db
      .selectFrom('audit_events')
      .select(['action', 'details'])
      .where('actor_id', '=', member.id)
      .where('action', '=', 'factor.code_used')
      .orderBy('id')
      .execute()
    expect(events.map(({ details }) => details)).toMatchObject([{ left: 9 }, { left: 8 }])
  })

  test('a sign-in is in the audit log with the factor that was shown', async () => {
    const { member, app, token, recoveryCodes } = await aMemberWithApp()
    const key = anAuthenticator()
    await addPasskey(token, key)
    expect((await login(member, { code: codeAfter(app) })).status).toBe(200)
    expect((await login(member, { code: recoveryCodes[0] ?? '' })).status).toBe(200)
    expect((await login(member, { passkey: key.get(await challengeOf(member)) })).status).toBe(200)
    expect(await signInsOf(member)).toEqual([undefined, 'totp', 'recovery', 'passkey'])
  })

  test('let one in of two who use the same at once', async () => {
    const { member, recoveryCodes } = await aMemberWithApp()
    const [code = ''] = recoveryCodes
    expect(inOrder(await Promise.all([login(member, { code }), login(member, { code })]))).toEqual([
      [200, undefined],
      [401, 'factor.wrong'],
    ])
  })

  test('of somebody else let nobody in', async () => {
    const [one, another] = [await aMemberWithApp(), await aMemberWithApp()]
    expect(outcomeOf(await login(one.member, { code: another.recoveryCodes[0] ?? '' }))).toEqual([401, 'factor.wrong'])
    expect((await login(another.member, { code: another.recoveryCodes[0] ?? '' })).status).toBe(200)
  })

  test('end with the new ones, and with the last factor', async () => {
    const { member, token, recoveryCodes } = await aMemberWithApp()
    const { codes } = (await send('POST', '/auth/recovery-codes', token, {})).json() as { codes: string[] }
    expect(codes).toHaveLength(10)
    expect(outcomeOf(await login(member, { code: recoveryCodes[0] ?? '' }))).toEqual([401, 'factor.wrong'])
    expect((await login(member, { code: codes[0] ?? '' })).status).toBe(200)
    expect((await send('DELETE', '/auth/totp', token)).status).toBe(204)
    expect(await factorsOf(token)).toMatchObject({ totp: null, recoveryCodesLeft: 0 })
    expect((await login(member)).status).toBe(200)
    expect(outcomeOf(await send('POST', '/auth/recovery-codes', token, {}))).toEqual([409, 'factor.none'])
    expect(outcomeOf(await send('DELETE', '/auth/totp', token))).toEqual([404, 'totp.not_found'])
  })

  test('and secrets stand nowhere in the tables as they were shown', async () => {
    const { member, recoveryCodes } = await aMemberWithApp()
    const rows = await server.app.db.selectFrom('recovery_codes').selectAll().where('user_id', '=', member.id).execute()
    expect(rows).toHaveLength(10)
    const code = (recoveryCodes[0] ?? '').replaceAll('-', '')
    for (const { code_hash } of rows) expect(Buffer.from(code_hash).toString('latin1')).not.toContain(code)
  })
})

describe('a passkey', () => {
  test('is added with a name, and signs in with the password', async () => {
    const { member, token, key } = await aMemberWithPasskey()
    expect(await factorsOf(token)).toMatchObject({
      passkeys: [{ name: 'My laptop', addedAt: '2024-03-15T12:00:00.000Z', lastUsedAt: null }],
      totp: null,
      recoveryCodesLeft: 10,
    })
    const { factors, passkey } = await needed(member)
    expect(factors).toEqual(['passkey', 'recovery'])
    expect(passkey?.options).toMatchObject({ rpId: 'localhost', userVerification: 'preferred' })
    expect(passkey?.options['allowCredentials']).toMatchObject([
      { id: key.credentials[0]?.id.toString('base64url'), transports: ['internal'] },
    ])
    const answer = await login(member, { passkey: key.get(passkey as BrowserOptions) })
    expect(answer.status).toBe(200)
    expect(await factorsOf((answer.json() as { token: string }).token)).toMatchObject({
      passkeys: [{ lastUsedAt: '2024-03-15T12:00:00.000Z' }],
    })
  })

  test('is asked of the authenticator without the address of its owner', async () => {
    const { member, token } = await aMemberWithPasskey()
    const { options } = await offered(token)
    expect(options).toMatchObject({
      rp: { id: 'localhost', name: 'Daybook' },
      attestation: 'none',
      authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
    })
    const { id } = options['user'] as { id: string }
    expect(Buffer.from(id, 'base64url').toString('hex')).toBe(member.id.replaceAll('-', ''))
    expect(options['excludeCredentials']).toHaveLength(1)
  })

  test('answers a challenge once, within five minutes, and only its own', async () => {
    const { member, key } = await aMemberWithPasskey()
    const refused = [401, 'factor.wrong']
    const first = key.get(await challengeOf(member))
    expect((await login(member, { passkey: first })).status).toBe(200)
    expect(outcomeOf(await login(member, { passkey: first }))).toEqual(refused)

    const late = await challengeOf(member)
    server.clock.advance(5 * minuteMs)
    expect(outcomeOf(await login(member, { passkey: key.get(late) }))).toEqual(refused)

    const made = { options: { challenge: Buffer.alloc(32, 7).toString('base64url') } }
    expect(outcomeOf(await login(member, { passkey: key.get(made) }))).toEqual(refused)
    const another = await aMemberWithPasskey()
    expect(outcomeOf(await login(member, { passkey: key.get(await challengeOf(another.member)) }))).toEqual(refused)
    const again = await login(member, { passkey: key.get(made) })
    const { passkey } = again.json() as { passkey: BrowserOptions }
    expect((await login(member, { passkey: key.get(passkey) })).status).toBe(200)
  })

  test('lets one in of two who show the same answer at once', async () => {
    const { member, key } = await aMemberWithPasskey(0)
    const passkey = key.get(await challengeOf(member))
    expect(inOrder(await Promise.all([login(member, { passkey }), login(member, { passkey })]))).toEqual([
      [200, undefined],
      [401, 'factor.wrong'],
    ])
  })

  test('of somebody else is refused', async () => {
    const [one, another] = [await aMemberWithPasskey(), await aMemberWithPasskey()]
    const passkey = another.key.get(await challengeOf(one.member))
    expect(outcomeOf(await login(one.member, { passkey }))).toEqual([401, 'factor.wrong'])
  })

  test('asked on another site is refused', async () => {
    const { member, token, key } = await aMemberWithPasskey()
    for (const settings of [
      { origin: 'https://lookalike.example', rpId: 'localhost', countsBy: 1 },
      { origin, rpId: 'lookalike.example', countsBy: 1 },
    ]) {
      key.settings = settings
      expect(outcomeOf(await login(member, { passkey: key.get(await challengeOf(member)) }))).toEqual([
        401,
        'factor.wrong',
      ])
      expect(outcomeOf(await addPasskey(token, key))).toEqual([422, 'passkey.invalid'])
    }
  })

  test('whose counter does not count on was copied, and is refused', async () => {
    const { member, key } = await aMemberWithPasskey()
    const [credential] = key.credentials
    if (credential === undefined) throw new Error('There is no passkey.')
    credential.counter = 40
    expect((await login(member, { passkey: key.get(await challengeOf(member)) })).status).toBe(200)
    credential.counter = 40
    const copied = await login(member, { passkey: key.get(await challengeOf(member)) })
    expect(outcomeOf(copied)).toEqual([401, 'factor.wrong'])
    expect((await login(member, { passkey: key.get(await challengeOf(member)) })).status).toBe(200)
  })

  test('that keeps no counter works again and again', async () => {
    const { member, key } = await aMemberWithPasskey(0)
    for (const _ of [1, 2, 3])
      expect((await login(member, { passkey: key.get(await challengeOf(member)) })).status).toBe(200)
  })

  test('with another signature, or as no answer at all, is refused', async () => {
    const { member, token, key } = await aMemberWithPasskey()
    const stolen = { ...key.credentials[0], privateKey: anAuthenticator().credentials }
    expect(stolen.id).toBeDefined()
    const thief = anAuthenticator()
    thief.create({ options: { challenge: 'x' } })
    const [made] = thief.credentials
    if (made === undefined || stolen.id === undefined) throw new Error('There is no passkey.')
    const forged = thief.get(await challengeOf(member), { ...made, id: stolen.id, counter: 90 })
    expect(outcomeOf(await login(member, { passkey: forged }))).toEqual([401, 'factor.wrong'])
    const junk: object[] = [{}, { id: 7 }, { response: null }, { response: { clientDataJSON: 'e30' } }, { id: '\0' }]
    for (const passkey of junk) {
      expect(outcomeOf(await login(member, { passkey }))).toEqual([401, 'factor.wrong'])
      const added = await send('POST', '/auth/passkeys', token, { name: 'Junk', response: passkey })
      expect(outcomeOf(added)).toEqual([422, 'passkey.invalid'])
    }
    expect((await factorsOf(token)).passkeys).toHaveLength(1)
  })

  test('is made in the session that asked, once', async () => {
    const member = await aMember(server.app)
    const [token, other] = [await signIn(server, member), await signIn(server, member)]
    const key = anAuthenticator()
    const response = key.create(await offered(token))
    const add = (by: string): Promise<TestResponse> => send('POST', '/auth/passkeys', by, { name: 'A key', response })
    expect(outcomeOf(await add(other))).toEqual([422, 'passkey.invalid'])
    expect((await add(token)).status).toBe(201)
    expect(outcomeOf(await add(token))).toEqual([422, 'passkey.invalid'])
    // A challenge to prove something makes no passkey, and the other way round.
    const proof = (await send('POST', '/auth/proof/options', token, {})).json() as BrowserOptions
    const confused = await send('POST', '/auth/passkeys', token, { name: 'A key', response: key.create(proof) })
    expect(outcomeOf(confused)).toEqual([422, 'passkey.invalid'])
  })

  test('is added to one account, once', async () => {
    const { token, key } = await aMemberWithPasskey()
    const thief = await signIn(server, await aMember(server.app))
    for (const by of [token, thief]) {
      const copy = anAuthenticator()
      const response = copy.create(await offered(by))
      const [made] = copy.credentials
      const [id, copied] = [key.credentials[0]?.id, made?.id]
      if (id === undefined || copied === undefined) throw new Error('There is no passkey.')
      // Without attestation nothing signs the id.
      const object = (response as { response: { attestationObject: string } }).response
      const bytes = Buffer.from(object.attestationObject, 'base64url')
      id.copy(bytes, bytes.indexOf(copied))
      object.attestationObject = bytes.toString('base64url')
      const text = id.toString('base64url')
      const answer = await send('POST', '/auth/passkeys', by, {
        name: 'A copy',
        response: { ...response, id: text, rawId: text },
      })
      expect(outcomeOf(answer)).toEqual([409, 'passkey.exists'])
    }
    expect(await factorsOf(thief)).toMatchObject({ passkeys: [], recoveryCodesLeft: 0 })
  })

  test('whose maker vouches with certificates is refused before any of them is looked at', async () => {
    const token = await signIn(server, await aMember(server.app))
    const key = anAuthenticator()
    for (const fmt of ['packed', 'fido-u2f', 'apple', 'tpm', 'android-key']) {
      const attStmt = new Map<string, unknown>([['x5c', [new Uint8Array(64)]]])
      const response = key.create(await offered(token), { fmt, attStmt })
      const answer = await send('POST', '/auth/passkeys', token, { name: 'A key', response })
      expect(outcomeOf(answer)).toEqual([422, 'passkey.invalid'])
    }
  })

  test('is renamed and removed by its owner alone', async () => {
    const [one, another] = [await aMemberWithPasskey(), await aMemberWithPasskey()]
    const [{ id } = { id: '' }] = (await factorsOf(one.token)).passkeys
    const renamed = await send('PUT', `/auth/passkeys/${id}`, one.token, { name: ' Old laptop ' })
    expect(renamed.json()).toMatchObject({ passkeys: [{ id, name: 'Old laptop' }] })
    for (const name of ['', ' ', 'x'.repeat(61), 'two\nlines', 'a\u202eb'])
      expect((await send('PUT', `/auth/passkeys/${id}`, one.token, { name })).json()).toMatchObject({
        code: 'account.invalid',
        field: 'name',
      })
    expect(outcomeOf(await send('PUT', `/auth/passkeys/${id}`, another.token, { name: 'Mine' }))).toEqual([
      404,
      'passkey.not_found',
    ])
    expect(outcomeOf(await send('DELETE', `/auth/passkeys/${id}`, another.token))).toEqual([404, 'passkey.not_found'])
    expect((await send('DELETE', `/auth/passkeys/${id}`, one.token)).status).toBe(204)
    expect(await factorsOf(one.token)).toMatchObject({ passkeys: [], recoveryCodesLeft: 0 })
    expect((await login(one.member)).status).toBe(200)
  })

  test('is one of at most twenty', async () => {
    const { token, key } = await aMemberWithPasskey()
    for (let count = 1; count < 20; count += 1) expect((await addPasskey(token, key)).status).toBe(201)
    expect(outcomeOf(await addPasskey(token, key))).toEqual([409, 'passkey.too_many'])
  })

  test('leaves challenges behind that are deleted, and never many', async () => {
    const { member, token } = await aMemberWithPasskey()
    const stored = (): Promise<unknown[]> =>
      server.app.db.selectFrom('factor_challenges').selectAll().where('user_id', '=', member.id).execute()
    for (let count = 0; count < 12; count += 1) await offered(token)
    expect(await stored()).toHaveLength(8)
    server.clock.advance(5 * minuteMs)
    await deleteExpired(server.app)
    expect(await stored()).toEqual([])
  })
})

describe('a right password without the second factor', () => {
  const about = ({ id }: Pick<MadeMember, 'id'>) => sql`user_id = ${id}`
  const passMinutes = async (member: MadeMember, minutes: number): Promise<void> => {
    const { db } = server.app
    const ago = sql`make_interval(mins => ${minutes}::int)`
    await sql`update unfinished_sign_ins set begun_at = begun_at - ${ago} where ${about(member)}`.execute(db)
    await sql`update notified_sign_ins set recorded_at = recorded_at - ${ago}, notified_at = notified_at - ${ago}
               where ${about(member)}`.execute(db)
    await notifyOfUnfinished(server.app)
  }
  const recorded = async ({ id }: MadeMember): Promise<unknown[]> =>
    (
      await server.app.db
        .selectFrom('audit_events')
        .select('details')
        .where('subject_id', '=', id)
        .where('action', '=', 'factor.unfinished')
        .orderBy('id')
        .execute()
    ).map(({ details }) => details)
  const told = async ({ email }: MadeMember): Promise<string[]> => {
    await drainJobs(server.app)
    return (await readEmails(server.app))
      .filter(({ to, subject }) => to === email && subject.startsWith('Somebody knows your password'))
      .map(({ text }) => text)
  }

  test('is recorded once in 15 minutes for an account, and told to its owner once a day', async () => {
    const { member } = await aMemberWithApp()
    const thief = { 'x-forwarded-for': '198.51.100.7', 'user-agent': 'Thief' }
    await login(member, {}, thief)
    // A wrong code is no more than none.
    await login(member, { code: '000000' }, thief)
    await passMinutes(member, 14)
    expect(await recorded(member)).toEqual([])
    await passMinutes(member, 1)
    const event = {
      times: 2,
      lastAt: expect.any(String) as string,
      address: ['198.51.100.0/24'],
      requestId: expect.stringMatching(/^[\w-]{36}$/) as string,
      notified: true,
    }
    expect(await recorded(member)).toEqual([event])
    expect(await told(member)).toHaveLength(1)

    // Another one right after it waits for its turn, and is told no more on this day.
    await login(member, {}, thief)
    await sql`update unfinished_sign_ins set begun_at = 'epoch' where ${about(member)}`.execute(server.app.db)
    await notifyOfUnfinished(server.app)
    expect(await recorded(member)).toHaveLength(1)
    await passMinutes(member, 15)
    expect((await recorded(member)).slice(1)).toEqual([{ ...event, times: 1, notified: false }])
    expect(await told(member)).toHaveLength(1)

    await login(member, {}, thief)
    await passMinutes(member, 24 * 60)
    expect(await recorded(member)).toHaveLength(3)
    expect(await told(member)).toHaveLength(2)
  })

  test('is neither where the same caller goes on with the factor, and is where another one does', async () => {
    const { member, app } = await aMemberWithApp()
    const here = { 'x-forwarded-for': elsewhere(), 'user-agent': 'Firefox' }
    await login(member, {}, here)
    expect((await login(member, { code: codeAfter(app) }, here)).status).toBe(200)
    await passMinutes(member, 15)
    expect(await recorded(member)).toEqual([])
    server.clock.advance(30 * secondMs)
    await login(member, {}, { 'x-forwarded-for': elsewhere(), 'user-agent': 'Thief' })
    await login(member, {}, here)
    expect((await login(member, { code: codeAfter(app) }, here)).status).toBe(200)
    await passMinutes(member, 15)
    expect(await recorded(member)).toHaveLength(1)
    expect(await told(member)).toHaveLength(1)
  })

  test('is recorded and not told where the device is known', async () => {
    const { member, app } = await aMemberWithApp()
    const known = { 'x-forwarded-for': elsewhere(), cookie: '' }
    const opened = await login(member, { code: codeAfter(app) }, known)
    known.cookie = (opened.headers['set-cookie']?.[0] ?? '').split(';')[0] ?? ''
    await login(member, {}, known)
    await passMinutes(member, 15)
    expect(await recorded(member)).toMatchObject([{ times: 1, notified: false }])
    expect(await told(member)).toEqual([])
  })

  test('leaves nothing in the tables after a day', async () => {
    const { member } = await aMemberWithApp()
    await login(member)
    await passMinutes(member, 15)
    await login(member)
    const kept = async () =>
      (
        await sql<{ count: number }>`select ((select count(*) from unfinished_sign_ins where ${about(member)})
          + (select count(*) from notified_sign_ins where ${about(member)}))::int as count`.execute(server.app.db)
      ).rows[0]?.count
    expect(await kept()).toBe(2)
    await passMinutes(member, 24 * 60)
    await sql`update notified_sign_ins set recorded_at = recorded_at - interval '1 day' where ${about(member)}`.execute(
      server.app.db,
    )
    await deleteExpired(server.app)
    expect(await kept()).toBe(0)
  })
})

describe('asking for passkeys', () => {
  test.each(['/auth/proof/options', '/auth/passkeys/options'])(
    'by %s in a stolen session, as often as it may, leaves the challenges of other sessions',
    async (path) => {
      const { member, token, key } = await aMemberWithPasskey()
      const signedIn = await login(member, { passkey: key.get(await challengeOf(member)) })
      const stolen = (signedIn.json() as { token: string }).token
      const proving = (await send('POST', '/auth/proof/options', token, {})).json() as BrowserOptions
      const adding = await offered(token)
      const answers: unknown[] = []
      for (let count = 0; count < 31; count += 1) answers.push(outcomeOf(await send('POST', path, stolen, {})))
      expect(answers.slice(0, 30)).toEqual(Array.from({ length: 30 }, () => [200, undefined]))
      expect(answers[30]).toEqual([429, 'limit.exceeded'])
      // Nobody but that session waits.
      expect(outcomeOf(await send('POST', path, token, {}))).toEqual([200, undefined])
      expect(outcomeOf(await send('POST', '/auth/proof', token, { passkey: key.get(proving) }))).toEqual([
        200,
        undefined,
      ])
      const response = anAuthenticator().create(adding)
      expect((await send('POST', '/auth/passkeys', token, { name: 'My key', response })).status).toBe(201)
    },
  )
})

describe('guessing', () => {
  test('at codes ends after ten, for whoever knows the password; a known device still gets in', async () => {
    const member = await aMember(server.app)
    const known = { 'x-forwarded-for': elsewhere(), cookie: '' }
    const first = await login(member, {}, known)
    known.cookie = (first.headers['set-cookie']?.[0] ?? '').split(';')[0] ?? ''
    const { app } = await setUpApp((first.json() as { token: string }).token)
    server.clock.advance(30 * secondMs)

    for (let guess = 0; guess < 10; guess += 1)
      expect(outcomeOf(await login(member, { code: '000000' }))).toEqual([401, 'factor.wrong'])
    const refused = await login(member, { code: codeAfter(app) })
    expect(outcomeOf(refused)).toEqual([429, 'limit.exceeded'])
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
    // Neither with a recovery code nor by proving it in a session.
    expect(outcomeOf(await login(member, { code: 'AAAA-AAAA-AAAA-AAAA' }))).toEqual([429, 'limit.exceeded'])

    expect((await login(member, { code: codeAfter(app) }, known)).status).toBe(200)
  })

  test('goes on neither after a reset of the password nor after a right password', async () => {
    const { member, app } = await aMemberWithApp()
    for (let guess = 0; guess < 10; guess += 1) await login(member, { code: '000000' })
    await needed(member)
    const password = 'another quiet reading room'
    await post(server, '/forgot-password', { email: member.email }, { 'x-forwarded-for': elsewhere() })
    const email = await waitForEmail(server.app, { to: member.email, subject: /Reset/ })
    const link = new URL(email.links.find((each) => each.includes('token=')) ?? '')
    const reset = await server.call('/reset-password', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ token: link.searchParams.get('token'), password }),
    })
    expect(reset.status).toBe(200)
    // The link does not go around the factor either.
    expect(outcomeOf(await login({ ...member, password }))).toEqual([401, 'factor.needed'])
    expect(outcomeOf(await login({ ...member, password }, { code: codeAfter(app) }))).toEqual([429, 'limit.exceeded'])
  })

  test('at the codes of an administrator is in the audit log and an alarm', async () => {
    const { member } = await aMemberWithApp(true)
    for (let guess = 0; guess < 10; guess += 1) await login(member, { code: '000000' })
    await Promise.all([server.app.countedEvents.settle(), server.app.alarms.settle()])
    const alarm = await server.app.db
      .selectFrom('alarms')
      .select('headline')
      .where('name', '=', `wrong-factors ${member.id}`)
      .executeTakeFirst()
    expect(alarm?.headline).toBe("Many wrong second factors for an administrator's account")
    const events = await server.app.db
      .selectFrom('audit_events')
      .select('details')
      .where('action', '=', 'factor.refused')
      .where('subject_id', '=', member.id)
      .execute()
    // A batch that an earlier test began may be written between two of them.
    const times = events.map(({ details }) => (details as { times?: number }).times ?? 1)
    expect(times.reduce((sum, each) => sum + each, 0)).toBe(10)
  })

  test('in a session counts for that session: its owner signs in elsewhere all the same', async () => {
    const { member, token, app } = await aMemberWithApp()
    const prove = (code: string): Promise<TestResponse> => send('POST', '/auth/proof', token, { code })
    for (let guess = 0; guess < 10; guess += 1) expect(outcomeOf(await prove('000000'))).toEqual([403, 'proof.wrong'])
    expect(outcomeOf(await prove(codeAfter(app)))).toEqual([429, 'limit.exceeded'])
    expect((await login(member, { code: codeAfter(app) })).status).toBe(200)
  })
})

describe('a proof', () => {
  test('is a code, a recovery code or a passkey as well', async () => {
    const { member, token, app, recoveryCodes } = await aMemberWithApp()
    const key = anAuthenticator()
    expect((await addPasskey(token, key)).status).toBe(201)
    expect((await send('GET', '/auth/proof', token)).json()).toMatchObject({ factors: ['passkey', 'totp', 'recovery'] })
    const challenge = async (): Promise<BrowserOptions> =>
      (await send('POST', '/auth/proof/options', token, {})).json() as BrowserOptions
    const proofs = [
      { code: codeAfter(app) },
      { code: recoveryCodes[3] },
      { passkey: key.get(await challenge()) },
      { password: member.password },
    ]
    for (const proof of proofs) {
      await ageProof(server.app, member, 20)
      expect(outcomeOf(await send('POST', '/auth/recovery-codes', token, {}))).toEqual([403, 'proof.needed'])
      const proved = await send('POST', '/auth/proof', token, proof)
      expect(proved.json(), JSON.stringify(proof)).toMatchObject({ ageSeconds: 0 })
    }
    // Each worked once.
    await ageProof(server.app, member, 20)
    for (const [field, proof] of Object.entries({ code: proofs[0], passkey: proofs[2] })) {
      const again = await send('POST', '/auth/proof', token, proof)
      expect(again.json()).toMatchObject({ code: 'proof.wrong', field })
    }
    expect(outcomeOf(await send('POST', '/auth/recovery-codes', token, {}))).toEqual([403, 'proof.needed'])
  })

  test('is one thing, and made for this session', async () => {
    const { member, token, key } = await aMemberWithPasskey()
    const other = ((await login(member, { passkey: key.get(await challengeOf(member)) })).json() as { token: string })
      .token
    const options = (await send('POST', '/auth/proof/options', token, {})).json() as BrowserOptions
    const passkey = key.get(options)
    expect(outcomeOf(await send('POST', '/auth/proof', other, { passkey }))).toEqual([403, 'proof.wrong'])
    expect((await send('POST', '/auth/proof', token, { passkey })).status).toBe(200)
    // Nor is one of a sign-in.
    const ofSignIn = key.get(await challengeOf(member))
    expect(outcomeOf(await send('POST', '/auth/proof', token, { passkey: ofSignIn }))).toEqual([403, 'proof.wrong'])
    for (const body of [
      { password: member.password, code: '123456' },
      { password: member.password, passkey },
      { code: '123456', passkey },
    ])
      expect(outcomeOf(await send('POST', '/auth/proof', token, body))).toEqual([422, 'account.invalid'])
    const without = await signIn(server, await aMember(server.app))
    expect((await send('GET', '/auth/proof', without)).json()).toMatchObject({ factors: [] })
    expect(outcomeOf(await send('POST', '/auth/proof/options', without, {}))).toEqual([409, 'passkey.none'])
    expect(outcomeOf(await send('POST', '/auth/proof', without, { code: '123456' }))).toEqual([403, 'proof.wrong'])
  })
})

describe('an administrator without a second factor', () => {
  test('is a member until they have set one up, on every call', async () => {
    const admin = await aMember(server.app, { isAdmin: true })
    const token = await signIn(server, admin)
    expect(await statusOf(token)).toEqual({ isAdmin: false, isVip: false, needsSecondFactor: true })
    const dashboard = (await send('GET', '/auth/dashboard', token)).json()
    expect(dashboard).toMatchObject({ isAdmin: false, needsSecondFactor: true })
    expect(dashboard).not.toHaveProperty('adminKey')
    const guarded = routes.filter(({ access }) => access === 'admin')
    expect(guarded.length).toBeGreaterThan(60)
    for (const { method, path, needsClientKey } of guarded) {
      const address = path.replaceAll(/:\w+/g, '00000000-0000-4000-8000-000000000000')
      const answer = await send(method, address, token, method === 'GET' ? undefined : {})
      expect(outcomeOf(answer), `${method} ${path} ${needsClientKey}`).toEqual([403, 'factor.required'])
    }
    // The site is theirs as a member's, and a factor can be set up.
    expect((await send('GET', '/auth/sessions', token)).status).toBe(200)
    expect((await send('POST', '/recommendations', token, { title: 'A map', description: '' })).status).toBe(201)
    await setUpApp(token)
    expect(await statusOf(token)).toEqual({ isAdmin: true, isVip: false, needsSecondFactor: false })
    expect((await send('GET', '/api/people', token)).status).toBe(200)
    expect(await factorsOf(token)).toMatchObject({ isRequired: true })
  })

  test('may have no weaker password, and no longer session, than any other', async () => {
    const admin = await aMember(server.app, { isAdmin: true })
    const token = await signIn(server, admin, { isRemembered: true })
    const body = { token, password: 'elevenlettr' }
    expect(outcomeOf(await send('POST', '/reset-password/account', token, body))).toEqual([422, 'account.invalid'])
    server.clock.advance(30 * minuteMs)
    expect((await send('GET', '/auth/status', token)).status).toBe(401)
  })

  test('keeps the last one, and changes it by adding another first', async () => {
    const { member, token } = await aMemberWithApp(true)
    expect(outcomeOf(await send('DELETE', '/auth/totp', token))).toEqual([409, 'factor.last'])
    expect((await factorsOf(token)).totp).not.toBeNull()
    const key = anAuthenticator()
    await addPasskey(token, key)
    const [{ id } = { id: '' }] = (await factorsOf(token)).passkeys
    // Only one of two concurrent removals of both succeeds.
    const answers = await Promise.all([
      send('DELETE', '/auth/totp', token),
      send('DELETE', `/auth/passkeys/${id}`, token),
    ])
    expect(inOrder(answers)).toEqual([
      [204, undefined],
      [409, 'factor.last'],
    ])
    expect(outcomeOf(await login(member))).toEqual([401, 'factor.needed'])
    expect(await statusOf(token)).toMatchObject({ isAdmin: true })
  })
})

describe('help', () => {
  test('of an administrator removes the factors of a member, ends their sessions and tells them', async () => {
    const { token: admin } = await aMemberWithApp(true)
    const { member, token, recoveryCodes } = await aMemberWithApp()
    expect(recoveryCodes).toHaveLength(10)
    await addPasskey(token, anAuthenticator())
    const person = (): Promise<TestResponse> => send('GET', `/api/people/${member.id}`, admin)
    expect((await person()).json()).toMatchObject({ factors: { passkeys: 1, totp: true, recoveryCodesLeft: 10 } })
    const remove = (): Promise<TestResponse> => send('DELETE', `/api/people/${member.id}/factors`, admin)
    expect((await remove()).json()).toEqual({
      message: 'Their second factor is removed, and their sessions have ended.',
    })
    expect((await person()).json()).toMatchObject({ factors: { passkeys: 0, totp: false, recoveryCodesLeft: 0 } })
    expect((await send('GET', '/auth/status', token)).status).toBe(401)
    expect((await login(member)).status).toBe(200)
    await waitForEmail(server.app, { to: member.email, subject: /Your second factor was removed/ })
    expect((await remove()).json()).toEqual({ message: 'There was no second factor.' })
    const events = await server.app.db
      .selectFrom('audit_events')
      .select('details')
      .where('action', '=', 'factor.all_removed')
      .where('subject_id', '=', member.id)
      .execute()
    expect(events).toMatchObject([{ details: { passkeys: 1, totp: true } }])
  })

  test('of the operator, who makes an administrator of an account, leaves a stranger no factor; an administrator keeps theirs', async () => {
    const stranger = await aMemberWithApp()
    const { email } = stranger.member
    const password = 'the head librarian'
    const make = () => makeAdministrator(server.app, { email, name: 'The Head', password })
    expect(await make()).toBe('promoted')
    const token = await signIn(server, { email, password })
    expect(await statusOf(token)).toMatchObject({ needsSecondFactor: true })
    await setUpApp(token)
    await make()
    expect(outcomeOf(await login({ email, password }))).toEqual([401, 'factor.needed'])
  })

  test('for an administrator is left to the operator', async () => {
    const [one, another] = [await aMemberWithApp(true), await aMemberWithApp(true)]
    const path = `/api/people/${another.member.id}/factors`
    expect(outcomeOf(await send('DELETE', path, one.token))).toEqual([409, 'factor.of_administrator'])
    expect(await removeFactorsByOperator(server.app, { email: another.member.email })).toBe(true)
    expect(await removeFactorsByOperator(server.app, { email: another.member.email })).toBe(false)
    expect((await send('GET', '/auth/status', another.token)).status).toBe(401)
    expect(await statusOf(await signIn(server, another.member))).toMatchObject({ needsSecondFactor: true })
    await expect(removeFactorsByOperator(server.app, { email: 'nobody@readers.example' })).rejects.toMatchObject({
      code: 'account.unknown',
    })
  })

  test('is left to the operator for 30 days after the role was taken: nobody takes it in between', async () => {
    const [one, another] = [await aMemberWithApp(true), await aMemberWithApp(true)]
    const path = `/api/people/${another.member.id}`
    expect((await send('DELETE', `${path}/administrator`, one.token)).status).toBe(200)
    expect(outcomeOf(await send('DELETE', `${path}/factors`, one.token))).toEqual([409, 'factor.of_administrator'])
    expect(outcomeOf(await login(another.member))).toEqual([401, 'factor.needed'])
  })

  test('goes with a reset where nobody had confirmed the address: who registered with it may be a stranger', async () => {
    const { member } = await aMemberWithApp()
    const confirmed = await aMemberWithApp()
    await server.app.db.updateTable('users').set({ email_confirmed_at: null }).where('id', '=', member.id).execute()
    const password = 'another quiet reading room'
    for (const { email } of [member, confirmed.member]) {
      await post(server, '/forgot-password', { email }, { 'x-forwarded-for': elsewhere() })
      const letter = await waitForEmail(server.app, { to: email, subject: /Reset/ })
      const token = /token=([\w-]{43})/.exec(letter.text)?.[1]
      const headers = { 'x-forwarded-for': elsewhere(), 'api-key': server.app.config.clientApiKey }
      expect((await post(server, '/reset-password', { token, password }, headers)).status).toBe(200)
    }
    expect((await login({ ...member, password })).status).toBe(200)
    expect(outcomeOf(await login({ ...confirmed.member, password }))).toEqual([401, 'factor.needed'])
  })
})

describe('what is kept of it', () => {
  test('is in the file of the member without secrets, and is deleted with the account', async () => {
    const { member, token, app } = await aMemberWithApp()
    await addPasskey(token, anAuthenticator(), 'The key on my ring')
    const file = await send('GET', '/auth/export', token)
    expect(file.json()).toMatchObject({
      factors: { passkeys: [{ name: 'The key on my ring' }], totp: {}, recoveryCodesLeft: 10 },
    })
    expect(file.text).not.toContain(app.secret)
    await send('POST', '/auth/totp', token, {})
    await offered(token)
    expect((await send('DELETE', `/auth/delete-account/${member.email}`, token)).status).toBe(200)
    for (const table of ['passkeys', 'totp_factors', 'totp_setups', 'recovery_codes', 'factor_challenges'] as const) {
      const rows = await server.app.db.selectFrom(table).select('user_id').where('user_id', '=', member.id).execute()
      expect(rows, table).toEqual([])
    }
  })

  test('of every change an event tells, and an email', async () => {
    const { member, token } = await aMemberWithApp()
    await addPasskey(token, anAuthenticator())
    const [{ id } = { id: '' }] = (await factorsOf(token)).passkeys
    await send('PUT', `/auth/passkeys/${id}`, token, { name: 'Another' })
    await send('POST', '/auth/recovery-codes', token, {})
    await send('DELETE', `/auth/passkeys/${id}`, token)
    await send('DELETE', '/auth/totp', token)
    const events = await server.app.db
      .selectFrom('audit_events')
      .select(['action', 'details', 'subject_id'])
      .where('actor_id', '=', member.id)
      .where('action', 'like', 'factor.%')
      .orderBy('id')
      .execute()
    expect(events).toEqual(
      [
        ['factor.added', { kind: 'totp' }],
        ['factor.added', { kind: 'passkey' }],
        ['factor.renamed', { kind: 'passkey' }],
        ['factor.codes_made', {}],
        ['factor.removed', { kind: 'passkey' }],
        ['factor.removed', { kind: 'totp' }],
      ].map(([action, details]) => ({
        action,
        details: { ...(details as object), address: '127.0.0.0/24', requestId: expect.any(String) as string },
        subject_id: member.id,
      })),
    )
    await waitForEmail(server.app, { to: member.email, subject: /authenticator app was removed/ })
    const subjects = (await readEmails(server.app))
      .filter(({ to }) => to === member.email)
      .map(({ subject }) => subject)
    expect(subjects.toSorted()).toEqual([
      'A passkey was added at Daybook',
      'A passkey was removed at Daybook',
      'An authenticator app was added at Daybook',
      'New recovery codes were made at Daybook',
      'The authenticator app was removed at Daybook',
    ])
  })
})

test('a sign-in that waits for the first factor to be added is asked for it', async () => {
  const { app } = server
  const member = await aMember(app)
  let signing: Promise<TestResponse> | undefined
  await app.db.transaction().execute(async (trx) => {
    await lockFactors(trx, member.id)
    signing = login(member)
    // By then every earlier read and comparison is done; the account is locked.
    await new Promise((waited) => setTimeout(waited, 300))
    await trx.updateTable('users').set({ has_second_factor: true }).where('id', '=', member.id).execute()
  })
  expect(outcomeOf(await (signing as Promise<TestResponse>))).toEqual([401, 'factor.needed'])
  const sessions = await app.db.selectFrom('sessions').select('id').where('user_id', '=', member.id).execute()
  expect(sessions).toEqual([])
})

test('a sign-in under way while the first factor is added opens no session that has shown none', async () => {
  for (let round = 0; round < 5; round += 1) {
    const member = await aMember(server.app)
    const token = await signIn(server, member)
    const app = (await send('POST', '/auth/totp', token, {})).json() as TotpSetup
    const [signed] = await Promise.all([
      login(member),
      send('POST', '/auth/totp/confirm', token, { code: codeAfter(app) }),
    ])
    if (signed.status === 200) {
      const opened = (signed.json() as { token: string }).token
      expect((await send('GET', '/auth/status', opened)).status).toBe(401)
    } else expect(signed.status).toBe(401)
    const sessions = await server.app.db.selectFrom('sessions').select('id').where('user_id', '=', member.id).execute()
    expect(sessions).toHaveLength(1)
  }
})

test('at an address without a host name no passkey is asked for or made', async () => {
  await using plain = await openTestServer({ now: start })
  const token = await signIn(plain, await aMember(plain.app))
  const listed = await plain.request('/auth/factors', { headers: bearer(token) })
  expect(listed.json()).toMatchObject({ passkeysPossible: false })
  const offer = await post(plain, '/auth/passkeys/options', {}, bearer(token))
  expect(outcomeOf(offer)).toEqual([409, 'passkey.impossible'])
})
