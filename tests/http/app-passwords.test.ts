import { expect, test } from 'vitest'
import { NewAppPassword } from '../../src/features/accounts/app-passwords/app-password-schema.ts'
import { aSignedInMember, ageProof, type SignedIn } from '../harness/members.ts'
import { waitForEmail } from '../harness/emails.ts'
import { makeAppPassword } from '../harness/opds.ts'
import type { TestResponse } from '../harness/request.ts'
import { serverOfFile } from '../harness/test-server.ts'

const server = serverOfFile()

const path = '/account/app-passwords'
const make = ({ headers }: Pick<SignedIn, 'headers'>, body: unknown): Promise<TestResponse> =>
  server.request(path, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
const end = ({ headers }: Pick<SignedIn, 'headers'>, id: string): Promise<TestResponse> =>
  server.request(`${path}/${id}`, { method: 'DELETE', headers })
const list = async ({ headers }: Pick<SignedIn, 'headers'>) =>
  (await server.request(path, { headers })).json() as { id: string; name: string; lastUsedAt: string | null }[]
const opens = async (headers: Record<string, string>): Promise<boolean> =>
  (await server.request('/opds', { headers })).status === 200

test('a password is shown once, works with and without its dashes, and is listed with its last use', async () => {
  const member = await aSignedInMember(server)
  const made = NewAppPassword.parse((await make(member, { name: '  My Kindle ' })).json())
  expect(made.name).toBe('My Kindle')
  // Its owner hears of it, but not what somebody else may have called it.
  const email = await waitForEmail(server.app, { to: member.email, subject: 'An app password was made at Daybook' })
  for (const untold of ['Kindle', made.password.slice(0, 9)]) expect(email.text).not.toContain(untold)
  expect(made.password).toMatch(/^(?:[0-9a-f]{4}-){7}[0-9a-f]{4}$/)
  const rows = await server.app.db.selectFrom('app_passwords').selectAll().execute()
  expect(JSON.stringify(rows)).not.toContain(made.password.slice(0, 9))
  expect(await list(member)).toEqual([
    { id: made.id, name: 'My Kindle', createdAt: expect.any(String), lastUsedAt: null },
  ])
  for (const typed of [
    made.password,
    made.password.replaceAll('-', ''),
    made.password.toUpperCase().replaceAll('-', ' '),
  ])
    expect(await opens({ authorization: `Basic ${Buffer.from(`${member.email}:${typed}`).toString('base64')}` })).toBe(
      true,
    )
  const [used] = await list(member)
  expect(used?.lastUsedAt).toBe(new Date(server.clock.now()).toISOString())
  server.clock.advance(10 * 60_000)
  expect(
    await opens({ authorization: `Basic ${Buffer.from(`${member.email}:${made.password}`).toString('base64')}` }),
  ).toBe(true)
  expect((await list(member))[0]?.lastUsedAt).toBe(used?.lastUsedAt)
})

test('making and ending need a fresh proof; strangers and other members reach nothing', async () => {
  const [member, other] = [await aSignedInMember(server), await aSignedInMember(server)]
  const headers = await makeAppPassword(server, member)
  const [mine] = await list(member)
  expect((await end(other, mine?.id ?? '')).status).toBe(404)
  expect((await end(member, 'no-id')).status).toBe(404)
  expect(await list(other)).toEqual([])
  for (const method of ['GET', 'POST']) expect((await server.request(path, { method })).status).toBe(401)
  await ageProof(server.app, member, 16)
  expect([(await make(member, { name: 'One more' })).status, (await end(member, mine?.id ?? '')).status]).toEqual([
    403, 403,
  ])
  expect(await list(member)).toHaveLength(1)
  await ageProof(server.app, member, 1)
  expect((await end(member, mine?.id ?? '')).status).toBe(204)
  expect((await end(member, mine?.id ?? '')).status).toBe(404)
  expect(await opens(headers)).toBe(false)
})

test('a name has 1 to 60 characters, and an account ten passwords, however many are made at once', async () => {
  const member = await aSignedInMember(server)
  for (const name of ['', '   ', 'x'.repeat(61), 'a\u0007b', 7, undefined])
    expect((await make(member, { name })).status).toBe(422)
  expect((await make(member, { name: '𝄞'.repeat(60) })).status).toBe(201)
  const statuses = (await Promise.all(Array.from({ length: 14 }, (_, i) => make(member, { name: `No. ${i}` })))).map(
    ({ status }) => status,
  )
  expect(statuses.filter((status) => status === 201)).toHaveLength(9)
  expect(statuses.filter((status) => status === 409)).toHaveLength(5)
})

test('they are in the export by name alone, in the audit log, and end with the account', async () => {
  const member = await aSignedInMember(server)
  const headers = await makeAppPassword(server, member, 'A reading program')
  const { text } = await server.request('/auth/export', { headers: member.headers })
  expect((JSON.parse(text) as { appPasswords: object[] }).appPasswords).toMatchObject([{ name: 'A reading program' }])
  const secret =
    Buffer.from(headers.authorization?.split(' ')[1] ?? '', 'base64')
      .toString()
      .split(':')[1] ?? ''
  expect(secret).toHaveLength(39)
  expect(text).not.toContain(secret)
  const events = await server.app.db
    .selectFrom('audit_events')
    .select('action')
    .where('action', 'like', 'password.app%')
    .execute()
  expect(new Set(events.map(({ action }) => action))).toEqual(new Set(['password.app_made', 'password.app_ended']))
  await server.app.db.deleteFrom('users').where('id', '=', member.id).execute()
  expect(await opens(headers)).toBe(false)
})
