import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { appointFirstAdministrator } from '../../src/features/accounts/administrators/appoint-first-administrator.server.ts'
import { demoteAdministrator } from '../../src/features/accounts/administrators/demote-administrator.server.ts'
import { makeAdministrator } from '../../src/features/accounts/administrators/make-administrator.server.ts'
import type { AuditLogForAdmin } from '../../src/features/office/audit/audit-log-schema.ts'
import { checkAuditLog } from '../../src/features/office/audit/check-audit-log.server.ts'
import { recordAuditEvents } from '../../src/features/office/audit/record-audit-event.server.ts'
import { verifyAuditLog } from '../../src/features/office/audit/verify-audit-log.server.ts'
import { issuePasswordReset } from '../../src/features/accounts/sign-in/issue-password-reset.server.ts'
import { aMember, bearer, type MadeMember, post, signIn } from '../harness/members.ts'
import { openTestServer, serverOfFile } from '../harness/test-server.ts'

let chief: MadeMember
let admin: Record<string, string>

const server = serverOfFile()

beforeAll(async () => {
  chief = await aMember(server.app, { isAdmin: true, name: 'Ada Admin' })
  admin = bearer(await signIn(server, chief))
})

async function read(query = '', headers = admin): Promise<AuditLogForAdmin> {
  const answer = await server.request(`/api/audit${query}`, { headers })
  if (answer.status !== 200) throw new Error(`${query} answered ${answer.status}: ${answer.text}`)
  return answer.json() as AuditLogForAdmin
}

const key = () => ({ 'api-key': server.app.config.clientApiKey })

