import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openLog } from '../../src/platform/log.ts'
import { openTestServer, type TestServer } from '../harness/test-server.ts'

const now = '2024-03-15T12:34:56Z'

let server: TestServer
const lines: Record<string, unknown>[] = []

beforeAll(async () => {
  const output = new Writable({
    write(line: Buffer, _encoding, done) {
      lines.push(JSON.parse(line.toString()) as Record<string, unknown>)
      done()
    },
  })
  server = await openTestServer({
    now,
    log: openLog('info', output),
    env: { PUBLIC_URL: 'http://library.example', SECURITY_CONTACT: 'desk@library.example' },
  })
})
afterAll(() => server.close())

describe('well-known addresses', () => {
  test('name whom to tell of a weakness, for less than a year, and where this stands', async () => {
    const answer = await server.request('/.well-known/security.txt')
    expect(answer.status).toBe(200)
    expect(answer.headers['content-type']).toBe('text/plain; charset=utf-8')
    expect(answer.text).toBe(
      'Contact: mailto:desk@library.example\nExpires: 2024-09-11T00:00:00.000Z\nPreferred-Languages: en\n' +
        'Canonical: http://library.example/.well-known/security.txt\n',
    )
    expect((await server.request('/.well-known/security.txt', { method: 'HEAD' })).status).toBe(200)
    const wrong = await server.request('/.well-known/security.txt', { method: 'POST' })
    expect([wrong.status, wrong.headers.allow]).toEqual([405, 'GET, HEAD'])
  })

  test('lead to where the password is changed', async () => {
    const answer = await server.request('/.well-known/change-password')
    expect([answer.status, answer.headers.location]).toEqual([302, '/account'])
    expect((await server.request('/.well-known/nothing')).status).toBe(404)
  })

  test('name nobody where nobody is set', async () => {
    await using plain = await openTestServer({ now })
    expect((await plain.request('/.well-known/security.txt')).status).toBe(404)
  })
})

test('a Redis that is away is told of by /readyz, and takes no process out of service', async () => {
  const alone = await openTestServer({ env: { REDIS_URL: 'redis://127.0.0.1:1' } })
  try {
    await alone.app.limits.limit({ name: 'tries', points: 5, seconds: 60 }).consume('a')
    const answer = await alone.request('/readyz')
    expect([answer.status, answer.text]).toEqual([
      200,
      'ready: Redis does not answer, each process counts its own limits',
    ])
  } finally {
    await alone.close()
  }
  expect((await server.request('/readyz')).text).toBe('ready')
})

test('a flood of refused requests has a bounded number of lines', async () => {
  const before = lines.length
  await Promise.all(Array.from({ length: 120 }, (_, i) => server.request(`/no/such/page/${i}/${'x'.repeat(2_000)}`)))
  const own = lines.slice(before)
  expect(own.length).toBeLessThanOrEqual(60)
  expect(Math.max(...own.map((line) => JSON.stringify(line).length))).toBeLessThan(300)
})

test('the data directory is its owner\u2019s alone, also where it was there before', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'daybook-open-'))
  const { chmod } = await import('node:fs/promises')
  await chmod(dataDir, 0o755)
  const other = await openTestServer({ env: { DATA_DIR: dataDir } })
  try {
    expect((await stat(dataDir)).mode & 0o777).toBe(0o700)
  } finally {
    await other.close()
    await rm(dataDir, { recursive: true, force: true })
  }
})
