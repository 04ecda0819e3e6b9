import { sql } from 'kysely'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import type { DeviceForMember } from '../../src/features/accounts/devices/device-schema.ts'
import type { AdminHome } from '../../src/features/site/home/admin-home-schema.ts'
import { unlockAccount } from '../../src/features/accounts/sign-in/unlock-account.server.ts'
import { readEmails, type ReadEmail, waitForEmail } from '../harness/emails.ts'
import { aMember, bearer, type MadeMember, post } from '../harness/members.ts'
import type { TestResponse } from '../harness/request.ts'
import { openTestServer, serverOfFile } from '../harness/test-server.ts'

/* docs/spec/accounts.md#known-devices: whoever knows the password gets in, whatever strangers do. */

/** The origin of an event, beside its own facts. */
const origin = { address: '127.0.0.0/24', requestId: expect.any(String) as string }
const start = '2024-03-15T12:00:00Z'
const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

const server = serverOfFile({ now: start, env: { TRUSTED_PROXIES: '127.0.0.1/32' } })
beforeEach(() => {
  server.clock.set(start)
})

let strangers = 0
/** An address that nobody else has, in a network of its own. */
function elsewhere(): string {
  strangers += 1
  return `2001:${(0x1000 + (strangers >> 16)).toString(16)}:${(strangers & 0xffff).toString(16)}::1`
}

/** A browser: it keeps the cookie that it is given, and sends it along. */
class Device {
  readonly address = elsewhere()
  cookie: string | undefined

  readonly #userAgent: string

  constructor(userAgent = 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0') {
    this.#userAgent = userAgent
  }

  headers(): Record<string, string> {
    return {
      'x-forwarded-for': this.address,
      'user-agent': this.#userAgent,
      'api-key': server.app.config.clientApiKey,
      ...(this.cookie === undefined ? {} : { cookie: this.cookie }),
    }
  }

  async send(path: string, body: unknown, headers: Record<string, string> = {}): Promise<TestResponse> {
    const answer = await post(server, path, body, { ...this.headers(), ...headers })
    const [set] = answer.headers['set-cookie'] ?? []
    if (set !== undefined) this.cookie = set.split(';')[0]
    return answer
  }

  signIn({ email, password }: Pick<MadeMember, 'email' | 'password'>): Promise<TestResponse> {
    return this.send('/auth/login', { email, password })
  }

  async tokenOf(member: MadeMember): Promise<string> {
    const answer = await this.signIn(member)
    if (answer.status !== 200) throw new Error(`Signing in answered ${answer.status}: ${answer.text}`)
    return (answer.json() as { token: string }).token
  }

  async devices(token: string): Promise<DeviceForMember[]> {
    const answer = await server.request('/auth/devices', { headers: { ...this.headers(), ...bearer(token) } })
    if (answer.status !== 200) throw new Error(`The list answered ${answer.status}: ${answer.text}`)
    return (answer.json() as { devices: DeviceForMember[] }).devices
  }
}

const wrong = 'a wrong password'

async function strangersGuess({ email }: MadeMember, times: number): Promise<Map<number, number>> {
  const counts = new Map<number, number>()
  for (let i = 0; i < times; i += 1) {
    const headers = { 'x-forwarded-for': elsewhere() }
    const { status } = await post(server, '/auth/login', { email, password: wrong }, headers)
    counts.set(status, (counts.get(status) ?? 0) + 1)
  }
  return counts
}

async function mailsTo({ email }: MadeMember, subject: RegExp): Promise<ReadEmail[]> {
  await server.app.jobs.drain()
  return (await readEmails(server.app)).filter((one) => one.to === email && subject.test(one.subject))
}

const tokenIn = ({ text }: ReadEmail): string => /token=([\w-]{43})/.exec(text)?.[1] ?? ''