describe('what is recorded', () => {
  test('a sign-in, who did it, when, from which network and in which request', async () => {
    const reader = await aMember(server.app, { name: 'Rita Reader' })
    const { email, password } = reader
    const answer = await post(server, '/auth/login', { email, password, remember: true })
    const [event] = (await read(`?person=${reader.id}`)).events
    expect(event).toMatchObject({
      action: 'session.opened',
      words: 'Signed in',
      by: { kind: 'member', id: reader.id, name: 'Rita Reader' },
      subject: null,
      details: { remembered: true, address: '127.0.0.0/24', requestId: answer.headers['x-request-id'] },
    })
    expect(Date.now() - Date.parse(event?.at ?? '')).toBeLessThan(60_000)
  })

  test('wrong passwords and wrong proofs by account with their number, and proofs that were given', async () => {
    const reader = await aMember(server.app, { name: 'Rolf Reader' })
    const headers = bearer(await signIn(server, reader))
    const wrong = { email: reader.email, password: 'not this one at all' }
    for (let i = 0; i < 3; i += 1) expect((await post(server, '/auth/login', wrong)).status).toBe(401)
    const refused = await post(server, '/auth/proof', { password: wrong.password }, headers)
    expect(refused.status).toBe(403)
    expect((await post(server, '/auth/login', { ...wrong, email: 'nobody@readers.example' })).status).toBe(401)
    expect((await post(server, '/auth/proof', { password: reader.password }, headers)).status).toBe(200)
    await server.app.countedEvents.settle()
    const { events } = await read(`?person=${reader.id}&group=sign-ins`)
    const address = ['127.0.0.0/24']
    expect(events).toMatchObject([
      {
        action: 'proof.refused',
        words: 'Refused a failed identity check',
        by: { kind: 'system' },
        subject: { kind: 'member', id: reader.id, name: 'Rolf Reader' },
        details: { times: 1, address, requestId: refused.headers['x-request-id'] },
      },
      { action: 'session.refused', by: { kind: 'system' }, details: { times: 3, address } },
      { action: 'proof.given', by: { kind: 'member', id: reader.id }, details: { address: '127.0.0.0/24' } },
      { action: 'session.opened' },
    ])
  })

  test('a limit that an account came to, with how often it refused', async () => {
    const reader = await aMember(server.app)
    const headers = { ...bearer(await signIn(server, reader)), ...key() }
    const statuses: number[] = []
    for (let i = 0; i < 13; i += 1) statuses.push((await server.request('/auth/export', { headers })).status)
    expect(statuses.filter((status) => status === 429)).toHaveLength(3)
    await server.app.countedEvents.settle()
    const [event, ...earlier] = (await read(`?person=${reader.id}`)).events
    expect(event).toMatchObject({
      action: 'limit.reached',
      by: { kind: 'system' },
      details: { limit: 'exports of own data', times: 3, address: ['127.0.0.0/24'] },
    })
    expect(earlier[0]).toMatchObject({
      action: 'account.exported',
      details: { address: '127.0.0.0/24', requestId: expect.any(String) },
    })
  })

  test('many wrong passwords for an administrator are an alarm, at the home and by one email; for a member they are none', async () => {
    const careful = await aMember(server.app, { isAdmin: true, name: 'Carla Careful' })
    const reader = await aMember(server.app)
    for (const { email } of [careful, reader])
      for (let i = 0; i < 11; i += 1) await post(server, '/auth/login', { email, password: 'not this one at all' })
    await server.app.alarms.settle()
    const alarms = await server.app.db.selectFrom('alarms').select(['name', 'headline', 'leads_to']).execute()
    expect(alarms.filter(({ name }) => name.startsWith('wrong-passwords'))).toEqual([
      {
        name: `wrong-passwords ${careful.id}`,
        headline: "Many wrong passwords for an administrator's account",
        leads_to: `/admin/people/${careful.id}`,
      },
    ])
    const home = (await server.request('/api/admin/home', { headers: admin })).json()
    expect(JSON.stringify(home)).toContain('for the account of an administrator within 15 minutes')
  })

  test('an account from its beginning to its end, after which it has no name', async () => {
    const person = { name: 'Nora New', email: 'nora@readers.example', password: 'a quiet reading room' }
    expect((await post(server, '/auth/register', person)).status).toBe(201)
    const { id } = await server.app.db
      .selectFrom('users')
      .select('id')
      .where('email', '=', person.email)
      .executeTakeFirstOrThrow()
    const token = await signIn(server, person)
    const headers = { ...bearer(token), ...key() }
    expect((await server.request('/auth/export', { headers })).status).toBe(200)
    const changed = await post(
      server,
      '/reset-password/account',
      { token, password: 'another quiet reading room' },
      headers,
    )
    expect(changed.status).toBe(200)
    const resetToken = await issuePasswordReset(server.app, { userId: id, kind: 'forgotten', emailId: randomUUID() })
    const password = 'a third quiet reading room'
    expect((await post(server, '/reset-password', { token: resetToken, password }, key())).status).toBe(200)
    const last = { ...bearer(await signIn(server, { email: person.email, password })), ...key() }
    const path = `/auth/delete-account/${encodeURIComponent(person.email)}`
    expect((await server.request(path, { method: 'DELETE', headers: last })).status).toBe(200)
    const { events } = await read(`?person=${id}`)
    expect(events.map(({ action }) => action)).toEqual([
      'account.erased',
      'session.opened',
      'password.reset',
      'password.changed',
      'account.exported',
      'session.opened',
      'account.created',
    ])
    expect(events[0]).toMatchObject({ by: { id, name: null }, subject: { kind: 'member', id, name: null } })
    expect(JSON.stringify(await read())).not.toContain(person.email)
  })

  test('roles that the command line gives and takes, and the one that the settings give', async () => {
    const email = 'second@readers.example'
    await makeAdministrator(server.app, { email, name: 'Second', password: 'a long password of two' })
    const { id } = await server.app.db
      .selectFrom('users')
      .select('id')
      .where('email', '=', email)
      .executeTakeFirstOrThrow()
    await demoteAdministrator(server.app, { email })
    const { events } = await read(`?subject=member:${id}`)
    expect(events.map(({ action, by }) => [action, by.kind])).toEqual([
      ['role.withdrawn', 'operator'],
      ['role.granted', 'operator'],
      ['account.created', 'operator'],
    ])
    const env = { ADMIN_EMAIL: 'first@readers.example', ADMIN_PASSWORD: 'a long password of one' }
    await using fresh = await openTestServer({ env })
    await appointFirstAdministrator(fresh.app)
    const headers = bearer(await signIn(fresh, { email: env.ADMIN_EMAIL, password: env.ADMIN_PASSWORD }))
    const answer = (await fresh.request('/api/audit?group=accounts', { headers })).json() as AuditLogForAdmin
    expect(answer.events.map(({ action, by }) => [action, by.kind])).toEqual([
      ['role.safety_officer_named', 'system'],
      ['role.granted', 'system'],
      ['account.created', 'system'],
    ])
  })

  test("the gateway's settings as they were and as they are, and nothing of a save that came too late", async () => {
    const { provider, account, publicKey, raw, version } = (
      await server.request('/api/gateway', { headers: admin })
    ).json() as Record<string, unknown>
    const save = (waitSeconds: number) =>
      server.request('/api/gateway', {
        method: 'PUT',
        headers: { ...admin, 'content-type': 'application/json' },
        body: JSON.stringify({ provider, account, publicKey, raw, waitSeconds, version }),
      })
    expect((await save(9)).status).toBe(200)
    expect((await save(11)).status).toBe(409)
    const { events } = await read('?group=settings')
    expect(events).toHaveLength(1)
    expect(events[0]).toMatchObject({
      subject: { kind: 'setting', id: 'gateway' },
      details: { before: { waitSeconds: 5 }, after: { waitSeconds: 9 } },
    })
  })

  test('a release of purchases after a dispute', async () => {
    const { id } = await aMember(server.app)
    await server.app.db.updateTable('users').set({ purchases_blocked: true }).where('id', '=', id).execute()
    const path = `/api/billing/members/${id}/review`
    expect((await post(server, path, {}, admin)).status).toBe(200)
    expect((await post(server, path, {}, admin)).status).toBe(409)
    expect((await read(`?subject=member:${id}`)).events).toMatchObject([
      { action: 'purchases.allowed', by: { id: chief.id, name: 'Ada Admin' }, details: { disputes: 0 } },
    ])
  })

  test('and all of it is whole', async () => {
    const { events, faults } = await verifyAuditLog(server.app)
    expect(faults).toEqual([])
    expect(events).toBeGreaterThan(10)
  })
})

