import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openDatabase } from '../../src/db/open.ts'
import { prepareDataDir } from '../harness/data-dir.ts'
import { type CountingServer, startHttp, startTcp } from '../harness/hostile-server.ts'
import { addressOf, kill, type Started, startDaybook } from '../harness/processes.ts'
import { sendRequest, type TestResponse } from '../harness/request.ts'

/* Whole processes on the embedded database (docs/spec/backups.md): a backup of a running site, and its copy, which speaks to nobody. */

let folder: string
const started: Started[] = []
const servers: CountingServer[] = []

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'daybook-backup-'))
})
afterEach(async () => {
  await Promise.all(started.splice(0).map(kill))
  for (const server of servers.splice(0)) await server.close()
  await rm(folder, { recursive: true, force: true })
})

const dataDirOf = (name: string): string => join(folder, name)
const settings = (name: string) => ({ DEMO: '0', PORT: '0', DATA_DIR: dataDirOf(name), EMBEDDED_SYNC: 'off' })

function start(words: string[], name: string, env: Record<string, string> = {}, input = '') {
  const one = startDaybook(words, { NODE_ENV: 'production', ...settings(name), ...env }, { input })
  started.push(one)
  return one
}

async function command(args: string[], name: string, input?: string): Promise<Started & { code: unknown }> {
  const one = start(args, name, {}, input)
  return { ...one, code: await one.ended }
}

function post(address: string, body: unknown, headers: Record<string, string> = {}): Promise<TestResponse> {
  return sendRequest(address, {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json', ...headers },
  })
}

const password = 'a quiet reading room'
const register = (url: string, email: string) => post(`${url}/auth/register`, { name: 'Jane Reader', email, password })