describe('while strangers guess at an account', () => {
  test.each([
    ['a member', false, 10],
    ['a member', false, 200],
    ['an administrator', true, 10],
    ['an administrator', true, 200],
  ])(
    '%s (administrator: %s) signs in on a known device at once, after %i wrong passwords',
    async (_who, isAdmin, times) => {
      const member = await aMember(server.app, { isAdmin })
      const home = new Device()
      await home.tokenOf(member)
      const counts = await strangersGuess(member, times)
      expect(counts.get(401)).toBe(10)
      // The right password of somebody who holds no secret waits like any other.
      expect((await new Device().signIn(member)).status).toBe(429)
      for (let i = 0; i < 3; i += 1) expect((await home.signIn(member)).status).toBe(200)
      // And what the owner did has not let the strangers go on.
      expect((await strangersGuess(member, 1)).get(429)).toBe(1)
    },
  )

  test('a made-up cookie, and one of another account, spare nothing and answer alike', async () => {
    const [owner, thief] = [await aMember(server.app), await aMember(server.app)]
    const [home, theirs] = [new Device(), new Device()]
    await home.tokenOf(owner)
    await theirs.tokenOf(thief)
    await strangersGuess(owner, 10)
    const refused = await new Device().signIn(owner)
    expect(refused.status).toBe(429)
    for (const cookie of [
      theirs.cookie,
      'device=' + 'A'.repeat(43),
      'device=',
      'device=..',
      `device=${'A.'.repeat(300)}`,
    ]) {
      const device = new Device()
      device.cookie = cookie
      const answer = await device.signIn(owner)
      expect([answer.status, answer.json()]).toEqual([429, refused.json()])
      expect(answer.headers['set-cookie']).toBeUndefined()
    }
    // The cookie still serves its own account.
    expect((await theirs.signIn(thief)).status).toBe(200)
  })

  test('a device waits for its own wrong passwords, and nobody else does', async () => {
    const member = await aMember(server.app)
    const [home, work] = [new Device(), new Device()]
    await home.tokenOf(member)
    await work.tokenOf(member)
    const statuses: number[] = []
    for (let i = 0; i < 12; i += 1) statuses.push((await home.signIn({ ...member, password: wrong })).status)
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 401), 429, 429])
    const waiting = await home.signIn(member)
    expect([waiting.status, waiting.headers['retry-after']]).toEqual([429, '60'])
    expect((await work.signIn(member)).status).toBe(200)
    expect((await new Device().signIn(member)).status).toBe(200)
  })

  test('the command account unlock clears the limits of the account', async () => {
    const member = await aMember(server.app)
    const home = new Device()
    await home.tokenOf(member)
    for (let i = 0; i < 10; i += 1) await home.signIn({ ...member, password: wrong })
    await strangersGuess(member, 10)
    expect((await home.signIn(member)).status).toBe(429)
    await unlockAccount(server.app, { email: member.email.toUpperCase() })
    // An instance that has just looked does so again within a second.
    await expect.poll(async () => (await home.signIn(member)).status).toBe(200)
    await expect.poll(async () => (await new Device().signIn(member)).status).toBe(200)
    await expect(unlockAccount(server.app, { email: 'nobody@readers.example' })).rejects.toMatchObject({
      code: 'account.unknown',
    })
  })

  test('a reset clears them as well', async () => {
    const member = await aMember(server.app)
    await strangersGuess(member, 11)
    const device = new Device()
    expect((await device.send('/forgot-password', { email: member.email })).status).toBe(200)
    const email = await waitForEmail(server.app, { to: member.email, subject: /Reset/ })
    const password = 'another quiet reading room'
    expect((await device.send('/reset-password', { token: tokenIn(email), password })).status).toBe(200)
    expect((await device.signIn({ ...member, password })).status).toBe(200)
  })
})

test('a password that is set on a known device is hashed in the lane of known devices', async () => {
  const member = await aMember(server.app)
  const hash = vi.spyOn(server.app.passwords, 'hash')
  try {
    const device = new Device()
    const { token } = (await device.send('/auth/login', member)).json() as { token: string }
    const password = 'another quiet room'
    const changed = await device.send('/reset-password/account', { token, password }, bearer(token))
    expect(changed.status).toBe(200)
    await device.send('/forgot-password', { email: member.email })
    const email = await waitForEmail(server.app, { to: member.email, subject: /Reset/ })
    const reset = await device.send('/reset-password', { token: tokenIn(email), password: `${password} again` })
    expect(reset.status).toBe(200)
    const lanes = hash.mock.calls.map(([, caller]) => caller?.device)
    expect(lanes).toEqual([expect.any(String), expect.any(String)])
  } finally {
    hash.mockRestore()
  }
})

