import { spawn, type ChildProcess } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { ask } from '../harness/ask.ts'

/** The real process on its embedded database, started as `npm start` starts it. */
const root = resolve(import.meta.dirname, '../..')

let dataDir: string
const started: ChildProcess[] = []

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'daybook-process-'))
})
afterEach(async () => {
  await Promise.all(
    started.splice(0).map(async (child) => {
      if (child.exitCode !== null || child.signalCode !== null) return
      const ended = new Promise((resolve) => child.once('exit', resolve))
      child.kill('SIGKILL')
      await ended
    }),
  )
  await rm(dataDir, { recursive: true, force: true })
})

interface Started {
  child: ChildProcess
  output: () => string
  /** Resolves with the exit code, or the name of the signal that ended it. */
  ended: Promise<number | string | null>
}

function start(env: Record<string, string>): Started {
  const { PATH = '', HOME = '' } = process.env
  const child = spawn(join(root, 'node_modules/node/bin/node'), ['src/main.ts'], {
    cwd: root,
    env: { PATH, HOME, NODE_ENV: 'production', DEMO: '0', PORT: '0', DATA_DIR: dataDir, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  started.push(child)
  let output = ''
  child.stdout.on('data', (data: Buffer) => (output += data.toString()))
  child.stderr.on('data', (data: Buffer) => (output += data.toString()))
  return {
    child,
    output: () => output,
    ended: new Promise((resolve) => child.once('close', (code, signal) => resolve(code ?? signal))),
  }
}

async function address({ child, output }: Started): Promise<string> {
  for (let waited = 0; waited < 90_000; waited += 50) {
    const found = /open at (http:\S+)/.exec(output())
    if (found !== null) return (found[1] as string).replace('localhost', '127.0.0.1')
    if (child.exitCode !== null) break
    await new Promise((wake) => setTimeout(wake, 50))
  }
  throw new Error(`The server did not start:\n${output()}`)
}

describe('the process', () => {
  test('is ready when it says so, ends on SIGTERM with 0, and starts again on what it left', async () => {
    for (let round = 0; round < 2; round += 1) {
      const server = start({})
      const url = await address(server)
      expect((await ask(`${url}/readyz`)).status).toBe(200)
      expect((await ask(`${url}/asian`)).status).toBe(200)
      server.child.kill('SIGTERM')
      expect(await server.ended, server.output()).toBe(0)
      expect(existsSync(join(dataDir, 'daybook.pid'))).toBe(false)
    }
  })

  test('refuses a data directory that another process holds, and leaves that one alone', async () => {
    const first = start({})
    const url = await address(first)
    const second = start({})
    expect(await second.ended).toBe(1)
    expect(second.output()).toMatch(
      /data directory .* is in use by another Daybook process \(process id \d+, running since [-\d]+T[\d:.]+Z\)/,
    )
    expect(second.output()).not.toMatch(/\n\s+at /)
    expect((await ask(`${url}/readyz`)).status).toBe(200)
    first.child.kill('SIGINT')
    expect(await first.ended, first.output()).toBe(0)
  })

  test('is not locked out by a predecessor that was killed', async () => {
    const first = start({})
    await address(first)
    first.child.kill('SIGKILL')
    expect(await first.ended).toBe('SIGKILL')
    expect(existsSync(join(dataDir, 'daybook.pid'))).toBe(true)
    const second = start({})
    const url = await address(second)
    expect((await ask(`${url}/readyz`)).status).toBe(200)
  })

  test('says in a sentence that its port is taken, and lets go of its data', async () => {
    const first = start({})
    const { port } = new URL(await address(first))
    const other = await mkdtemp(join(tmpdir(), 'daybook-process-'))
    try {
      const second = start({ DATA_DIR: other, PORT: port })
      expect(await second.ended).toBe(1)
      expect(second.output()).toContain(`PORT must be one that no other process listens on. It is "${port}".`)
      expect(second.output()).not.toMatch(/\n\s+at /)
    } finally {
      await rm(other, { recursive: true, force: true })
    }
  })

  test('says where a data directory that cannot be one is wrong', async () => {
    const file = join(dataDir, 'a-file')
    await writeFile(file, '')
    const server = start({ DATA_DIR: join(file, 'data') })
    expect(await server.ended).toBe(1)
    expect(server.output()).toContain(file)
  })
})

const adminEmail = 'head@library.example'
const adminPassword = 'the head librarian'

/** Signs in as the pages do. @returns the token, or the status where there is none */
async function logIn(url: string, email: string, password: string): Promise<string | number> {
  const body = JSON.stringify({ email, password })
  const answer = await ask(`${url}/auth/login`, {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/json' },
  })
  return answer.status === 200 ? (answer.json() as { token: string }).token : answer.status
}

async function rolesOf(url: string, token: string | number): Promise<unknown> {
  return (await ask(`${url}/auth/status`, { headers: { authorization: `Bearer ${token}` } })).json()
}

describe('the first administrator', () => {
  const env = { ADMIN_EMAIL: adminEmail, ADMIN_PASSWORD: adminPassword }

  test('is made at the start, once: a later start with another password changes nobody', async () => {
    const first = start(env)
    const url = await address(first)
    const token = await logIn(url, adminEmail, adminPassword)
    expect(await rolesOf(url, token)).toEqual({ isAdmin: true, isVip: false })
    first.child.kill('SIGTERM')
    expect(await first.ended).toBe(0)
    const second = start({ ...env, ADMIN_PASSWORD: 'somebody else came' })
    const again = await address(second)
    expect(await logIn(again, adminEmail, 'somebody else came')).toBe(401)
    // Sessions outlive the process.
    expect(await rolesOf(again, token)).toEqual({ isAdmin: true, isVip: false })
    expect(second.output()).not.toContain(adminPassword)
  })

  test.each([
    ['ADMIN_PASSWORD', { ...env, ADMIN_PASSWORD: 'short' }],
    ['ADMIN_PASSWORD', { ...env, ADMIN_PASSWORD: 'password123' }],
    ['ADMIN_EMAIL', { ADMIN_PASSWORD: adminPassword }],
  ])('a wrong %s stops the start without showing a password', async (variable, wrong) => {
    const server = start(wrong)
    expect(await server.ended).toBe(1)
    expect(server.output()).toContain(variable)
    expect(server.output()).not.toMatch(/password123|short|head librarian|\n\s+at /)
  })

  test('is missed in the log while there is none', async () => {
    const server = start({})
    await address(server)
    expect(server.output()).toContain('There is no administrator')
  })
})

describe('the demo', () => {
  test('prints logins that work, at the next start too, and leaves a changed or deleted one alone', async () => {
    const loginsOf = (output: string) =>
      [...output.matchAll(/^ +(\S+@demo\.example) +(\S+|\(password changed\)) +(\w+)$/gm)].map(
        ([, email = '', password = '', role = '']) => ({ email, password, role }),
      )
    const first = start({ DEMO: '1' })
    const url = await address(first)
    await expect.poll(() => loginsOf(first.output())).toHaveLength(3)
    const logins = loginsOf(first.output())
    expect(logins.map(({ role }) => role)).toEqual(['administrator', 'VIP', 'member'])
    expect(new Set(logins.map(({ password }) => password)).size).toBe(3)
    const [admin, vip, member] = await Promise.all(
      logins.map(async ({ email, password }) => (await logIn(url, email, password)) as string),
    )
    expect(await rolesOf(url, admin as string)).toEqual({ isAdmin: true, isVip: false })
    expect(await rolesOf(url, vip as string)).toEqual({ isAdmin: false, isVip: true })
    expect(await rolesOf(url, member as string)).toEqual({ isAdmin: false, isVip: false })
    expect((await stat(join(dataDir, 'demo-logins.json'))).mode & 0o777).toBe(0o600)
    const authorized = { authorization: `Bearer ${vip}`, 'api-key': 'daybook-web' }
    const [, vipLogin, memberLogin] = logins as [unknown, { email: string }, { email: string }]
    const gone = await ask(`${url}/auth/delete-account/${memberLogin.email}`, {
      method: 'DELETE',
      headers: { 'api-key': 'daybook-web', authorization: `Bearer ${member}` },
    })
    expect(gone.status).toBe(200)
    const changed = await ask(`${url}/reset-password/account`, {
      method: 'POST',
      body: JSON.stringify({ token: vip, password: 'my own quiet room' }),
      headers: { ...authorized, 'content-type': 'application/json' },
    })
    expect(changed.status).toBe(200)
    first.child.kill('SIGTERM')
    expect(await first.ended).toBe(0)

    const second = start({ DEMO: '1' })
    const again = await address(second)
    await expect.poll(() => loginsOf(second.output())).toHaveLength(2)
    const later = loginsOf(second.output())
    expect(later).toEqual([logins[0], { email: vipLogin.email, password: '(password changed)', role: 'VIP' }])
    expect(typeof (await logIn(again, later[0]?.email ?? '', later[0]?.password ?? ''))).toBe('string')
  })
})

describe('a value that cannot be meant stops the start and is named', () => {
  test.each([
    ['DEMO', 'perhaps'],
    ['COMMUNITY_URL', 'javascript:alert(1)'],
    ['CONTACT_EMAIL', 'nobody'],
    ['GATEWAY_PROVIDER', 'carrier-pigeon'],
    ['PORT', '70000'],
    ['PUBLIC_URL', 'ftp://library.example'],
    ['SITE_TIME_ZONE', 'Mars/Olympus'],
    ['FILE_HOSTS', '[]'],
    ['DATABASE_URL', 'mysql://localhost/daybook'],
    ['REDIS_URL', 'http://localhost:6379'],
    ['SMTP_URL', 'mail.example'],
    ['MAIL_FROM', 'Library <nobody>'],
    ['TRUSTED_PROXIES', '10.0.0.0/8, everybody'],
    ['ADMIN_EMAIL', 'nobody'],
  ])('%s=%s', async (variable, value) => {
    const server = start({ [variable]: value })
    expect(await server.ended).toBe(1)
    expect(server.output()).toContain(variable)
    expect(server.output()).not.toMatch(/\n\s+at /)
    expect(existsSync(join(dataDir, 'postgres'))).toBe(false)
  })
})
