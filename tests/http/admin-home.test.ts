import { sql } from 'kysely'
import { uuidv7 } from 'uuidv7'
import { beforeAll, expect, test } from 'vitest'
import { checkAuditLog } from '../../src/features/office/audit/check-audit-log.server.ts'
import { emailFates } from '../../src/features/accounts/sent-emails/sent-email-schema.ts'
import { checkLinks } from '../../src/features/catalogue/links/check-links.server.ts'
import type { AdminHome } from '../../src/features/site/home/admin-home-schema.ts'
import { anonymous } from '../../src/features/office/viewer/viewer.ts'
import { readAdminHome } from '../../src/features/site/home/read-admin-home.server.ts'
import { recordJobFailure } from '../../src/features/site/home/record-job-failure.server.ts'
import { openLog } from '../../src/platform/log.ts'
import { drainJobs } from '../harness/drain.ts'
import { startHttp } from '../harness/hostile-server.ts'
import { someItems } from '../harness/items.ts'
import { aMember, bearer, type MadeMember, signIn } from '../harness/members.ts'
import { openTestServer, serverOfFile } from '../harness/test-server.ts'
import { defineJob } from '../../src/platform/jobs/job.ts'
import { eventJob } from '../../src/features/membership/sync/receive-event.server.ts'
import { defineEmail } from '../../src/platform/email/email-kind.ts'
import { z } from 'zod'

const hourMs = 3_600_000
const dayMs = 24 * hourMs

let chief: MadeMember
let admin: Record<string, string>

const server = serverOfFile({ log: openLog('silent') })

beforeAll(async () => {
  chief = await aMember(server.app, { isAdmin: true })
  admin = bearer(await signIn(server, chief))
})

async function home(from = server, headers = admin): Promise<AdminHome> {
  const answer = await from.request('/api/admin/home', { headers })
  if (answer.status !== 200) throw new Error(`${answer.status}: ${answer.text}`)
  return answer.json() as AdminHome
}

test('the first steps of a trial are open, each with what to do, in their order', async () => {
  const { firstSteps, unread } = await home()
  const own = ['Give the site its address', 'Send emails', 'Take payments']
  const found = firstSteps.filter(({ title }) => own.includes(title))
  expect(found.map(({ title }) => title)).toEqual(own)
  for (const { isDone, help } of found)
    expect([isDone, /Set |PUBLIC_URL|SMTP_URL|STRIPE/.test(help)]).toEqual([false, true])
  expect(unread).toBe(0)
})

test('they are done where the settings are those of a site in service', async () => {
  await using live = await openTestServer({
    log: openLog('silent'),
    env: {
      PUBLIC_URL: 'https://library.example',
      SMTP_URL: 'smtp://user:R3aLsecret@mail.example:587',
      MAIL_FROM: 'desk@library.example',
      STRIPE_SECRET_KEY: 'sk_live_of_a_test',
      STRIPE_WEBHOOK_SECRET: 'whsec_of_a_test',
      STRIPE_PRICE_MONTHLY: 'price_monthly',
      STRIPE_PRICE_ANNUAL: 'price_annual',
    },
  })
  const headers = bearer(await signIn(live, await aMember(live.app, { isAdmin: true })))
  const at = new Date(live.clock.now())
  const email = { kind: 'test', user_id: null, address: null, answer: null, at }
  await live.app.db
    .insertInto('sent_emails')
    .values(emailFates.map((fate) => ({ ...email, id: uuidv7(), fate })))
    .execute()
  const { firstSteps, standings } = await home(live, headers)
  // Sent is also one that bounced or was reported since.
  expect(standings).toContainEqual(expect.stringMatching(/^Mail: 3 sent in 24 hours, /))
  const settings = await live.request('/api/admin/settings', { headers })
  expect(settings.json()).toEqual(
    expect.arrayContaining([
      { name: 'STRIPE_SECRET_KEY', value: '***', source: 'environment' },
      { name: 'STRIPE_PRICE_MONTHLY', value: 'price_monthly', source: 'environment' },
    ]),
  )
  expect(settings.text).not.toMatch(/of_a_test|R3aLsecret/)
  expect(
    firstSteps.filter(({ isDone, title }) => isDone && /address|mails|payments/.test(title)).map(({ help }) => help),
  ).toEqual([
    'Visitors reach the site at https://library.example.',
    'Emails are sent from desk@library.example.',
    'Members pay by card at Stripe.',
  ])
  expect(JSON.stringify(firstSteps)).not.toContain('secret@')
})

