import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { demoteAdministrator } from '../../src/features/accounts/administrators/demote-administrator.server.ts'
import { makeAdministrator } from '../../src/features/accounts/administrators/make-administrator.server.ts'
import { mailManyGraveActs } from '../../src/features/accounts/administrators/notify-administrators.server.ts'
import { setSafetyOfficerByOperator } from '../../src/features/accounts/administrators/safety-officer.server.ts'
import { sendInvitations } from '../../src/features/accounts/emails/send-invitations.server.ts'
import type { AuditEventsForAdmin } from '../../src/features/office/audit/audit-log-schema.ts'
import type { People, Person } from '../../src/features/accounts/people/people-schema.ts'
import type { MemberImport, MemberImportRows } from '../../src/features/membership/transfer/import-schema.ts'
import { takeUpForgottenRuns, workOnRun } from '../../src/features/office/runs/work-on-run.server.ts'
import { memberRuns } from '../../src/features/membership/transfer/member-runs.ts'
import { deleteOldImports, memberRunSteps } from '../../src/features/membership/transfer/run-import.server.ts'
import type { z } from 'zod'
import { openLog } from '../../src/platform/log.ts'
import { drainJobs } from '../harness/drain.ts'
import { readEmails } from '../harness/emails.ts'
import { aMember, bearer, type MadeMember, post, signIn } from '../harness/members.ts'
import { makeAppPassword } from '../harness/opds.ts'
import { aSubscriber, behindProxy, liveOf } from '../harness/purchases.ts'
import type { TestResponse } from '../harness/request.ts'
import { drainWebhooks, openSandboxServer, sandboxServerOfFile } from '../harness/sandbox.ts'

const start = '2024-03-15T12:00:00Z'
/** The origin of an event, beside its own facts. */
const origin = { address: '127.0.0.0/24', requestId: expect.any(String) as string }
const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:125.0) Gecko/20100101 Firefox/125.0'

let admin: Record<string, string>
let keeper: MadeMember
let logged = ''

const server = sandboxServerOfFile({
  jobs: false,
  now: start,
  env: { ...behindProxy },
  log: openLog('debug', { write: (line) => void (logged += line) }),
})

beforeAll(async () => {
  keeper = await aMember(server.app, { isAdmin: true, name: 'Ada Keeper', email: 'ada@readers.example' })
  admin = bearer(await signIn(server, keeper))
})
afterEach(() => Object.assign(server.sandbox.control.faults, { api: 'none' }))

type Id = Pick<MadeMember, 'id'>

const get = (path: string, headers = admin) => server.request(path, { headers })
const send = (method: string, path: string, body?: unknown, headers = admin) => {
  if (body === undefined) return server.request(path, { method, headers })
  const text = JSON.stringify(body)
  // Node's client sends no length with a DELETE by itself.
  const facts = { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(text)) }
  return server.request(path, { method, body: text, headers: { ...headers, ...facts } })
}
const emailsTo = async (email: string) => (await readEmails(server.app)).filter(({ to }) => to === email)
const said = (answer: TestResponse): string => (answer.json() as { message: string }).message
const codeOf = (answer: TestResponse): [number, string] => [answer.status, (answer.json() as { code: string }).code]
const personOf = async ({ id }: Id): Promise<Person> => (await get(`/api/people/${id}`)).json() as Person
const people = async (query: string): Promise<z.infer<typeof People>> =>
  (await get(`/api/people${query}`)).json() as z.infer<typeof People>
const trailOf = async ({ id }: Id, query = ''): Promise<AuditEventsForAdmin> =>
  (await get(`/api/people/${id}/trail${query}`)).json() as AuditEventsForAdmin
const actionsOn = async (member: Id): Promise<string[]> => (await trailOf(member)).events.map(({ action }) => action)

describe('GET /api/people', () => {
  test('lists members, the newest first, by words of name or address and by role', async () => {
    const zoe = await aMember(server.app, { name: 'Zoë Quillfeather', email: 'zq@readers.example' })
    server.clock.advance(1_000)
    const ann = await aMember(server.app, { name: 'Ann Quillfeather', isAdmin: true })
    const found = await people('?search=quillfeather')
    expect(found.people.map(({ id }) => id)).toEqual([ann.id, zoe.id])
    expect(found).toMatchObject({ total: 2, totalPages: 1 })
    expect((await people('?search=QUILL%20zoe')).people).toEqual([
      {
        id: zoe.id,
        name: zoe.name,
        email: zoe.email,
        createdAt: '2024-03-15T12:00:00.000Z',
        lastSeenAt: null,
        isAdmin: false,
        isSafetyOfficer: false,
        hasPassword: true,
        isEmailConfirmed: true,
      },
    ])
    expect((await people('?search=quill&role=admin')).people.map(({ id }) => id)).toEqual([ann.id])
    expect((await people('?search=quill&role=member')).people.map(({ id }) => id)).toEqual([zoe.id])
    expect((await people('?search=quill&state=invited')).total).toBe(0)
    expect(await people('?search=quill&limit=1&page=2')).toMatchObject({
      total: 2,
      totalPages: 2,
      people: [{ id: zoe.id }],
    })
  })

  test('shows when a member was here last, and orders by it', async () => {
    const [first, second] = [
      await aMember(server.app, { name: 'Ivo Lately' }),
      await aMember(server.app, { name: 'Una Lately' }),
    ]
    await signIn(server, first)
    const { people: found } = await people('?search=lately&sort=seen')
    expect(found.map(({ id, lastSeenAt }) => [id, lastSeenAt])).toEqual([
      [first.id, new Date(server.clock.now()).toISOString()],
      [second.id, null],
    ])
  })

  test.each(['?page=0', '?limit=1001', '?role=vip', '?sort=name', '?search=%00'])('refuses %s', async (query) => {
    expect(codeOf(await get(`/api/people${query}`))).toEqual([400, 'search.parameter'])
  })
})