describe('the cookie of a device', () => {
  test('is set by a right password alone, for a year, out of reach of scripts and of other sites', async () => {
    const member = await aMember(server.app)
    const device = new Device()
    const failed = await device.signIn({ ...member, password: wrong })
    expect(failed.headers['set-cookie']).toBeUndefined()
    const answer = await device.signIn(member)
    expect(answer.headers['set-cookie']).toEqual([
      expect.stringMatching(/^device=[\w-]{43}; Max-Age=31536000; Path=\/; HttpOnly; SameSite=Strict$/),
    ])
    // By itself it opens nothing.
    const opened = await server.request('/auth/dashboard', { headers: { cookie: device.cookie ?? '' } })
    expect(opened.status).toBe(401)
    // It stays when the member signs out.
    const token = (answer.json() as { token: string }).token
    const out = await device.send('/auth/logout', {}, bearer(token))
    expect([out.status, out.headers['set-cookie'], out.headers['clear-site-data']]).toEqual([204, undefined, '"cache"'])
  })

  test('has the prefix of its host, and goes over https alone, where the site has an https address', async () => {
    await using live = await openTestServer({ env: { PUBLIC_URL: 'https://library.example', PAYMENTS: 'off' } })
    const { email, password } = await aMember(live.app)
    const answer = await post(live, '/auth/login', { email, password })
    const [cookie = ''] = answer.headers['set-cookie'] ?? []
    expect(cookie).toMatch(/^__Host-device=[\w-]{43}; Max-Age=31536000; Path=\/; HttpOnly; Secure; SameSite=Strict$/)
    const again = await post(live, '/auth/login', { email, password }, { cookie: cookie.split(';')[0] ?? '' })
    expect(again.headers['set-cookie']).toEqual([cookie])
    // The name without the prefix could be set by another host of the domain.
    const forged = cookie.split(';')[0]?.replace('__Host-', '') ?? ''
    expect(
      (await post(live, '/auth/login', { email, password }, { cookie: forged })).headers['set-cookie'],
    ).not.toEqual([cookie])
  })

  test('holds a secret for each account of the browser, and the database no secret at all', async () => {
    const [parent, child] = [await aMember(server.app), await aMember(server.app)]
    const shared = new Device()
    await shared.tokenOf(parent)
    const first = shared.cookie?.replace('device=', '')
    const token = await shared.tokenOf(child)
    expect(shared.cookie).toMatch(new RegExp(`^device=[\\w-]{43}\\.${first}$`))
    expect(await shared.devices(token)).toHaveLength(1)
    await strangersGuess(parent, 10)
    await strangersGuess(child, 10)
    expect((await shared.signIn(parent)).status).toBe(200)
    expect((await shared.signIn(child)).status).toBe(200)
    const rows = await server.app.db.selectFrom('known_devices').selectAll().execute()
    const stored = rows.map((row) => Buffer.from(row.secret_hash).toString('base64url'))
    for (const secret of shared.cookie?.replace('device=', '').split('.') ?? []) expect(stored).not.toContain(secret)
    expect(new Set(rows.map((row) => row.user_id)).size).toBeGreaterThan(1)
  })

  test('put into a browser by somebody else makes them no known device of who signs in there', async () => {
    const [victim, planter] = [await aMember(server.app), await aMember(server.app)]
    const theirs = new Device()
    await theirs.tokenOf(planter)
    const browser = new Device()
    browser.cookie = theirs.cookie
    await browser.tokenOf(victim)
    await strangersGuess(victim, 10)
    expect((await browser.signIn(victim)).status).toBe(200)
    expect((await theirs.signIn(victim)).status).toBe(429)
  })

  test('counts for a year after the last sign-in, and twenty devices of an account at most', async () => {
    const member = await aMember(server.app)
    const [old, kept] = [new Device(), new Device()]
    await old.tokenOf(member)
    await kept.tokenOf(member)
    server.clock.advance(364 * dayMs)
    await kept.tokenOf(member)
    server.clock.advance(2 * dayMs)
    const token = await kept.tokenOf(member)
    expect(await kept.devices(token)).toHaveLength(1)
    await server.app.db
      .insertInto('known_devices')
      .values(
        Array.from({ length: 25 }, (_, i) => ({
          id: `018f3f3e-0000-7000-8000-0000000000${String(i).padStart(2, '0')}`,
          user_id: member.id,
          secret_hash: Buffer.alloc(32, i),
          user_agent: '',
          created_at: new Date(server.clock.now()),
          last_used_at: new Date(server.clock.now() + 1),
        })),
      )
      .execute()
    await new Device().tokenOf(member)
    const devices = await kept.devices(token)
    expect(devices).toHaveLength(20)
  })
})

