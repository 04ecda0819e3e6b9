import type { AddressInfo } from 'node:net'
import { connect } from 'node:net'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { App } from '../../src/app/app.ts'
import type { Pages } from '../../src/http/pages/pages.ts'
import { openServer, type RunningServer } from '../../src/app/server.ts'
import { someItems } from '../harness/items.ts'
import { openTestApp, type TestApp } from '../harness/test-app.ts'

/**
 * Finished answers are sent with ready heads, which lean on a name inside Node. Two servers over one application, one of
 * which sends with Node's own `writeHead`: what goes over the wire is the same, byte by byte.
 */

type Way = 'ready' | 'usual'
const ways: Way[] = ['ready', 'usual']

const build = resolve(import.meta.dirname, '../../build')
let pages: Pages
let testApp: TestApp
let servers: Record<Way, RunningServer>

async function listen(way: Way): Promise<RunningServer> {
  const running = await openServer(testApp.app, {
    pages,
    assetsDirectory: join(build, 'client'),
    ...(way === 'usual' ? { tryReadyHeads: () => undefined } : {}),
  })
  await new Promise<void>((listening) => running.server.listen(0, '127.0.0.1', listening))
  return running
}

beforeAll(async () => {
  const { openPages } = (await import(pathToFileURL(join(build, 'server', 'index.js')).href)) as {
    openPages: (app: App) => Pages
  }
  testApp = await openTestApp()
  pages = openPages(testApp.app)
  servers = { ready: await listen('ready'), usual: await listen('usual') }
  await someItems(
    testApp.app,
    Array.from({ length: 60 }, (_, i) => ({ name: `Entry ${i}`, contentType: 'asian', postDate: '2024-03-01' })),
  )
  // A hastily compressed answer would improve between two looks at it. Not a spy: those are taken back before each
  // test.
  testApp.app.compressions.whenIdle = () => true
  for (const way of ways) {
    for (const path of Object.values(paths)) {
      for (const encoding of encodings)
        await exchange(servers[way], [get(path, `accept-encoding: ${encoding}`, 'connection: close')])
    }
  }
})
afterAll(async () => {
  await Promise.all(ways.map((way) => servers[way].stop()))
  await testApp.close()
})

const paths = {
  search: '/universal-search/search?limit=300',
  item: '/asiancontent/entry-1',
  page: '/asian',
  file: '/favicon.svg',
}
const encodings = ['br', 'gzip', 'identity']

function get(path: string, ...headers: string[]): string {
  return request('GET', path, '1.1', headers)
}

function request(method: string, path: string, version: string, headers: string[]): string {
  return [`${method} ${path} HTTP/${version}`, 'host: localhost', 'api-key: daybook-web', ...headers, '', ''].join(
    '\r\n',
  )
}

const date = /^Date: \w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT\r$/gm
const id = /^x-request-id: ([\w-]{36})\r$/gm

/**
 * Reads one connection until the server ends it.
 * @param parts what is sent, one after the other; a function is waited for
 */
async function exchange(
  { server }: RunningServer,
  parts: (string | (() => Promise<void>))[],
): Promise<{ sent: string; same: string; ids: string[]; dates: number }> {
  const { port } = server.address() as AddressInfo
  const chunks: Buffer[] = []
  const socket = connect({ port, host: '127.0.0.1', noDelay: true })
  const ended = new Promise<void>((end, fail) => {
    socket.setTimeout(10_000, () => socket.destroy(new Error('The server does not end the connection.')))
    socket.on('data', (chunk) => chunks.push(chunk))
    socket.on('end', end)
    socket.on('error', fail)
  })
  for (const part of parts) {
    if (typeof part === 'string') socket.write(part)
    else await part()
  }
  await ended
  socket.destroy()
  const sent = Buffer.concat(chunks).toString('latin1')
  return {
    sent,
    same: sent.replaceAll(date, 'Date').replaceAll(id, 'id'),
    ids: [...sent.matchAll(id)].map(([, value]) => value as string),
    dates: [...sent.matchAll(date)].length,
  }
}

