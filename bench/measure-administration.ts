/*
 * `node bench/measure-administration.ts`: how long home, statistics and audit log take with 100,000 members, a million
 * downloads and 300,000 events, beside the same work in SQL. Needs PostgreSQL (BENCH_DATABASE_URL, default
 * postgresql://postgres@127.0.0.1:5432); it makes the database daybook_bench_administration and deletes it.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import pg from 'pg'
import { ms, times } from './findings.ts'
import { clientKey, quantile } from './load.ts'
import { ask, startDaybook } from './processes.ts'

const server = process.env['BENCH_DATABASE_URL'] ?? 'postgresql://postgres@127.0.0.1:5432'
const name = 'daybook_bench_administration'
const account = { ADMIN_EMAIL: 'admin@bench.example', ADMIN_PASSWORD: 'a quiet reading room of two' }
const rounds = 60

const fill = `
  insert into users (id, email, email_folded, name, password_hash, password_changed_at, created_at)
  select gen_random_uuid(), n || '@bench.example', n || '@bench.example', 'Member ' || n, '$argon2id$none', now(),
         now() - random() * interval '3 years' from generate_series(1, 100000) n;
  insert into access_grants (id, user_id, source, basis, renews, starts_at, ends_at, effective_until, created_at)
  select gen_random_uuid(), id, 'manual', 'manual', false, created_at, ends_at, ends_at, created_at
    from (select *, created_at + random() * (now() - created_at) * 1.5 as ends_at from users where random() < 0.6) u;
  insert into payments (id, invoice_id, subscription_id, plan_type, status, amount_cents, currency, period_starts_at,
                        period_ends_at, invoiced_at, paid_at)
  select gen_random_uuid(), n::text, 'sub', 'monthly', 'paid', 1200, 'usd', at, at, at, at
    from (select n, now() - random() * interval '2 years' as at from generate_series(1, 200000) n) p;
  insert into download_events (id, item_id, slot, host, tier, day)
  select gen_random_uuid(), ('00000000-0000-0000-0000-' || lpad((20000 * random() * random())::int::text, 12, '0'))::uuid,
         'link', (array['Mega', 'Gofile', 'Pixeldrain'])[1 + n % 3], (array['free', 'vip'])[1 + n % 2],
         current_date - (random() * 399)::int from generate_series(1, 1000000) n;
  insert into search_misses (day, tier, text, searches)
  select current_date - n / 2000, 'free', 'a text ' || n, 1 + n % 9 from generate_series(0, 199999) n;
  -- The chain is not computed: a single transaction with so many events takes for ever, and reading does not look at hashes.
  alter table audit_events disable trigger user;
  insert into audit_events (id, recorded_at, action, actor, actor_id)
  select gen_random_uuid(), now() - random() * interval '300 days',
         case when n % 1000 = 0 then 'role.granted' else 'session.opened' end, 'member', id
    from (select row_number() over () as n, id from users, generate_series(1, 3)) e;
  alter table audit_events enable trigger user;
  insert into audit_chain (position, event_id, hash)
  select row_number() over (order by recorded_at) + 1000, id, sha256('') from audit_events
   where not exists (select from audit_chain where event_id = audit_events.id);
`

const raw: Record<string, string> = {
  '/api/stats': 'select count(*) from users',
  '/api/audit': 'select * from audit_events order by recorded_at desc, id desc limit 51',
}

async function main(): Promise<void> {
  const prepare = pathToFileURL(join(import.meta.dirname, '../scripts/prepare.mjs')).href
  const { ensureBuilt } = (await import(prepare)) as { ensureBuilt: () => Promise<void> }
  await ensureBuilt()
  const admin = new pg.Client({ connectionString: `${server}/postgres` })
  await admin.connect()
  await admin.query(`drop database if exists ${name} with (force)`)
  await admin.query(`create database ${name}`)
  const dataDir = await mkdtemp(join(tmpdir(), 'daybook-bench-'))
  const env = { DATABASE_URL: `${server}/${name}`, DATA_DIR: dataDir, LOG_LEVEL: 'error', ...account }
  try {
    const first = await startDaybook(env)
    await first.stop()
    const client = new pg.Client({ connectionString: env.DATABASE_URL })
    await client.connect()
    await client.query(fill)
    await client.query('vacuum analyze')
    const served = await startDaybook(env)
    try {
      await measure(served.port, client)
    } finally {
      await served.stop()
      await client.end()
    }
  } finally {
    await admin.query(`drop database if exists ${name} with (force)`)
    await admin.end()
    await rm(dataDir, { recursive: true, force: true })
  }
}

async function measure(port: number, client: pg.Client): Promise<void> {
  const signedIn = await fetch(`http://127.0.0.1:${port}/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: account.ADMIN_EMAIL, password: account.ADMIN_PASSWORD }),
  })
  const { token } = (await signedIn.json()) as { token: string }
  const headers = { authorization: `Bearer ${token}`, ...clientKey }
  const { rows } = await client.query<{ id: string }>("select id from users where email = '500@bench.example'")
  const paths = [
    '/api/admin/home',
    '/api/admin/waiting',
    '/api/stats',
    ...['30d', '90d', '12m', 'all'].map((range) => `/api/stats/report?range=${range}`),
    '/api/audit',
    '/api/audit?group=accounts',
    '/api/audit?group=settings',
    `/api/audit?person=${rows[0]?.id}`,
    '/api/audit?to=2026-06-01&group=sign-ins',
  ]
  for (const path of paths) {
    const first = await timeOf(() => ask(port, path, headers))
    const own: number[] = []
    for (let round = 0; round < rounds; round += 1) own.push(await timeOf(() => ask(port, path, headers)))
    const beside = raw[path] === undefined ? '' : await besideSql(client, raw[path], own)
    console.log(
      `${path.padEnd(48)} first ${ms(first)}, median ${ms(quantile(own, 0.5))}, p95 ${ms(quantile(own, 0.95))}${beside}`,
    )
  }
}

async function besideSql(client: pg.Client, text: string, own: number[]): Promise<string> {
  const bare: number[] = []
  for (let round = 0; round < rounds; round += 1) bare.push(await timeOf(async () => void (await client.query(text))))
  return `, ${times(quantile(own, 0.5) / quantile(bare, 0.5))} the SQL`
}

async function timeOf(work: () => Promise<{ status: number } | void>): Promise<number> {
  const startedAt = performance.now()
  const answer = await work()
  if (answer !== undefined && answer.status !== 200) throw new Error(`The answer was ${answer.status}.`)
  return performance.now() - startedAt
}

await main()
