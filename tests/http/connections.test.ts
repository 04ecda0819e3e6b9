import { connect, type Socket } from 'node:net'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { someItems } from '../harness/items.ts'
import { serverOfFile } from '../harness/test-server.ts'

const peers: Socket[] = []

const server = serverOfFile()

beforeAll(async () => {
  await someItems(
    server.app,
    Array.from({ length: 300 }, (_, i) => ({ name: `Entry ${i}`, contentType: 'asian', postDate: '2024-03-01' })),
  )
})
afterEach(() => {
  for (const peer of peers.splice(0)) peer.destroy()
})

/** A connection that is left open on our side whatever the server does. */
async function peer(): Promise<Socket> {
  const socket = connect({ port: Number(new URL(server.url).port), host: '127.0.0.1', allowHalfOpen: true })
  socket.on('error', () => undefined)
  peers.push(socket)
  await new Promise((connected) => socket.once('connect', connected))
  return socket
}

const openConnections = (): Promise<number> =>
  new Promise((reported, failed) =>
    server.server.getConnections((error, count) => (error ? failed(error) : reported(count))),
  )

const get = (path: string, more = ''): string => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n${more}\r\n`

test.each([
  ['sends nothing that can be read', 'nonsense\r\n\r\n'],
  ['sends headers that are too long', get('/', `x-long: ${'x'.repeat(20_000)}\r\n`)],
  ['closes its half after half a request', 'GET / HTTP/1.1\r\nHost: x'],
])('nothing is held for a peer that %s and never reads', async (_what, text) => {
  const before = await openConnections()
  const sockets = await Promise.all(Array.from({ length: 30 }, () => peer()))
  await expect.poll(openConnections).toBe(before + 30)
  for (const socket of sockets) {
    if (text.endsWith('\r\n')) socket.write(text)
    else socket.end(text)
  }
  await expect.poll(openConnections).toBeLessThanOrEqual(before)
})

describe('400 addresses at once on one connection', () => {
  test('do not keep the others waiting', async () => {
    expect((await server.request('/asian')).status).toBe(200)
    const flood = await peer()
    let answered = 0
    flood.on('data', (data: Buffer) => (answered += data.toString('latin1').split('HTTP/1.1 ').length - 1))
    flood.write(Array.from({ length: 400 }, (_, i) => get(`/asian?search=entry%20${i}`)).join(''))
    await expect.poll(() => answered).toBeGreaterThan(0)
    expect((await server.request('/asian')).status).toBe(200)
    // It came between two of them, not after the last.
    expect(answered).toBeLessThan(200)
  })

  test('are each answered, in order', async () => {
    const socket = await peer()
    const search = (i: number): string => `/universal-search/search?search=entry%20${i}&limit=${(i % 300) + 1}`
    const key = 'api-key: daybook-web\r\n'
    socket.write(
      Array.from({ length: 400 }, (_, i) => get(search(i), key)).join('') + get('/healthz', 'Connection: close\r\n'),
    )
    let text = ''
    for await (const chunk of socket) text += String(chunk)
    const etags = [...text.matchAll(/^etag: (\S+)\r$/gim)].map(([, etag]) => etag)
    expect(etags).toHaveLength(400)
    for (const i of [0, 1, 200, 399]) {
      expect(etags[i]).toBe((await server.call(search(i))).headers.etag)
    }
  })
})

test('a pipeline may hold kept answers, questions after what has changed, heads and old versions', async () => {
  const { etag = '' } = (await server.request('/asian')).headers
  const socket = await peer()
  socket.write(
    [
      get('/asian'),
      get('/asian', `If-None-Match: ${etag}\r\n`),
      'HEAD /asian HTTP/1.1\r\nHost: localhost\r\n\r\n',
      'GET /favicon.svg HTTP/1.0\r\nConnection: keep-alive\r\n\r\n',
      'POST /auth/login HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}',
      get('/no/such/page'),
      get('/favicon.svg', 'Connection: close\r\n'),
    ].join(''),
  )
  let text = ''
  for await (const chunk of socket) text += (chunk as Buffer).toString('latin1')
  const statuses = [...text.matchAll(/HTTP\/1\.1 (\d+) /g)].map(([, status]) => Number(status))
  expect(statuses).toEqual([200, 304, 200, 200, 422, 404, 200])
})