/** Both ways send the same. @returns what they send */
async function expectSame(parts: (string | (() => Promise<void>))[], answers: number): Promise<string> {
  const [ready, usual] = [await exchange(servers.ready, parts), await exchange(servers.usual, parts)]
  expect(ready.same).toBe(usual.same)
  for (const { ids, dates } of [ready, usual]) {
    expect(new Set(ids).size).toBe(answers)
    expect(dates).toBe(answers)
  }
  return ready.sent
}

describe.each(Object.entries(paths))('a finished answer: %s', (_kind, path) => {
  test.each(encodings)('on a connection that stays, and then closes, as %s', async (encoding) => {
    const requested = (connection: string) => get(path, `accept-encoding: ${encoding}`, `connection: ${connection}`)
    const sent = await expectSame([requested('keep-alive'), requested('close')], 2)
    expect(sent).toMatch(/^HTTP\/1\.1 200 OK\r\n/)
    expect(sent).toMatch(/\r\nConnection: keep-alive\r\nKeep-Alive: timeout=10\r\n\r\n/)
    expect(sent).toMatch(/\r\nConnection: close\r\n\r\n/)
  })

  test.each(encodings)('to HEAD, as %s', async (encoding) => {
    const requested = (connection: string) =>
      request('HEAD', path, '1.1', [`accept-encoding: ${encoding}`, `connection: ${connection}`])
    const sent = await expectSame([requested('keep-alive'), requested('close')], 2)
    expect(sent.endsWith('\r\n\r\n')).toBe(true)
    expect(sent.match(/^content-length: \d+\r$/gm)).toHaveLength(2)
  })

  test.each(encodings)('to who has it already, as %s', async (encoding) => {
    const { sent: first } = await exchange(servers.usual, [get(path, 'connection: close')])
    const etag = /^etag: (.*)\r$/m.exec(first)?.[1] as string
    const requested = (connection: string) =>
      get(path, `accept-encoding: ${encoding}`, `if-none-match: ${etag}`, `connection: ${connection}`)
    const sent = await expectSame([requested('keep-alive'), get(path), requested('close')], 3)
    expect(sent.match(/HTTP\/1\.1 304 Not Modified\r\n/g)).toHaveLength(2)
    expect(sent).not.toMatch(/304 Not Modified\r\ncontent-type/)
  })

  test('in HTTP/1.0, with and without a connection that stays', async () => {
    expect(await expectSame([request('GET', path, '1.0', [])], 1)).toContain('\r\nConnection: close\r\n')
    const stays = request('GET', path, '1.0', ['connection: keep-alive'])
    expect(await expectSame([stays, request('GET', path, '1.0', [])], 2)).toContain('\r\nConnection: keep-alive\r\n')
  })

  test('many asked at once on one connection, in their order', async () => {
    const requested = ['br', 'identity', 'gzip'].map((encoding) => get(path, `accept-encoding: ${encoding}`))
    const head = request('HEAD', path, '1.1', [])
    const sent = await expectSame([[...requested, head, get('/healthz'), get(path, 'connection: close')].join('')], 6)
    expect(sent.match(/HTTP\/1\.1 200 OK\r\n/g)).toHaveLength(6)
  })

  test('to a bearer, whose answers nobody keeps', async () => {
    const requested = (connection: string) => get(path, 'authorization: Bearer nonsense', `connection: ${connection}`)
    const sent = await expectSame([requested('keep-alive'), requested('close')], 2)
    expect(sent.match(/^cache-control: private, no-store\r$/gm)).toHaveLength(2)
  })

  test('while the server stops: the connection ends with it', async () => {
    const sent: string[] = []
    for (const way of ways) {
      const own = await listen(way)
      let stopped = Promise.resolve()
      const [line, rest] = [get(path).slice(0, 10), get(path).slice(10)]
      const parts = [
        line,
        () => new Promise<void>((wake) => setTimeout(wake, 50)),
        () => {
          stopped = own.stop()
          return Promise.resolve()
        },
        rest,
      ]
      const { same, ids } = await exchange(own, parts)
      expect(ids).toHaveLength(1)
      sent.push(same)
      await stopped
    }
    expect(sent[0]).toBe(sent[1])
    expect(sent[0]).toMatch(/^HTTP\/1\.1 200 OK\r\n/)
    expect(sent[0]).toMatch(/\nconnection: close\r\n/)
  })
})