describe('forgotten passwords', () => {
  test('come on a known device also where others have used up the limit of the site and of the address', async () => {
    await using flooded = await openTestServer({ now: start, env: { TRUSTED_PROXIES: '127.0.0.1/32' } })
    const member = await aMember(flooded.app, { email: 'owner@readers.example' })
    const { email, password } = member
    const from = { 'x-forwarded-for': '203.0.113.5' }
    const signedIn = await post(flooded, '/auth/login', { email, password }, from)
    const cookie = signedIn.headers['set-cookie']?.[0]?.split(';')[0] ?? ''
    const asked: number[] = []
    for (let i = 0; i < 34 * 30; i += 1) {
      const caller = i < 30 ? '203.0.113.5' : `198.51.100.${i % 33}`
      if (asked.length >= 1_000) break
      const body = { email: `nobody${i}@readers.example` }
      const { status } = await post(flooded, '/forgot-password', body, { 'x-forwarded-for': caller })
      asked.push(status)
    }
    expect(new Set(asked)).toEqual(new Set([200]))
    // Nobody has these addresses: what is in line for them would only take the test's time.
    await sql`delete from pgboss.job where name = 'mail'`.execute(flooded.app.db)
    // The address of the owner has none left.
    expect((await post(flooded, '/forgot-password', { email }, from)).status).toBe(429)
    // Those of strangers wait in line, and come through.
    const stranger = await post(
      flooded,
      '/forgot-password',
      { email: 'x@readers.example' },
      { 'x-forwarded-for': '192.0.2.8' },
    )
    expect(stranger.status).toBe(200)
    const answer = await post(flooded, '/forgot-password', { email }, { ...from, cookie })
    expect([answer.status, answer.json()]).toEqual([200, stranger.json()])
    const link = await waitForEmail(flooded.app, { to: email, subject: /Reset/ })
    expect(tokenIn(link)).toMatch(/^[\w-]{43}$/)
    await flooded.app.alarms.settle()
    const alarms = await flooded.app.db.selectFrom('alarms').select('name').execute()
    expect(alarms).toEqual([{ name: 'limit forgot.site' }])
  })

  test('by their own link come also from an address that has tried too many made-up ones', async () => {
    const member = await aMember(server.app)
    const device = new Device()
    await device.send('/forgot-password', { email: member.email })
    const email = await waitForEmail(server.app, { to: member.email, subject: /Reset/ })
    const password = 'another quiet reading room'
    const statuses: number[] = []
    for (let i = 0; i < 31; i += 1)
      statuses.push((await device.send('/reset-password', { token: 'A'.repeat(43), password })).status)
    expect(statuses.filter((status) => status === 400)).toHaveLength(30)
    expect(statuses.at(-1)).toBe(429)
    expect((await device.send('/reset-password', { token: tokenIn(email), password })).status).toBe(200)
  })
})

describe('a new device', () => {
  test('is told of by email, but not at the first sign-in of an account', async () => {
    const person = { name: 'Jane Reader', email: 'jane.device@readers.example', password: 'a quiet reading room' }
    const [home, phone] = [
      new Device(),
      new Device(
        'Mozilla/5.0 (iPhone; CPU iPhone OS 17_4 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.4 Mobile/15E148 Safari/604.1',
      ),
    ]
    expect((await home.send('/auth/register', person)).status).toBe(201)
    const member = { ...person, id: '' }
    await home.tokenOf(member)
    await home.tokenOf(member)
    expect(await mailsTo(member, /new device/)).toEqual([])
    await phone.tokenOf(member)
    await phone.tokenOf(member)
    const [told, ...more] = await mailsTo(member, /new device/)
    expect(more).toEqual([])
    expect(told?.subject).toBe('Sign-in to Daybook from a new device')
    expect(told?.text).toContain('Hello Jane Reader')
    expect(told?.text).toMatch(
      /on a device that we did not know: Safari on iOS, on \w+ \d+, 2024 at \d+:\d\d.[AP]M \(UTC\)\./,
    )
    expect(told?.links).toContain(`${server.app.config.publicUrl}/forgot-password`)
    expect(told?.text).not.toContain(phone.address)
  })

  test('that signs in over and over without its cookie fills no inbox', async () => {
    const member = await aMember(server.app)
    for (let i = 0; i < 10; i += 1) await new Device().tokenOf(member)
    expect(await mailsTo(member, /new device/)).toHaveLength(5)
  })
})