describe('one member', () => {
  test('is shown with profile, roles and sessions, the devices in words', async () => {
    const member = await aMember(server.app, { name: 'Tess Device' })
    await post(server, '/auth/login', { email: member.email, password: member.password }, { 'user-agent': firefox })
    expect(await personOf(member)).toMatchObject({
      name: 'Tess Device',
      email: member.email,
      isAdmin: false,
      hasPassword: true,
      isSelf: false,
      note: { text: '', version: 0, changedAt: null },
      sessions: [{ device: 'Firefox on Linux', isCurrent: false }],
      devices: [{ device: 'Firefox on Linux' }],
    })
    expect((await get(`/api/people/${member.id}`)).text).not.toMatch(/argon2|token/i)
    expect(await personOf(keeper)).toMatchObject({ isSelf: true, sessions: [{ isCurrent: true }] })
  })

  test('who is not there is not found, whatever the id', async () => {
    for (const id of ['0192f0c1-2222-7333-8444-555566667777', 'x', '%00'])
      expect(codeOf(await get(`/api/people/${id}`))).toEqual([404, 'member.unknown'])
  })

  test('has a note that nobody overwrites without having read it', async () => {
    const member = await aMember(server.app)
    const path = `/api/people/${member.id}/note`
    const first = await send('PUT', path, { text: ' Asked for a receipt. ', version: 0 })
    expect(first.json()).toMatchObject({ text: 'Asked for a receipt.', version: 1 })
    const overtaken = await send('PUT', path, { text: 'Something else', version: 0 })
    expect(codeOf(overtaken)).toEqual([409, 'note.conflict'])
    const unknown = await send('PUT', path, { text: '', version: 1, note: 'x' })
    expect(unknown.json()).toMatchObject({ message: 'Send text and version, and nothing else.' })
    expect(overtaken.json()).toMatchObject({ current: { text: 'Asked for a receipt.', version: 1 } })
    expect((await personOf(member)).note).toMatchObject({ text: 'Asked for a receipt.', version: 1 })
    const both = await Promise.all(['one', 'two'].map((text) => send('PUT', path, { text, version: 1 })))
    expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409])
    expect(await actionsOn(member)).toEqual(['member.record_changed', 'member.record_changed'])
    expect((await send('PUT', path, { text: 'x'.repeat(10_001), version: 2 })).status).toBe(422)
    expect((await send('PUT', path, { text: 'x', version: 2, isAdmin: true })).status).toBe(422)
  })

  test('is signed out everywhere', async () => {
    const member = await aMember(server.app)
    const tokens = [await signIn(server, member), await signIn(server, member)]
    const reader = await makeAppPassword(server, { ...member, headers: bearer(tokens[0] ?? '') }, 'My Kindle')
    expect((await get('/opds', reader)).status).toBe(200)
    const about = { name: 'My Kindle', createdAt: expect.any(String), lastUsedAt: expect.any(String) }
    expect((await personOf(member)).appPasswords).toEqual([{ id: expect.any(String), ...about }])
    expect(said(await send('DELETE', `/api/people/${member.id}/sessions`))).toBe(
      '2 sessions and 1 app password have ended.',
    )
    expect((await get('/opds', reader)).status).toBe(401)
    expect((await personOf(member)).appPasswords).toEqual([])
    for (const token of tokens) expect((await get('/auth/status', bearer(token))).status).toBe(401)
    expect(said(await send('DELETE', `/api/people/${member.id}/sessions`))).toBe('There was no session to end.')
    expect((await trailOf(member)).events[1]).toMatchObject({
      action: 'sessions.ended',
      by: { kind: 'member', id: keeper.id, name: 'Ada Keeper' },
      subject: { kind: 'member', id: member.id, name: member.name },
      details: { sessions: 2, appPasswords: 1 },
    })
  })

  test('is sent a link that sets a new password', async () => {
    const member = await aMember(server.app)
    expect((await send('POST', `/api/people/${member.id}/reset-link`)).status).toBe(202)
    await drainJobs(server.app)
    const [email] = await emailsTo(member.email)
    expect(email?.text).toContain('An administrator of Daybook sent you this link')
    expect(email?.text).not.toMatch(/request/)
    const token = /token=([\w-]{43})/.exec(email?.text ?? '')?.[1] ?? ''
    const reset = await post(
      server,
      '/reset-password',
      { token, password: 'an entirely new one' },
      { 'api-key': server.app.config.clientApiKey },
    )
    expect(reset.status).toBe(200)
    await signIn(server, { ...member, password: 'an entirely new one' })
    expect(await actionsOn(member)).toContain('password.reset_sent')
  })

  test('cannot sign in, and is told why; an administrator ends the wait for wrong passwords', async () => {
    const member = await aMember(server.app, { name: 'Lou Locked', isUnconfirmed: true })
    const standing = async () => (await personOf(member)).signIn
    const untouched = { lockedUntil: null, factorLockedUntil: null, lockedDevices: [], lacksFactor: false }
    expect(await standing()).toEqual({
      ...untouched,
      confirmedAt: null,
      tries: [],
      unsentEmail: null,
      lastEmail: null,
      emailStop: null,
      link: null,
    })

    // The device that knows them waits for its own wrong passwords, strangers for theirs.
    const { 'set-cookie': device } = (await post(server, '/auth/login', member, { 'user-agent': firefox })).headers
    const cookie = device?.[0]?.split(';')[0] ?? ''
    const wrong = { email: member.email, password: 'a wrong password' }
    for (let i = 0; i < 10; i += 1) await post(server, '/auth/login', wrong)
    for (let i = 0; i < 10; i += 1) await post(server, '/auth/login', wrong, { cookie })
    expect((await post(server, '/auth/login', member)).status).toBe(429)
    await server.app.countedEvents.settle()
    const locked = await standing()
    expect(Date.parse(locked.lockedUntil ?? '') - server.clock.now()).toBeGreaterThan(30_000)
    const lockedUntil = expect.any(String) as string
    expect(locked.lockedDevices).toEqual([{ device: 'Firefox on Linux', lockedUntil, factorLockedUntil: null }])
    expect(locked.tries).toMatchObject([{ action: 'session.refused', times: 20 }, { action: 'session.opened' }])

    const path = `/api/people/${member.id}/unlock`
    expect(
      codeOf(await send('POST', path, undefined, bearer(await signIn(server, await aMember(server.app)))))[0],
    ).toBe(403)
    expect(codeOf(await send('POST', '/api/people/01900000-0000-7000-8000-000000000000/unlock'))[0]).toBe(404)
    expect(said(await send('POST', path))).toBe('They can try their password again at once.')
    expect(await standing()).toMatchObject(untouched)
    expect((await post(server, '/auth/login', member)).status).toBe(200)
    expect((await post(server, '/auth/login', member, { cookie })).status).toBe(200)
    expect(await actionsOn(member)).toContain('account.unlocked')

    // Wrong passwords are recorded minutes later than the sign-in that follows, and come before it.
    await post(server, '/auth/login', wrong)
    expect((await post(server, '/auth/login', member)).status).toBe(200)
    await server.app.countedEvents.settle()
    expect((await standing()).tries[0]).toMatchObject({ action: 'session.opened' })

    // An email about the account is told of while it waits; then the link that it has written.
    await send('POST', `/api/people/${member.id}/reset-link`)
    expect(await standing()).toMatchObject({ unsentEmail: { words: 'Reset link', state: 'waiting' }, link: null })
    await drainJobs(server.app)
    expect(await standing()).toMatchObject({ unsentEmail: null, link: { email: { fate: 'file' } } })
  })

  test('is sent one link each ten minutes at most, whoever sends it', async () => {
    const member = await aMember(server.app)
    const path = `/api/people/${member.id}/reset-link`
    const second = bearer(await signIn(server, await aMember(server.app, { isAdmin: true })))
    expect(codeOf(await send('POST', '/api/people/01900000-0000-7000-8000-000000000000/reset-link'))[0]).toBe(404)
    // Only one of many concurrent calls sends an email.
    const all = await Promise.all([...Array(5).keys()].map(() => send('POST', path)))
    expect(all.filter(({ status }) => status === 202)).toHaveLength(1)
    expect(all.filter(({ status }) => status === 429)).toHaveLength(4)
    const again = await send('POST', path, undefined, second)
    expect(codeOf(again)).toEqual([429, 'limit.exceeded'])
    expect(said(again)).toBe(
      'A link was sent to this member less than 10 minutes ago, and it still works. You can send another one in 10 minutes.',
    )
    expect(again.headers['retry-after']).toBeDefined()
    await drainJobs(server.app)
    expect(await emailsTo(member.email)).toHaveLength(1)
    expect(await actionsOn(member)).toEqual(['password.reset_sent'])
    expect((await send('POST', `/api/people/${(await aMember(server.app)).id}/reset-link`)).status).toBe(202)
  })

  test('has a trail of what was done to them and what they did, in pages', async () => {
    const other = await aMember(server.app, { isAdmin: true, name: 'Busy Keeper' })
    const own = bearer(await signIn(server, other))
    const member = await aMember(server.app)
    for (let version = 0; version < 30; version += 1)
      await send('PUT', `/api/people/${member.id}/note`, { text: `note ${version}`, version }, own)
    await send('DELETE', `/api/people/${other.id}/sessions`)
    // A sign-in, thirty notes, and the end of the sessions.
    const first = await trailOf(other)
    expect(first.events).toHaveLength(25)
    expect(first.events[0]).toMatchObject({ action: 'sessions.ended', by: { id: keeper.id } })
    expect(first.events[1]).toMatchObject({ action: 'member.record_changed', by: { id: other.id } })
    const rest = await trailOf(other, `?before=${first.next}`)
    expect(rest.next).toBeNull()
    expect(new Set([...first.events, ...rest.events].map(({ id }) => id)).size).toBe(32)
    expect((await get(`/api/audit?person=${other.id}`)).json()).toMatchObject({
      events: [...first.events, ...rest.events],
    })
    expect(codeOf(await get(`/api/people/${other.id}/trail?before=x`))).toEqual([400, 'search.parameter'])
  })
})

