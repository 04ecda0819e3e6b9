import { parse } from 'csv-parse/sync'
import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { figureNames, type TransparencyReport } from '../../src/features/notices/transparency/figures-schema.ts'
import { readCachedJson } from '../../src/features/notices/transparency/read-cached-report.server.ts'
import { drainJobs } from '../harness/drain.ts'
import { readEmails } from '../harness/emails.ts'
import { someItems } from '../harness/items.ts'
import { aMember, bearer, type MadeMember, signIn } from '../harness/members.ts'
import { fromHtml } from '../harness/rendered.ts'
import { defineJob } from '../../src/platform/jobs/job.ts'
import { serverOfFile } from '../harness/test-server.ts'

let chief: MadeMember
let admin: Record<string, string>

const server = serverOfFile({ now: '2024-03-15T12:00:00Z' })

beforeAll(async () => {
  chief = await aMember(server.app, { isAdmin: true })
  admin = bearer(await signIn(server, chief))
})

/** Notices of a kind, each received at noon on a day and decided so many hours later. */
async function notices(kind: string, count: number, day: string, hours?: number): Promise<void> {
  const { db } = server.app
  await sql`
    with added as (
      insert into notices (id, reference, kind, status, outcome, holds, token_digest, received_at)
      select gen_random_uuid(), 'N-' || upper(substr(md5(random()::text), 1, 4)) || '-' || lpad(n::text, 4, '0'), ${kind},
             ${hours === undefined ? 'received' : 'decided'}, ${hours === undefined ? null : 'remove'}::text,
             ${hours === undefined ? 'holds' : 'none'}, sha256(random()::text::bytea), ${`${day}T12:00:00Z`}::timestamptz
        from generate_series(1, ${count}::int) n
      returning id, received_at)
    insert into notice_decisions (id, notice_id, outcome, ground, legal_ground, facts, explanation, decided_by, decided_at,
                                  category, source_type, automated_decision)
    select gen_random_uuid(), id, 'remove', 'illegal', 'Law', 'Facts.', 'Because.', gen_random_uuid(),
           received_at + ${hours ?? 0} * interval '1 hour', 'OTHER', 'ARTICLE_16', 'NOT_AUTOMATED'
      from added where ${hours !== undefined}::boolean`.execute(db)
}

const report = async () => (await server.request('/transparency.json')).json() as TransparencyReport
const page = async (path = '/transparency') => {
  const { status, text, headers } = await server.request(path)
  return { status, headers, ...fromHtml(text) }
}
const aMinuteLater = (): void => server.clock.advance(60_001)

test('While nobody has reported anything the page says so, and how the site works', async () => {
  const { status, text, headers, hrefs } = await page()
  expect(status).toBe(200)
  expect(headers['cache-control']).toBe('no-store')
  expect(text).toContain('No notices so far.')
  expect(text).toContain('Nothing is published yet.')
  expect(text).toContain('Single-operator mode')
  expect(text).not.toContain('By year')
  expect(hrefs).toEqual(expect.arrayContaining(['/transparency.csv', '/transparency.json', '/report']))
})

test('Page, JSON and CSV tell the same figures, which are counted once a minute', async () => {
  await notices('copyright', 3, '2024-02-01', 30)
  await notices('privacy', 1, '2023-05-05')
  await notices('intimate-image', 3, '2024-02-02', 2)
  await notices('child-safety', 12, '2024-02-03', 1)
  await someItems(server.app, [{ name: 'Walden' }, { name: 'A map', rightsBasis: 'own_work' }])
  // The catalogue has changed, the notices were not counted anew.
  expect((await report()).together.all.received).toBe(0)
  aMinuteLater()
  const told = await report()
  expect(told.countedAt).toMatch(/^\d{4}-/)
  expect(told.together.all).toMatchObject({ received: 4, decided: 3, open: 1, removed: 3, medianHours: 30 })
  expect(told.published).toMatchObject({ entries: 2 })
  expect(told.verification).toBe('single-operator')

  const { text } = await page()
  expect(text).toContain('Copyright 3 3 0 0 3 0 0')
  expect(text).toContain('Child at risk at least 10 at least 10 fewer than 5 fewer than 5 at least 10')
  expect(text).toContain('Intimate image fewer than 5 fewer than 5 fewer than 5')
  expect(text).toContain('All but the first two 4 4 1 0 3')
  expect(text).toContain('Received in 2023')
  expect(text).toContain('Public domain 1 50 %')

  // Meanwhile there is one more: nobody has it counted within the minute.
  await notices('copyright', 1, '2024-02-04', 30)
  expect(await report()).toEqual(told)
  aMinuteLater()
  expect((await report()).together.all.received).toBe(5)
})

test('A small number of the gravest kinds is in none of the answers, nor in a difference of two', async () => {
  aMinuteLater()
  const { kinds, together } = await report()
  const of = (kind: string) => kinds.find((one) => one.kind === kind)?.all
  expect(of('intimate-image')).toMatchObject({ received: 'fewer than 5', removed: 'fewer than 5', medianHours: null })
  expect(of('child-safety')).toMatchObject({ received: 10, decided: 10, open: 'fewer than 5', medianHours: 1 })
  const exact = kinds.filter(({ isCoarse }) => !isCoarse).map(({ all }) => Number(all.received))
  expect(together.all.received).toBe(exact.reduce((sum, one) => sum + one))
  const csv = (await server.request('/transparency.csv')).text
  expect(csv).toContain('notices,all,intimate-image,received,fewer than 5\n')
  expect(csv).toContain('notices,all,child-safety,received,10\n')
})

