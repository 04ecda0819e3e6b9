import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openSandbox, type RunningSandbox } from '../../sandbox/sandbox.ts'
import { type TestResponse, sendRequest } from '../harness/request.ts'
import { openApp } from '../../src/app/open-app.ts'
import { openServer } from '../../src/app/server.ts'
import { catchUpWithStripe } from '../../src/features/membership/jobs.server.ts'
import { releaseLocks } from '../../src/features/membership/access/lock-member.server.ts'
import { readConfig } from '../../src/app/config.ts'
import { openLog } from '../../src/platform/log.ts'
import { prepareDataDir } from '../harness/data-dir.ts'
import { freePort } from '../harness/free-port.ts'
import { addressOf, kill, type Started, startDaybook } from '../harness/processes.ts'

/** Whole processes on their embedded database, which die at the worst moments. */
const root = resolve(import.meta.dirname, '../..')

const secretKey = 'sk_test_ofTheProcessTests'
const webhookSecret = 'whsec_ofTheProcessTests'
const prices = { monthly: 'price_process_monthly', annual: 'price_process_annual' }

let dataDir: string
const started: Started[] = []
const closers: (() => Promise<unknown>)[] = []
const sandboxes: RunningSandbox[] = []

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'daybook-billing-'))
})
afterEach(async () => {
  for (const close of closers.splice(0)) await close()
  await Promise.all(started.splice(0).map(kill))
  await Promise.all(sandboxes.splice(0).map((sandbox) => sandbox.close()))
  await rm(dataDir, { recursive: true, force: true })
})

const settings = () => ({ DEMO: '0', PORT: '0', DATA_DIR: dataDir, EMBEDDED_SYNC: 'off' })

function start(env: Record<string, string> = {}): Started {
  const one = startDaybook([], { NODE_ENV: 'production', ...settings(), ...env })
  started.push(one)
  return one
}

/** The address of the sandbox that a site without keys has started. */
const sandboxOf = (server: Started) => server.said(/Payments are played at (http:\S+)\s/)

async function answers(url: string): Promise<boolean> {
  return sendRequest(url).then(
    () => true,
    () => false,
  )
}

const person = { name: 'Jane Reader', email: 'jane@readers.example', password: 'a quiet reading room' }

function post(address: string, body: unknown, headers: Record<string, string> = {}): Promise<TestResponse> {
  return sendRequest(address, {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json', ...headers },
  })
}

async function register(url: string): Promise<void> {
  const answer = await post(`${url}/auth/register`, person)
  expect(answer.status, answer.text).toBe(201)
}

async function logIn(url: string, who: { email: string; password: string } = person): Promise<Record<string, string>> {
  const answer = await post(`${url}/auth/login`, { email: who.email, password: who.password })
  expect(answer.status, answer.text).toBe(200)
  return { authorization: `Bearer ${(answer.json() as { token: string }).token}` }
}

const checkOut = (url: string, headers: Record<string, string>, planType = 'monthly') =>
  post(`${url}/pay/vip-payment`, { email: person.email, planType }, headers)

/** Asks until the lock of a process that was killed has lapsed, as a member would. */
async function checkOutInTheEnd(
  url: string,
  headers: Record<string, string>,
  planType = 'monthly',
): Promise<TestResponse> {
  for (let tries = 0; ; tries += 1) {
    const answer = await checkOut(url, headers, planType)
    if (answer.status !== 503 || tries === 4) return answer
  }
}

const membershipOf = async (url: string, headers: Record<string, string>) =>
  (await sendRequest(`${url}/pay/membership`, { headers })).json() as {
    isVip: boolean
    reason: string
    payments: { status: string }[]
  }

function sessionIn(answer: TestResponse): string {
  const [id] = /cs_\w+/.exec(answer.text) ?? []
  if (answer.status !== 200 || id === undefined)
    throw new Error(`No checkout came, but ${answer.status}: ${answer.text}`)
  return id
}

/** The settings of a site that has keys, and its Stripe there. */
const besideStripe = ({ url }: Pick<RunningSandbox, 'url'>) => ({
  STRIPE_SECRET_KEY: secretKey,
  STRIPE_WEBHOOK_SECRET: webhookSecret,
  STRIPE_PRICE_MONTHLY: prices.monthly,
  STRIPE_PRICE_ANNUAL: prices.annual,
  STRIPE_API_BASE: url,
})

