import { afterEach, expect, test, vi } from 'vitest'
import { databaseUnavailable } from '../../src/platform/database-outages.ts'
import { aMember, post } from '../harness/members.ts'
import type { TestResponse } from '../harness/request.ts'
import { serverOfFile } from '../harness/test-server.ts'

/* Calls that the site could not do take nothing of a limit (docs/spec/security.md#given-back). */

const server = serverOfFile({ env: { TRUSTED_PROXIES: '127.0.0.1/32' } })
afterEach(() => void vi.restoreAllMocks())

const from = (address: string) => ({ 'x-forwarded-for': address })
const form = (path: string, address: string, fields: Record<string, string>): Promise<TestResponse> =>
  server.request(path, {
    method: 'POST',
    body: new URLSearchParams(fields).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...from(address) },
  })
const inquiry = {
  name: 'Jane',
  email: 'jane@readers.example',
  message: 'Where is it? I looked.',
}
const notice = { itemUrls: '/asian/an-entry', explanation: 'A court has forbidden it.', goodFaith: 'on' }
let registered = 0
const register = (): Promise<TestResponse> => {
  registered += 1
  const email = `new${registered}@readers.example`
  return post(
    server,
    '/auth/register',
    { name: 'Jane', email, password: 'a long walk to 7 hills' },
    from('203.0.113.3'),
  )
}

test.each<[string, () => Promise<TestResponse>]>([
  ['an inquiry', () => form('/support', '203.0.113.1', inquiry)],
  ['a notice', () => form('/report/other', '203.0.113.2', notice)],
  ['a registration', register],
])('%s that the database does not take counts nowhere, and one that it takes counts', async (_, send) => {
  const transactions = vi.spyOn(server.app.db, 'transaction').mockImplementation(() => {
    throw databaseUnavailable()
  })
  for (let no = 0; no < 25; no += 1) expect((await send()).status, String(no)).toBe(503)
  transactions.mockRestore()
  const answers: number[] = []
  for (let no = 0; no < 25; no += 1) answers.push((await send()).status)
  expect(answers[0]).toBeLessThan(400)
  expect(answers.at(-1)).toBe(429)
})

test('a right password counts when its session is written, and not before', async () => {
  const member = await aMember(server.app, { email: 'ada@readers.example' })
  const signIn = (): Promise<TestResponse> =>
    post(server, '/auth/login', { email: member.email, password: member.password }, from('203.0.113.4'))
  expect((await signIn()).status).toBe(200)
  const transactions = vi.spyOn(server.app.db, 'transaction').mockImplementation(() => {
    throw databaseUnavailable()
  })
  for (let no = 0; no < 25; no += 1) expect((await signIn()).status, String(no)).toBe(503)
  transactions.mockRestore()
  for (let no = 0; no < 19; no += 1) expect((await signIn()).status, String(no)).toBe(200)
  expect((await signIn()).status).toBe(429)
})

test('what may have been done counts', async () => {
  vi.spyOn(server.app.db, 'transaction').mockImplementation(() => {
    throw databaseUnavailable(undefined, true)
  })
  const send = (): Promise<TestResponse> =>
    post(
      server,
      '/auth/register',
      { name: 'J', email: `x${(registered += 1)}@readers.example`, password: 'a long walk to 7 hills' },
      from('203.0.113.5'),
    )
  for (let no = 0; no < 10; no += 1) expect((await send()).status).not.toBe(429)
  expect((await send()).status).toBe(429)
})
