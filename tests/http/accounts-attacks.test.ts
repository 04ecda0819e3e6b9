import type { AddressInfo } from 'node:net'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { openDatabase } from '../../src/db/open.ts'
import { appointFirstAdministrator } from '../../src/features/accounts/administrators/appoint-first-administrator.server.ts'
import { AppError } from '../../src/platform/errors.ts'
import { openPostOffice } from '../harness/post-office.ts'
import { openTestApp } from '../harness/test-app.ts'
import { aMember, bearer, post, signIn } from '../harness/members.ts'
import { openTestServer, type TestServer, serverOfFile } from '../harness/test-server.ts'
import { accountMails } from '../../src/features/accounts/account-mails.ts'

/* Attacks that were tried, and some that once succeeded; accounts.test.ts tells what the accounts promise. */

const server = serverOfFile({ env: { TRUSTED_PROXIES: '127.0.0.1/32' } })

let address = ''
let addresses = 0
beforeEach(() => {
  addresses += 1
  address = `198.51.100.${addresses % 250}`
})

const send = (path: string, body: unknown, headers: Record<string, string> = {}) =>
  post(server, path, body, { 'x-forwarded-for': address, 'api-key': server.app.config.clientApiKey, ...headers })

describe('what JSON can spell and a database cannot keep', () => {
  const halves = { zero: 'a\0b', 'half a character': 'a\ud800b' }
  test.each([
    ['/auth/login', 'email', { email: 'jane@x.example', password: 'a quiet reading room' }],
    ['/auth/login', 'password', { email: 'jane@x.example', password: 'a quiet reading room' }],
    ['/auth/register', 'name', { name: 'Jane', email: 'jane@x.example', password: 'a quiet reading room' }],
    ['/auth/register', 'password', { name: 'Jane', email: 'jane@x.example', password: 'a quiet reading room' }],
    ['/forgot-password', 'email', { email: 'jane@x.example' }],
    ['/reset-password', 'token', { token: 'x', password: 'a quiet reading room' }],
  ])('is refused at %s as %s', async (path, field, body) => {
    for (const text of Object.values(halves)) {
      const answer = await send(path, { ...body, [field]: `${text}-long-enough@x.example` })
      expect(answer.status, answer.text).toBe(422)
      expect(answer.json()).toMatchObject({ field })
    }
  })
})

test.each(['/auth/%6cogin', '/auth/./login', 'http://localhost/auth/login', '/auth/login#x'])(
  'a body of more than 16 KiB is refused at %s too',
  async (path) => {
    const body = JSON.stringify({ email: 'nobody@x.example', password: 'x', more: 'y'.repeat(17_000) })
    expect(await statusOf(path, body)).toBe(413)
  },
)

test.each(['/%72eset-password?token=SECRET', '/./reset-password?token=SECRET', '/x/../reset-password?token=SECRET'])(
  'the token of a reset link is not logged, however its address is spelled: %s',
  async (path) => {
    const said: unknown[] = []
    const spies = (['debug', 'info', 'error'] as const).map((level) =>
      vi.spyOn(server.app.log, level).mockImplementation((line: unknown) => void said.push(line)),
    )
    const enabled = vi.spyOn(server.app.log, 'isLevelEnabled').mockReturnValue(true)
    try {
      // An odd spelling is sent on to the usual one.
      expect([200, 301]).toContain(await statusOf(path, undefined))
      await expect.poll(() => said).toHaveLength(1)
      expect(JSON.stringify(said)).not.toContain('SECRET')
    } finally {
      for (const spy of [...spies, enabled]) spy.mockRestore()
    }
  },
)

/** A request whose path goes out as it stands: nothing on the way tidies it up. */
async function statusOf(path: string, body: string | undefined): Promise<number> {
  const { port } = server.server.address() as AddressInfo
  return new Promise((answered, failed) => {
    const sent = request(
      {
        port,
        host: '127.0.0.1',
        path,
        method: body === undefined ? 'GET' : 'POST',
        headers: { 'content-type': 'application/json' },
        agent: false,
      },
      (response) => {
        response.resume()
        answered(response.statusCode ?? 0)
      },
    )
    sent.on('error', failed)
    sent.end(body)
  })
}

