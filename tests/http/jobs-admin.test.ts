import { sql } from 'kysely'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { accountMails } from '../../src/features/accounts/account-mails.ts'
import { noticeMails } from '../../src/features/notices/notice/notice-mails.ts'
import { eventJob } from '../../src/features/membership/sync/receive-event.server.ts'
import type { AdminHome } from '../../src/features/site/home/admin-home-schema.ts'
import type { JobsForAdmin } from '../../src/features/site/jobs/jobs-schema.ts'
import { openLog } from '../../src/platform/log.ts'
import { aMember, bearer, signIn } from '../harness/members.ts'
import { serverOfFile } from '../harness/test-server.ts'

let admin: Record<string, string>
const stranger = '0192c7a4-1234-7abc-8def-0123456789ab'

const server = serverOfFile({ log: openLog('silent') })

beforeAll(async () => {
  admin = bearer(await signIn(server, await aMember(server.app, { isAdmin: true })))
})
beforeEach(async () => {
  await server.database.run('delete from pgboss.job')
  await server.app.db.deleteFrom('job_failures').execute()
})

async function list(query: string): Promise<JobsForAdmin> {
  const answer = await server.request(`/api/jobs?${query}`, { headers: admin })
  expect(answer.status, answer.text).toBe(200)
  return answer.json() as JobsForAdmin
}
const act = (id: string, verb: 'retry' | 'give-up', headers = admin) =>
  server.request(`/api/jobs/${id}/${verb}`, { method: 'POST', headers })

/** A job, as if it had come into this state. */
async function aJob(state: 'created' | 'retry' | 'active' | 'failed'): Promise<string> {
  await server.app.jobs.add(server.app.db, eventJob, { eventId: stranger })
  const [job] = (await server.database.run(
    `update pgboss.job set state = $1::pgboss.job_state, retry_count = 2,
            started_on = case when $1 = 'created' then null else now() end,
            completed_on = case when $1 = 'failed' then now() end,
            start_after = case when $1 = 'retry' then now() + interval '1 hour' else now() end,
            output = case when $1 in ('retry', 'failed') then $2::jsonb end
      where state = 'created' and id = (select id from pgboss.job where state = 'created' order by created_on desc limit 1) returning id`,
    [state, JSON.stringify({ message: 'No mailbox jane@readers.example at smtp://u:p@mail.example/x\nmore' })],
  )) as { id: string }[]
  return job?.id ?? ''
}

test('a job or a list that is not there is refused', async () => {
  for (const verb of ['retry', 'give-up'] as const) expect((await act(stranger, verb)).status).toBe(404)
  expect((await server.request('/api/jobs?state=done', { headers: admin })).status).toBe(400)
  expect((await server.request('/api/jobs?after=1', { headers: admin })).status).toBe(400)
})

test('each state has its list, with words and a reason that names no address, and nothing of the data', async () => {
  const ids = { waiting: await aJob('retry'), running: await aJob('active'), failed: await aJob('failed') }
  const data = { userId: stranger, email: 'jane@readers.example', name: 'Jane' }
  await server.app.mail.queue(server.app.db, accountMails.welcome, data)
  const waiting = await list('state=waiting')
  expect(waiting.counts).toEqual({ waiting: 2, running: 1, failed: 1 })
  const [mail, retried] = waiting.jobs
  expect(mail).toMatchObject({ words: 'Email: welcome', attempts: 0, reason: null })
  expect(retried).toMatchObject({
    id: ids.waiting,
    name: 'membership.event',
    words: 'Membership: event',
    attempts: 3,
    reason: 'No mailbox (an address) at (an address).',
    nextTryAt: expect.any(String) as string,
  })
  expect((await list('state=running')).jobs).toMatchObject([{ id: ids.running, reason: null, nextTryAt: null }])
  const failed = await list('')
  expect(failed.jobs).toMatchObject([{ id: ids.failed, nextTryAt: null }])
  expect(JSON.stringify([waiting, failed])).not.toMatch(/jane@|Jane|eventId|u:p/)
})