test('entries without a working link wait, and the count is that of the links page', async () => {
  const host = await startHttp((_request, response) => response.writeHead(404).end())
  const own = await openTestServer({
    now: new Date(Date.now() - 3 * hourMs).toISOString(),
    env: { LINK_CHECKS: 'on' },
    linkProbe: { allowed: [host.place], hostGapMs: 1, resolve: () => Promise.resolve(['127.0.0.1']) },
  })
  try {
    const at = (path: string): string => `http://files.example:${host.port}/${path}`
    await someItems(own.app, [
      { name: 'Lost', link: at('a'), linkG: at('b') },
      { name: 'Lost too', link: at('c') },
    ])
    const admin = await aMember(own.app, { isAdmin: true })
    expect((await home(own, bearer(await signIn(own, admin)))).rows).toEqual([])
    await checkLinks(own.app)
    own.clock.advance(hourMs)
    await checkLinks(own.app)
    const line = { sentence: '2 entries without a working link', to: '/admin/links' }
    // An hour without use has ended the session.
    const headers = bearer(await signIn(own, admin))
    expect((await home(own, headers)).rows).toMatchObject([{ ...line, verb: 'Repair' }])
    const waiting = await own.request('/api/admin/waiting', { headers })
    expect(waiting.json()).toEqual({ waiting: [{ ...line, count: 2 }] })
  } finally {
    await own.close()
    await host.close()
  }
})

test('differences to Stripe that no run can mend wait', async () => {
  const insert = (what: string, at: number) =>
    sql`
    insert into billing_changes (id, cause, is_drift, what, changed_at)
    values (gen_random_uuid(), 'reconciliation', true, ${what}, ${new Date(at)})`.execute(server.app.db)
  const now = server.clock.now()
  await insert('customer', now - dayMs)
  await insert('status', now - dayMs)
  await insert('price.monthly', now - 30 * dayMs)
  const { rows, standings } = await home()
  expect(rows).toMatchObject([{ sentence: '1 difference to Stripe to look at', verb: 'Compare', to: '/admin/billing' }])
  expect(standings).toContain('Stripe (sandbox): not compared yet')
})

test('a job that was given up is told of for a week, and its failures are counted', async () => {
  const { app, clock } = server
  const failures = async (): Promise<string[]> =>
    (await home()).rows
      .filter(({ sentence }) => sentence.includes('membership.event'))
      .map(({ sentence, line }) => `${sentence}: ${line}`)
  // No such event is there to be handled, and nobody tries it again.
  await sql`update pgboss.queue set retry_limit = 0 where name = 'membership.event'`.execute(app.db)
  await recordJobFailure(app, { name: 'membership.event', reason: 'It was too late' })
  expect(await failures()).toEqual(['The job membership.event failed and will not be tried again: It was too late.'])
  await recordJobFailure(app, { name: 'membership.event', reason: 'Another reason.' })
  expect(await failures()).toEqual(['2 jobs membership.event failed and will not be tried again: Another reason.'])
  clock.advance(8 * dayMs)
  admin = bearer(await signIn(server, chief))
  expect(await failures()).toEqual([])
  await recordJobFailure(app, { name: 'membership.event', reason: 'Once more.' })
  expect(await failures()).toEqual(['The job membership.event failed and will not be tried again: Once more.'])
})

test('work of the clock that failed is told of until it has gone well again', async () => {
  const { app } = server
  const name = 'requests.mail-many-inquiries'
  const told = async (): Promise<string[]> =>
    (await home()).rows
      .filter(({ sentence }) => sentence.includes(name))
      .map(({ sentence, line }) => `${sentence}: ${line}`)
  await recordJobFailure(app, { name, reason: 'The database is too busy' })
  expect(await told()).toEqual([`The job ${name} failed and will run again on schedule: The database is too busy.`])
  await app.db.transaction().execute((trx) => app.jobs.add(trx, defineJob(name), {}))
  await drainJobs(app)
  expect(await told()).toEqual([])
})

