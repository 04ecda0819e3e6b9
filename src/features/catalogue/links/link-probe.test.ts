import { gzipSync } from 'node:zlib'
import { afterEach, describe, expect, it, test } from 'vitest'
import { type CountingServer, startHttp, startTcp } from '../../../../tests/harness/hostile-server.ts'
import { openLog } from '../../../platform/log.ts'
import { openRateLimits } from '../../../platform/rate-limit/rate-limits.ts'
import { LinkProbe, type LinkProbeOptions, ProbeStopped } from './link-probe.server.ts'

/*
 * Hosts that mean harm, on the loopback address. The probe may reach exactly those that a test allows; every other one
 * counts the connections that it should not get.
 */

const servers: CountingServer[] = []
const probes: LinkProbe[] = []
afterEach(async () => {
  for (const probe of probes.splice(0)) probe.close()
  await Promise.all(servers.splice(0).map((server) => server.close()))
})

const here = { publicUrl: 'https://library.example', publicUrlIsSet: true }

async function http(...args: Parameters<typeof startHttp>): Promise<CountingServer> {
  const server = await startHttp(...args)
  servers.push(server)
  return server
}

async function tcp(...args: Parameters<typeof startTcp>): Promise<CountingServer> {
  const server = await startTcp(...args)
  servers.push(server)
  return server
}

function probeThat(options: LinkProbeOptions, linkCheckPorts: number[] = []): LinkProbe {
  const limits = openRateLimits({ redisUrl: undefined }, openLog('silent'))
  const probe = new LinkProbe({ config: { ...here, linkCheckPorts }, limits }, { hostGapMs: 1, ...options })
  probes.push(probe)
  return probe
}

/** For slow hosts. Work that these limits end is far below the time that a busy machine may need for the rest. */
const hurried = { requestMs: 400, linkMs: 800 }
const muchLaterMs = 8_000

/** The result, and the time it takes. */
async function timed<T>(work: Promise<T>): Promise<{ result: T; ms: number }> {
  const began = performance.now()
  const result = await work
  return { result, ms: performance.now() - began }
}

describe('a link that works', () => {
  it('is found by HEAD alone, by a client that says who it is and keeps nothing', async () => {
    const seen: NodeJS.Dict<string | string[]>[] = []
    const host = await http((request, response) => {
      seen.push(request.headers)
      response.setHeader('set-cookie', 'a=b').end()
    })
    const probe = probeThat({ allowed: [host.place] })
    for (let i = 0; i < 2; i += 1) {
      expect(await probe.check(`http://${host.place}/file#key`)).toEqual({
        reason: 'http',
        status: 200,
        isAnswered: true,
        finalAddress: `http://${host.place}/file#key`,
      })
    }
    expect(host.requests).toEqual(['HEAD /file', 'HEAD /file'])
    for (const headers of seen) {
      expect(headers['user-agent']).toBe('Daybook link check (+https://library.example)')
      expect(headers['accept-encoding']).toBe('identity')
      expect(headers.cookie).toBeUndefined()
    }
  })

  test.each([405, 403, 501, 404, 500])('is asked for its first byte where HEAD answers %i', async (status) => {
    let range: string | undefined
    const host = await http((request, response) => {
      if (request.method === 'GET') range = request.headers.range
      response.writeHead(request.method === 'HEAD' ? status : 206).end(request.method === 'HEAD' ? undefined : 'x')
    })
    const finding = await probeThat({ allowed: [host.place] }).check(`http://${host.place}/file`)
    expect(finding).toMatchObject({ reason: 'http', status: 206 })
    expect(host.requests).toEqual(['HEAD /file', 'GET /file'])
    expect(range).toBe('bytes=0-0')
  })

  it('is followed over five redirects, relative ones too, and no further', async () => {
    const host = await http((request, response) => {
      const hop = Number(request.url?.slice(1))
      if (hop === 0) response.end()
      else response.writeHead(302, { location: `${hop - 1}` }).end()
    })
    const probe = probeThat({ allowed: [host.place] })
    expect(await probe.check(`http://${host.place}/5`)).toMatchObject({ reason: 'http', status: 200 })
    expect(await probe.check(`http://${host.place}/6`)).toMatchObject({ reason: 'redirects', isAnswered: true })
  })
})