describe('the list of devices', () => {
  test('has the one in use first; each can be forgotten, and all others at once', async () => {
    const member = await aMember(server.app)
    const [home, work, phone] = [new Device(), new Device(), new Device()]
    const token = await home.tokenOf(member)
    server.clock.advance(minuteMs)
    await work.tokenOf(member)
    server.clock.advance(minuteMs)
    await phone.tokenOf(member)
    const devices = await home.devices(token)
    expect(devices.map(({ device, isCurrent, lastUsedAt }) => [device, isCurrent, lastUsedAt])).toEqual([
      ['Firefox on Linux', true, '2024-03-15T12:00:00.000Z'],
      ['Firefox on Linux', false, '2024-03-15T12:02:00.000Z'],
      ['Firefox on Linux', false, '2024-03-15T12:01:00.000Z'],
    ])
    const forget = (path: string) =>
      server.request(path, { method: 'DELETE', headers: { ...home.headers(), ...bearer(token) } })
    expect((await forget(`/auth/devices/${devices[1]?.id}`)).status).toBe(204)
    const gone = await forget(`/auth/devices/${devices[1]?.id}`)
    expect([gone.status, (gone.json() as { code: string }).code]).toEqual([404, 'device.not_found'])
    expect((await forget('/auth/devices/no-such-id')).status).toBe(404)
    await strangersGuess(member, 10)
    expect((await phone.signIn(member)).status).toBe(429)
    expect((await work.signIn(member)).status).toBe(200)
    expect((await forget('/auth/devices')).status).toBe(204)
    expect((await home.devices(token)).map(({ isCurrent }) => isCurrent)).toEqual([true])
    expect((await work.signIn(member)).status).toBe(429)
  })

  test('is the member’s own alone', async () => {
    const [owner, other] = [await aMember(server.app), await aMember(server.app)]
    const [home, theirs] = [new Device(), new Device()]
    const token = await home.tokenOf(owner)
    const foreign = await theirs.tokenOf(other)
    const [device] = await home.devices(token)
    const headers = { ...theirs.headers(), ...bearer(foreign) }
    expect((await server.request(`/auth/devices/${device?.id}`, { method: 'DELETE', headers })).status).toBe(404)
    expect((await server.request('/auth/devices', { method: 'DELETE', headers })).status).toBe(204)
    expect(await home.devices(token)).toHaveLength(1)
    expect((await server.request('/auth/devices')).status).toBe(401)
  })

  test('is left with the device in use after a change of the password, and after a reset', async () => {
    const member = await aMember(server.app)
    const [home, thief] = [new Device(), new Device()]
    const token = await home.tokenOf(member)
    await thief.tokenOf(member)
    const changed = { ...member, password: 'another quiet reading room' }
    const answer = await home.send('/reset-password/account', { token, password: changed.password }, bearer(token))
    expect(answer.status, answer.text).toBe(200)
    expect((await home.devices(await home.tokenOf(changed))).map(({ isCurrent }) => isCurrent)).toEqual([true])
    await thief.tokenOf(changed)
    await home.send('/forgot-password', { email: member.email })
    const email = await waitForEmail(server.app, { to: member.email, subject: /Reset/ })
    const reset = { ...member, password: 'a third quiet reading room' }
    const done = await home.send('/reset-password', { token: tokenIn(email), password: reset.password })
    expect(done.status, done.text).toBe(200)
    expect(done.headers['set-cookie']).toBeUndefined()
    expect((await home.devices(await home.tokenOf(reset))).map(({ isCurrent }) => isCurrent)).toEqual([true])
  })

  test('goes with the data of the member, and away with the account', async () => {
    const member = await aMember(server.app)
    const home = new Device()
    const token = await home.tokenOf(member)
    const file = await server.request('/auth/export', { headers: bearer(token) })
    const { devices } = file.json() as { devices: Record<string, unknown>[] }
    expect(devices).toEqual([
      {
        id: expect.any(String),
        device: 'Firefox on Linux',
        createdAt: expect.any(String),
        lastUsedAt: expect.any(String),
      },
    ])
    const gone = await server.request(`/auth/delete-account/${member.email}`, {
      method: 'DELETE',
      headers: { ...home.headers(), ...bearer(token) },
    })
    expect(gone.status, gone.text).toBe(200)
    expect(
      await server.app.db.selectFrom('known_devices').select('id').where('user_id', '=', member.id).execute(),
    ).toEqual([])
  })

  test('of a member is shown to administrators, who may forget it', async () => {
    const [member, keeper] = [await aMember(server.app), await aMember(server.app, { isAdmin: true })]
    await new Device().tokenOf(member)
    const admin = bearer(await new Device().tokenOf(keeper))
    const shown = await server.request(`/api/people/${member.id}`, { headers: admin })
    expect(shown.json()).toMatchObject({ devices: [{ device: 'Firefox on Linux' }] })
    const answer = await server.request(`/api/people/${member.id}/devices`, { method: 'DELETE', headers: admin })
    expect([answer.status, answer.json()]).toEqual([200, { message: '1 device is forgotten.' }])
    const event = await server.app.db
      .selectFrom('audit_events')
      .select(['action', 'actor_id', 'details'])
      .where('subject_id', '=', member.id)
      .where('action', '=', 'devices.forgotten')
      .executeTakeFirst()
    expect(event).toEqual({ action: 'devices.forgotten', actor_id: keeper.id, details: { devices: 1, ...origin } })
  })
})