test('an email that its receiver refuses for good is told of', async () => {
  const { app } = server
  const unsendable = defineEmail('test.unsendable', { urgency: 'usual', purpose: 'work' }, z.object({}))
  app.mail.register(unsendable, () =>
    Promise.resolve({ to: { address: 'not a mailbox' }, subject: 'x', text: 'x', html: 'x' }),
  )
  await app.db.transaction().execute((trx) => app.mail.queue(trx, unsendable, {}))
  await drainJobs(app)
  expect((await home()).rows).toContainEqual(
    expect.objectContaining({
      sentence: 'An email failed and will not be tried again',
      line: 'The receiving server refused an email for good.',
      since: expect.any(String),
      to: '/admin/jobs?state=failed',
    }),
  )
})

test('a job that fails again and again is told of while it is tried again', async () => {
  const { app } = server
  await app.db.transaction().execute((trx) => app.jobs.add(trx, eventJob, { eventId: 'evt' }))
  await sql`update pgboss.job set state = 'retry', retry_count = 4 where name = 'membership.event'`.execute(app.db)
  expect((await home()).rows.map(({ sentence }) => sentence)).toContain(
    'The job membership.event failed several times and will be tried again.',
  )
  await sql`delete from pgboss.job where name = 'membership.event'`.execute(app.db)
})

test('an audit log that is not whole is told of after the nightly check', async () => {
  const { app } = server
  await checkAuditLog(app)
  const told = async () => (await home()).rows.filter(({ to }) => to === '/admin/audit')
  expect(await told()).toEqual([])
  await app.db.transaction().execute(async (trx) => {
    await sql`alter table audit_events disable trigger user`.execute(trx)
    await sql`update audit_events set action = 'item.deleted' where id = (select event_id from audit_chain order by position limit 1)`.execute(
      trx,
    )
    await sql`alter table audit_events enable trigger user`.execute(trx)
  })
  await checkAuditLog(app)
  expect(await told()).toMatchObject([{ sentence: expect.stringMatching(/^The audit log is not whole\. Position 1 /) }])
})

test('a disk that is nearly full is told of before it is full', async () => {
  let free = 10_000 * 1024 * 1024
  await using own = await openTestServer({ freeBytes: () => Promise.resolve(free) })
  const headers = bearer(await signIn(own, await aMember(own.app, { isAdmin: true })))
  const told = async () => (await home(own, headers)).rows.filter(({ sentence }) => sentence.includes('disk'))
  await own.app.diskSpace.look()
  expect(await told()).toEqual([])
  free = 300 * 1024 * 1024
  await own.app.diskSpace.look()
  // With PostgreSQL the data directory holds emails, evidence and anchors.
  expect(await told()).toMatchObject([{ sentence: expect.stringContaining('is nearly full: 300 MB') }])
})

test('a part that fails is counted, and takes no other down', async () => {
  const fail = () => Promise.reject(new Error('a part of a test'))
  const step = { title: 'A step', isDone: true, help: 'Done.' }
  const waiting = { group: 'requests' as const, sentence: '1 thing', count: 1, to: '/admin' }
  const home = await readAdminHome(server.app, anonymous, [
    {
      firstSteps: [
        { order: 2, name: 'second', read: () => Promise.resolve({ ...step, title: 'The second' }) },
        { order: 1, name: 'broken', read: fail },
      ],
      waiting: [
        fail,
        () => {
          throw new Error('also at once')
        },
        () => Promise.resolve(waiting),
      ],
    },
    {
      firstSteps: [{ order: 1, name: 'first', read: () => Promise.resolve(step) }],
      problems: { one: fail, other: () => Promise.resolve([{ sentence: 'Something went wrong.' }]) },
    },
  ])
  expect(home.firstSteps.map(({ title }) => title)).toEqual(['A step', 'The second'])
  const nothing = { facts: null, line: null, until: null, isOverdue: false, since: null, verb: 'Open' }
  expect(home.rows).toEqual([
    { ...nothing, sentence: '1 thing', to: '/admin' },
    { ...nothing, sentence: 'Something went wrong.', to: null },
  ])
  expect(home.unread).toBe(4)
})

