import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { answerConnectionFaults } from './connection-faults.ts'
import { Connections, maxWaiting } from './connections.ts'

const ended: (() => void)[] = []
afterEach(() => {
  for (const end of ended.splice(0)) end()
})

interface Tried {
  server: Server
  connections: Connections
  port: number
  /** The most requests that were under way at once. */
  max: () => number
  underway: () => number
  /** Lets the answers to `/held/…` go out. */
  release: () => void
}

/** A server that answers `/20/x` after 20 ms, `/held/x` when it is released, `/…/large` with more than a socket holds, and a POST with its body. */
async function open(options: { sendTimeoutMs?: number; maxOpen?: number; onFull?: () => void } = {}): Promise<Tried> {
  let underway = 0
  let max = 0
  const { promise: isReleased, resolve: release } = Promise.withResolvers<void>()
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const [, ms, name] = (request.url ?? '').split('/')
    let body = ''
    if (request.method === 'POST') for await (const chunk of request) body += String(chunk)
    if (ms === 'held') await isReleased
    else if (Number(ms) > 0) await sleep(Number(ms))
    const content = Buffer.from(
      name === 'large' ? 'x'.repeat(32 * 1024 * 1024) : `${request.method} ${request.url} ${body};\n`,
    )
    response.writeHead(200, { 'content-length': content.length })
    response.end(request.method === 'HEAD' ? undefined : content)
  }
  const connections = new Connections(options)
  const server = createServer(
    connections.inTurn((request, response) => {
      underway += 1
      max = Math.max(max, underway)
      response.once('close', () => (underway -= 1))
      // A peer that goes away takes its request with it.
      answer(request, response).catch(() => response.destroy())
    }),
  )
  connections.watch(server)
  answerConnectionFaults(server, connections, [])
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  ended.push(() => {
    server.close()
    server.closeAllConnections()
  })
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('The server has no address.')
  return { server, connections, port: address.port, max: () => max, underway: () => underway, release }
}

/** A connection that is left open on our side whatever the server does. */
async function peer(port: number, localAddress = '127.0.0.1'): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', localAddress, allowHalfOpen: true })
  socket.on('error', () => undefined)
  ended.push(() => socket.destroy())
  await new Promise((connected) => socket.once('connect', connected))
  return socket
}

/** Reads until the server ends the connection. */
async function everything(socket: Socket): Promise<string> {
  let text = ''
  for await (const chunk of socket) text += String(chunk)
  return text
}

const get = (path: string, more = ''): string => `GET ${path} HTTP/1.1\r\nHost: x\r\n${more}\r\n`
const closing = 'Connection: close\r\n'
const bodies = (text: string): string[] => [...text.matchAll(/(?:GET|POST) \S+ \S*;/g)].map(([body]) => body)

const openSockets = (server: Server): Promise<number> =>
  new Promise((reported, failed) => server.getConnections((error, count) => (error ? failed(error) : reported(count))))

