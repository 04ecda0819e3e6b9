import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestServer, type TestServer } from '../harness/test-server.ts'

/* The names under which a site answers, over raw sockets: no client of ours sends two of them. */

async function statusOf(server: TestServer, path: string, ...lines: string[]): Promise<[status: number, text: string]> {
  const socket = connect({ port: Number(new URL(server.url).port), host: '127.0.0.1' })
  socket.write([`GET ${path} HTTP/1.1`, ...lines, 'Connection: close', '', ''].join('\r\n'))
  let text = ''
  for await (const chunk of socket) text += (chunk as Buffer).toString('latin1')
  return [Number(/^HTTP\/1\.1 (\d+)/.exec(text)?.[1]), text]
}

describe('while PUBLIC_URL is unset', () => {
  let server: TestServer
  beforeAll(async () => {
    server = await openTestServer()
  })
  afterAll(() => server.close())

  test('this machine is answered under its own names, and under no other', async () => {
    for (const path of ['/asian', '/healthz', '/universal-search/search', '/favicon.svg']) {
      const [own] = await statusOf(server, path, 'Host: localhost:3000')
      expect(own, path).not.toBe(421)
      for (const host of ['evil.example', 'localhost.evil.example', '10.0.0.1', '']) {
        const [status, text] = await statusOf(server, path, `Host: ${host}`)
        expect(status, `${host}${path}`).toBe(421)
        expect(text).toContain('"code":"host.unknown"')
      }
    }
    // A kept answer, too: nothing of it goes out under another name.
    expect((await statusOf(server, '/asian', 'Host: daybook.localhost'))[0]).toBe(200)
    expect((await statusOf(server, '/asian', 'Host: evil.example'))[0]).toBe(421)
  })

  test('a browser is told on a page that needs no other file', async () => {
    const accept = 'Accept: text/html,application/xhtml+xml,*/*;q=0.8'
    const [status, text] = await statusOf(server, '/asian', 'Host: 192.168.0.7:3000', accept)
    expect(status).toBe(421)
    expect(text).toMatch(/^content-type: text\/html/im)
    expect(text).toMatch(/^connection: close/im)
    expect(text).toContain('<h1>Not at this address</h1>')
    expect(text).toContain('its operator sets PUBLIC_URL')
    expect(text).not.toContain('/assets/')
  })

  test('two names are no request', async () => {
    for (const second of ['localhost', 'evil.example']) {
      const [status, text] = await statusOf(server, '/asian', 'Host: localhost', `host: ${second}`)
      expect([status, text]).toEqual([400, expect.stringContaining('"code":"request.unreadable"')])
    }
  })
})

test('a site whose address is set answers under any one name', async () => {
  await using server = await openTestServer({ env: { PUBLIC_URL: 'https://library.example', PAYMENTS: 'off' } })
  expect((await statusOf(server, '/asian', 'Host: evil.example'))[0]).toBe(200)
  expect((await statusOf(server, '/asian', 'Host: library.example', 'Host: library.example'))[0]).toBe(400)
  expect((await statusOf(server, '/asian'))[0]).toBe(400)
})
