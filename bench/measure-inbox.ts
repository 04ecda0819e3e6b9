import pg from 'pg'
import { signInKeeper } from './administration-data.ts'
import { type Call, findingOf, measureCalls, tableOf } from './calls.ts'
import type { Finding } from './findings.ts'
import { copyPostgres } from './generate-catalogue.ts'
import { startDaybook } from './processes.ts'

const rows = 100_000

const request = 'select id, title, description, status, votes, created_at from content_requests'
const inquiry = 'select id, name, email, message, state, version, created_at from inquiries'

/** The calls of a screen, and beside each the rows of the same part as an engineer would write them in SQL. */
const calls: Call[] = [
  {
    name: 'requests, first part',
    path: '/recommendations?limit=100',
    raw: `${request} order by id desc limit 100`,
  },
  {
    name: 'requests, pending ones',
    path: '/recommendations?limit=100&status=pending',
    raw: `${request} where status = 'pending' order by id desc limit 100`,
  },
  {
    name: 'requests, approved ones from the middle',
    path: '/recommendations?limit=100&status=approved&before=018e4000-0000-7000-8000-000000050000',
    raw: `${request} where status = 'approved' and id < '018e4000-0000-7000-8000-000000050000' order by id desc limit 100`,
  },
  {
    name: 'requests, a part of 1,000',
    path: '/recommendations',
    raw: `${request} order by id desc limit 1000`,
  },
  {
    name: 'entries to link',
    path: '/recommendations/items?search=the',
    raw: `select id, name from items where name ilike '%the%' order by post_date desc limit 50`,
  },
  {
    name: 'open requests of a member',
    path: '/recommendations/open',
    raw: `${request} where status <> 'rejected' order by votes desc, id desc limit 50`,
  },
  {
    name: 'own requests of a member',
    path: '/recommendations/mine',
    raw: `${request} where author_id = (select id from users where is_admin limit 1) order by id desc limit 200`,
  },
  {
    name: 'similar titles',
    path: '/recommendations/similar?title=the%20wanted%20work%204242',
    raw: `${request} where title_folded = 'the wanted work 4242'`,
  },
  {
    name: 'inquiries, open ones',
    path: '/api/inquiries',
    raw: `${inquiry} where state = 'open' order by is_vip desc, id limit 50`,
  },
  {
    name: 'inquiries, open ones from the middle',
    path: '/api/inquiries?after=all.018e4000-0000-7000-8000-000000050000',
    raw: `${inquiry} where state = 'open' and not is_vip and id > '018e4000-0000-7000-8000-000000050000' order by id limit 50`,
  },
  {
    name: 'inquiries, closed ones',
    path: '/api/inquiries?state=closed',
    raw: `${inquiry} where state = 'closed' order by id desc limit 50`,
  },
  {
    name: 'inquiries, of one address with many',
    path: '/api/inquiries?email=Flood%40readers.example',
    raw: `${inquiry} where state = 'open' and lower(email) = 'flood@readers.example' order by is_vip desc, id limit 50`,
  },
  {
    name: 'inquiries, of one address with none',
    path: '/api/inquiries?email=nobody%40readers.example',
    raw: `${inquiry} where state = 'open' and lower(email) = 'nobody@readers.example' limit 50`,
  },
  {
    name: 'what waits',
    path: '/api/admin/waiting',
    raw: `select count(*) from (select from content_requests where status = 'pending' limit 1001) as found`,
  },
  {
    name: 'the home',
    path: '/api/admin/home',
    raw: `select count(*) from (select from inquiries where state = 'open' limit 1001) as found`,
  },
]

/** P20: every call of requests and inquiries, 100,000 of each, beside the same rows by raw SQL, on PostgreSQL. */
export async function measureInbox(rounds: number): Promise<{ findings: Finding[]; table: string }> {
  const { address, drop } = await copyPostgres('10k')
  const served = await startDaybook({ DATABASE_URL: address })
  const client = new pg.Client({ connectionString: address })
  await client.connect()
  try {
    const token = await fill(client)
    const runSql = async (text: string): Promise<unknown[]> => (await client.query(text)).rows as unknown[]
    const measured = await measureCalls(calls, { port: served.port, token, runSql }, rounds)
    return {
      findings: [findingOf('P20', 'Requests and inquiries, 100,000 of each', measured, 100)],
      table: tableOf(measured),
    }
  } finally {
    await client.end()
    await served.stop()
    await drop()
  }
}

/** Requests of every state, some of them fulfilled, and inquiries, of which a tenth are of one address. @returns a token */
async function fill(client: pg.Client): Promise<string> {
  const token = await signInKeeper((text, values) => client.query(text, values))
  const id = `('018e4000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid`
  await client.query(`
    insert into content_requests (id, author_id, title, title_folded, title_grams, description, status, votes, created_at,
                                  decided_at, item_id, fulfilled_at)
    select ${id}, case when n % 1000 = 0 then (select id from users where is_admin limit 1) end,
           'The wanted work ' || n, 'the wanted work ' || n, array[n % 5000, n % 777, n % 31],
           'By somebody, of the year ' || n % 300 + 1700,
           (array['pending', 'approved', 'rejected'])[1 + n % 3], n % 60, now() - n * interval '1 minute',
           case when n % 3 > 0 then now() end,
           case when n % 6 = 1 then (select id from items offset n % 100 limit 1) end, case when n % 6 = 1 then now() end
      from generate_series(1, ${rows}) n`)
  await client.query(`
    insert into inquiries (id, user_id, name, email, message, is_vip, state, created_at, closed_at, mailed_at)
    select ${id}, case when n % 9 = 0 then (select id from users where is_admin limit 1) end, 'Reader ' || n,
           case when n % 10 = 0 then 'flood@readers.example' else 'reader' || n || '@readers.example' end,
           repeat('Where is the library? ', 1 + n % 40), n % 27 = 0,
           case when n % 2 = 0 then 'open' else 'closed' end, now() - n * interval '1 minute',
           case when n % 2 = 1 then now() end, now() - n * interval '1 minute'
      from generate_series(1, ${rows}) n`)
  await client.query('vacuum analyze')
  return token
}