describe('requests of one connection', () => {
  test('are answered one at a time and in order, also when the later ones would be ready sooner', async () => {
    const { port, max } = await open()
    const socket = await peer(port)
    socket.write(get('/30/a') + get('/0/b') + get('/10/c') + get('/0/d', closing))
    expect(bodies(await everything(socket))).toEqual(['GET /30/a ;', 'GET /0/b ;', 'GET /10/c ;', 'GET /0/d ;'])
    expect(max()).toBe(1)
  })

  test('may have bodies, and arrive in pieces', async () => {
    const { port } = await open()
    const socket = await peer(port)
    const post = (body: string): string =>
      `POST /5/p HTTP/1.1\r\nHost: x\r\nContent-Length: ${body.length}\r\n\r\n${body}`
    const text = post('one') + get('/5/a') + post('two') + post('x'.repeat(100_000)) + get('/0/z', closing)
    for (let at = 0; at < text.length; at += 7_000) {
      socket.write(text.slice(at, at + 7_000))
      await sleep(3)
    }
    const answers = bodies(await everything(socket))
    expect(answers.map((body) => body.length)).toEqual([14, 10, 14, 100_011, 10])
  })

  test('keep the methods and versions of HTTP', async () => {
    const { port } = await open()
    const socket = await peer(port)
    const old = 'HTTP/1.0\r\n'
    socket.write(
      `HEAD /5/a HTTP/1.1\r\nHost: x\r\n\r\n${get('/0/b')}GET /0/c ${old}Connection: keep-alive\r\n\r\nGET /0/d ${old}\r\n`,
    )
    const text = await everything(socket)
    expect(bodies(text)).toEqual(['GET /0/b ;', 'GET /0/c ;', 'GET /0/d ;'])
    expect(text.match(/^HTTP\/1\.1 200/gm)).toHaveLength(4)
    expect([...text.matchAll(/^Connection: (\S+)\r$/gm)].map(([, value]) => value)).toEqual([
      'keep-alive',
      'keep-alive',
      'keep-alive',
      'close',
    ])
  })

  test('after one that closes the connection are not answered', async () => {
    const { port } = await open()
    const socket = await peer(port)
    socket.write(get('/5/a', closing) + get('/0/b'))
    expect(bodies(await everything(socket))).toEqual(['GET /5/a ;'])
  })

  test('are all answered to a peer that has finished sending meanwhile', async () => {
    const { port } = await open()
    const socket = await peer(port)
    socket.end(get('/20/a') + get('/0/b') + get('/20/c'))
    expect(bodies(await everything(socket))).toEqual(['GET /20/a ;', 'GET /0/b ;', 'GET /20/c ;'])
  })

  test('beyond those that may wait end the connection, after the answers to the others', async () => {
    const { port } = await open()
    const socket = await peer(port)
    socket.write(get('/0/a').repeat(maxWaiting + 50))
    const text = await everything(socket)
    expect(bodies(text)).toHaveLength(maxWaiting + 1)
    expect(text.match(/^Connection: close\r$/gm)).toHaveLength(1)
    expect(text.lastIndexOf('Connection: close')).toBeGreaterThan(text.lastIndexOf('Connection: keep-alive'))
  })

  test('are not read before they can wait, however many are sent at once', async () => {
    const { port } = await open()
    const socket = await peer(port)
    const padding = `X-Padding: ${'x'.repeat(400)}\r\n`
    socket.write(get('/0/a', padding).repeat(3_000) + get('/0/z', closing))
    expect(bodies(await everything(socket))).toHaveLength(3_001)
  })

  test('leave the connection open for more', async () => {
    const { port } = await open()
    const socket = await peer(port)
    socket.write(get('/5/a') + get('/5/b'))
    await sleep(60)
    socket.write(get('/0/c', closing))
    expect(bodies(await everything(socket))).toEqual(['GET /5/a ;', 'GET /5/b ;', 'GET /0/c ;'])
  })

  test('are answered before what cannot be read behind them', async () => {
    const { port } = await open()
    const socket = await peer(port)
    socket.write(`${get('/20/a')}${get('/20/b')}nonsense\r\n\r\n`)
    const text = await everything(socket)
    expect([...text.matchAll(/^HTTP\/1\.1 (\d+)/gm)].map(([, status]) => status)).toEqual(['200', '200', '400'])
  })

  test('are refused at once when their body cannot be read', async () => {
    const { port } = await open()
    const socket = await peer(port)
    socket.write('POST /0/a HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nnonsense\r\n')
    expect(await everything(socket)).toMatch(/^HTTP\/1\.1 400 /)
  })

  test('that wait when the server stops are answered, the last with the word that it closes', async () => {
    const { port, server, connections, underway, release } = await open()
    const [single, several] = [await peer(port), await peer(port)]
    single.write(get('/held/a'))
    several.write(get('/held/a') + get('/0/b') + get('/0/c'))
    await expect.poll(underway).toBe(2)
    const closed = new Promise((resolve) => server.close(resolve))
    connections.stop()
    release()
    const [one, three] = await Promise.all([everything(single), everything(several)])
    expect(bodies(one)).toEqual(['GET /held/a ;'])
    expect(one).toMatch(/^Connection: close\r$/m)
    expect(bodies(three)).toEqual(['GET /held/a ;', 'GET /0/b ;', 'GET /0/c ;'])
    expect(three.match(/^Connection: close\r$/gm)).toHaveLength(1)
    await closed
  })
})