describe('a host that asks for patience', () => {
  test.each([
    ['120', 120],
    [new Date(Date.now() + 90_000).toUTCString(), 90],
  ])('is not asked again: Retry-After %s', async (header, seconds) => {
    for (const status of [429, 503]) {
      const host = await http((_request, response) => response.writeHead(status, { 'retry-after': header }).end())
      const finding = await probeThat({ allowed: [host.place] }).check(`http://${host.place}/`)
      expect(finding).toMatchObject({ reason: 'http', status })
      expect(Math.abs((finding.retryAfterSeconds ?? 0) - seconds)).toBeLessThanOrEqual(2)
      expect(host.requests).toEqual(['HEAD /'])
    }
  })
})

describe('a host that would not end', () => {
  it('sends a body without end: it is cut off at its head', async () => {
    const host = await http((request, response) => {
      if (request.method === 'HEAD') {
        response.writeHead(405).end()
        return
      }
      response.writeHead(200)
      const more = (): void => {
        while (!response.destroyed && response.write(Buffer.alloc(64 * 1024)));
      }
      response.on('drain', more)
      more()
    })
    const { result, ms } = await timed(probeThat({ allowed: [host.place] }).check(`http://${host.place}/`))
    expect(result).toMatchObject({ reason: 'http', status: 200 })
    expect(ms).toBeLessThan(muchLaterMs)
    // The buffers of two sockets fill up, and nothing more is read.
    await expect.poll(() => host.open).toBe(0)
    expect(host.bytesSent).toBeLessThan(16 * 1024 * 1024)
  })

  it('sends a bomb: nothing is decompressed', async () => {
    const bomb = gzipSync(Buffer.alloc(32 * 1024 * 1024))
    const host = await http((request, response) => {
      response.writeHead(request.method === 'HEAD' ? 405 : 200, { 'content-encoding': 'gzip' })
      response.end(request.method === 'HEAD' ? undefined : bomb)
    })
    const before = process.memoryUsage()
    expect(await probeThat({ allowed: [host.place] }).check(`http://${host.place}/`)).toMatchObject({ status: 200 })
    const after = process.memoryUsage()
    expect(after.external + after.arrayBuffers - before.external - before.arrayBuffers).toBeLessThan(8 * 1024 * 1024)
  })

  it('sends headers without end, or too many of them', async () => {
    const endless = await tcp((socket) => {
      socket.write('HTTP/1.1 200 OK\r\n')
      const timer = setInterval(() => socket.write('x-more: y\r\n'), 20)
      socket.on('close', () => clearInterval(timer))
    })
    const { result, ms } = await timed(
      probeThat({ ...hurried, allowed: [endless.place] }).check(`http://${endless.place}/`),
    )
    expect(result).toEqual({ reason: 'timeout', status: null, isAnswered: false })
    expect(ms).toBeLessThan(muchLaterMs)
    const large = await tcp((socket) => socket.write(`HTTP/1.1 200 OK\r\nx-large: ${'y'.repeat(1024 * 1024)}\r\n\r\n`))
    expect(await probeThat({ allowed: [large.place] }).check(`http://${large.place}/`)).toMatchObject({
      reason: 'protocol',
      isAnswered: false,
    })
  })

  it('says nothing at all', async () => {
    const host = await tcp(() => {})
    const { result, ms } = await timed(probeThat({ ...hurried, allowed: [host.place] }).check(`http://${host.place}/`))
    expect(result).toMatchObject({ reason: 'timeout', isAnswered: false })
    expect(ms).toBeGreaterThan(350)
    expect(ms).toBeLessThan(muchLaterMs)
  })

  it('is slow at each of many hops: all of them together have a limit', async () => {
    const host = await http((request, response) => {
      setTimeout(() => response.writeHead(302, { location: `${request.url}x` }).end(), 300)
    })
    const { result, ms } = await timed(
      probeThat({ linkMs: 1_500, allowed: [host.place] }).check(`http://${host.place}/`),
    )
    expect(result).toMatchObject({ reason: 'timeout', isAnswered: true })
    expect(ms).toBeLessThan(muchLaterMs)
  })

  it('redirects in a circle', async () => {
    const host = await http((_request, response) => response.writeHead(301, { location: '/again' }).end())
    expect(await probeThat({ allowed: [host.place] }).check(`http://${host.place}/`)).toMatchObject({
      reason: 'redirects',
    })
    expect(host.requests).toHaveLength(6)
  })
})