test("an account's list of sessions has an end: the one that was left unused the longest makes room", async () => {
  const member = await aMember(server.app)
  const first = await signIn(server, member)
  server.clock.advance(61_000)
  const { id, user_id } = await server.app.db
    .selectFrom('sessions')
    .select(['id', 'user_id'])
    .where('user_id', '=', member.id)
    .executeTakeFirstOrThrow()
  await sql`
    insert into sessions (id, user_id, token_hash, is_remembered, user_agent, created_at, last_seen_at, expires_at,
                          proved_at)
    select gen_random_uuid(), ${user_id}, sha256(convert_to(${id} || n, 'UTF8')), false, '', created_at,
           last_seen_at + interval '1 second', expires_at, proved_at
      from sessions, generate_series(1, 120) as n where id = ${id}`.execute(server.app.db)
  const last = await signIn(server, member)
  const answer = await server.request('/auth/sessions', { headers: bearer(last) })
  expect((answer.json() as { sessions: unknown[] }).sessions).toHaveLength(100)
  expect((await server.request('/auth/status', { headers: bearer(first) })).status).toBe(401)
  // Another's are left alone.
  const other = await signIn(server, await aMember(server.app))
  await signIn(server, member)
  expect((await server.request('/auth/status', { headers: bearer(other) })).status).toBe(200)
})

test('a flood that is refused is one line in the log for all of it, and none for each', async () => {
  const alone = await openTestServer({ env: { LOG_LEVEL: 'silent' } })
  const said: { level: string; line: unknown }[] = []
  const levels = ['debug', 'info', 'warn', 'error'] as const
  const spies = levels.map((level) =>
    vi.spyOn(alone.app.log, level).mockImplementation((line: unknown) => void said.push({ level, line })),
  )
  const enabled = vi.spyOn(alone.app.log, 'isLevelEnabled').mockImplementation((level) => level !== 'debug')
  try {
    const busy = new AppError({
      code: 'passwords.busy',
      status: 503,
      message: 'Too many.',
      retryAfterSeconds: 3,
      isCounted: true,
    })
    const matches = vi.spyOn(alone.app.passwords, 'matches').mockRejectedValue(busy)
    const body = { email: 'jane@readers.example', password: 'a quiet reading room' }
    for (let i = 0; i < 7; i += 1) {
      const answer = await post(alone, '/auth/login', body)
      expect(answer.status).toBe(503)
      expect(answer.headers['retry-after']).toBe('3')
    }
    matches.mockRestore()
    const guesses = await Promise.all(Array.from({ length: 15 }, () => post(alone, '/auth/login', body)))
    expect(guesses.filter(({ status }) => status === 429)).toHaveLength(5)
  } finally {
    await alone.close()
    for (const spy of [...spies, enabled]) spy.mockRestore()
  }
  expect(said.filter(({ level }) => level === 'error')).toEqual([])
  expect(said.filter(({ line }) => [429, 503].includes((line as { status: number }).status))).toEqual([])
  expect(said.filter(({ level }) => level === 'warn')).toEqual([
    { level: 'warn', line: { refused: { 'passwords.busy': 7, 'limit.exceeded': 5 } } },
  ])
})

test('an ADMIN_EMAIL that has no effect, because the administrator of the demo is still there, is told', async () => {
  await using own = await openTestApp({
    env: { ADMIN_EMAIL: 'Head@library.example', ADMIN_PASSWORD: 'quiet rooms 9' },
  })
  const { app } = own
  const warn = vi.spyOn(app.log, 'warn').mockImplementation(() => {})
  await aMember(app, { email: 'admin@demo.example', isAdmin: true })
  await appointFirstAdministrator(app)
  expect(warn.mock.calls).toEqual([
    [{ email: 'Head@library.example' }, expect.stringMatching(/^ADMIN_EMAIL has no effect/)],
  ])
  await aMember(app, { email: 'head@library.example', isAdmin: true })
  await appointFirstAdministrator(app)
  expect(warn).toHaveBeenCalledTimes(1)
})