test('The CSV file has a figure a line, under columns that stay', async () => {
  const { headers, text } = await server.request('/transparency.csv')
  expect(headers['content-type']).toBe('text/csv; charset=utf-8')
  expect(headers['content-disposition']).toBe('attachment; filename="transparency.csv"')
  const rows = parse<Record<string, string>>(text, { columns: true })
  expect(Object.keys(rows[0] ?? {})).toEqual(['subject', 'year', 'name', 'figure', 'value'])
  const ofCopyright = rows.filter(({ year, name }) => year === 'all' && name === 'copyright')
  expect(ofCopyright.map(({ figure }) => figure)).toEqual([...figureNames])
  expect(ofCopyright.find(({ figure }) => figure === 'medianHours')?.['value']).toBe('30')
  expect(rows).toContainEqual({ subject: 'notices', year: '2023', name: 'privacy', figure: 'open', value: '1' })
  expect(rows).toContainEqual({ subject: 'published', year: 'all', name: 'own_work', figure: 'entries', value: '1' })
  expect(rows).toContainEqual({
    subject: 'site',
    year: 'all',
    name: 'site',
    figure: 'verification',
    value: 'single-operator',
  })
})

test('Many who ask at once have it counted once', async () => {
  aMinuteLater()
  const { db } = server.app
  let counts = 0
  const counting = {
    ...server.app,
    db: db.withPlugin({
      transformQuery: ({ node }) => node,
      transformResult: ({ result }) => {
        if ('medianSeconds' in (result.rows[0] ?? {})) counts += 1
        return Promise.resolve(result)
      },
    }),
  }
  const all = await Promise.all(Array.from({ length: 20 }, () => readCachedJson(counting)))
  expect(new Set(all.map(String)).size).toBe(1)
  expect(counts).toBe(1)
})

/** Saves a text of the site as administrators do. */
async function save(key: string, value: string | null) {
  const { texts } = (await server.request('/api/texts', { headers: admin })).json() as {
    texts: { key: string; version: number }[]
  }
  const version = texts.find((text) => text.key === key)?.version
  return server.request(`/api/texts/${key}`, {
    method: 'PUT',
    body: JSON.stringify({ value, version }),
    headers: { 'content-type': 'application/json', ...admin },
  })
}

test('Without an agent /dmca says so, and where notices go all the same', async () => {
  const { status, text, hrefs } = await page('/dmca')
  expect(status).toBe(200)
  expect(text).toContain('No designated agent is named here yet.')
  expect(hrefs).toEqual(
    expect.arrayContaining([
      'mailto:dmca@example.org?subject=Copyright%20notice',
      '/report/copyright',
      '/report/counter-notice',
      '/transparency',
    ]),
  )
  expect(text).toContain('repeatedly infringes the rights of others loses that role')
})

test('/dmca names the agent as administrators have entered them, with the next request', async () => {
  // Kept by then.
  await page('/dmca')
  const entered = {
    'agent.name': 'Copyright Agent',
    'agent.organization': 'The Library <of> Alexandria',
    'agent.address': '1 Main Street\nPortland, ME 04101\nUnited States',
    'agent.phone': '+1 (202) 555-0100',
    'agent.registration': 'DMCA-1234567',
    'agent.until': '2024-05-14',
  }
  for (const [key, value] of Object.entries(entered)) expect((await save(key, value)).status, key).toBe(200)
  const { text, hrefs } = await page('/dmca')
  expect(text).toContain('Name Copyright Agent Organization The Library <of> Alexandria')
  expect(text).toContain('1 Main Street Portland, ME 04101 United States')
  expect(text).toContain('DMCA-1234567, U.S. Copyright Office')
  expect(text).toContain('Registered until May 14, 2024')
  expect(hrefs).toContain('tel:+12025550100')
  // 60 days from the day of the clock.
  const { waiting } = (await server.request('/api/admin/waiting', { headers: admin })).json() as { waiting: unknown[] }
  expect(waiting).toContainEqual({
    sentence: 'The registration of the DMCA agent ends in 60 days',
    count: 0,
    to: '/admin/texts',
  })
})

test('A day that is none is refused, and nothing is saved', async () => {
  const answer = await save('agent.until', '2024-02-30')
  expect([answer.status, answer.json()]).toMatchObject([
    422,
    {
      code: 'text.invalid',
      field: 'value',
      message: 'DMCA agent: end of the registration must be a day of the calendar, written like 2028-11-30.',
    },
  ])
  expect((await page('/dmca')).text).toContain('May 14, 2024')
})

test('A registration that has ended is said so, and the job mails it to the administrators', async () => {
  expect((await save('agent.until', '2024-03-01')).status).toBe(200)
  expect((await page('/dmca')).text).toContain('Registration ended March 1, 2024')
  const { app } = server
  await app.db.transaction().execute((trx) => app.jobs.add(trx, defineJob('notices.remind-registration'), {}))
  await drainJobs(app)
  const emails = (await readEmails(app)).filter(({ subject }) => subject.includes('DMCA agent'))
  expect(emails.map(({ to, subject }) => [to, subject])).toEqual([
    [chief.email, 'The registration of the DMCA agent has ended'],
  ])
  const { rows } = (await server.request('/api/admin/home', { headers: admin })).json() as { rows: unknown[] }
  expect(rows).toContainEqual(expect.objectContaining({ to: '/admin/texts' }))
})

test('The footer of every page leads to both', async () => {
  const { hrefs } = await page('/plans')
  expect(hrefs).toEqual(expect.arrayContaining(['/report', '/dmca', 'mailto:dmca@example.org', '/transparency']))
})
