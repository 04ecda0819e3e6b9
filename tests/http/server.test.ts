import { Agent, request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { beforeAll, describe, expect, test } from 'vitest'
import { someItems } from '../harness/items.ts'
import { openTestServer, serverOfFile } from '../harness/test-server.ts'

const server = serverOfFile()

beforeAll(async () => {
  await someItems(
    server.app,
    Array.from({ length: 60 }, (_, i) => ({ name: `Entry ${i}`, contentType: 'asian', postDate: '2024-03-01' })),
  )
})

const search = '/universal-search/search?limit=300'

describe('health', () => {
  test.each(['/healthz', '/readyz'])('%s answers 200 and is not kept by anyone', async (path) => {
    const answer = await server.request(path)
    expect(answer.status).toBe(200)
    expect(answer.headers['cache-control']).toBe('no-store')
  })
})

describe('headers', () => {
  const everyKind: [kind: string, path: string, question?: { method: string }][] = [
    ['a search', search],
    ['an item', '/asiancontent/entry-1'],
    ['a refusal', '/universal-search/search?page=0'],
    ['a page', '/asian'],
    ['a page that does not exist', '/no/such/page'],
    ['a favicon', '/favicon.svg'],
    ['health', '/healthz'],
    ['a write to nowhere', '/nowhere', { method: 'POST' }],
  ]

  test.each(everyKind)('%s carries the security headers', async (_kind, path, query) => {
    const { headers } = await server.call(path, query)
    expect(headers['content-security-policy']).toMatch(/frame-ancestors 'none'/)
    expect(headers['x-content-type-options']).toBe('nosniff')
    expect(headers['referrer-policy']).toBeTruthy()
    expect(headers['permissions-policy']).toBeTruthy()
    expect(headers['cross-origin-opener-policy']).toBe('same-origin')
    expect(headers['x-request-id']).toMatch(/^[\w-]{16,}$/)
    expect(headers['access-control-allow-origin']).toBeUndefined()
    expect(headers['x-powered-by']).toBeUndefined()
    expect(headers['set-cookie']).toBeUndefined()
  })

  test('a page allows its own scripts only, by hash, and nothing inline', async () => {
    const page = await server.request('/asian')
    const policy = page.headers['content-security-policy'] as string
    expect(policy).toMatch(/default-src 'none'|default-src 'self'/)
    expect(policy).toMatch(/object-src 'none'/)
    expect(policy).toMatch(/base-uri 'none'/)
    expect(policy).not.toMatch(/unsafe-inline|unsafe-eval|\*|https?:/)
    expect(page.text).not.toMatch(/\sstyle="|\son[a-z]+="/)
    expect(page.text).not.toMatch(/nonce=/)
  })

  test('JSON allows nothing at all', async () => {
    const { headers } = await server.call(search)
    expect(headers['content-security-policy']).toBe("default-src 'none'; frame-ancestors 'none'")
    expect(headers['content-type']).toMatch(/^application\/json/)
  })

  test('every answer has a request id of its own', async () => {
    const ids = await Promise.all(
      Array.from({ length: 10 }, async () => (await server.call(search)).headers['x-request-id']),
    )
    expect(new Set(ids).size).toBe(10)
  })

  test('strict transport security is for https only, and lasts a year at least', async () => {
    expect((await server.request('/healthz')).headers['strict-transport-security']).toBeUndefined()
    await using secure = await openTestServer({ env: { PUBLIC_URL: 'https://library.example', PAYMENTS: 'off' } })
    const header = (await secure.request('/healthz')).headers['strict-transport-security'] ?? ''
    expect(Number(/max-age=(\d+)/.exec(header)?.[1])).toBeGreaterThanOrEqual(31_536_000)
  })
})

describe.each([
  ['a search', search],
  ['a page', '/asian'],
])('%s', (_kind, path) => {
  test('comes with an ETag, and as 304 without body to who has it already', async () => {
    const first = await server.call(path)
    const { etag } = first.headers
    expect(etag).toMatch(/^(W\/)?"[^"]+"$/)
    for (const known of [etag, `"other", ${etag}`, '*']) {
      const again = await server.call(path, { headers: { 'if-none-match': known ?? '' } })
      expect(again.status).toBe(304)
      expect(again.bytes).toHaveLength(0)
      expect(again.headers.etag).toBe(etag)
      expect(again.headers['content-security-policy']).toBe(first.headers['content-security-policy'])
    }
    const other = await server.call(path, { headers: { 'if-none-match': '"other"' } })
    expect(other.status).toBe(200)
    expect(other.bytes).toEqual(first.bytes)
  })

  test('comes compressed as the caller can read it, with the same content', async () => {
    const plain = await server.call(path)
    expect(plain.headers['content-encoding']).toBeUndefined()
    expect(plain.headers.vary).toMatch(/accept-encoding/i)
    // Asked twice: computed, then kept.
    for (let round = 0; round < 2; round += 1) {
      const brotli = await server.call(path, { headers: { 'accept-encoding': 'gzip, deflate, br' } })
      expect(brotli.headers['content-encoding']).toBe('br')
      expect(brotliDecompressSync(brotli.bytes)).toEqual(plain.bytes)
      expect(Number(brotli.headers['content-length'])).toBe(brotli.bytes.length)
      const gzip = await server.call(path, { headers: { 'accept-encoding': 'gzip' } })
      expect(gzip.headers['content-encoding']).toBe('gzip')
      expect(gunzipSync(gzip.bytes)).toEqual(plain.bytes)
    }
    const refused = await server.call(path, { headers: { 'accept-encoding': 'br;q=0, gzip;q=0' } })
    expect(refused.headers['content-encoding']).toBeUndefined()
  })

  test('answers HEAD with the headers of GET and no body', async () => {
    const get = await server.call(path)
    const head = await server.call(path, { method: 'HEAD' })
    expect(head.status).toBe(200)
    expect(head.bytes).toHaveLength(0)
    expect(head.headers['content-type']).toBe(get.headers['content-type'])
    expect(head.headers.etag).toBe(get.headers.etag)
    expect(head.headers['content-length']).toBe(String(get.bytes.length))
  })
})

describe('what is kept', () => {
  test('an answer is replaced by the next write, and its ETag with it', async () => {
    const before = await server.call(search)
    const page = await server.request('/asian')
    await someItems(server.app, [{ name: 'Fresh entry', contentType: 'asian', postDate: '2024-03-02' }])
    const after = await server.call(search, { headers: { 'if-none-match': before.headers.etag ?? '' } })
    expect(after.status).toBe(200)
    expect(after.headers.etag).not.toBe(before.headers.etag)
    const pageAfter = await server.request('/asian', { headers: { 'if-none-match': page.headers.etag ?? '' } })
    expect(pageAfter.status).toBe(200)
    expect(pageAfter.text).toContain('Fresh entry')
  })

  test('a kept answer does not go to a caller without the key', async () => {
    expect((await server.call(search)).status).toBe(200)
    expect((await server.request(search)).status).toBe(401)
    expect((await server.request(search, { headers: { 'api-key': 'other' } })).status).toBe(401)
    expect((await server.call(search, { headers: { authorization: 'Bearer nonsense' } })).status).toBe(401)
  })

  test('"today" turns at midnight, though nobody writes', async () => {
    await using own = await openTestServer({ now: '2024-03-15T23:59:59.999Z' })
    await someItems(own.app, [{ name: 'Of the fifteenth', contentType: 'asian', postDate: '2024-03-15' }])
    expect((await own.search('dateFilter=today')).items).toHaveLength(1)
    expect((await own.request('/asian?dateFilter=today')).text).toContain('Of the fifteenth')
    own.clock.advance(1)
    expect((await own.search('dateFilter=today')).items).toHaveLength(0)
    expect((await own.request('/asian?dateFilter=today')).text).not.toContain('Of the fifteenth')
    expect((await own.search('dateFilter=yesterday')).items).toHaveLength(1)
  })
})

describe('what is not there', () => {
  test('an unknown page is a designed page with status 404 and a way back', async () => {
    const answer = await server.request('/no/such/page')
    expect(answer.status).toBe(404)
    expect(answer.headers['content-type']).toMatch(/^text\/html/)
    expect(answer.text).toMatch(/<a[^>]+href="\/"/)
  })

  test.each([
    ['GET', '/universal-search/nothing'],
    ['GET', '/universal-search'],
    ['GET', '/api/nothing'],
    ['GET', '/asiancontent/entry-1/more'],
    ['POST', '/no/such/page'],
    ['DELETE', '/vip-asiancontent/entry-1'],
    ['PUT', search],
    ['OPTIONS', search],
  ])('%s %s of the interface is refused as JSON with error and message', async (method, path) => {
    const answer = await server.call(path, { method })
    expect([404, 405]).toContain(answer.status)
    expect(answer.headers['content-type']).toMatch(/^application\/json/)
    const body = answer.json() as Record<string, string>
    expect(body['error']).toBeTruthy()
    expect(body['message']).toBe(body['error'])
    expect(answer.text).not.toMatch(/\bat .*:\d+:\d+|select |node_modules/)
  })

  test.each([
    ['PUT', search, 'GET, HEAD'],
    ['OPTIONS', search, 'GET, HEAD'],
    ['DELETE', '/vip-asiancontent/entry-1', 'GET, HEAD'],
    ['GET', '/auth/login', 'POST'],
    ['PUT', '/auth/sessions', 'DELETE, GET, HEAD'],
    ['PUT', '/forgot-password', 'GET, HEAD, POST'],
    ['GET', '/reset-password/account', 'POST'],
    ['POST', '/healthz', 'GET, HEAD'],
  ])('%s %s, which has other methods, is answered with 405 and names them', async (method, path, allow) => {
    const answer = await server.call(path, { method })
    expect(answer.status).toBe(405)
    expect(answer.headers.allow).toBe(allow)
    if (method !== 'HEAD') expect(answer.json()).toMatchObject({ code: 'method.not_allowed' })
  })

  test.each([
    ['PUT', '/auth/login/'],
    ['POST', '/auth/login/'],
    ['GET', '/auth/login/'],
    ['GET', '/auth/status/'],
    ['GET', '/AUTH/nothing'],
    ['PUT', '/Auth/Login'],
  ])('%s %s is nothing: a path of the interface has one spelling', async (method, path) => {
    const answer = await server.call(path, { method })
    expect(answer.status).toBe(404)
    expect(answer.headers.allow).toBeUndefined()
    expect(answer.json()).toMatchObject({ code: 'not_found' })
  })

  test.each([
    ['/AsianContent/Entry-1?x=Y', '/asiancontent/Entry-1?x=Y'],
    ['/Auth/login', '/auth/login'],
    ['/HEALTH/../UNIVERSAL-search/Search?page=2', '/universal-search/search?page=2'],
  ])('%s is sent to the right spelling', async (path, to) => {
    for (const method of ['GET', 'HEAD']) {
      const answer = await server.call(path, { method })
      expect([answer.status, answer.headers.location]).toEqual([301, to])
    }
  })

  test.each([
    ['POST', '/support'],
    ['PUT', '/western'],
    ['PUT', '/auth/login'],
    ['DELETE', '/nowhere'],
  ])('%s %s without a body leaves the connection open, with a body it does not', async (method, path) => {
    expect(await connectionAfter(method, path, { length: 0 })).toBe('keep-alive')
    const { requestTimeout, headersTimeout } = server.server
    // A page that takes a form waits for its body for as long as the server lets it.
    Object.assign(server.server, { requestTimeout: 500, headersTimeout: 500 })
    try {
      expect(await connectionAfter(method, path, { length: 5 })).toBe('close')
    } finally {
      Object.assign(server.server, { requestTimeout, headersTimeout })
    }
  })

  /** The connection header of an answer, if the promised body is not sent. */
  function connectionAfter(method: string, path: string, { length }: { length: number }): Promise<string | undefined> {
    const agent = new Agent({ keepAlive: true })
    return new Promise((resolve, reject) => {
      const headers = { 'content-length': length }
      const sent = request(server.url + path, { agent, method, headers }, (answer) => {
        resolve(answer.headers.connection)
        agent.destroy()
      })
      sent.on('error', reject)
      sent.flushHeaders()
    })
  }

  test.each(['/universal-search/nothing', '/auth/sessions/a/b', '/asian'])(
    'PATCH %s is answered with 404: no method leads there',
    async (path) => {
      const answer = await server.call(path, { method: 'PATCH' })
      expect(answer.status).toBe(404)
      expect(answer.headers.allow).toBeUndefined()
    },
  )

  test.each([
    '/..%2f..%2fpackage.json',
    '/assets/../../package.json',
    '/assets/%2e%2e/%2e%2e/package.json',
    '/.git/config',
  ])('no path leads out of the public files (%s)', async (path) => {
    const answer = await server.request(path)
    expect(answer.status).toBeGreaterThanOrEqual(400)
    expect(answer.text).not.toMatch(/"dependencies"|\[core\]/)
  })

  test.each([
    '/western/%E0%A4%A',
    '/asian/%ff%fe',
    '/%E0%A4%A',
    '/asian/%/more?search=%E0',
    '/admin/billing/%ff',
    '/vip/%ff',
    '/login/%ff?next=%ff',
  ])('an address that cannot be decoded (%s) is a page that does not exist', async (path) => {
    const answer = await server.request(path)
    expect(answer.status).toBe(404)
    expect([...answer.text.matchAll(/<h1[^>]*>([^<]*)/g)].map(([, words]) => words)).toEqual(['There is no such page'])
    expect(answer.text).toMatch(/<title>Not found/)
  })

  test.each(['//example.org/', '/\\example.org', '/%', '/%E0%A4%A', '/asian/%', '/asian?search=%', '/asian?%'])(
    'a strange address (%s) is answered, never with 500 and never by sending the visitor elsewhere',
    async (path) => {
      const answer = await server.request(path)
      expect(answer.status).toBeLessThan(500)
      expect(answer.headers.location ?? '/').toMatch(/^\/(?![/\\])/)
    },
  )

  test.each([
    ['/ASIAN', '/asian'],
    ['/Asian/Ugetsu?x=Y', '/asian/Ugetsu?x=Y'],
    ['/%61sian', '/asian'],
    ['/VIP/', '/vip/'],
    ['/////', '/'],
    ['/asian//?page=2', '/asian/?page=2'],
    ['/ADMIN/Settings', '/admin/settings'],
    ['/Reset-Password?token=A', '/reset-password?token=A'],
  ])("a page's name in other letters or with more slashes (%s) leads to the page (%s)", async (path, page) => {
    const answer = await server.request(path)
    expect(answer.status).toBe(301)
    expect(answer.headers.location).toBe(page)
    const follower = await server.request(page)
    expect(follower.status).not.toBe(301)
  })

  test.each(['/forgot-password/', '/reset-password/', '/login/'])(
    '%s is the page, as without the slash',
    async (path) => {
      const answer = await server.request(path)
      expect(answer.status).toBe(200)
      expect(answer.headers['content-type']).toBe('text/html; charset=utf-8')
    },
  )
})

describe('limits', () => {
  test('a body over 1 MiB is refused with 413 and a sentence', async () => {
    const answer = await server.call('/webhooks/stripe', { method: 'POST', body: Buffer.alloc(1024 * 1024 + 1) })
    expect(answer.status).toBe(413)
    expect(answer.json()).toHaveProperty('message')
  })

  test('headers must come within 15 seconds and bodies within 30', () => {
    expect(server.server.headersTimeout).toBe(15_000)
    expect(server.server.requestTimeout).toBe(30_000)
  })

  test('headers over 16 KiB are refused', async () => {
    const answer = await server.call('/healthz', { headers: { 'x-long': 'x'.repeat(20_000) } })
    expect(answer.status).toBe(431)
  })

  test.each([
    'GET / HTTP/1.1\r\nHost: a b\r\n\r\n',
    'GET / HTTP/1.1\r\nHost: [\r\n\r\n',
    'GET http://[ HTTP/1.1\r\nHost: x\r\n\r\n',
  ])('a request that is none (%j) is answered without harm to the next', async (text) => {
    const status = await firstLine(text)
    expect(status).toMatch(/^HTTP\/1\.1 [234]\d\d /)
    expect((await server.request('/healthz')).status).toBe(200)
  })

  test.each(['GET /asian', 'GET /healthz', 'HEAD /favicon.svg', 'POST /auth/login'])(
    '%s without the header Host is refused with a sentence and the usual headers, unless it is of HTTP/1.0',
    async (request) => {
      const answer = await answerTo(`${request} HTTP/1.1\r\n\r\n`)
      expect(answer).toMatch(/^HTTP\/1\.1 400 /)
      expect(answer).toMatch(/\r\nx-request-id: [\w-]{16,}\r\n/i)
      expect(answer).toMatch(/\r\ncontent-security-policy: default-src 'none'/i)
      expect(answer).toMatch(/\r\ncontent-type: application\/json/i)
      expect(answer).toMatch(/\r\nconnection: close\r\n/i)
      if (!request.startsWith('HEAD')) expect(answer).toContain('"code":"request.unreadable"')
      expect(await answerTo(`${request} HTTP/1.0\r\n\r\n`)).not.toContain('request.unreadable')
    },
  )

  const firstLine = async (text: string): Promise<string> => (await answerTo(text)).split('\r\n')[0] ?? ''

  /** The first that comes back. */
  function answerTo(text: string): Promise<string> {
    return new Promise((resolve, reject) => {
      const socket = connect(Number(new URL(server.url).port), '127.0.0.1', () => socket.write(text))
      socket.setTimeout(20_000, () => socket.destroy(new Error('No answer came.')))
      socket.on('error', reject)
      socket.once('data', (data) => {
        socket.destroy()
        resolve(data.toString())
      })
    })
  }
})

describe('a stop', () => {
  test('lets the request under way finish, refuses new ones, and ends', async () => {
    const own = await openTestServer()
    await someItems(own.app, [{ name: 'Under way', contentType: 'asian', postDate: '2024-03-01' }])
    const port = Number(new URL(own.url).port)
    const taken = new Promise<Socket>((take) => own.server.once('connection', take))
    // A request of which the last line is still to come when the stop begins.
    let end = (): void => undefined
    const answered = new Promise<string>((resolve, reject) => {
      const socket = connect(port, '127.0.0.1')
      let text = ''
      socket.write(`GET ${search} HTTP/1.1\r\nHost: localhost\r\napi-key: daybook-web\r\n`)
      socket.on('data', (data) => (text += data.toString()))
      socket.on('end', () => resolve(text))
      socket.on('error', reject)
      end = () => socket.write('\r\n')
    })
    const reading = await taken
    await expect.poll(() => reading.bytesRead).toBeGreaterThan(0)
    const stopped = own.stop()
    await expect(own.request('/healthz')).rejects.toThrow('ECONNREFUSED')
    end()
    expect(await answered).toMatch(/^HTTP\/1\.1 200 /)
    await stopped
    await own.close().catch(() => undefined)
  })
})