test('refused passwords do not close the registration of an address, and are themselves limited', async () => {
  address = '198.51.100.77'
  const register = (i: number, password: string) =>
    send('/auth/register', { name: 'Jane', email: `common${i}@readers.example`, password })
  for (let i = 0; i < 12; i += 1) expect((await register(i, 'password123')).status).toBe(422)
  expect((await register(0, 'a quiet reading room')).status).toBe(201)
  for (let i = 13; i < 60; i += 1) expect((await register(i, 'password123')).status).toBe(422)
  expect((await register(61, 'password123')).status).toBe(429)
  expect((await register(61, 'a quiet reading room')).status).toBe(429)
})

test('nobody is buried in emails by registering and deleting their address over and over, from wherever', async () => {
  const person = { name: 'Jane', email: 'buried@readers.example', password: 'a quiet reading room' }
  const statuses: number[] = []
  for (let i = 0; i < 7; i += 1) {
    address = `203.0.113.${i}`
    const { status } = await send('/auth/register', {
      ...person,
      email: i % 2 === 0 ? person.email : 'Buried@Readers.Example',
    })
    statuses.push(status)
    if (status !== 201) continue
    const answer = await server.request(`/auth/delete-account/${person.email}`, {
      method: 'DELETE',
      headers: { ...bearer(await signIn(server, person)), 'api-key': server.app.config.clientApiKey },
    })
    expect(answer.status, answer.text).toBe(200)
  }
  expect(statuses).toEqual([201, 201, 201, 201, 201, 429, 429])
})

test('nobody else on the machine reads or writes the embedded database', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'daybook-modes-'))
  try {
    await using own = await openDatabase({ databaseUrl: undefined, dataDir })
    expect(own.engine).toBe('embedded')
    expect((await stat(join(dataDir, 'postgres'))).mode & 0o777).toBe(0o700)
  } finally {
    await rm(dataDir, { recursive: true, force: true })
  }
})

test.each([
  ['for good', 554],
  ['for now', 451],
])('a mail server that quotes the email when it refuses it %s gives no link away', async (_what, code) => {
  let quoted = ''
  const office = await openPostOffice({
    receive({ source }) {
      quoted = /token=(?:3D)?([\w-]{43})/.exec(source.replaceAll('=\r\n', ''))?.[1] ?? ''
      const says = `I do not like http://localhost/reset-password?token=${quoted} .`
      return { code, says }
    },
  })
  const { app, close } = await openTestApp({ env: { SMTP_URL: office.url } })
  const said: string[] = []
  for (const level of ['info', 'warn', 'error'] as const) {
    vi.spyOn(app.log, level).mockImplementation((...line: unknown[]) => {
      said.push(line.map(textOf).join(' '))
    })
  }
  try {
    const member = await aMember(app)
    await app.mail.queue(app.db, accountMails.resetLink, { email: member.email })
    await app.jobs.drain()
    expect(said.join('\n')).toMatch(/email was refused|job failed/i)
    expect(await jobStates(app.db)).not.toContain('active')
    expect(quoted).toHaveLength(43)
    expect(said.join('\n')).not.toContain(quoted)
    expect(said.join('\n')).toContain('I do not like')
    const { rows } = await sql<{ line: string }>`select job::text as line from pgboss.job as job`.execute(app.db)
    expect(rows.map(({ line }) => line).join('\n')).not.toContain(quoted)
  } finally {
    await close()
    await office.close()
  }
})

/** All that a log could show of a value, with the errors behind an error. */
function textOf(value: unknown): string {
  if (value instanceof Error) {
    const own = Object.fromEntries(
      Object.getOwnPropertyNames(value).map((name) => [name, textOf(value[name as never])]),
    )
    return JSON.stringify(own)
  }
  if (typeof value === 'object' && value !== null) {
    return Object.entries(value)
      .map(([name, one]) => `${name}: ${textOf(one)}`)
      .join(', ')
  }
  return String(value)
}

async function jobStates(db: TestServer['app']['db']): Promise<string[]> {
  const { rows } = await sql<{ state: string }>`select state from pgboss.job where name = 'mail'`.execute(db)
  return rows.map(({ state }) => state)
}