describe('administrators', () => {
  test('are made of members, whose sessions end, and who are told', async () => {
    const member = await aMember(server.app, { name: 'New Keeper' })
    const before = bearer(await signIn(server, member))
    expect((await send('POST', `/api/people/${member.id}/administrator`)).status).toBe(200)
    expect((await get('/auth/status', before)).status).toBe(401)
    const after = bearer(await signIn(server, member))
    expect((await get('/auth/status', after)).json()).toMatchObject({ isAdmin: true })
    expect((await get('/api/people', after)).status).toBe(200)
    await drainJobs(server.app)
    const emails = await emailsTo(member.email)
    // They signed in a second time, without the cookie of the first.
    const subjects = emails.map(({ subject }) => subject).filter((subject) => !/new device/.test(subject))
    expect(subjects).toEqual(['You administer Daybook now'])
    expect((await send('POST', `/api/people/${member.id}/administrator`)).status).toBe(200)
    expect((await send('DELETE', `/api/people/${member.id}/administrator`)).status).toBe(200)
    expect((await get('/api/people', after)).status).toBe(403)
    expect((await actionsOn(member)).filter((action) => action.startsWith('role.'))).toEqual([
      'role.withdrawn',
      'role.granted',
    ])
  })

  test('hear of each other by email: who did it, to whom, when, and what to do if it was wrong', async () => {
    const other = await aMember(server.app, { isAdmin: true, name: 'Other Keeper' })
    const member = await aMember(server.app, { name: 'Rising Reader' })
    const tidings = async (email: string, subject: RegExp): Promise<string> => {
      await drainJobs(server.app)
      const found = (await emailsTo(email)).filter((sent) => subject.test(sent.subject) && sent.text.includes('Ris'))
      expect(found, `${email} ${subject.source}`).toHaveLength(1)
      return found[0]?.text.replaceAll(/\s+/g, ' ') ?? ''
    }
    const path = `/api/people/${member.id}/administrator`
    expect((await send('POST', path)).status).toBe(200)
    // A repeated call notifies nobody.
    expect((await send('POST', path)).status).toBe(200)
    const made = `made Rising Reader (${member.email}) an administrator, on March 15, 2024 at 12:0`
    const toOther = await tidings(other.email, /^There is a new administrator/)
    expect(toOther).toContain(`Ada Keeper (ada@readers.example) ${made}`)
    expect(toOther).toContain('take the role away')
    expect(toOther).toContain('/admin/audit')
    // It may have been somebody else with their session.
    const toKeeper = await tidings(keeper.email, /^There is a new administrator/)
    expect(toKeeper).toContain(`You (ada@readers.example) ${made}`)
    expect(toKeeper).toContain('If it was not you, somebody else uses your account')
    const [toMember] = (await emailsTo(member.email)).map(({ text }) => text.replaceAll(/\s+/g, ' '))
    expect(toMember).toContain('Ada Keeper (ada@readers.example) gave you this role, on March 15, 2024 at 12:0')
    expect(await emailsTo(member.email)).toHaveLength(1)

    expect((await send('DELETE', path)).status).toBe(200)
    expect((await send('DELETE', path)).status).toBe(200)
    expect(await tidings(other.email, /^An administrator lost the role/)).toContain(
      `Ada Keeper (ada@readers.example) took the role of an administrator from Rising Reader (${member.email}), on`,
    )
    expect(await tidings(member.email, /^You no longer administer/)).toContain('Ada Keeper (ada@readers.example) took')
    await send('DELETE', `/api/people/${other.id}/administrator`)
  })

  test('hear of the role by email also when the operator gives or takes it', async () => {
    await using own = await openSandboxServer({ jobs: false, now: start })
    const [head, other] = [
      await aMember(own.app, { isAdmin: true }),
      await aMember(own.app, { isAdmin: true, name: 'evil.example/now' }),
    ]
    const email = 'made@readers.example'
    await makeAdministrator(own.app, { email, name: 'Made', password: 'the head librarian' })
    await demoteAdministrator(own.app, { email: other.email })
    await drainJobs(own.app)
    const sent = (await readEmails(own.app)).map(({ to, subject, text }) => [to, subject, text.replaceAll(/\s+/g, ' ')])
    expect(sent.map(([to, subject]) => `${to}: ${subject}`).sort()).toEqual(
      [
        `${head.email}: There is a new administrator at Daybook`,
        `${other.email}: There is a new administrator at Daybook`,
        `${email}: You administer Daybook now`,
        `${head.email}: An administrator lost the role at Daybook`,
        `${email}: An administrator lost the role at Daybook`,
        `${other.email}: You no longer administer Daybook`,
      ].sort(),
    )
    for (const [, , text] of sent) {
      expect(text).toContain('The operator of the server, on its command line,')
      // Nobody's name becomes a link in an email to others.
      expect(text).not.toContain('evil.example')
    }
  })

  test('hear of an export of all members, of an import, and of accounts that one of them deletes or that were theirs', async () => {
    await using own = await openSandboxServer({ jobs: false, now: start })
    const keepers = [await aMember(own.app, { isAdmin: true }), await aMember(own.app, { isAdmin: true })] as const
    const [one, two] = keepers
    const headers = bearer(await signIn(own, one))
    const subjects = async (to: string): Promise<string[]> => {
      await drainJobs(own.app)
      return (await readEmails(own.app)).filter((email) => email.to === to).map(({ subject }) => subject)
    }
    expect((await own.request('/api/member-export?format=csv', { headers })).status).toBe(200)
    for (const { email } of keepers) expect(await subjects(email)).toEqual(['All members were exported at Daybook'])

    const file = { method: 'POST', body: 'email,name\na@file.example,Ann\nb@file.example,Bo\n' }
    const staged = await own.request('/api/member-imports', {
      ...file,
      headers: { ...headers, 'content-type': 'text/csv' },
    })
    const { id } = staged.json() as Id
    expect((await own.request(`/api/member-imports/${id}/start`, { method: 'POST', headers })).status).toBe(202)
    for (const { email } of keepers)
      expect((await subjects(email)).slice(1)).toEqual(['Members are imported from a file at Daybook'])
    const ofImport = (await readEmails(own.app)).find(({ subject }) => subject.startsWith('Members are imported'))
    expect(ofImport?.text.replaceAll(/\s+/g, ' ')).toContain('began to import 2 members from a file')

    const [left, erased] = [await aMember(own.app), await aMember(own.app, { name: 'Erased Reader' })]
    const key = { 'api-key': own.app.config.clientApiKey }
    const byThemselves = await own.request(`/auth/delete-account/${left.email}`, {
      method: 'DELETE',
      headers: { ...bearer(await signIn(own, left)), ...key },
    })
    expect(byThemselves.status).toBe(200)
    for (const { email } of keepers) expect(await subjects(email)).toHaveLength(2)

    const body = JSON.stringify({ email: erased.email })
    const facts = { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(body)) }
    const path = `/api/people/${erased.id}`
    expect((await own.request(path, { method: 'DELETE', body, headers: { ...headers, ...facts } })).status).toBe(200)
    for (const { email } of keepers) expect(await subjects(email)).toHaveLength(3)
    const told = (await readEmails(own.app)).findLast(({ to }) => to === two.email)
    expect(told?.subject).toBe('An account was deleted at Daybook')
    expect(told?.text).toContain(erased.id)
    // An email does not keep erased data.
    expect(told?.text).not.toMatch(new RegExp(`Erased Reader|${erased.email}`))

    // A safety officer leaves where there is another one.
    await own.app.db.updateTable('users').set({ is_safety_officer: true }).where('id', '=', two.id).execute()
    const gone = await own.request(`/auth/delete-account/${one.email}`, {
      method: 'DELETE',
      headers: { ...headers, ...key },
    })
    expect(gone.status, gone.text).toBe(200)
    expect((await subjects(two.email)).slice(3)).toEqual(['An account was deleted at Daybook'])
  })

  test('export all members ten times an hour, and a flood of that is a few emails', async () => {
    await using own = await openSandboxServer({ jobs: false, now: start })
    const one = await aMember(own.app, { isAdmin: true })
    const headers = bearer(await signIn(own, one))
    const statuses: number[] = []
    for (let i = 0; i < 12; i += 1) statuses.push((await own.request('/api/member-export', { headers })).status)
    expect(statuses).toEqual([...Array<number>(10).fill(200), 429, 429])
    own.clock.advance(10 * 60_000)
    await mailManyGraveActs(own.app)
    await drainJobs(own.app)
    expect((await readEmails(own.app)).map(({ subject }) => subject).sort()).toEqual([
      '5 security alerts at Daybook',
      ...Array<string>(5).fill('All members were exported at Daybook'),
    ])
  })

  test('hear of a flood of grave acts in one email about all that follow the first, and so does whom they concern', async () => {
    await using own = await openSandboxServer({ jobs: false, now: start })
    const [one, two] = [await aMember(own.app, { isAdmin: true }), await aMember(own.app, { isAdmin: true })]
    const headers = bearer(await signIn(own, one))
    const [member, other] = [await aMember(own.app, { name: 'Tossed Reader' }), await aMember(own.app)]
    const toss = async ({ id }: Id, times: number): Promise<void> => {
      for (let i = 0; i < times; i += 1) {
        for (const method of ['POST', 'DELETE']) {
          const { status, text } = await own.request(`/api/people/${id}/administrator`, { method, headers })
          expect(status, text).toBe(200)
        }
      }
    }
    const sentTo = async (email: string) => {
      await mailManyGraveActs(own.app)
      await drainJobs(own.app)
      return (await readEmails(own.app)).filter(({ to }) => to === email)
    }
    await toss(member, 15)
    await toss(other, 1)
    expect(await sentTo(two.email)).toHaveLength(10)
    expect(await sentTo(member.email)).toHaveLength(10)
    expect(await sentTo(other.email)).toEqual([])
    // Another kind of act is told at once, whatever else floods.
    expect((await own.request('/api/member-export?format=csv', { headers })).status).toBe(200)
    expect((await sentTo(two.email)).at(-1)?.subject).toBe('All members were exported at Daybook')

    own.clock.advance(10 * 60_000)
    const many = (await sentTo(two.email)).slice(11)
    expect(many.map(({ subject }) => subject)).toEqual(['22 security alerts at Daybook'])
    const text = many[0]?.text.replaceAll(/\s+/g, ' ') ?? ''
    expect(text.match(/made Tossed Reader \(/g)).toHaveLength(10)
    expect(text).toContain('And 2 more, which stand in the audit log.')
    const [last, ...rest] = (await sentTo(member.email)).slice(10)
    expect(rest).toEqual([])
    expect(last?.subject).toBe('You no longer administer Daybook')
    expect(last?.text.replaceAll(/\s+/g, ' ')).toContain('the last of 20 changes of your role')
    expect(await sentTo(other.email)).toHaveLength(1)

    // Acts in one email count, too.
    await toss(member, 1)
    expect(await sentTo(two.email)).toHaveLength(12)
    own.clock.advance(10 * 60_000)
    expect((await sentTo(two.email)).slice(12).map(({ subject }) => subject)).toEqual(['2 security alerts at Daybook'])
    own.clock.advance(10 * 60_000)
    await toss(member, 1)
    expect(await sentTo(two.email)).toHaveLength(15)
    expect(await own.app.db.selectFrom('grave_acts').select('id').execute()).toHaveLength(2)
  })

  test.each(['short one', 'daybook-daybook'])('do not sign in with a password as weak as %s', async (password) => {
    const member = await aMember(server.app, { password })
    await send('POST', `/api/people/${member.id}/administrator`)
    const answer = await post(server, '/auth/login', { email: member.email, password })
    expect(codeOf(answer)).toEqual([403, 'sign_in.weak_password'])
    expect(said(answer)).toMatch(/at least 12 characters/)
    expect(codeOf(await post(server, '/auth/login', { email: member.email, password: 'wrong' }))).toEqual([
      401,
      'sign_in.failed',
    ])
    await send('DELETE', `/api/people/${member.id}/administrator`)
    await signIn(server, member)
  })

  test('may give their own role back, unless they are the last', async () => {
    await using own = await openSandboxServer({ jobs: false, now: start })
    const [one, two] = [await aMember(own.app, { isAdmin: true }), await aMember(own.app, { isAdmin: true })]
    const [first, second] = [bearer(await signIn(own, one)), bearer(await signIn(own, two))]
    const demote = (id: string, headers: Record<string, string>) =>
      own.request(`/api/people/${id}/administrator`, { method: 'DELETE', headers })
    // Each takes the role of the other at the same time: one stays.
    const both = await Promise.all([demote(two.id, first), demote(one.id, second)])
    expect(both.map(({ status }) => status).filter((status) => status === 200)).toHaveLength(1)
    const [left, headers] =
      (await own.request('/api/people', { headers: first })).status === 200 ? [one, first] : [two, second]
    const last = await demote(left.id, headers)
    expect(codeOf(last)).toEqual([409, 'account.last_admin'])
    expect(said(last)).toBe('You are the last administrator. Make somebody else an administrator first.')
  })

  test('are not made of who has no password', async () => {
    const { id } = await imported({ email: 'nopass@readers.example', name: 'No Password' })
    expect(codeOf(await send('POST', `/api/people/${id}/administrator`))).toEqual([409, 'account.no_password'])
    await expect(
      server.app.db.updateTable('users').set({ is_admin: true }).where('id', '=', id).execute(),
    ).rejects.toThrow('an_administrator_has_a_password')
  })
})

