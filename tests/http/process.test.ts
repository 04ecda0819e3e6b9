import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { sendRequest } from '../harness/request.ts'
import { prepareDataDir } from '../harness/data-dir.ts'
import { freePort } from '../harness/free-port.ts'
import { addressOf as address, kill, type Started, startDaybook } from '../harness/processes.ts'

/** The real process on its embedded database, started as `npm start` starts it. A start is dear: one proves what it can. */

let dataDir: string
const started: Started[] = []

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'daybook-process-'))
})
afterEach(async () => {
  await Promise.all(started.splice(0).map(kill))
  await rm(dataDir, { recursive: true, force: true })
})

function start(
  env: Record<string, string>,
  { detached = false, ...more }: { detached?: boolean; maxDescriptors?: number } = {},
): Started {
  const one = startDaybook(
    [],
    { NODE_ENV: 'production', DEMO: '0', PORT: '0', DATA_DIR: dataDir, EMBEDDED_SYNC: 'off', ...env },
    { input: '', detached, ...more },
  )
  started.push(one)
  return one
}

const sandboxEnded = 'nobody can buy'
const syncIsOff = 'EMBEDDED_SYNC is off: a power cut can lose the last writes'

describe('the process', () => {
  beforeEach(() => prepareDataDir(dataDir))

  test('refuses a data directory and a port that another process holds, each in a sentence; goes on without its sandbox, and tells; and is not locked out by a predecessor that was killed', async () => {
    const first = start({})
    const url = await address(first)
    const second = start({})
    expect(await second.ended).toBe(1)
    expect(second.output()).toMatch(
      /data directory .* is in use by another Daybook process \(process id \d+, running since [-\d]+T[\d:.]+Z\)/,
    )
    expect(second.output()).not.toMatch(/\n\s+at /)
    const other = await mkdtemp(join(tmpdir(), 'daybook-process-'))
    try {
      await prepareDataDir(other)
      const { port } = new URL(url)
      const third = start({ DATA_DIR: other, PORT: port })
      expect(await third.ended).toBe(1)
      expect(third.output()).toContain(`PORT must be one that no other process listens on. It is "${port}".`)
      expect(third.output()).not.toMatch(/\n\s+at /)
    } finally {
      await rm(other, { recursive: true, force: true })
    }
    expect((await sendRequest(`${url}/readyz`)).status).toBe(200)

    const { stdout } = spawnSync('ps', ['-o', 'pid=', '--ppid', String(first.child.pid)])
    const pids = stdout.toString().trim().split(/\s+/).map(Number)
    expect(pids).toHaveLength(1)
    process.kill(pids[0] as number, 'SIGKILL')
    await expect.poll(first.output, { timeout: 30_000 }).toContain(sandboxEnded)
    expect((await sendRequest(`${url}/readyz`)).status).toBe(200)
    first.child.kill('SIGKILL')
    expect(await first.ended).toBe('SIGKILL')
    expect(existsSync(join(dataDir, 'daybook.pid'))).toBe(true)
    const next = start({})
    expect((await sendRequest(`${await address(next)}/readyz`)).status).toBe(200)
  })

  test('comes up with a settings file, behind the environment, and without a sandbox that does not start; serves others while one peer opens more connections than it has descriptors, and says so', async () => {
    const state = join(dataDir, 'sandbox', 'state.json')
    await mkdir(join(dataDir, 'sandbox'))
    await writeFile(state, '{"customers":')
    const file = join(dataDir, 'daybook.env')
    await writeFile(file, 'BRAND_NAME="The # Library"\nDEMO=1\nMAIL_FORM=x\n')
    const server = start({}, { maxDescriptors: 800 })
    const url = await address(server)
    expect((await sendRequest(`${url}/readyz`)).status).toBe(200)
    expect(server.output()).toMatch(/The # Library is open at /)
    expect(server.output()).not.toContain('Demo logins')
    expect(server.output()).toContain(`MAIL_FORM in ${file} is no setting of Daybook: did you mean MAIL_FROM?`)
    expect(server.output()).toContain(`The state of the sandbox in ${state} cannot be read.`)
    expect(server.output()).toContain('The payment sandbox does not start: the site is open without it')
    expect(server.output()).not.toMatch(/\n\s+at /)
    expect(server.output()).not.toContain('TEST MODE')

    const { port } = new URL(url)
    let closed = 0
    const held = Array.from({ length: 900 }, () =>
      connect({ port: Number(port), host: '127.0.0.1', localAddress: '127.0.0.2' })
        .on('error', () => {})
        .on('close', () => (closed += 1)),
    )
    await vi.waitFor(() => expect(closed).toBeGreaterThan(200), { timeout: 20_000 })
    expect((await sendRequest(`${url}/readyz`)).status).toBe(200)
    expect((await sendRequest(`${url}/asian`)).status).toBe(200)
    for (const socket of held) socket.destroy()
    expect((await sendRequest(`${url}/readyz`)).status).toBe(200)
    server.child.kill('SIGTERM')
    expect(await server.ended, server.output()).toBe(0)
    expect(server.output()).toContain('Connections were closed: as many are open as this process may have')
  })

  test('says where a data directory that cannot be one is wrong', async () => {
    const file = join(dataDir, 'a-file')
    await writeFile(file, '')
    const server = start({ DATA_DIR: join(file, 'data') })
    expect(await server.ended).toBe(1)
    expect(server.output()).toContain(file)
  })
})

test('a settings file that is wrong stops the start', async () => {
  const file = join(dataDir, 'daybook.env')
  await writeFile(file, 'BRAND_NAME="The # Library\n')
  const stopped = start({})
  expect(await stopped.ended).toBe(1)
  expect(stopped.output()).toBe(`\n${file}, line 1: here must stand NAME=value, a comment or nothing.\n`)
})

test('the command line refuses a file whose first line is out of bounds, in a sentence', async () => {
  const file = join(dataDir, 'large.csv')
  await writeFile(file, Array.from({ length: 100_000 }, (_, no) => no).join(','))
  const command = startDaybook(['import', file], { DATA_DIR: dataDir })
  expect(await command.ended).toBe(1)
  expect(command.output()).toBe('The first line of the file is longer than 64 KiB.\n')
})

test('a reader of the output that goes away before the address is printed ends nothing', async () => {
  await prepareDataDir(dataDir)
  const port = await freePort()
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

const adminEnv = { ADMIN_EMAIL: adminEmail, ADMIN_PASSWORD: adminPassword }

test('a first start makes its database, a later one the first administrator, once; each ends on a signal to its whole group with 0 and without an end of the sandbox', async () => {
  async function end(server: Started, signal: 'SIGINT' | 'SIGTERM'): Promise<void> {
    process.kill(-(server.child.pid as number), signal)
    expect(await server.ended, server.output()).toBe(0)
    expect(existsSync(join(dataDir, 'daybook.pid'))).toBe(false)
    expect(server.output()).not.toContain(sandboxEnded)
    expect(server.output()).not.toContain('"level":50')
  }
  const first = start({ EMBEDDED_SYNC: '' }, { detached: true })
  const url = await address(first)
  expect((await sendRequest(`${url}/readyz`)).status).toBe(200)
  expect((await sendRequest(`${url}/asian`)).status).toBe(200)
  expect(first.output()).toContain('There is no administrator')
  expect(first.output()).not.toContain(syncIsOff)
  await end(first, 'SIGINT')
  expect(JSON.parse(await readFile(join(dataDir, 'database.json'), 'utf8'))).toEqual({ engine: 'embedded' })

  const second = start(adminEnv, { detached: true })
  const again = await address(second)
  expect(second.output()).toContain(syncIsOff)
  const token = await logIn(again, adminEmail, adminPassword)
  const roles = { isAdmin: true, isVip: false, needsSecondFactor: false }
  expect(await rolesOf(again, token)).toEqual(roles)
  await end(second, 'SIGTERM')

  // Another password changes nobody, and sessions outlive the process.
  const third = start({ ...adminEnv, ADMIN_PASSWORD: 'somebody else came' })
  const last = await address(third)
  expect(await logIn(last, adminEmail, 'somebody else came')).toBe(401)
  expect(await rolesOf(last, token)).toEqual(roles)
  expect(third.output()).not.toContain(adminPassword)
})

// Value by value: appoint-first-administrator.test.ts, config.test.ts.
test('a wrong ADMIN_PASSWORD of the first administrator stops the start without being shown', async () => {
  await prepareDataDir(dataDir)
  const server = start({ ...adminEnv, ADMIN_PASSWORD: 'Administrator1' })
  expect(await server.ended).toBe(1)
  expect(server.output()).toContain('ADMIN_PASSWORD')
  expect(server.output()).not.toMatch(/Administrator1|\n\s+at /)
})

test(
  'the demo has logins that work in a file, tells no password to a log, and leaves a changed or deleted one alone; a public site closes them, makes the first administrator, and sells nothing when told so',
  { timeout: 300_000 },
  async () => {
    await prepareDataDir(dataDir)
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
    expect(await rolesOf(url, admin as string)).toEqual({ isAdmin: true, isVip: false, needsSecondFactor: false })
    expect(await rolesOf(url, vip as string)).toEqual({ isAdmin: false, isVip: true, needsSecondFactor: false })
    expect(await rolesOf(url, member as string)).toEqual({ isAdmin: false, isVip: false, needsSecondFactor: false })
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
    second.child.kill('SIGTERM')
    expect(await second.ended).toBe(0)

    const env = { ...adminEnv, HOST: '0.0.0.0', PAYMENTS: 'off', DATABSE_URL: 'x' }
    const server = start({ ...env, DEMO: '1' })
    const open = await address(server)
    for (const { email, password } of logins) expect(await logIn(open, email, password)).toBe(401)
    const token = { authorization: `Bearer ${admin}` }
    expect((await sendRequest(`${open}/auth/status`, { headers: token })).status).toBe(401)
    expect(await rolesOf(open, await logIn(open, adminEmail, adminPassword))).toEqual({
      isAdmin: true,
      isVip: false,
      needsSecondFactor: false,
    })
    expect(server.output()).toContain('the logins of the demo are closed')
    expect(server.output()).not.toContain('Demo logins')
    expect(server.output()).toContain('DATABSE_URL is no setting of Daybook: did you mean DATABASE_URL?')
    // The catalogue is open; no sandbox runs, and nobody is asked about money.
    expect((await sendRequest(`${open}/asian`)).status).toBe(200)
    expect(server.output()).not.toMatch(/TEST MODE|sandbox/i)
    expect(existsSync(join(dataDir, 'sandbox'))).toBe(true)
    server.child.kill('SIGTERM')
    expect(await server.ended).toBe(0)

    // The closed administrator counts for nobody: the real one can be told apart, and is the last.
    const next = start(env)
    await address(next)
    expect(next.output()).not.toContain('the logins of the demo are closed')
  },
)

// config.test.ts covers the impossible values one by one.
test('invalid values stop the start and are all named, before anything is made', async () => {
  const wrong = { PORT: '70000', EMBEDDED_SYNC: 'no', STRIPE_WEBHOOK_SECRET: 'whsec_verySecretWord1,' }
  const server = start({ ADMIN_EMAIL: adminEmail, ADMIN_PASSWORD: 'short', ...wrong })
  expect(await server.ended).toBe(1)
  for (const variable of ['ADMIN_PASSWORD', ...Object.keys(wrong)]) expect(server.output()).toContain(variable)
  expect(server.output()).not.toMatch(/verySecret|\n\s+at /)
  expect(existsSync(join(dataDir, 'postgres'))).toBe(false)
})