describe('a host that breaks off', () => {
  it('before it has answered anything', async () => {
    const host = await tcp((socket) => socket.once('data', () => socket.resetAndDestroy()))
    expect(await probeThat({ allowed: [host.place] }).check(`http://${host.place}/`)).toEqual({
      reason: 'reset',
      status: null,
      isAnswered: false,
    })
    expect(host.connections).toBe(2)
  })

  it('only at HEAD: then GET counts', async () => {
    const host = await http((request, response) => {
      if (request.method === 'HEAD') request.socket.destroy()
      else response.end('x')
    })
    expect(await probeThat({ allowed: [host.place] }).check(`http://${host.place}/`)).toMatchObject({ status: 200 })
  })

  it('by refusing connections, or by speaking no HTTP', async () => {
    const gone = await tcp(() => {})
    await gone.close()
    expect(await probeThat({ allowed: [gone.place] }).check(`http://${gone.place}/`)).toMatchObject({
      reason: 'refused',
    })
    const other = await tcp((socket) => socket.end('SSH-2.0-Example\r\n'))
    expect(await probeThat({ allowed: [other.place] }).check(`http://${other.place}/`)).toMatchObject({
      reason: 'protocol',
    })
    expect(await probeThat({ allowed: [other.place] }).check(`https://${other.place}/`)).toMatchObject({
      reason: 'tls',
    })
  })
})

describe('a forbidden address is never connected to', () => {
  const forbidden = { reason: 'private_address', status: null }

  test.each([
    ['loopback', (port: number) => `http://127.0.0.1:${port}/`],
    ['loopback as one number', (port: number) => `http://2130706433:${port}/`],
    ['loopback in hexadecimal', (port: number) => `http://0x7f.1:${port}/`],
    ['loopback in octal', (port: number) => `http://0177.0.0.1:${port}/`],
    ['another loopback', (port: number) => `http://127.0.0.2:${port}/`],
    ['this host', (port: number) => `http://0.0.0.0:${port}/`],
    ['loopback of IPv6', (port: number) => `http://[::1]:${port}/`],
    ['loopback inside of IPv6', (port: number) => `http://[::ffff:127.0.0.1]:${port}/`],
    ['metadata of a cloud', () => 'http://169.254.169.254/latest/meta-data/'],
    ['a name of this machine', (port: number) => `http://localhost:${port}/`],
    ['a name of the local network', (port: number) => `http://printer.local:${port}/`],
  ])('at once, and by a redirect: %s', async (_kind, addressAt) => {
    const inside = await http((_request, response) => response.end('secret'), '0.0.0.0')
    const outside = await http((_request, response) =>
      response.writeHead(302, { location: addressAt(inside.port) }).end(),
    )
    const probe = probeThat({ allowed: [outside.place] })
    expect(await probe.check(addressAt(inside.port))).toEqual({ ...forbidden, isAnswered: false })
    expect(await probe.check(`http://${outside.place}/`)).toEqual({ ...forbidden, isAnswered: true })
    expect(inside.connections).toBe(0)
    expect(outside.requests).toEqual(['HEAD /'])
  })

  it('on another port of an allowed host', async () => {
    const [one, other] = [
      await http((_request, response) => response.end()),
      await http((_request, response) => response.end()),
    ]
    expect(await probeThat({ allowed: [one.place] }).check(`http://${other.place}/`)).toMatchObject(forbidden)
    expect(other.connections).toBe(0)
  })

  it('by a name that leads there, alone or among others', async () => {
    const inside = await http((_request, response) => response.end(), '127.0.0.2')
    const outside = await http((_request, response) => response.end())
    for (const addresses of [['127.0.0.2'], ['127.0.0.1', '127.0.0.2'], ['127.0.0.2', '127.0.0.1'], []]) {
      const probe = probeThat({
        allowed: [`127.0.0.1:${inside.port}`, outside.place],
        resolve: () => Promise.resolve(addresses),
      })
      expect(await probe.check(`http://files.example:${inside.port}/`)).toMatchObject(forbidden)
    }
    expect(inside.connections).toBe(0)
  })

  it('by a name that answers differently the next time', async () => {
    const inside = await http((_request, response) => response.end(), '127.0.0.2')
    const outside = await startSamePort(inside.port)
    const asked: string[] = []
    const probe = probeThat({
      allowed: [outside.place],
      resolve: (hostname) => {
        asked.push(hostname)
        return Promise.resolve([asked.length === 1 ? '127.0.0.1' : '127.0.0.2'])
      },
    })
    // HEAD goes to the public address and is not conclusive; for GET the name has moved inside.
    expect(await probe.check(`http://rebind.example:${inside.port}/`)).toEqual({ ...forbidden, isAnswered: true })
    expect(outside.requests).toEqual(['HEAD /'])
    expect(inside.connections).toBe(0)
    // Once for each request: what was looked at is what is connected to.
    expect(asked).toEqual(['rebind.example', 'rebind.example'])
  })

  it('nor a redirect that leaves the web or carries a password', async () => {
    for (const location of [
      'file:///etc/passwd',
      'ftp://files.example/',
      'http://user:secret@files.example/',
      'http://',
    ]) {
      const host = await http((_request, response) => response.writeHead(302, { location }).end())
      expect(await probeThat({ allowed: [host.place] }).check(`http://${host.place}/`)).toMatchObject({
        reason: 'redirect_invalid',
      })
    }
  })

  it('whatever the environment says of proxies', async () => {
    const proxy = await http((_request, response) => response.end())
    const host = await http((_request, response) => response.end())
    const before = { ...process.env }
    Object.assign(process.env, {
      HTTP_PROXY: `http://${proxy.place}`,
      http_proxy: `http://${proxy.place}`,
      ALL_PROXY: `http://${proxy.place}`,
    })
    try {
      expect(await probeThat({ allowed: [host.place] }).check(`http://${host.place}/`)).toMatchObject({ status: 200 })
    } finally {
      process.env = before
    }
    expect(proxy.connections).toBe(0)
  })
})