test(
  'a site that runs and is written to is backed up whole; its copy in rehearsal opens no connection until the rehearsal ends',
  { timeout: 600_000 },
  async () => {
    await mkdir(dataDirOf('site'), { recursive: true })
    await prepareDataDir(dataDirOf('site'))
    const site = start([], 'site', { PAYMENTS: 'off' })
    const url = await addressOf(site)
    expect((await register(url, 'first@readers.example')).status).toBe(201)
    expect((await stat(join(dataDirOf('site'), 'daybook.sock'))).mode & 0o777).toBe(0o600)

    const path = join(folder, 'running.backup')
    const backup = start(['backup', path], 'site')
    const done = new AbortController()
    void backup.ended.then(() => done.abort())
    let answered = 0
    while (!done.signal.aborted) {
      expect((await sendRequest(`${url}/readyz`)).status).toBe(200)
      answered += 1
    }
    expect(await backup.ended, backup.output()).toBe(0)
    expect(answered).toBeGreaterThan(3)
    expect((await stat(path)).mode & 0o777).toBe(0o600)
    expect((await readdir(folder)).toSorted()).toEqual(['running.backup', 'site'])
    await expect.poll(() => readdir(join(dataDirOf('site'), 'snapshots'))).toEqual([])

    // The copy of the database does not stay, also when the command is killed.
    const killed = start(['backup', '-'], 'site')
    await killed.said(/(Opened)/)
    await kill(killed)
    await expect.poll(() => readdir(join(dataDirOf('site'), 'snapshots'))).toEqual([])
    await kill(site)

    expect((await command(['restore', path], 'copy')).code).toBe(0)
    const [mail, stripe, form] = [
      await startTcp((socket) => void socket.end()),
      await startHttp((_, response) => void response.end()),
      await startHttp((_, response) => void response.end()),
    ]
    servers.push(mail, stripe, form)
    const recorded = join(folder, 'connections')
    const env = {
      NODE_OPTIONS: `--import ${pathToFileURL(resolve(import.meta.dirname, '../harness/record-connections.mjs')).href}`,
      RECORDED_CONNECTIONS: recorded,
      SMTP_URL: `smtp://${mail.place}`,
      STRIPE_SECRET_KEY: 'sk_test_ofTheRehearsal',
      STRIPE_WEBHOOK_SECRET: 'whsec_ofTheRehearsal',
      STRIPE_PRICE_MONTHLY: 'price_month',
      STRIPE_PRICE_ANNUAL: 'price_year',
      STRIPE_API_BASE: `http://${stripe.place}`,
      SUPPORT_FORM_URL: `http://${form.place}/inquiries`,
      LINK_CHECKS: 'on',
    }
    const copy = start([], 'copy', env)
    const at = await addressOf(copy)
    expect((await sendRequest(`${at}/readyz`)).text).toBe('ready: rehearsal: true')
    for (const page of ['/', '/western', '/login', '/no-such-page'])
      expect((await sendRequest(at + page)).text, page).toContain(
        'Rehearsal: this is a copy. It sends no email and takes no payment.',
      )
    expect((await register(at, 'second@readers.example')).status).toBe(201)
    const signedIn = await post(`${at}/auth/login`, { email: 'first@readers.example', password })
    const headers = { authorization: `Bearer ${(signedIn.json() as { token: string }).token}` }
    const paid = await post(`${at}/pay/vip-payment`, { email: 'first@readers.example', planType: 'monthly' }, headers)
    const webhook = await post(
      `${at}/webhooks/stripe`,
      { id: 'evt_1', type: 'invoice.paid' },
      { 'stripe-signature': 't=1,v1=0' },
    )
    for (const { status, text } of [paid, webhook])
      expect({ status, code: (JSON.parse(text) as { code: string }).code }).toEqual({
        status: 503,
        code: 'rehearsal.on',
      })
    await post(`${at}/support`, { name: 'Jane', email: 'first@readers.example', message: 'Where is the reading room?' })
    await expect.poll(() => readdir(join(dataDirOf('copy'), 'mail')).catch(() => [])).not.toEqual([])
    expect(existsSync(recorded) ? await readFile(recorded, 'utf8') : '').toBe('')
    expect([mail, stripe, form].map(({ connections }) => connections)).toEqual([0, 0, 0])
    copy.child.kill('SIGTERM')
    expect(await copy.ended).toBe(0)

    expect((await command(['rehearsal', 'end'], 'copy')).out()).toBe('The rehearsal has ended.\n')
    const own = start([], 'copy', env)
    const again = await addressOf(own)
    expect((await sendRequest(`${again}/readyz`)).text).toBe('ready')
    expect((await sendRequest(again)).text).not.toContain('Rehearsal: this is')
    expect((await register(again, 'third@readers.example')).status).toBe(201)
    await expect.poll(() => mail.connections).toBeGreaterThan(0)
    expect(await readFile(recorded, 'utf8')).toContain(String(mail.port))
  },
)

test(
  'a restore that is killed in the middle leaves an empty database, which the next one fills',
  { timeout: 600_000 },
  async () => {
    await mkdir(dataDirOf('source'), { recursive: true })
    await prepareDataDir(dataDirOf('source'))
    const path = join(folder, 'source.backup')
    expect((await command(['backup', path], 'source')).code).toBe(0)

    const restoring = startDaybook(['restore', '-'], settings('target'), { input: undefined })
    started.push(restoring)
    const bytes = await readFile(path)
    restoring.child.stdin?.write(bytes.subarray(0, bytes.length - 1_000))
    await restoring.said(/(Opened)/)
    await new Promise((wake) => setTimeout(wake, 1_000))
    await kill(restoring)
    const left = await openDatabase({ databaseUrl: undefined, dataDir: dataDirOf('target'), embeddedSync: false })
    const { isEmptyDatabase } = await import('../../src/db/dump/list-tables.ts')
    expect(await isEmptyDatabase(left.maintenanceDb)).toBe(true)
    await left.close()
    expect((await command(['restore', path], 'target')).code).toBe(0)
    expect((await command(['doctor'], 'target')).out()).toContain('Schema: it is that of this version.')
  },
)
