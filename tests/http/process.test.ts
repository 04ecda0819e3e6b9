import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { sendRequest } from '../harness/request.ts'
import { prepareDataDir } from '../harness/data-dir.ts'

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

/** @param detached makes it the first of a group of its own, as a terminal does */
function start(env: Record<string, string>, { detached = false } = {}): Started {
  const { PATH = '', HOME = '' } = process.env
  const child = spawn(join(root, 'node_modules/node/bin/node'), ['src/main.ts'], {
    cwd: root,
    env: { PATH, HOME, NODE_ENV: 'production', DEMO: '0', PORT: '0', DATA_DIR: dataDir, EMBEDDED_SYNC: 'off', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached,
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

test('a first start makes its database, ends on SIGTERM with 0, and starts again on what it left', async () => {
  for (let round = 0; round < 2; round += 1) {
    const server = start({})
    const url = await address(server)
    expect((await sendRequest(`${url}/readyz`)).status).toBe(200)
    expect((await sendRequest(`${url}/asian`)).status).toBe(200)
    server.child.kill('SIGTERM')
    expect(await server.ended, server.output()).toBe(0)
    expect(existsSync(join(dataDir, 'daybook.pid'))).toBe(false)
  }
})

describe('the process', () => {
  beforeEach(() => prepareDataDir(dataDir))

  test('says at the start that EMBEDDED_SYNC is off, and nothing of the kind without it', async () => {
    const warning = 'EMBEDDED_SYNC is off: a power cut can lose the last writes'
    for (const [value, isSaid] of [
      ['off', true],
      ['', false],
    ] as const) {
      const server = start({ EMBEDDED_SYNC: value })
      await address(server)
      expect(server.output().includes(warning)).toBe(isSaid)
      server.child.kill('SIGTERM')
      expect(await server.ended, server.output()).toBe(0)
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
    expect((await sendRequest(`${url}/readyz`)).status).toBe(200)
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
    expect((await sendRequest(`${url}/readyz`)).status).toBe(200)
  })

  test('says in a sentence that its port is taken, and lets go of its data', async () => {
    const first = start({})
    const { port } = new URL(await address(first))
    const other = await mkdtemp(join(tmpdir(), 'daybook-process-'))
    try {
      await prepareDataDir(other)
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

test('a reader of the output that goes away before the address is printed ends nothing', async () => {
  await prepareDataDir(dataDir)
  const probe = createServer()
  await new Promise<void>((listening) => probe.listen(0, '127.0.0.1', listening))
  const { port } = probe.address() as { port: number }
  await new Promise<void>((closed) => probe.close(() => closed()))
  const server = start({ PORT: String(port), LOG_LEVEL: 'debug' })
  server.child.stdout?.destroy()
  server.child.stderr?.destroy()
  const status = (path: string) =>
    sendRequest(`http://127.0.0.1:${port}${path}`).then(
      (answer) => answer.status,
      () => 0,
    )
  await expect.poll(() => status('/readyz'), { timeout: 90_000, interval: 100 }).toBe(200)
  // The address is printed soon after it listens, and every request is a line that nobody reads.
  for (let n = 0; n < 20; n += 1) {
    expect(await status('/healthz')).toBe(200)
    await new Promise((wake) => setTimeout(wake, 50))
  }
  expect(server.child.exitCode).toBe(null)
  server.child.kill('SIGTERM')
  expect(await server.ended).toBe(0)
})

describe('a signal to the whole group of processes', () => {
  beforeEach(() => prepareDataDir(dataDir))

  const sandboxEnded = 'nobody can buy'

  test.each(['SIGINT', 'SIGTERM'] as const)('%s is a clean stop and no end of the sandbox', async (signal) => {
    const server = start({}, { detached: true })
    await address(server)
    process.kill(-(server.child.pid as number), signal)
    expect(await server.ended, server.output()).toBe(0)
    expect(server.output()).not.toContain(sandboxEnded)
    expect(server.output()).not.toContain('"level":50')
  })

  test('a sandbox that ends by itself is told', async () => {
    const server = start({})
    const url = await address(server)
    const { stdout } = spawnSync('ps', ['-o', 'pid=', '--ppid', String(server.child.pid)])
    const pids = stdout.toString().trim().split(/\s+/).map(Number)
    expect(pids).toHaveLength(1)
    process.kill(pids[0] as number, 'SIGKILL')
    await expect.poll(server.output, { timeout: 10_000 }).toContain(sandboxEnded)
    expect((await sendRequest(`${url}/readyz`)).status).toBe(200)
  })
})

const adminEmail = 'head@library.example'
const adminPassword = 'the head librarian'

/** Signs in as the pages do. @returns the token, or the status where there is none */
async function logIn(url: string, email: string, password: string): Promise<string | number> {
  const body = JSON.stringify({ email, password })
  const answer = await sendRequest(`${url}/auth/login`, {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/json' },
  })
  return answer.status === 200 ? (answer.json() as { token: string }).token : answer.status
}

async function rolesOf(url: string, token: string | number): Promise<unknown> {
  return (await sendRequest(`${url}/auth/status`, { headers: { authorization: `Bearer ${token}` } })).json()
}

describe('the first administrator', () => {
  beforeEach(() => prepareDataDir(dataDir))

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
    ['ADMIN_PASSWORD', { ...env, ADMIN_PASSWORD: 'Administrator1' }],
    ['ADMIN_EMAIL', { ADMIN_PASSWORD: adminPassword }],
  ])('a wrong %s stops the start without showing a password', async (variable, wrong) => {
    const server = start(wrong)
    expect(await server.ended).toBe(1)
    expect(server.output()).toContain(variable)
    expect(server.output()).not.toMatch(/password123|Administrator1|short|head librarian|\n\s+at /)
  })

  test('is missed in the log while there is none', async () => {
    const server = start({})
    await address(server)
    expect(server.output()).toContain('There is no administrator')
  })
})

describe('the demo', () => {
  beforeEach(() => prepareDataDir(dataDir))

  test('has logins that work in a file, tells no password to a log, and leaves a changed or deleted one alone', async () => {
    const file = join(dataDir, 'demo-logins.json')
    const first = start({ DEMO: '1' })
    const url = await address(first)
    const passwords = JSON.parse(await readFile(file, 'utf8')) as Record<string, string>
    const logins = Object.entries(passwords).map(([email, password]) => ({ email, password }))
    expect(logins.map(({ email }) => email)).toEqual(['admin', 'vip', 'member'].map((role) => `${role}@demo.example`))
    expect(new Set(logins.map(({ password }) => password)).size).toBe(3)
    await expect.poll(() => first.output()).toContain(`Demo logins are in ${file}`)
    for (const { password } of logins) expect(first.output()).not.toContain(password)
    const [admin, vip, member] = await Promise.all(
      logins.map(async ({ email, password }) => (await logIn(url, email, password)) as string),
    )
    expect(await rolesOf(url, admin as string)).toEqual({ isAdmin: true, isVip: false })
    expect(await rolesOf(url, vip as string)).toEqual({ isAdmin: false, isVip: true })
    expect(await rolesOf(url, member as string)).toEqual({ isAdmin: false, isVip: false })
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    const authorized = { authorization: `Bearer ${vip}`, 'api-key': 'daybook-web' }
    const [, vipLogin, memberLogin] = logins as [unknown, { email: string }, { email: string }]
    const gone = await sendRequest(`${url}/auth/delete-account/${memberLogin.email}`, {
      method: 'DELETE',
      headers: { 'api-key': 'daybook-web', authorization: `Bearer ${member}` },
    })
    expect(gone.status).toBe(200)
    const changed = await sendRequest(`${url}/reset-password/account`, {
      method: 'POST',
      body: JSON.stringify({ token: vip, password: 'my own quiet room' }),
      headers: { ...authorized, 'content-type': 'application/json' },
    })
    expect(changed.status).toBe(200)
    first.child.kill('SIGTERM')
    expect(await first.ended).toBe(0)

    const second = start({ DEMO: '1' })
    const again = await address(second)
    expect(typeof (await logIn(again, logins[0]?.email ?? '', logins[0]?.password ?? ''))).toBe('string')
    expect(await logIn(again, vipLogin.email, 'my own quiet room')).not.toBe(401)
    expect(await logIn(again, memberLogin.email, logins[2]?.password ?? '')).toBe(401)
  })
})

describe('a public site', () => {
  test('does not start as a demo: it says which settings it needs, and has made nothing', async () => {
    const server = start({ PUBLIC_URL: 'https://library.example', DEMO: '' })
    expect(await server.ended).toBe(1)
    expect(server.output()).toMatch(/\nPAYMENTS must be said on a public site .* stripe .* off .* sandbox/)
    expect(server.output()).not.toMatch(/\n\s+at /)
    expect(existsSync(join(dataDir, 'postgres'))).toBe(false)
  })

  test('closes the logins of the trial that it was, makes the first administrator, and sells nothing when told so', async () => {
    await prepareDataDir(dataDir)
    const trial = start({ DEMO: '1' })
    const before = await address(trial)
    const passwords = JSON.parse(await readFile(join(dataDir, 'demo-logins.json'), 'utf8')) as Record<string, string>
    const demoAdmin = 'admin@demo.example'
    const token = await logIn(before, demoAdmin, passwords[demoAdmin] ?? '')
    expect(await rolesOf(before, token)).toEqual({ isAdmin: true, isVip: false })
    trial.child.kill('SIGTERM')
    expect(await trial.ended).toBe(0)

    const env = {
      HOST: '0.0.0.0',
      PAYMENTS: 'off',
      ADMIN_EMAIL: adminEmail,
      ADMIN_PASSWORD: adminPassword,
      DATABSE_URL: 'x',
    }
    const server = start({ ...env, DEMO: '1' })
    const url = await address(server)
    for (const [email, password] of Object.entries(passwords)) expect(await logIn(url, email, password)).toBe(401)
    expect((await sendRequest(`${url}/auth/status`, { headers: { authorization: `Bearer ${token}` } })).status).toBe(
      401,
    )
    expect(await rolesOf(url, await logIn(url, adminEmail, adminPassword))).toEqual({ isAdmin: true, isVip: false })
    expect(server.output()).toContain('the logins of the demo are closed')
    expect(server.output()).not.toContain('Demo logins')
    expect(server.output()).toContain('DATABSE_URL is no setting of Daybook: did you mean DATABASE_URL?')
    // The catalogue is open; no sandbox runs, and nobody is asked about money.
    expect((await sendRequest(`${url}/asian`)).status).toBe(200)
    expect(server.output()).not.toMatch(/TEST MODE|sandbox/i)
    expect(existsSync(join(dataDir, 'sandbox'))).toBe(true)
    server.child.kill('SIGTERM')
    expect(await server.ended).toBe(0)

    // The closed administrator counts for nobody: the real one can be told apart, and is the last.
    const next = start(env)
    await address(next)
    expect(next.output()).not.toContain('the logins of the demo are closed')
  })
})

// What cannot be meant is proven value by value in config.test.ts.
test.each([
  ['PORT', '70000'],
  ['EMBEDDED_SYNC', 'no'],
])('an invalid value stops the start and is named, before anything is made: %s=%s', async (variable, value) => {
  const server = start({ [variable]: value })
  expect(await server.ended).toBe(1)
  expect(server.output()).toContain(variable)
  expect(server.output()).not.toMatch(/\n\s+at /)
  expect(existsSync(join(dataDir, 'postgres'))).toBe(false)
})
