import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { maxConnectionsOf, openNodeServer } from './node-server.ts'

test.each([
  [256, 128],
  [400, 200],
  [1_024, 512],
  [4_096, 3_584],
  [1_048_576, 10_000],
])('of %i descriptors, %i are for connections', (descriptors, connections) => {
  expect(maxConnectionsOf(descriptors)).toBe(connections)
})

describe('a stop', () => {
  /** A connection that rests after an answer, and how to ask on it. */
  async function restingConnection(hasProxy: boolean) {
    const { server, stop } = openNodeServer((_, response) => response.end('here'), {
      headers: [],
      hasProxy,
      onShortage: () => undefined,
    })
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
    const ask = async (): Promise<string> => {
      socket.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n')
      return String((await once(socket, 'data'))[0])
    }
    expect(await ask()).toMatch(/^HTTP\/1\.1 200 [^]*Connection: keep-alive/)
    return { socket, ask, stop }
  }

  test('answers a request that a proxy sends on a resting connection, and ends with that', async () => {
    const { socket, ask, stop } = await restingConnection(true)
    const stopped = stop()
    await wait(200)
    expect(await ask()).toMatch(/^HTTP\/1\.1 200 [^]*Connection: close/)
    await Promise.all([once(socket, 'close'), stopped])
  })

  test('ends resting connections where there is no proxy', async () => {
    const { socket, stop } = await restingConnection(false)
    const began = performance.now()
    await Promise.all([once(socket, 'close'), stop()])
    expect(performance.now() - began).toBeLessThan(5_000)
  })
})