describe('a process that is killed between an answer of Stripe and its own commit', { timeout: 300_000 }, () => {
  let sandbox: RunningSandbox
  beforeEach(async () => {
    await prepareDataDir(dataDir)
    sandbox = await openSandbox({ secretKey, webhookSecret, prices })
    sandboxes.push(sandbox)
  })

  async function startBeside(): Promise<{ server: Started; url: string }> {
    const server = start(besideStripe(sandbox))
    const url = await addressOf(server)
    sandbox.setWebhookUrl(`${url}/webhooks/stripe`)
    return { server, url }
  }

  /**
   * The site on the files of an ended process, in this process: its state is in the data directory and at Stripe, and a
   * process of its own costs as much as the rest of its test. It starts as in src/main.ts.
   */
  async function openHere(): Promise<{ url: string; close(): Promise<void> }> {
    const config = readConfig({ ...settings(), ...besideStripe(sandbox) })
    const { app, close } = await openApp(config, openLog('silent'))
    await releaseLocks(app)
    const { server, stop } = await openServer(app, {
      pages: { build: '', render: () => Promise.resolve({ response: new Response(), refusal: undefined }) },
      assetsDirectory: join(root, 'build', 'client'),
    })
    await app.payments.tryPrices()
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    await app.jobs.start()
    sandbox.setWebhookUrl(`${url}/webhooks/stripe`)
    await catchUpWithStripe(app)
    let closing: Promise<void> | undefined
    const closeAll = async (): Promise<void> => {
      await stop()
      await close()
    }
    const closeOnce = (): Promise<void> => (closing ??= closeAll())
    closers.push(closeOnce)
    return { url, close: closeOnce }
  }

  /** Kills the process when Stripe has done this work and before it hears of it. @returns when it is dead */
  function killAt(server: Started, call: RegExp): Promise<void> {
    return new Promise((dead) => {
      sandbox.control.onAnswer = async ({ method, path }) => {
        if (!call.test(`${method} ${path}`)) return
        sandbox.control.onAnswer = undefined
        await kill(server)
        dead()
      }
    })
  }

  /** Everything that could be paid at this moment. */
  async function openSessions(): Promise<string[]> {
    const authorization = `Bearer ${secretKey}`
    const headers = { authorization, 'stripe-version': '2026-10-28.endive' }
    const answer = await sendRequest(`${sandbox.url}/v1/checkout/sessions?status=open&limit=100`, { headers })
    return (answer.json() as { data: { id: string }[] }).data.map(({ id }) => id)
  }

  const subscriptions = () => sandbox.control.customers().flatMap(({ id }) => sandbox.control.subscriptionsOf(id))
  const charges = () => sandbox.control.customers().flatMap(({ id }) => sandbox.control.chargesOf(id))

  test('makes the customer, the checkout and the list of checkouts once, whichever it was killed at', async () => {
    let registered = false
    for (const call of [
      /^POST \/v1\/customers$/,
      /^POST \/v1\/checkout\/sessions$/,
      /^GET \/v1\/checkout\/sessions$/,
    ]) {
      const { server, url } = await startBeside()
      if (!registered) await register(url)
      registered = true
      const headers = await logIn(url)
      const dead = killAt(server, call)
      await expect(checkOutInTheEnd(url, headers)).rejects.toThrow()
      await dead
      expect(sandbox.control.customers()).toHaveLength(1)
    }

    const last = await openHere()
    const headers = await logIn(last.url)
    const session = sessionIn(await checkOutInTheEnd(last.url, headers))
    expect(sandbox.control.customers()).toHaveLength(1)
    expect(await openSessions()).toEqual([session])
    expect(sessionIn(await checkOut(last.url, headers))).toBe(session)

    await sandbox.control.pay(session)
    await expect.poll(async () => (await membershipOf(last.url, headers)).isVip, { timeout: 30_000 }).toBe(true)
    expect((await checkOut(last.url, headers, 'annual')).status).toBe(409)
    expect(charges()).toHaveLength(1)
  })

  test('ends the former checkout before it sells the other plan', async () => {
    const first = await startBeside()
    await register(first.url)
    const headers = await logIn(first.url)
    const monthly = sessionIn(await checkOut(first.url, headers, 'monthly'))
    const dead = killAt(first.server, /^POST \/v1\/checkout\/sessions$/)
    await expect(checkOut(first.url, headers, 'annual')).rejects.toThrow()
    await dead
    await expect(sandbox.control.pay(monthly)).rejects.toThrow(/expired/)

    const second = await openHere()
    const session = sessionIn(await checkOutInTheEnd(second.url, headers, 'annual'))
    expect(await openSessions()).toEqual([session])
    expect(sandbox.control.customers()).toHaveLength(1)
  })

  // The events of the purchase come, and are worked off again; or none ever comes, and the start finds it by itself.
  test.each([
    ['an event', 'on', /^GET \/v1\/charges$/],
    ['an event, at its first call', 'on', /^GET \/v1\/customers\//],
    ['the success page, without any event', 'never', /^GET \/v1\/charges$/],
  ] as const)('knows of a purchase whose sync was cut off: by %s', async (_what, webhooks, call) => {
    const first = await startBeside()
    await register(first.url)
    const headers = await logIn(first.url)
    const session = sessionIn(await checkOut(first.url, headers))
    sandbox.control.faults.webhooks = webhooks
    const dead = killAt(first.server, call)
    await sandbox.control.pay(session)
    if (webhooks === 'never')
      await expect(sendRequest(`${first.url}/pay/session/${session}`, { headers })).rejects.toThrow()
    await dead
    sandbox.control.faults.webhooks = 'never'

    const second = await openHere()
    await expect
      .poll(async () => membershipOf(second.url, headers), { timeout: 60_000 })
      .toMatchObject({ isVip: true, reason: 'plan', payments: [{ status: 'paid' }] })
    expect((await checkOut(second.url, headers)).status).toBe(409)
    expect(subscriptions()).toHaveLength(1)
    expect(charges()).toHaveLength(1)
    expect(await openSessions()).toEqual([])
  })

  test('knows at its start what happened while it was down', async () => {
    const first = await openHere()
    await register(first.url)
    const headers = await logIn(first.url)
    const session = sessionIn(await checkOut(first.url, headers))
    await sandbox.control.pay(session)
    await expect.poll(async () => (await membershipOf(first.url, headers)).isVip, { timeout: 30_000 }).toBe(true)
    await first.close()
    sandbox.control.faults.webhooks = 'never'
    const [subscription] = subscriptions()
    await sandbox.control.cancel(subscription?.id ?? '', 'now')

    const second = await startBeside()
    await expect
      .poll(async () => membershipOf(second.url, headers), { timeout: 60_000 })
      .toMatchObject({ isVip: false, reason: 'ended' })
  })

  test('deletes an account in the end, after its subscription', async () => {
    const first = await startBeside()
    await register(first.url)
    const headers = await logIn(first.url)
    await sandbox.control.pay(sessionIn(await checkOut(first.url, headers)))
    await expect.poll(async () => (await membershipOf(first.url, headers)).isVip, { timeout: 30_000 }).toBe(true)
    const [subscription] = subscriptions()
    const customer = subscription?.customer as string
    const dead = killAt(first.server, /^DELETE \/v1\/customers\//)
    const remove = (url: string) =>
      sendRequest(`${url}/auth/delete-account/${person.email}`, {
        method: 'DELETE',
        headers: { ...headers, 'api-key': 'daybook-web' },
      })
    await expect(remove(first.url)).rejects.toThrow()
    await dead
    expect(sandbox.control.subscriptionsOf(customer).map(({ status }) => status)).toEqual(['canceled'])

    const second = await openHere()
    // The account is there, and nothing is paid for any more.
    await expect
      .poll(async () => membershipOf(second.url, headers), { timeout: 60_000 })
      .toMatchObject({ isVip: false })
    await expect.poll(async () => (await remove(second.url)).status, { timeout: 60_000 }).toBe(200)
    expect((await post(`${second.url}/auth/login`, person)).status).toBe(401)
    expect(sandbox.control.customers()).toEqual([])
  })
})

describe('a site without keys', { timeout: 300_000 }, () => {
  beforeEach(() => prepareDataDir(dataDir))

  test('has its sandbox beside it, remembers what was bought, and ends with it', async () => {
    const first = start()
    const url = await addressOf(first)
    const sandboxUrl = await sandboxOf(first)
    expect(first.output()).toContain('TEST MODE: no card is charged')
    expect(sandboxUrl).toMatch(/^http:\/\/(127\.0\.0\.1|localhost):\d+$/)
    expect((await sendRequest(sandboxUrl)).text).toContain('TEST MODE: no card is charged')
    await register(url)
    const headers = await logIn(url)
    const answer = await checkOut(url, headers)
    const page = (answer.json() as { url: string }).url
    await payOnPage(page)
    await expect.poll(async () => (await membershipOf(url, headers)).isVip, { timeout: 30_000 }).toBe(true)
    expect((await checkOut(url, headers)).status).toBe(409)
    expect(await readFile(join(dataDir, 'sandbox', 'state.json'), 'utf8')).toContain(person.email)
    first.child.kill('SIGTERM')
    expect(await first.ended, first.output()).toBe(0)
    expect(await answers(sandboxUrl)).toBe(false)

    const second = start()
    const again = await addressOf(second)
    await sandboxOf(second)
    const membership = await membershipOf(again, headers)
    expect(membership).toMatchObject({ isVip: true, reason: 'plan', payments: [{ status: 'paid' }] })
    // It is the sandbox who says so, with the same customer and subscription as before.
    const refused = await checkOut(again, headers)
    expect(refused.status, refused.text).toBe(409)
    const portal = (refused.json() as { url: string }).url.replace('localhost', '127.0.0.1')
    expect((await sendRequest(portal)).text).toContain(person.email)
  })

  test('takes any port for its sandbox when the next one is taken, or when there is none, and leaves no sandbox behind when it is killed', async () => {
    const port = await freePort()
    const blocker = await openSandbox({ secretKey, webhookSecret, prices, port: port + 1 })
    sandboxes.push(blocker)
    const server = start({ PORT: String(port) })
    const sandboxUrl = await sandboxOf(server)
    expect(new URL(sandboxUrl).port).not.toBe(String(blocker.port))
    expect(await answers(sandboxUrl)).toBe(true)
    server.child.kill('SIGKILL')
    expect(await server.ended).toBe('SIGKILL')
    await expect.poll(() => answers(sandboxUrl), { timeout: 10_000 }).toBe(false)
    // Its port can be used again; and the last of all ports has none after it.
    expect(await answers(await sandboxOf(start({ PORT: '65535' })))).toBe(true)
  })
})

/** Pays as a browser without JavaScript does: by the form of the page. */
async function payOnPage(url: string): Promise<void> {
  const address = url.replace('localhost', '127.0.0.1')
  const page = await sendRequest(address)
  expect(page.status).toBe(200)
  const [, token = ''] = /name="token"\s+value="([^"]+)"/.exec(page.text) ?? []
  const body = new URLSearchParams({ token, number: '4242 4242 4242 4242', expiry: '12/34', cvc: '123', name: 'Jane' })
  const paid = await sendRequest(address, {
    method: 'POST',
    body: body.toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  })
  expect(paid.status, paid.text).toBe(303)
  expect(paid.headers.location).toMatch(/\/success\?session_id=cs_test_\w+$/)
}