test('the most urgent stands first: by group, then by the time left; the row for all others ends its group', async () => {
  const at = (hour: number) => new Date(Date.UTC(2026, 10, 24, hour))
  const row = { count: 1, to: '/admin' }
  const { rows, things } = await readAdminHome(server.app, anonymous, [
    {
      waiting: [
        () => Promise.resolve({ ...row, group: 'rights', sentence: 'rights' }),
        () =>
          Promise.resolve({
            ...row,
            group: 'notices',
            sentence: 'in place of which its rows stand',
            rows: () =>
              Promise.resolve([
                { sentence: 'without a clock' },
                { sentence: 'late', until: at(9) },
                { sentence: 'soon', until: at(7), facts: 'N-1' },
                { sentence: '200 others', until: at(8), things: 200 },
              ]),
          }),
        () => Promise.resolve({ ...row, group: 'inquiries', sentence: 'inquiry', since: at(1) }),
      ],
      problems: {
        backups: () => Promise.resolve([{ group: 'backups', sentence: 'backup' }]),
        jobs: () => Promise.resolve([{ group: 'failed', sentence: 'job' }]),
        told: () => Promise.resolve([{ sentence: 'told above', isToldByWaiting: true }]),
      },
    },
  ])
  expect(rows.map(({ sentence }) => sentence)).toEqual([
    'soon',
    'late',
    'without a clock',
    '200 others',
    'inquiry',
    'job',
    'rights',
    'backup',
  ])
  expect(things).toBe(rows.length - 1 + 200)
  expect(rows[0]).toMatchObject({ facts: 'N-1', until: at(7).toISOString(), verb: 'Open', to: null })
})

test('yesterday is told in four figures, each beside the day before', async () => {
  await using own = await openTestServer({ now: '2024-03-15T12:00:00.000Z' })
  const headers = bearer(await signIn(own, await aMember(own.app, { isAdmin: true })))
  const members = await Promise.all([1, 2, 3].map(() => aMember(own.app)))
  const days = ['2024-03-14T00:00:00Z', '2024-03-14T23:59:59Z', '2024-03-13T12:00:00Z']
  for (const [place, { id }] of members.entries())
    await sql`update users set created_at = ${days[place]}::timestamptz where id = ${id}`.execute(own.app.db)
  const grant = (userId: string, from: string, revoked: string | null) =>
    sql`
    insert into access_grants (id, user_id, source, basis, renews, starts_at, ends_at, effective_until, created_at,
                               revoked_at, revoked_reason)
    values (gen_random_uuid(), ${userId}, 'manual', 'manual', false, ${from}::timestamptz, '2024-06-01', '2024-06-01',
            ${from}::timestamptz, ${revoked}::timestamptz, ${revoked === null ? null : 'refund'})`.execute(own.app.db)
  const [one, two, three] = members.map(({ id }) => id) as [string, string, string]
  await grant(one, '2024-03-01T00:00:00Z', '2024-03-14T10:00:00Z')
  await grant(two, '2024-03-01T00:00:00Z', null)
  await grant(three, '2024-03-15T08:00:00Z', null)
  expect((await home(own, headers)).figures).toEqual([
    { name: 'New members', value: '2', change: '1 more than the day before', to: '/admin/people' },
    { name: 'VIPs at midnight', value: '1', change: '1 fewer than the day before', to: '/admin-vip-users' },
    { name: 'Downloads', value: '0', change: 'same as the day before', to: '/admin/gateway' },
    { name: 'Income', value: 'none', change: 'none the day before', to: '/admin/billing' },
  ])
})

test('a first step is skipped with a note, and taken back; the audit log has both, once', async () => {
  const headers = { ...bearer(await signIn(server, chief)), 'content-type': 'application/json' }
  const path = '/api/admin/first-steps/agent/skipped'
  const skip = (note: unknown, at = path) =>
    server.request(at, { method: 'PUT', headers, body: JSON.stringify({ note }) })
  const noteOf = async () => (await home(server, headers)).firstSteps.find(({ name }) => name === 'agent')?.skippedFor
  for (const note of ['', '  ', 'x'.repeat(501), 7]) expect((await skip(note)).status).toBe(422)
  expect((await skip('Why not', '/api/admin/first-steps/nothing/skipped')).json()).toMatchObject({
    code: 'step.not_found',
  })
  const both = await Promise.all([skip(' No readers in the United States. '), skip('No readers in the United States.')])
  expect(both.map(({ status }) => status)).toEqual([204, 204])
  expect(await noteOf()).toBe('No readers in the United States.')
  for (const at of [path, path, '/api/admin/first-steps/%00/skipped'])
    expect((await server.request(at, { method: 'DELETE', headers })).status).toBe(204)
  expect(await noteOf()).toBeNull()
  const { events } = (await server.request('/api/audit?group=settings', { headers })).json() as {
    events: { action: string }[]
  }
  expect(events.map(({ action }) => action).filter((action) => action.startsWith('step.'))).toEqual([
    'step.resumed',
    'step.skipped',
  ])
})
