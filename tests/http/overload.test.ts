import { once } from 'node:events'
import { connect } from 'node:net'
import { get as httpGet, Agent } from 'node:http'
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { aMember, bearer, signIn } from '../harness/members.ts'
import { someItems } from '../harness/items.ts'
import { serverOfFile } from '../harness/test-server.ts'

let vip: Record<string, string>

const server = serverOfFile({ env: { TRUSTED_PROXIES: '127.0.0.1/32' } })

beforeAll(async () => {
  await someItems(
    server.app,
    Array.from({ length: 300 }, (_, i) => ({ name: `Entry ${i}`, contentType: 'asian', postDate: '2024-03-01' })),
  )
  vip = bearer(await signIn(server, await aMember(server.app, { isVip: true })))
})
afterEach(() => vi.restoreAllMocks())

const key = (): Record<string, string> => ({ 'api-key': server.app.config.clientApiKey })
const from = (address: string): Record<string, string> => ({ 'x-forwarded-for': address })

/** A visitor whose connection is open already: it is not the connection that they wait for. */
async function aVisitor() {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const ask = (path: string): Promise<number> =>
    new Promise((resolve, reject) => {
      const headers = from('203.0.113.99')
      const sent = httpGet(server.url + path, { agent, headers }, (answer) => {
        answer.resume().on('end', () => resolve(answer.statusCode ?? 0))
      })
      sent.on('error', reject)
    })
  await ask('/healthz')
  return { ask, leave: () => agent.destroy() }
}

/** Sends all these requests at once, each on a connection of its own; tells how many are answered, and with what. */
function flood(paths: string[], headersOf: (i: number) => Record<string, string>) {
  const agent = new Agent({ keepAlive: false, maxSockets: Infinity })
  const statuses: number[] = []
  const all = paths.map(
    (path, i) =>
      new Promise<void>((resolve, reject) => {
        const sent = httpGet(server.url + path, { agent, headers: headersOf(i) }, (answer) => {
          answer.resume().on('end', () => {
            statuses.push(answer.statusCode ?? 0)
            resolve()
          })
        })
        sent.on('error', reject)
      }),
  )
  return {
    statuses,
    done: Promise.all(all),
    /** How many were not refused. */
    made: () => statuses.filter((status) => status === 200).length,
    /** All connections are there by then, and no other has to be taken first. */
    isUnderWay: () => vi.waitFor(() => expect(statuses.length).toBeGreaterThan(20), { interval: 1, timeout: 20_000 }),
  }
}

let floods = 0
/** Addresses that nobody has asked for. */
function unkept(kind: 'page' | 'search', count: number): string[] {
  floods += 1
  return Array.from({ length: count }, (_, i) => {
    const search = `search=entry%20${i}%20of%20${floods}`
    return kind === 'page' ? `/asian?${search}` : `/universal-search/search?limit=300&${search}`
  })
}

describe('in a flood of 300 requests of one address', () => {
  test.each([
    ['pages that nobody keeps', 'page', () => from('203.0.113.7')],
    ['searches that nobody keeps', 'search', () => ({ ...from('203.0.113.7'), ...key() })],
    ['searches of one member', 'search', (i: number) => ({ ...from(`198.51.100.${i % 250}`), ...key(), ...vip })],
  ] as const)('for %s, another caller comes to their turn among the first', async (_what, kind, headersOf) => {
    const visitor = await aVisitor()
    const flooding = flood(unkept(kind, 300), headersOf)
    await flooding.isUnderWay()
    const before = flooding.made()
    const [own] = unkept('page', 1)
    const status = await visitor.ask(own as string)
    const meanwhile = flooding.made() - before
    await flooding.done
    visitor.leave()
    expect(status).toBe(200)
    expect(meanwhile).toBeLessThan(20)
    // The others come to their turn as well, unless they have waited for three seconds.
    expect(new Set([...flooding.statuses, 503])).toEqual(new Set([200, 503]))
  })

  test('what is kept goes out at once, and so does the health of the site', async () => {
    expect((await server.request('/asian')).status).toBe(200)
    const visitor = await aVisitor()
    const flooding = flood(unkept('page', 300), () => from('203.0.113.7'))
    await flooding.isUnderWay()
    const before = flooding.made()
    const statuses: number[] = []
    for (const path of ['/asian', '/healthz', '/readyz']) statuses.push(await visitor.ask(path))
    const meanwhile = flooding.made() - before
    await flooding.done
    visitor.leave()
    expect(statuses).toEqual([200, 200, 200])
    expect(meanwhile).toBeLessThan(30)
  })
})

test('in a flood of 50 addresses of one network, a visitor of another one comes to their turn among the first', async () => {
  const visitor = await aVisitor()
  const flooding = flood(unkept('page', 300), (i) => from(`198.51.100.${i % 50}`))
  await flooding.isUnderWay()
  const before = flooding.made()
  const [own] = unkept('page', 1)
  const status = await visitor.ask(own as string)
  const meanwhile = flooding.made() - before
  await flooding.done
  visitor.leave()
  expect(status).toBe(200)
  expect(meanwhile).toBeLessThan(25)
})