describe('the prices are tried at the start', () => {
  beforeEach(() => prepareDataDir(dataDir))

  // Value by value: billing-prices.test.ts.
  test('what Stripe refuses stops it, in a sentence', async () => {
    const sandbox = await openSandbox({ secretKey, webhookSecret, prices })
    sandboxes.push(sandbox)
    const server = start({ ...besideStripe(sandbox), STRIPE_SECRET_KEY: 'sk_test_verySecretKey1' })
    expect(await server.ended).toBe(1)
    expect(server.output()).toMatch(/^STRIPE_SECRET_KEY must be .*\.$/m)
    expect(server.output()).not.toMatch(/verySecret|\n\s+at |listens/)
    expect(existsSync(join(dataDir, 'daybook.pid'))).toBe(false)
  })

  test('a Stripe that is out of reach does not stop it, no sandbox takes its place, and nothing is sold before it has answered', async () => {
    const gone = await openSandbox({ secretKey, webhookSecret, prices, port: await freePort() })
    await gone.close()
    const server = start(besideStripe(gone))
    const url = await addressOf(server)
    await register(url)
    const headers = await logIn(url)
    const refused = await checkOut(url, headers)
    expect(refused.status, refused.text).toBe(503)
    expect(refused.text).toMatch(/Nothing can be bought yet/)
    sandboxes.push(await openSandbox({ secretKey, webhookSecret, prices, port: gone.port }))
    sessionIn(await checkOut(url, headers))
    expect(server.output()).not.toMatch(/TEST MODE|played/)
    expect(server.output()).not.toContain(secretKey)
    expect(existsSync(join(dataDir, 'sandbox'))).toBe(false)
    server.child.kill('SIGTERM')
    expect(await server.ended, server.output()).toBe(0)
  })
})