test('a name that nobody knows, and one that cannot be looked up', async () => {
  for (const [code, reason] of [
    ['ENOTFOUND', 'no_such_host'],
    ['ESERVFAIL', 'dns'],
    ['ETIMEOUT', 'dns'],
  ] as const) {
    const probe = probeThat({
      resolve: () => Promise.reject(Object.assign(new Error(code), { code, syscall: 'queryA' })),
    })
    expect(await probe.check('https://files.example/')).toEqual({ reason, status: null, isAnswered: false })
  }
})

test.each([
  ['https://203.0.114.7/file', ['203.0.114.7']],
  ['https://[2606:4700::1]/file', ['2606:4700:0:0:0:0:0:1']],
  ['https://[::ffff:203.0.114.7]/file', ['203.0.114.7']],
  ['https://files.example/file', ['198.51.99.1', '203.0.114.7']],
])("%s leads to one of this machine's own network cards, and nothing is asked", async (link, ownAddresses) => {
  const probe = probeThat({ resolve: () => Promise.resolve(['203.0.114.7']), ownAddresses: () => ownAddresses })
  expect(await probe.check(link)).toEqual({ reason: 'private_address', status: null, isAnswered: false })
})

test("the machine's own cards are looked up anew for each check", async () => {
  let own = ''
  const probe = probeThat({ resolve: () => Promise.resolve([own]), ownAddresses: () => [own] })
  for (own of ['203.0.114.7', '203.0.114.8', '2606:4700::1'])
    expect(await probe.check('https://files.example/file')).toMatchObject({ reason: 'private_address' })
})

test('no other port is asked than 80, 443 and those that the operator names, by a redirect neither', async () => {
  const resolved: string[] = []
  const resolve = (name: string): Promise<string[]> => {
    resolved.push(name)
    return Promise.resolve(['127.0.0.1'])
  }
  const outside = { reason: 'port', status: null, isAnswered: false }
  const probe = probeThat({ resolve })
  for (const link of ['http://files.example:8080/', 'https://files.example:22/', 'https://203.0.114.7:6379/'])
    expect(await probe.check(link)).toEqual(outside)
  expect(resolved).toEqual([])
  const host = await http((_request, response) =>
    response.writeHead(302, { location: 'http://files.example:8080/' }).end(),
  )
  const redirected = await probeThat({ allowed: [host.place], resolve }).check(`http://${host.place}/`)
  expect(redirected).toEqual({ ...outside, isAnswered: true })
  const named = probeThat({ resolve }, [8080])
  expect(await named.check('http://files.example:8080/')).toMatchObject({ reason: 'private_address' })
  expect(resolved).toEqual(['files.example'])
})

test('a check that is stopped finds nothing, and leaves no connection', async () => {
  const host = await tcp(() => {})
  const stop = new AbortController()
  const probe = probeThat({ allowed: [host.place] })
  const check = probe.check(`http://${host.place}/`, stop.signal)
  await expect.poll(() => host.connections).toBe(1)
  stop.abort()
  await expect(check).rejects.toThrow(ProbeStopped)
  probe.close()
  await expect(probe.check(`http://${host.place}/`)).rejects.toThrow(ProbeStopped)
  expect(host.connections).toBe(1)
})

/** A host that refuses HEAD, on a port that another address of this machine has already. */
async function startSamePort(port: number): Promise<CountingServer> {
  const server = await startHttp(
    (request, response) => response.writeHead(request.method === 'HEAD' ? 405 : 200).end(),
    '127.0.0.1',
    port,
  )
  servers.push(server)
  return server
}
