import { createServer, type Server } from 'node:http'
import { type AddressInfo, connect, createServer as createNetServer } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { readConfig } from '../app/config.ts'
import { ConfigError } from '../platform/config/config.ts'
import { listen, listenFault, type Listening } from './listen.ts'

const hosts = ['127.0.0.1', '::1']
const opened: { server: Server; listening?: Listening }[] = []

function aServer(): Server {
  const server = createServer((_request, response) => response.end('here'))
  opened.push({ server })
  return server
}

async function listenWith(server: Server, config: { hosts: readonly string[]; port: number }): Promise<Listening> {
  const listening = await listen(server, config)
  opened.push({ server, listening })
  return listening
}

afterEach(async () => {
  for (const { server, listening } of opened.splice(0)) {
    server.closeAllConnections()
    await new Promise<void>((closed) => server.close(() => closed()))
    await listening?.stop()
  }
})

async function holds(host: string, port: number): Promise<() => Promise<void>> {
  const other = createNetServer()
  await new Promise<void>((resolve, reject) => other.once('error', reject).listen(port, host, resolve))
  return () => new Promise((closed) => other.close(() => closed()))
}

const answer = async (url: string): Promise<string> => (await fetch(url)).text()

const hasIpv6 = await holds('::1', 0).then(
  async (release) => {
    await release()
    return true
  },
  () => false,
)

describe('while HOST is unset', () => {
  test('the site is meant for this machine alone, at both of its addresses', () => {
    expect(readConfig({}).hosts).toEqual(hosts)
    expect(readConfig({ HOST: '127.0.0.1' }).hosts).toEqual(['127.0.0.1'])
  })

  test.skipIf(!hasIpv6)('it answers at 127.0.0.1 and at ::1, on one port', async () => {
    const { port } = await listenWith(aServer(), { hosts, port: 0 })
    expect(await answer(`http://127.0.0.1:${port}/`)).toBe('here')
    expect(await answer(`http://[::1]:${port}/`)).toBe('here')
  })

  test.skipIf(!hasIpv6)('another process at ::1 is an error that names the port and the address', async () => {
    const release = await holds('::1', 0)
    await release()
    const { port } = await listenWith(aServer(), { hosts: ['::1'], port: 0 })
    const second = aServer()
    const error: unknown = await listen(second, { hosts, port }).catch((error: unknown) => error)
    expect(listenFault(error)?.message).toBe(
      `PORT must be one that no other process listens on, at [::1] either. It is "${port}".`,
    )
    // It has let go of the first address.
    await (
      await holds('127.0.0.1', port)
    )()
  })

  test('another process at 127.0.0.1 is an error that names the port', async () => {
    const { port } = await listenWith(aServer(), { hosts: ['127.0.0.1'], port: 0 })
    const error: unknown = await listen(aServer(), { hosts, port }).catch((error: unknown) => error)
    expect(listenFault(error)).toBeInstanceOf(ConfigError)
    expect(listenFault(error)?.message).toBe(`PORT must be one that no other process listens on. It is "${port}".`)
  })

  test('a machine without the second address does with the first', async () => {
    // An address of the range for documentation, which is on no machine.
    const { port } = await listenWith(aServer(), { hosts: ['127.0.0.1', '2001:db8::1'], port: 0 })
    expect(await answer(`http://127.0.0.1:${port}/`)).toBe('here')
  })

  test.skipIf(!hasIpv6)('a stop waits for the requests that came by the second address, too', async () => {
    const finish: (() => void)[] = []
    const server = createServer((_request, response) => void finish.push(() => response.end('late')))
    opened.push({ server })
    const { port, stop } = await listen(server, { hosts, port: 0 })
    const late = fetch(`http://[::1]:${port}/`, { headers: { connection: 'close' } })
    await expect.poll(() => finish).toHaveLength(1)
    let isStopped = false
    const stopped = stop().then(() => (isStopped = true))
    await new Promise((wake) => setTimeout(wake, 50))
    expect(isStopped).toBe(false)
    finish[0]?.()
    expect(await (await late).text()).toBe('late')
    await stopped
    // Nobody is let in any more.
    const refused = await new Promise((resolve) => connect(port, '::1').once('error', resolve).once('connect', resolve))
    expect(refused).toMatchObject({ code: 'ECONNREFUSED' })
  })
})

test('an address that is not of this machine is named, where it was asked for', async () => {
  const error: unknown = await listen(aServer(), { hosts: ['192.0.2.1'], port: 0 }).catch((error: unknown) => error)
  expect(listenFault(error)?.message).toBe('HOST must be an address of this machine. It is "192.0.2.1".')
})

test('a fault that no setting mends is left as it is', () => {
  expect(listenFault(new Error('x'))).toBeUndefined()
  expect(aServer().address() as AddressInfo | null).toBeNull()
})