describe('safety officers', () => {
  const pathOf = ({ id }: Id) => `/api/people/${id}/safety-officer`

  test('are administrators whom others name, with a proof of the last 15 minutes; both directions are told and recorded', async () => {
    const other = await aMember(server.app, { isAdmin: true, name: 'Una Officer' })
    const headers = bearer(await signIn(server, other))
    const seen = async () => (await people('?search=una%20officer')).people.map((one) => one.isSafetyOfficer)
    expect(await personOf(keeper)).toMatchObject({ isSafetyOfficer: true })
    expect(await seen()).toEqual([false])
    expect((await send('POST', pathOf(other))).status).toBe(200)
    // A repeated call notifies nobody.
    expect((await send('POST', pathOf(other))).status).toBe(200)
    expect(await seen()).toEqual([true])
    expect((await get('/auth/export', headers)).json()).toMatchObject({ account: { isSafetyOfficer: true } })
    expect(said(await send('DELETE', pathOf(other), undefined, headers))).toBe('They are no safety officer any more.')
    expect((await personOf(other)).isSafetyOfficer).toBe(false)
    await drainJobs(server.app)
    const subjects = (await emailsTo(other.email)).map(({ subject }) => subject)
    expect(subjects.filter((subject) => subject.includes('safety'))).toEqual([
      'You are a safety officer of Daybook now',
      'You are no longer a safety officer of Daybook',
    ])
    const { text = '' } = (await emailsTo(keeper.email)).find(({ subject }) => /new safety officer/.test(subject)) ?? {}
    expect(text.replaceAll(/\s+/g, ' ')).toContain(`named Una Officer (${other.email}) as a safety officer`)
    expect(await actionsOn(other)).toEqual(
      expect.arrayContaining(['role.safety_officer_named', 'role.safety_officer_withdrawn']),
    )
  })

  test('are no members, and the last one keeps the mark, the role and the account', async () => {
    const member = await aMember(server.app, { name: 'Mere Reader' })
    const refused = await send('POST', pathOf(member))
    expect(codeOf(refused)).toEqual([409, 'account.not_admin'])
    expect(said(refused)).toBe('Mere Reader is no administrator. Only an administrator can be a safety officer.')
    const last = [409, 'account.last_safety_officer']
    for (const path of [pathOf(keeper), `/api/people/${keeper.id}/administrator`]) {
      const answer = await send('DELETE', path)
      expect(codeOf(answer)).toEqual(last)
      expect(said(answer)).toBe('You are the last safety officer. Name another safety officer first.')
    }
    const own = await server.request(`/auth/delete-account/${keeper.email}`, {
      method: 'DELETE',
      headers: { ...admin, 'api-key': server.app.config.clientApiKey },
    })
    expect(codeOf(own)).toEqual(last)
    expect(said(own)).toBe('You are the last safety officer. Name another safety officer first.')
  })

  test('name another; nobody names themselves, and nobody takes mark, role or account from somebody else', async () => {
    const [plain, other] = [
      await aMember(server.app, { isAdmin: true, name: 'Paul Plain' }),
      await aMember(server.app, { isAdmin: true, name: 'Olga Other' }),
    ]
    const headers = bearer(await signIn(server, plain))
    const officers = async () =>
      (await server.app.db.selectFrom('users').select('id').where('is_safety_officer', '=', true).execute()).map(
        ({ id }) => id,
      )
    const before = await actionsOn(plain)
    for (const [caller, of] of [
      [headers, plain],
      [headers, other],
      [headers, keeper],
      [undefined, keeper],
    ] as const) {
      expect(codeOf(await send('POST', pathOf(of), undefined, caller))).toEqual([403, 'safety.officer'])
    }
    expect(said(await send('POST', pathOf(plain), undefined, headers))).toBe(
      'Nobody names themselves as a safety officer. Another safety officer does, or the command admin safety-officer.',
    )
    expect(said(await send('POST', pathOf(other), undefined, headers))).toBe(
      'Only a safety officer names another. The command admin safety-officer does, too.',
    )
    expect(await officers()).toEqual([keeper.id])
    expect(await actionsOn(plain)).toEqual(before)

    expect((await send('POST', pathOf(other))).status).toBe(200)
    for (const [path, body] of [
      [pathOf(other), undefined],
      [`/api/people/${other.id}/administrator`, undefined],
      [`/api/people/${other.id}`, { email: other.email }],
    ] as const) {
      // Nor another safety officer, who would then decide alone.
      for (const caller of [headers, admin]) {
        const answer = await send('DELETE', path, body, caller)
        expect([path, ...codeOf(answer)]).toEqual([path, 403, 'safety.officer'])
        expect(said(answer)).toBe(
          'Safety officers give up mark, role and account themselves. For them, the operator does: admin safety-officer EMAIL --remove.',
        )
      }
    }
    expect((await officers()).toSorted()).toEqual([keeper.id, other.id].toSorted())
    const mayChange = async (of: Id, caller?: Record<string, string>) =>
      ((await get(`/api/people/${of.id}`, caller)).json() as Person).canChangeMark
    expect([await mayChange(other), await mayChange(plain), await mayChange(keeper)]).toEqual([false, true, true])
    expect([await mayChange(other, headers), await mayChange(plain, headers)]).toEqual([false, false])
    // They give up their own; somebody without the mark names nobody any more.
    const own = bearer(await signIn(server, other))
    expect((await send('DELETE', pathOf(other), undefined, own)).status).toBe(200)
    expect(codeOf(await send('POST', pathOf(plain), undefined, own))).toEqual([403, 'safety.officer'])
    // Role and account go the same way.
    expect((await send('POST', pathOf(other))).status).toBe(200)
    expect((await send('DELETE', `/api/people/${other.id}/administrator`, undefined, own)).status).toBe(200)
    expect(await personOf(other)).toMatchObject({ isAdmin: false, isSafetyOfficer: false })
    expect((await send('DELETE', `/api/people/${other.id}`, { email: other.email })).status).toBe(200)
  })

  test('who lose the mark while they name another have named nobody', async () => {
    const [first, second] = [
      await aMember(server.app, { isAdmin: true, name: 'Fay First' }),
      await aMember(server.app, { isAdmin: true, name: 'Sam Second' }),
    ]
    expect((await send('POST', pathOf(first))).status).toBe(200)
    const own = bearer(await signIn(server, first))
    const [named, taken] = await Promise.all([
      send('POST', pathOf(second), undefined, own),
      send('DELETE', pathOf(first), undefined, own),
    ])
    expect(taken.status).toBe(200)
    expect((await personOf(second)).isSafetyOfficer).toBe(named.status === 200)
    expect(named.status === 200 ? [200] : codeOf(named)).toEqual(named.status === 200 ? [200] : [403, 'safety.officer'])
    if (named.status === 200) await setSafetyOfficerByOperator(server.app, { email: second.email, isOfficer: false })
  })

  test('of two who give the mark up at once, one keeps it', async () => {
    const [one, two] = [
      await aMember(server.app, { isAdmin: true, name: 'One Officer' }),
      await aMember(server.app, { isAdmin: true, name: 'Two Officer' }),
    ]
    const [first, second] = [bearer(await signIn(server, one)), bearer(await signIn(server, two))]
    for (const officer of [one, two]) expect((await send('POST', pathOf(officer))).status).toBe(200)
    expect((await send('DELETE', pathOf(keeper))).status).toBe(200)
    const both = await Promise.all([
      send('DELETE', pathOf(one), undefined, first),
      send('DELETE', pathOf(two), undefined, second),
    ])
    expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409])
    await setSafetyOfficerByOperator(server.app, { email: keeper.email, isOfficer: true })
    const left = both[0].status === 409 ? one : two
    await setSafetyOfficerByOperator(server.app, { email: left.email, isOfficer: false })
  })
})