describe('a peer that never reads', () => {
  test('what cannot be understood is let go a second after it was told', async () => {
    const { port, server } = await open()
    const peers = await Promise.all(Array.from({ length: 20 }, () => peer(port)))
    for (const socket of peers) socket.write('nonsense\r\n\r\n')
    await expect.poll(() => openSockets(server)).toBe(0)
  })

  test('and only sends, is let go although it is never idle', async () => {
    const { port, server } = await open({ sendTimeoutMs: 400 })
    const socket = await peer(port)
    const sentAt = performance.now()
    socket.write(get('/0/large') + get('/0/b'))
    const drip = setInterval(() => socket.write('G'), 20)
    ended.push(() => clearInterval(drip))
    await expect.poll(() => openSockets(server)).toBe(0)
    expect(performance.now() - sentAt).toBeGreaterThan(350)
  })

  test('is let go also by a server that has been closed once and listens again', async () => {
    const { port, server } = await open({ sendTimeoutMs: 400 })
    await new Promise((closed) => server.close(closed))
    await new Promise<void>((listening) => server.listen(port, '127.0.0.1', listening))
    const socket = await peer(port)
    const sentAt = performance.now()
    socket.write(get('/0/large') + get('/0/b'))
    await expect.poll(() => openSockets(server)).toBe(0)
    expect(performance.now() - sentAt).toBeGreaterThan(350)
  })

  test('of a long answer loses nothing while it takes it in time', async () => {
    const { port } = await open({ sendTimeoutMs: 10_000 })
    const socket = await peer(port)
    socket.write(get('/0/large', closing))
    let bytes = 0
    for await (const chunk of socket) {
      bytes += (chunk as Buffer).length
      await sleep(1)
    }
    expect(bytes).toBeGreaterThan(32 * 1024 * 1024)
  })
})

describe('more connections than the server may have', () => {
  const isClosed = async (socket: Socket): Promise<void> => {
    socket.resume()
    await expect.poll(() => socket.readableEnded || socket.destroyed).toBe(true)
  }

  test('are closed and told of, and there is room again once others have gone', async () => {
    const onFull = vi.fn<() => void>()
    const { port, server } = await open({ maxOpen: 3, onFull })
    const held = [await peer(port), await peer(port), await peer(port)]
    await isClosed(await peer(port))
    expect(onFull).toHaveBeenCalledTimes(1)
    held[0]?.destroy()
    await expect.poll(() => openSockets(server)).toBe(2)
    const next = await peer(port)
    next.write(get('/0/a', closing))
    expect(bodies(await everything(next))).toEqual(['GET /0/a ;'])
  })

  test('of one peer give way to those of another one', async () => {
    const { port, server } = await open({ maxOpen: 4 })
    const flood: Socket[] = []
    for (let i = 0; i < 4; i += 1) flood.push(await peer(port))
    const visitors = [await peer(port, '127.0.0.2'), await peer(port, '127.0.0.2')]
    await isClosed(flood[0] as Socket)
    await isClosed(flood[1] as Socket)
    // As many as the other one: no room for a third.
    await isClosed(await peer(port, '127.0.0.2'))
    expect(await openSockets(server)).toBe(4)
    for (const visitor of visitors) {
      visitor.write(get('/0/a', closing))
      expect(bodies(await everything(visitor))).toEqual(['GET /0/a ;'])
    }
  })
})