test('an alarm stands on the home, and goes to every administrator by email, once an hour', async () => {
  const [keeper, other] = [await aMember(server.app, { isAdmin: true }), await aMember(server.app, { isAdmin: true })]
  const { alarms } = server.app
  const admin = bearer(await new Device().tokenOf(keeper))
  const alarm = {
    name: 'a test',
    headline: 'Very many tests',
    sentence: 'There were more tests than usual.',
    advice: 'Look at them.',
    to: '/admin/audit',
  }
  for (let i = 0; i < 500; i += 1) alarms.raise(alarm)
  await alarms.settle()
  const home = await server.request('/api/admin/home', { headers: admin })
  expect((home.json() as AdminHome).rows).toContainEqual(
    expect.objectContaining({
      sentence: 'There were more tests than usual.',
      line: 'Look at them.',
      since: '2024-03-15T12:00:00.000Z',
      to: '/admin/audit',
    }),
  )
  for (const reader of [keeper, other]) {
    const [told, ...more] = await mailsTo(reader, /Very many tests/)
    expect(more).toEqual([])
    expect(told?.text).toContain('There were more tests than usual.')
    expect(told?.links).toContain(`${server.app.config.publicUrl}/admin/audit`)
  }
  server.clock.advance(hourMs - 1)
  for (let i = 0; i < 7; i += 1) alarms.raise(alarm)
  await alarms.settle()
  expect(await mailsTo(keeper, /Very many tests/)).toHaveLength(1)
  server.clock.advance(1)
  alarms.raise(alarm)
  await alarms.settle()
  const told = await mailsTo(keeper, /Very many tests/)
  expect(told).toHaveLength(2)
  expect(told[1]?.text).toContain('8 times since the last email')
  const { times } = await server.app.db
    .selectFrom('alarms')
    .select('times')
    .where('name', '=', 'a test')
    .executeTakeFirstOrThrow()
  expect(times).toBe(508)
  server.clock.advance(8 * dayMs)
  const later = bearer(await new Device().tokenOf(keeper))
  const after = await server.request('/api/admin/home', { headers: later })
  expect(JSON.stringify((after.json() as AdminHome).rows)).not.toContain('more tests')
})