describe('in a flood of calls that a limit refuses', () => {
  const wrong = (i: number) => ({
    method: 'POST' as const,
    headers: { 'content-type': 'application/json', ...from(`198.51.100.${i % 250}`) },
    body: JSON.stringify({ email: 'somebody@readers.example', password: `a guess ${i}` }),
  })

  test('each connection has few answers a second, and what is kept and what is new goes out at once', async () => {
    for (let i = 0; i < 12; i += 1) await server.request('/auth/login', wrong(i))
    expect((await server.request('/asian')).status).toBe(200)
    const visitor = await aVisitor()
    const statuses: number[] = []
    const stop = new AbortController()
    const startedAt = performance.now()
    const flooding = Array.from({ length: 32 }, async (_, i) => {
      while (!stop.signal.aborted) statuses.push((await server.request('/auth/login', wrong(i))).status)
    })
    await vi.waitFor(() => expect(statuses.length).toBeGreaterThan(60), { interval: 1, timeout: 10_000 })
    const before = statuses.length
    const seen = [await visitor.ask('/asian'), await visitor.ask(unkept('page', 1)[0] as string)]
    const meanwhile = statuses.length - before
    stop.abort()
    await Promise.all(flooding)
    visitor.leave()
    expect(seen).toEqual([200, 200])
    expect(new Set(statuses)).toEqual(new Set([429]))
    expect(meanwhile).toBeLessThan(100)
    // Fifty in each second that has begun, and of each connection two.
    const seconds = (performance.now() - startedAt) / 1000
    expect(statuses.length).toBeLessThanOrEqual(50 * (seconds + 1) + 32 * (2 * seconds + 1))
  })

  test('a refusal is answered at once where there are few', async () => {
    // The second of the flood is over.
    await new Promise((resolve) => setTimeout(resolve, 1_000))
    const asked: number[] = []
    for (let i = 0; i < 3; i += 1) {
      const askedAt = performance.now()
      const { status, headers } = await server.request('/auth/login', wrong(i))
      asked.push(performance.now() - askedAt)
      expect([status, headers['retry-after']]).toEqual([429, expect.any(String)])
    }
    expect(Math.min(...asked)).toBeLessThan(400)
  })
})

describe('where the line is longer than anybody waits', () => {
  test('a page says that the site is busy, a call answers 503, both with the time after which to try again', async () => {
    // All places are taken by others, and the line is full. Places come free every half second: as those in line give up, half of
    // that remains until the next, for calls that come a little later.
    const leave: (() => void)[] = []
    const run = (count: number): Promise<void>[] =>
      Array.from({ length: count }, (_, i) =>
        server.app.rendering
          .run({ address: `198.51.${i & 127}.${i >> 7}` }, () => new Promise<void>((done) => leave.push(done)))
          .catch(() => undefined),
      )
    const busy = run(8)
    await new Promise((resolve) => setTimeout(resolve, 250))
    busy.push(...run(500))
    try {
      const [page, call] = await Promise.all([
        server.request(unkept('page', 1)[0] as string),
        server.request(unkept('search', 1)[0] as string, { headers: key() }),
      ])
      expect([page.status, page.headers['retry-after'], page.headers['cache-control']]).toEqual([503, '3', 'no-store'])
      expect(page.headers['content-type']).toBe('text/html; charset=utf-8')
      expect(page.text).toContain('Very many people ask for something at this moment.')
      expect([call.status, call.headers['retry-after']]).toEqual([503, '3'])
      expect(call.json()).toMatchObject({ code: 'site.busy' })
      expect((await server.request('/healthz')).status).toBe(200)
    } finally {
      const timer = setInterval(() => leave.splice(0).forEach((done) => done()), 1)
      await Promise.all(busy)
      clearInterval(timer)
    }
  })
})

test('nothing is made for callers who have closed their connections', async () => {
  const { rendering } = server.app
  const ownRound = vi.spyOn(rendering, 'ownRound')
  const { hostname, port, host } = new URL(server.url)
  const address = '203.0.113.50'
  // All that this address may have under way: what it asks for meanwhile waits.
  const leave: (() => void)[] = []
  const held = Array.from({ length: 6 }, () =>
    rendering.run({ address }, () => new Promise<void>((done) => leave.push(done))),
  )
  await expect.poll(() => leave.length).toBe(6)
  await Promise.all(
    Array.from({ length: 80 }, async (_, no) => {
      const socket = connect(Number(port), hostname)
      await once(socket, 'connect')
      socket.write(`GET /western?search=gone${no} HTTP/1.1\r\nHost: ${host}\r\nX-Forwarded-For: ${address}\r\n\r\n`)
      socket.end()
      socket.resume()
      await once(socket, 'close')
    }),
  )
  for (const done of leave) done()
  await Promise.all(held)
  await expect.poll(() => [rendering.running, rendering.waiting]).toEqual([0, 0])
  expect(ownRound).not.toHaveBeenCalled()
  // One who stays is answered.
  const stayed = await server.request('/western?search=stayed', { headers: { 'x-forwarded-for': address } })
  expect([stayed.status, ownRound.mock.calls.length > 0]).toEqual([200, true])
})