describe('reading', () => {
  let reader: MadeMember

  beforeAll(async () => {
    reader = await aMember(server.app, { name: 'Busy Reader' })
    await sql`
      insert into audit_events (id, recorded_at, action, actor, actor_id)
      select gen_random_uuid(), timestamptz '2020-02-28 12:00Z' + (n / 3) * interval '1 minute',
             case when n % 10 = 0 then 'password.changed' else 'session.opened' end, 'member', ${reader.id}::uuid
        from generate_series(1, 130) n`.execute(server.app.db)
  })

  async function readAll(query: string): Promise<AuditLogForAdmin['events']> {
    const events: AuditLogForAdmin['events'] = []
    let before = ''
    do {
      const part = await read(`?${query}${before === '' ? '' : `&before=${encodeURIComponent(before)}`}`)
      events.push(...part.events)
      before = part.next ?? ''
    } while (before !== '')
    return events
  }

  test('goes through all parts, newest first, each event once, also at the same instant', async () => {
    for (const query of [`person=${reader.id}`, 'to=2020-02-28', 'group=sign-ins&to=2020-02-28']) {
      const events = await readAll(query)
      expect(events).toHaveLength(query.startsWith('group') ? 117 : 130)
      expect(new Set(events.map(({ id }) => id)).size).toBe(events.length)
      const times = events.map(({ at }) => at)
      expect(times).toEqual(times.toSorted().toReversed())
    }
  })

  test('filters by person, by address and id, by kind of action, and by day in the time zone of the site', async () => {
    expect(await readAll(`person=${encodeURIComponent(reader.email.toUpperCase())}`)).toHaveLength(130)
    expect(await readAll('person=nobody@readers.example')).toEqual([])
    expect(await readAll(`person=${reader.id}&group=accounts`)).toHaveLength(13)
    expect(await readAll(`person=${reader.id}&from=2020-02-29`)).toEqual([])
    expect(await readAll('from=2020-02-28&to=2020-02-28')).toHaveLength(130)
    expect(await readAll(`person=${reader.id}&from=1000-01-01&to=9998-12-31`)).toHaveLength(130)
    expect(await readAll('subject=setting:gateway&group=settings')).toHaveLength(1)
    expect(await readAll('subject=setting:gateway&group=accounts')).toEqual([])
  })

  test('finds people by a part of their name, and things by a word among the facts, without its pattern', async () => {
    expect(await readAll('person=busy')).toHaveLength(130)
    expect(await readAll('person=%20')).toEqual([])
    expect(await readAll('about=WAITSECONDS')).toHaveLength(1)
    expect(await readAll('about=gateway')).toHaveLength(1)
    for (const text of ['wait%25', 'wait_econds', '"', '\\']) expect(await readAll(`about=${text}`)).toEqual([])
  })

  test('gives what was asked for as a file, with a line about itself, and no formula', async () => {
    const formula = await aMember(server.app, { name: '=cmd|calc' })
    await signIn(server, formula)
    const answer = await server.request('/api/audit/export?group=sign-ins', { headers: admin })
    expect([answer.status, answer.headers['content-type']]).toEqual([200, 'text/csv; charset=utf-8'])
    const [head, ...lines] = answer.text.trim().split('\n')
    expect(head).toBe('time,who,who id,act,action,about,about kind,about id,facts')
    expect(lines.length).toBeGreaterThan(117)
    expect(lines[0]).toContain("'=cmd|calc")
    expect(
      (await server.request('/api/audit/export?to=2020-02-28', { headers: admin })).text.trim().split('\n'),
    ).toHaveLength(131)
    expect((await server.request('/api/audit/export?to=nonsense', { headers: admin })).status).toBe(400)
    const [event] = (await read('?group=settings')).events
    expect(event).toMatchObject({ action: 'log.exported', by: { id: chief.id }, details: { to: '2020-02-28' } })
  })

  test('tells which events one transaction wrote', async () => {
    const { id } = await aMember(server.app)
    const subject = { kind: 'member', id } as const
    const write = (actions: ('role.granted' | 'account.created')[]) =>
      server.app.db.transaction().execute((trx) =>
        recordAuditEvents(
          trx,
          actions.map((action) => ({ action, by: 'operator', subject })),
        ),
      )
    await write(['account.created', 'role.granted'])
    await write(['role.granted'])
    const [last, ...both] = (await readAll(`subject=member:${id}`)).map(({ act }) => act)
    expect(both).toHaveLength(2)
    expect(new Set(both).size).toBe(1)
    expect(both).not.toContain(last)
  })

  test.each([
    'group=everything',
    'from=yesterday',
    'to=2024-02-30',
    'from=0000-01-01',
    'to=9999-12-31',
    'before=x',
    'before=2024-13-45T00:00:00.000000Z_018f0000-0000-7000-8000-0000000000c1',
    'before=2024-03-05T99:00:00.000000Z_018f0000-0000-7000-8000-0000000000c1',
    'subject=nothing',
    'person=%00',
    'group=accounts&group=settings',
  ])('refuses %s', async (query) => {
    const answer = await server.request(`/api/audit?${query}`, { headers: admin })
    expect(answer.status).toBe(400)
    expect(answer.json()).toMatchObject({ code: 'search.parameter' })
  })

  test('says so where the days are the wrong way round', async () => {
    const answer = await server.request('/api/audit?from=2024-03-02&to=2024-03-01', { headers: admin })
    expect([answer.status, answer.json()]).toMatchObject([
      400,
      { code: 'search.parameter', message: 'The days are the wrong way round: the first lies after the last.' },
    ])
  })

  test('tells what the nightly check has found', async () => {
    expect((await read()).check).toBeNull()
    await checkAuditLog(server.app)
    const { check } = await read()
    expect(check).toMatchObject({ checkedAt: new Date(server.clock.now()).toISOString(), faults: [] })
    expect(check?.events).toBeGreaterThan(130)
  })
})