test('an email about a notice is an email: who is no safety officer reads nothing of a notice about a child', async () => {
  await server.app.mail.queue(server.app.db, noticeMails.secondWanted, { userId: stranger, noticeId: stranger })
  const jane = { id: stranger, email: 'jane@readers.example', name: 'Jane' }
  await server.app.mail.queue(server.app.db, accountMails.graveActs, { ...jane, count: 2, acts: [] })
  const { jobs } = await list('state=waiting')
  expect(jobs.map(({ words }) => words).toSorted()).toEqual(['Email', 'Email: several security alerts'])
  // Neither does anybody where another version has queued it, whose kinds are not known here.
  await sql`update pgboss.job set data = '{"kind": "notices.of-a-child", "data": {}}' where name = 'mail'`.execute(
    server.app.db,
  )
  expect((await list('state=waiting')).jobs.map(({ words }) => words)).toEqual(['Email', 'Email'])
})

test('a list goes on from its last job, each once, newest first', async () => {
  const eventIds = Array.from({ length: 120 }, () => ({ eventId: stranger }))
  await server.app.jobs.addMany(server.app.db, eventJob, eventIds)
  const seen: string[] = []
  let next: string | null = ''
  while (next !== null) {
    const part: JobsForAdmin = await list(`state=waiting${next === '' ? '' : `&after=${next}`}`)
    seen.push(...part.jobs.map(({ id }) => id))
    next = part.next
  }
  expect(seen).toHaveLength(120)
  expect(new Set(seen).size).toBe(120)
})

test('a failed job is tried again once, however often it is asked for, and the home forgets it', async () => {
  const id = await aJob('failed')
  await server.app.db
    .insertInto('job_failures')
    .values({ name: eventJob.name, failures: 1, failed_at: new Date(server.clock.now()), reason: 'No.' })
    .execute()
  const problems = async () => ((await server.request('/api/admin/home', { headers: admin })).json() as AdminHome).rows
  expect(await problems()).toMatchObject([{ to: '/admin/jobs?state=failed' }])
  const statuses = await Promise.all([1, 2, 3].map(async () => (await act(id, 'retry')).status))
  expect(statuses.toSorted((one, other) => one - other)).toEqual([204, 409, 409])
  expect((await list('state=waiting')).jobs).toMatchObject([{ id }])
  expect((await list('')).jobs).toEqual([])
  expect(await problems()).toEqual([])
  const { events } = (await server.request('/api/audit?group=settings', { headers: admin })).json() as {
    events: { action: string; details: object }[]
  }
  expect(events.filter(({ action }) => action === 'job.retried')).toMatchObject([
    { details: { job: 'membership.event', id } },
  ])
})

test('one that waits for its time is tried now, and one that is due or under way is left alone', async () => {
  const later = await aJob('retry')
  expect((await act(later, 'retry')).status).toBe(204)
  expect((await act(later, 'retry')).json()).toMatchObject({ code: 'job.state' })
  const running = await aJob('active')
  expect((await act(running, 'retry')).status).toBe(409)
  expect((await act(running, 'give-up')).status).toBe(409)
  expect((await list('state=running')).jobs).toHaveLength(1)
})

test('what is given up leaves its list, waiting or failed, and is nowhere then', async () => {
  const ids = [await aJob('retry'), await aJob('failed')]
  for (const id of ids) {
    expect((await act(id, 'give-up')).status).toBe(204)
    expect((await act(id, 'give-up')).status).toBe(404)
    expect((await act(id, 'retry')).status).toBe(404)
  }
  expect((await list('')).counts).toEqual({ waiting: 0, running: 0, failed: 0 })
})

test('work of the clock whose next run is in line already cannot be tried again', async () => {
  const name = 'catalogue.delete-old-counts'
  const queue = () => server.app.jobs.add(server.app.db, { name }, {})
  await queue()
  const [{ id }] = (await server.database.run(
    "update pgboss.job set state = 'failed', completed_on = now() where name = $1 returning id",
    [name],
  )) as [{ id: string }]
  await queue()
  const answer = await act(id, 'retry')
  expect([answer.status, answer.json()]).toMatchObject([
    409,
    { message: expect.stringContaining('in line already') as string },
  ])
})