describe("a member's data", () => {
  test('are exported on their request, as they would do it themselves', async () => {
    const member = await aSubscriber(server, { name: 'Data Subject' })
    await send('PUT', `/api/people/${member.id}/note`, { text: 'Prefers letters.', version: 0 })
    const answer = await get(`/api/people/${member.id}/export`)
    expect(answer.headers['content-disposition']).toContain('attachment')
    const own = (await get('/auth/export', member.headers)).json() as Record<string, unknown>
    const theirs = answer.json() as Record<string, unknown>
    const { sessions, ...rest } = theirs
    expect(rest).toEqual({ ...own, sessions: undefined })
    expect(rest['note']).toMatchObject({ text: 'Prefers letters.' })
    expect(sessions).toHaveLength(1)
    expect(answer.text).not.toMatch(/adminKey|argon2/)
    expect(await actionsOn(member)).toContain('account.exported')
  })

  test('are erased on their request, after their subscription was cancelled', async () => {
    const member = await aSubscriber(server)
    const path = `/api/people/${member.id}`
    expect(codeOf(await send('DELETE', path, { email: keeper.email }))).toEqual([403, 'account.other'])
    server.sandbox.control.faults.api = 'down'
    const refused = await send('DELETE', path, { email: member.email })
    expect(codeOf(refused)).toEqual([503, 'account.subscription'])
    expect(said(refused)).toMatch(/^The member's subscription could not be cancelled/)
    server.sandbox.control.faults.api = 'none'
    expect(said(await send('DELETE', path, { email: member.email.toUpperCase() }))).toBe('The account was deleted.')
    expect(liveOf(server, member)).toEqual([])
    expect((await get('/auth/status', member.headers)).status).toBe(401)
    expect(codeOf(await get(path))).toEqual([404, 'member.unknown'])
    expect(codeOf(await send('DELETE', path, { email: member.email }))).toEqual([404, 'member.unknown'])
    const events = await server.app.db
      .selectFrom('audit_events')
      .select(['actor_id', 'details'])
      .where('action', '=', 'account.erased')
      .where('subject_id', '=', member.id)
      .execute()
    expect(events).toEqual([{ actor_id: keeper.id, details: origin }])
    await drainWebhooks(server)
    expect((await emailsTo(member.email)).map(({ subject }) => subject)).toContain('Your Daybook account was deleted')
  })
})

const upload = (text: string | Buffer, headers = admin) =>
  server.request('/api/member-imports', {
    method: 'POST',
    headers: { ...headers, 'content-type': 'text/csv' },
    body: text,
  })
test('whoever was imported and is erased stands in no file of members any more', async () => {
  const { id } = await imported({ email: 'gone@readers.example', name: 'Gone Reader' })
  const rows = () =>
    server.app.db
      .selectFrom('member_import_rows')
      .select('name')
      .where('email_folded', '=', 'gone@readers.example')
      .execute()
  expect(await rows()).toHaveLength(1)
  expect((await send('DELETE', `/api/people/${id}`, { email: 'gone@readers.example' })).status).toBe(200)
  expect(await rows()).toEqual([])
})

test('a file of members whose first line is out of bounds is refused, and nothing is kept of it', async () => {
  for (const header of [
    Array.from({ length: 100_000 }, (_, no) => no).join(','),
    `email,name,${'x,'.repeat(250)}y\n`,
    `email,name,${'x'.repeat(20_000)}\n`,
  ]) {
    const answer = await upload(header)
    expect([answer.status, answer.json()]).toMatchObject([422, { code: 'import.header' }])
  }
  const kept = await server.app.db.selectFrom('member_imports').select('id').where('read_at', 'is', null).execute()
  expect(kept).toEqual([])
})

const rowsOf = async (id: string, query = '') =>
  ((await get(`/api/member-imports/${id}/rows${query}`)).json() as z.infer<typeof MemberImportRows>).rows

async function imported(row: { email: string; name: string }): Promise<Id> {
  const { id } = (await upload(`email,name\n${row.email},${row.name}\n`)).json() as MemberImport
  await send('POST', `/api/member-imports/${id}/start`)
  await drainJobs(server.app)
  return server.app.db.selectFrom('users').select('id').where('email_folded', '=', row.email).executeTakeFirstOrThrow()
}

describe('a file of members', () => {
  test('is looked at row by row, and makes nobody yet', async () => {
    const known = await aMember(server.app, { email: 'known@readers.example' })
    const file = [
      '\uFEFFemail,name,createdAt,vipUntil,isAdmin',
      'a1@file.example,Ada One,2020-02-01,2030-01-01,false',
      'KNOWN@readers.example,Somebody Else,,,',
      'no address,Bad Address,,,',
      'a2@file.example,,,,',
      'A1@file.example,Twice,,,',
      'a3@file.example,Boss,,,true',
      'a4@file.example,Late,2024-03-16,,',
      'a5@file.example,Odd,2023-02-30,,',
      'a6@file.example,Odd,,soon,',
      '"a7@file.example","Quoted, Name","2021-05-06T07:08:09+02:00","2022-01-01T00:00:00Z",',
      'a8@file.example,Many,,,,,',
    ].join('\r\n')
    const answer = await upload(file)
    expect(answer.status, answer.text).toBe(201)
    const dry = answer.json() as MemberImport
    expect(dry).toMatchObject({ state: 'ready', counts: { new: 3, existing: 1, rejected: 7, made: 0 } })
    const rows = await rowsOf(dry.id)
    expect(rows.map(({ line, outcome, reason }) => [line, outcome, reason])).toEqual([
      [2, 'new', null],
      [3, 'existing', null],
      [4, 'rejected', 'Please enter a valid email address'],
      [5, 'rejected', 'Name is required'],
      [6, 'rejected', 'The file has this address in an earlier row.'],
      [7, 'new', 'isAdmin is passed over: no file makes an administrator.'],
      [8, 'rejected', 'createdAt lies in the future.'],
      [9, 'rejected', 'createdAt is no date: write it as 2024-03-05 or 2024-03-05T12:00:00Z.'],
      [10, 'rejected', 'vipUntil is no date: write it as 2024-03-05 or 2024-03-05T12:00:00Z.'],
      [11, 'new', null],
      [12, 'rejected', 'The row has more cells than the header has columns.'],
    ])
    expect((await rowsOf(dry.id, '?outcome=rejected&after=8')).map(({ line }) => line)).toEqual([9, 10, 12])
    expect((await people('?search=a1@file')).total).toBe(0)

    const started = await send('POST', `/api/member-imports/${dry.id}/start`)
    expect(started.status).toBe(202)
    expect((await send('POST', `/api/member-imports/${dry.id}/start`)).status).toBe(202)
    await drainJobs(server.app)
    const done = (await get(`/api/member-imports/${dry.id}`)).json() as MemberImport
    expect(done).toMatchObject({ state: 'done', counts: { new: 0, existing: 1, rejected: 7, made: 3 } })
    const made = (await people('?search=file.example&state=invited')).people
    expect(made.find(({ email }) => email === 'a3@file.example')).toMatchObject({
      isAdmin: false,
      hasPassword: false,
    })
    expect(made.find(({ email }) => email === 'a7@file.example')).toMatchObject({
      name: 'Quoted, Name',
      createdAt: '2021-05-06T05:08:09.000Z',
    })
    expect((await personOf(known)).name).toBe(known.name)
    const vips = (await get('/auth/vip-users?search=a1@file')).json()
    expect(vips).toMatchObject([{ vipExpirationDate: '2030-01-01T00:00:00.000Z' }])

    // The same file again.
    const again = (await upload(file)).json() as MemberImport
    expect(again.counts).toMatchObject({ new: 0, existing: 5 })
  })

  test('invites each member once, some a minute, with a link for seven days', async () => {
    await server.app.db.deleteFrom('member_invitations').execute()
    const email = 'invited@readers.example'
    const { id } = await imported({ email, name: 'Ivy Invited' })
    const password = 'my very first one'
    expect(codeOf(await post(server, '/auth/login', { email, password }))).toEqual([401, 'sign_in.failed'])
    expect(await personOf({ id })).toMatchObject({
      hasPassword: false,
      isInvitationWaiting: true,
      passwordChangedAt: null,
    })
    await Promise.all([sendInvitations(server.app), sendInvitations(server.app)])
    await drainJobs(server.app)
    const emails = await emailsTo(email)
    expect(emails.map(({ subject }) => subject)).toEqual(['Your account at Daybook'])
    server.clock.advance(6 * 86_400_000)
    const token = /token=([\w-]{43})/.exec(emails[0]?.text ?? '')?.[1] ?? ''
    const reset = { token, password }
    expect((await post(server, '/reset-password', reset, { 'api-key': server.app.config.clientApiKey })).status).toBe(
      200,
    )
    await signIn(server, { email, password })
    server.clock.set('2024-03-15T12:01:00Z')
    expect(await personOf({ id })).toMatchObject({ hasPassword: true, isInvitationWaiting: false })
  })

  const readImport = async (id: string) => (await get(`/api/member-imports/${id}`)).json() as MemberImport
  const begin = async (header: string, lines: string[], headers = admin): Promise<string> => {
    const { id } = (await upload([header, ...lines].join('\n'))).json() as MemberImport
    expect((await send('POST', `/api/member-imports/${id}/start`, undefined, headers)).status).toBe(202)
    return id
  }
  const work = (id: string, { isStopping = false, isLast = false, steps = memberRunSteps } = {}) =>
    workOnRun(server.app, memberRuns, steps, id, { isLast, isStopping: () => isStopping })
  const runOf = (id: string) =>
    server.app.db.selectFrom('runs').select('position').where('subject_id', '=', id).executeTakeFirst()
  /** As when its process was killed and its job is lost. */
  const loseJobs = () =>
    server.app.db
      .deleteFrom('pgboss.job' as 'users')
      .where('name', '=', memberRuns.job.name)
      .execute()

  test('is imported once, also by three processes at the same time, and whoever registers meanwhile keeps their account', async () => {
    const lines = Array.from({ length: 450 }, (_, place) => `crowd${place}@readers.example,Crowd ${place}`)
    const { id } = (await upload(`email,name\n${lines.join('\n')}`)).json() as MemberImport
    await aMember(server.app, { email: 'Crowd7@readers.example', name: 'Was Quicker' })
    expect((await send('POST', `/api/member-imports/${id}/start`)).status).toBe(202)
    await work(id, { isStopping: true })
    expect(await runOf(id)).toEqual({ position: 200 })
    await Promise.all([work(id), work(id), work(id)])
    expect(await readImport(id)).toMatchObject({ state: 'done', counts: { new: 0, existing: 1, made: 449 } })
    expect(await runOf(id)).toBeUndefined()
    expect((await people('?search=crowd')).total).toBe(450)
    expect((await people('?search=quicker')).people).toMatchObject([{ email: 'Crowd7@readers.example' }])
    await drainJobs(server.app)
  })

  test('is taken up when its process was killed and its job is lost', async () => {
    const lines = Array.from({ length: 250 }, (_, place) => `lost${place}@readers.example,Lost ${place}`)
    const id = await begin('email,name', lines)
    await work(id, { isStopping: true })
    await loseJobs()
    await drainJobs(server.app)
    expect(await readImport(id)).toMatchObject({ state: 'running', counts: { new: 50, made: 200 } })
    await takeUpForgottenRuns(server.app, memberRuns)
    await drainJobs(server.app)
    expect((await readImport(id)).state).toBe('running')
    await server.app.db.updateTable('runs').set({ advanced_at: '-infinity' }).where('subject_id', '=', id).execute()
    await takeUpForgottenRuns(server.app, memberRuns)
    await drainJobs(server.app)
    expect(await readImport(id)).toMatchObject({ state: 'done', counts: { new: 0, made: 250 } })
    expect((await people('?search=lost')).total).toBe(250)
  })

  test('is stopped after the batch under way, and goes on with the rest when it is started again', async () => {
    const lines = Array.from({ length: 250 }, (_, place) => `halt${place}@readers.example,Halt ${place}`)
    const id = await begin('email,name', lines)
    await work(id, { isStopping: true })
    expect(codeOf(await send('DELETE', `/api/member-imports/${id}`))).toEqual([409, 'members.import_running'])
    const path = `/api/member-imports/${id}/cancel`
    expect((await send('POST', path)).json()).toMatchObject({ state: 'stopped', failure: null })
    expect((await send('POST', path)).json()).toMatchObject({ state: 'stopped', counts: { new: 50, made: 200 } })
    await drainJobs(server.app)
    expect((await readImport(id)).state).toBe('stopped')
    // The administrator who begins a bulk edit chooses its id, which may be this one: each leaves the other's work
    // alone.
    expect((await send('POST', '/api/bulk-edits', { id, filter: {}, changes: { rating: 'mature' } })).status).toBe(202)
    expect(codeOf(await send('POST', `/api/member-imports/${id}/start`))).toEqual([409, 'run.underway'])
    expect((await send('POST', path)).json()).toMatchObject({ state: 'stopped', failure: null })
    expect(await runOf(id)).toMatchObject({ position: 0 })
    await drainJobs(server.app)
    expect(await runOf(id)).toBeUndefined()
    expect(codeOf(await send('POST', `/api/member-imports/${crypto.randomUUID()}/cancel`))).toEqual([
      404,
      'members.import_unknown',
    ])
    expect((await send('POST', `/api/member-imports/${id}/start`)).status).toBe(202)
    await drainJobs(server.app)
    expect(await readImport(id)).toMatchObject({ state: 'done', counts: { new: 0, made: 250 } })
    expect((await send('POST', path)).json()).toMatchObject({ state: 'done' })
    const events = await server.app.db
      .selectFrom('audit_events')
      .select('details')
      .where('subject_id', '=', id)
      .orderBy('recorded_at')
      .execute()
    expect(events.map(({ details }) => details)).toEqual([
      { rows: 250, ...origin },
      { outcome: 'cancelled', made: 200, left: 50, ...origin },
      { rows: 50, ...origin },
    ])
  })

  test('can be stopped with the invitations that wait of it, and with no others, in whatever state it is', async () => {
    await server.app.db.deleteFrom('member_invitations').execute()
    const other = await begin('email,name', ['uninvolved@readers.example,Una Involved'])
    const done = await begin('email,name', ['wrong1@readers.example,Wrong One', 'wrong2@readers.example,Wrong Two'])
    await drainJobs(server.app)
    const lines = Array.from({ length: 250 }, (_, place) => `wrongfile${place}@readers.example,Wrong ${place}`)
    const running = await begin('email,name', lines)
    await work(running, { isStopping: true })
    expect(await readImport(running)).toMatchObject({ state: 'running', invitationsWaiting: 200 })
    expect(codeOf(await send('DELETE', `/api/member-imports/${done}`))).toEqual([409, 'members.import_running'])
    for (const [id, state] of [
      [done, 'done'],
      [running, 'stopped'],
    ] as const) {
      const stop = () => send('POST', `/api/member-imports/${id}/stop-invitations`)
      expect((await stop()).json()).toMatchObject({ state, invitationsWaiting: 0 })
      expect((await stop()).status).toBe(200)
    }
    expect(await readImport(other)).toMatchObject({ state: 'done', invitationsWaiting: 1 })
    await sendInvitations(server.app)
    await drainJobs(server.app)
    const invited = (await readEmails(server.app)).map(({ to }) => to)
    expect(invited.filter((to) => /^(wrong|uninvolved)/.test(to))).toEqual(['uninvolved@readers.example'])
    expect((await people('?search=wrong1@')).people).toMatchObject([{ hasPassword: false }])
    expect((await send('DELETE', `/api/member-imports/${done}`)).status).toBe(204)
    const events = await server.app.db
      .selectFrom('audit_events')
      .select(['action', 'details'])
      .where('subject_id', 'in', [done, running])
      .orderBy('recorded_at')
      .execute()
    expect(events).toEqual([
      { action: 'members.imported', details: { rows: 2, ...origin } },
      { action: 'members.imported', details: { rows: 250, ...origin } },
      { action: 'members.invitations_stopped', details: { dropped: 2, ...origin } },
      { action: 'members.imported', details: { outcome: 'cancelled', made: 200, left: 50, ...origin } },
      { action: 'members.invitations_stopped', details: { dropped: 200, ...origin } },
      { action: 'members.import_deleted', details: { made: 2, ...origin } },
    ])
  })

  test('says why it failed for the last time, and may be started again', async () => {
    const id = await begin('email,name', ['fail1@readers.example,Fail One'])
    const defect = { open: () => Promise.reject(new Error('A defect.')) }
    const steps = { member_import: { ...memberRunSteps.member_import, ...defect } }
    await expect(work(id, { steps })).rejects.toThrow('A defect.')
    expect((await readImport(id)).state).toBe('running')
    await expect(work(id, { steps, isLast: true })).rejects.toThrow('A defect.')
    expect(await readImport(id)).toMatchObject({
      state: 'failed',
      failure: 'Something went wrong on our side. Please try again.',
    })
    await drainJobs(server.app)
    expect((await readImport(id)).state).toBe('failed')
    expect((await send('POST', `/api/member-imports/${id}/start`)).json()).toMatchObject({
      state: 'running',
      failure: null,
    })
    await drainJobs(server.app)
    expect(await readImport(id)).toMatchObject({ state: 'done', counts: { made: 1 } })
  })

  test('stops when whoever started it is no administrator any more, and another one goes on', async () => {
    const other = await aMember(server.app, { isAdmin: true })
    const theirs = bearer(await signIn(server, other))
    const lines = Array.from({ length: 250 }, (_, place) => `queue${place}@readers.example,Queue ${place},2030-01-01`)
    const id = await begin('email,name,vipUntil', lines, theirs)
    await work(id, { isStopping: true })
    await server.app.db.updateTable('users').set({ is_admin: false }).where('id', '=', other.id).execute()
    await drainJobs(server.app)
    expect(await readImport(id)).toMatchObject({
      state: 'failed',
      failure: expect.stringContaining('does not have the role of an administrator any more') as string,
      counts: { new: 50, made: 200 },
    })
    await send('POST', `/api/member-imports/${id}/start`)
    await drainJobs(server.app)
    expect(await readImport(id)).toMatchObject({ state: 'done', failure: null, counts: { new: 0, made: 250 } })
  })

  test.each([
    ['', 'The file is empty. Its first line must name the columns.'],
    ['name\nX', 'The file has no column email.'],
    ['email,name,password\na,b,c', /^The file has columns that are not known here: 'password'\./],
    ['email,name,email\n', 'The file has a column twice.'],
    ['email,name\n"a,b', /^The file ceases to be CSV/],
    ['[{"email":"a@b.example"}]', /^The file has columns that are not known here/],
  ])('that is none is refused: %j', async (text, message) => {
    const before = await server.app.db.selectFrom('member_imports').select('id').execute()
    const answer = await upload(text)
    expect(codeOf(answer)).toEqual([422, 'members.file'])
    if (typeof message === 'string') expect(said(answer)).toBe(message)
    else expect(said(answer)).toMatch(message)
    expect(await server.app.db.selectFrom('member_imports').select('id').execute()).toEqual(before)
  })

  test('of JSON lines with a line that does not end is refused', async () => {
    const answer = await upload(`{"email":"${'x'.repeat(200_000)}`)
    expect(codeOf(answer)).toEqual([422, 'members.file'])
    expect(said(answer)).toMatch(/^Line 1 of the file is longer/)
  })

  test('takes a quotation mark inside of a name as it is', async () => {
    const answer = await upload('email,name\nb1@quotes.example,Bob "Bobby" Smith')
    expect(answer.status, answer.text).toBe(201)
    const { id } = answer.json() as MemberImport
    expect(await rowsOf(id)).toMatchObject([{ line: 2, name: 'Bob "Bobby" Smith', outcome: 'new' }])
  })

  test('of JSON lines is read as one of CSV, and its rejects file too', async () => {
    const lines = [
      { email: 'j1@lines.example', name: 'Jo One', vipUntil: '2030-01-01', isAdmin: false },
      { email: 'j2@lines.example', name: 'Jo Two', createdAt: 'soon' },
      { email: 'j3@lines.example', name: 'Jo Three', password: 'x' },
      { email: 'j4@lines.example', name: null },
    ].map((line) => JSON.stringify(line))
    const answer = await upload(`\uFEFF${[...lines, '', 'no JSON', '[]', '{"email":{}}'].join('\n')}\n`)
    expect(answer.status, answer.text).toBe(201)
    const { id, counts } = answer.json() as MemberImport
    expect(counts).toMatchObject({ new: 1, rejected: 6 })
    expect((await rowsOf(id)).map(({ line, reason }) => [line, reason])).toEqual([
      [1, null],
      [2, 'createdAt is no date: write it as 2024-03-05 or 2024-03-05T12:00:00Z.'],
      [3, "The key 'password' is not known. Known are email, name, createdAt, vipUntil, isAdmin."],
      [4, 'Name is required'],
      [6, 'The line is not JSON.'],
      [7, 'The line is not a JSON object.'],
      [8, 'email is no single value.'],
    ])
    const rejects = await get(`/api/member-imports/${id}/rejects`)
    expect(rejects.headers['content-type']).toContain('application/jsonl')
    expect(rejects.headers['content-disposition']).toMatch(/rejects-[\d-]+\.jsonl/)
    expect(JSON.parse(rejects.text.split('\n')[0] ?? '')).toEqual({
      email: 'j2@lines.example',
      name: 'Jo Two',
      createdAt: 'soon',
      line: 2,
      reason: 'createdAt is no date: write it as 2024-03-05 or 2024-03-05T12:00:00Z.',
    })
    const mended = (await upload(rejects.text.replaceAll('soon', '2020-01-01'))).json() as MemberImport
    expect(mended.counts).toMatchObject({ new: 2, rejected: 4 })
  })

  test('gives its rejected rows back as CSV, with line and reason, to be mended and imported', async () => {
    const { id } = (
      await upload(
        'name,email,vipUntil\n"Quoted, Q",q1@rejects.example,2030-02-31\nOk,q2@rejects.example,\nNo,nowhere,\n',
      )
    ).json() as MemberImport
    const rejects = await get(`/api/member-imports/${id}/rejects`)
    expect(rejects.text).toBe(
      [
        'email,name,createdAt,vipUntil,isAdmin,line,reason',
        'q1@rejects.example,"Quoted, Q",,2030-02-31,,2,vipUntil is no date: write it as 2024-03-05 or 2024-03-05T12:00:00Z.',
        'nowhere,No,,,,4,Please enter a valid email address\n',
      ].join('\n'),
    )
    const mended = (await upload(rejects.text.replace('2030-02-31', '2030-02-28'))).json() as MemberImport
    expect(mended.counts).toMatchObject({ new: 1, rejected: 1 })
    const unknown = await get(`/api/member-imports/${crypto.randomUUID()}/rejects`)
    expect(codeOf(unknown)).toEqual([404, 'members.import_unknown'])
  })

  test('can be dropped before it is imported', async () => {
    const { id } = (await upload('email,name\nx@readers.example,X\n')).json() as MemberImport
    expect((await send('DELETE', `/api/member-imports/${id}`)).status).toBe(204)
    expect(codeOf(await get(`/api/member-imports/${id}`))).toEqual([404, 'members.import_unknown'])
    expect(
      await server.app.db.selectFrom('member_import_rows').select('line').where('import_id', '=', id).execute(),
    ).toEqual([])
  })

  test('whose upload broke off on a full disk is deleted at night', async () => {
    const { id } = (await upload('email,name\ny@readers.example,Y\n')).json() as MemberImport
    await server.app.db.updateTable('member_imports').set({ read_at: null }).where('id', '=', id).execute()
    await deleteOldImports(server.app)
    expect((await readImport(id)).state).toBe('reading')
    server.clock.advance(2 * 3_600_000 + 1)
    await deleteOldImports({ ...server.app, clock: server.clock })
    server.clock.set('2024-03-15T12:01:00Z')
    expect(codeOf(await get(`/api/member-imports/${id}`))).toEqual([404, 'members.import_unknown'])
  })

  test('says in its event how many get VIP access, and until when', async () => {
    const id = await begin('email,name,vipUntil', [
      'event1@readers.example,One,2030-01-01',
      'event2@readers.example,Two,2099-01-01',
      'event3@readers.example,Three,',
    ])
    const events = await server.app.db
      .selectFrom('audit_events')
      .select('details')
      .where('subject_id', '=', id)
      .execute()
    expect(events).toEqual([{ details: { rows: 3, vipRows: 2, lastVipUntil: '2099-01-01T00:00:00.000Z', ...origin } }])
    await drainJobs(server.app)
  })

  test('is what the export writes, and what it holds changes nothing', async () => {
    await aMember(server.app, { name: '=HYPERLINK("https://example.org","Prize")', email: '+formula@readers.example' })
    const answer = await get('/api/member-export')
    expect(answer.headers['content-type']).toContain('text/csv')
    expect(answer.text).toContain(`'+formula@readers.example,"'=HYPERLINK(""https://example.org"",""Prize"")",`)
    const [header, ...lines] = answer.text.trim().split('\n')
    expect(header).toBe('email,name,createdAt,vipUntil,isAdmin')
    expect(lines.find((line) => line.startsWith('ada@'))).toBe(
      'ada@readers.example,Ada Keeper,2024-03-15T12:00:00.000Z,,true',
    )
    const { counts } = (await upload(answer.text)).json() as MemberImport
    expect(counts).toMatchObject({ new: 0, existing: lines.length, rejected: 0 })
    const asLines = await get('/api/member-export?format=jsonl')
    expect(asLines.headers['content-disposition']).toMatch(/members-[\d-]+\.jsonl/)
    expect(asLines.text.split('\n').find((line) => line.startsWith('{"email":"ada@'))).toBe(
      '{"email":"ada@readers.example","name":"Ada Keeper","createdAt":"2024-03-15T12:00:00.000Z","isAdmin":true}',
    )
    expect(((await upload(asLines.text)).json() as MemberImport).counts).toMatchObject(counts)
    expect((await get('/api/member-export?format=xml')).status).toBe(400)
  })
})

test('the log names no address of a member', () => {
  const lines = logged.split('\n').filter((line) => line.includes('"requestId"'))
  expect(lines.length).toBeGreaterThan(100)
  expect(lines.join('\n')).not.toMatch(/readers\.example/)
})
