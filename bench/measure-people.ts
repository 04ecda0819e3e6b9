import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { uuidv7 } from 'uuidv7'
import { digestOf } from '../src/features/accounts/sessions/tokens.server.ts'
import { type Finding, ms, times } from './findings.ts'
import { copyPostgres } from './generate-catalogue.ts'
import { startDaybook } from './processes.ts'

const members = 100_000

/** What an administrator asks for, and beside it the rows of the same page as an engineer would write them in SQL. */
const contenders: { name: string; path: string; raw: string }[] = [
  {
    name: 'VIP users, first page',
    path: '/auth/vip-users?page=1&limit=50',
    raw: `select u.id, u.name, u.email, a.ends_at from member_access a join users u on u.id = a.user_id
           where a.starts_at <= now() and a.next_starts_at > now() and not a.is_disabled and a.effective_until is not null
           order by a.effective_until desc, a.user_id desc limit 50`,
  },
  {
    name: 'VIP users, page in the middle',
    path: '/auth/vip-users?page=600&limit=50',
    raw: `select u.id, u.name, u.email, a.ends_at from member_access a join users u on u.id = a.user_id
           where a.starts_at <= now() and a.next_starts_at > now() and not a.is_disabled and a.effective_until is not null
           order by a.effective_until desc, a.user_id desc limit 50 offset 29950`,
  },
  {
    name: 'VIP users, expired ones',
    path: '/auth/vip-users?page=1&limit=50&filter=expired',
    raw: `select u.id, u.name, u.email, a.ends_at from member_access a join users u on u.id = a.user_id
           where a.starts_at <= now() and a.next_starts_at > now() and not a.is_disabled and a.effective_until <= now()
           order by a.effective_until desc, a.user_id desc limit 50`,
  },
  {
    name: 'VIP users, a page of 1,000',
    path: '/auth/vip-users?page=2&limit=1000',
    raw: `select u.id, u.name, u.email, a.ends_at from member_access a join users u on u.id = a.user_id
           where a.starts_at <= now() and a.next_starts_at > now() and not a.is_disabled and a.effective_until is not null
           order by a.effective_until desc, a.user_id desc limit 1000 offset 1000`,
  },
  {
    name: 'VIP users, search for one name',
    path: '/auth/vip-users?page=1&limit=50&search=clara%20777',
    raw: `select u.id, u.name, u.email from users u where name like 'Clara%777%' order by id desc limit 50`,
  },
  {
    name: 'VIP users, search that nearly all match',
    path: '/auth/vip-users?page=1&limit=50&search=readers.example',
    raw: `select u.id, u.name, u.email from users u where email like '%readers.example%' order by id desc limit 50`,
  },
  {
    name: 'disabled users by name',
    path: '/auth/vip-disabled-users?page=2&limit=50&sort=name',
    raw: `select id, name, email from users where vip_disabled order by name limit 50 offset 50`,
  },
  {
    name: 'people, first page',
    path: '/api/people',
    raw: `select id, name, email, created_at from users order by created_at desc, id desc limit 50`,
  },
  {
    name: 'people, last page by last seen',
    path: '/api/people?page=2000&sort=seen',
    raw: `select id, name, email, created_at from users order by last_seen_at desc nulls last, id desc limit 50 offset 99950`,
  },
  {
    name: 'people, search for one name',
    path: '/api/people?search=wells%204242',
    raw: `select id, name, email, created_at from users where name like '%Wells%4242%' order by created_at desc limit 50`,
  },
]

/**
 * P17, the administrators' lists of members, on PostgreSQL with 100,000 of them, of whom 80,000 are or were VIPs: the time of
 * an answer at one connection, and its ratio to the rows of the same page by raw SQL over one connection.
 */
export async function measurePeople(): Promise<Finding[]> {
  const { address, drop } = await copyPostgres('10k')
  const served = await startDaybook({ DATABASE_URL: address })
  const client = new pg.Client({ connectionString: address })
  await client.connect()
  try {
    const bearer = { authorization: `Bearer ${await fill(client)}` }
    const findings: { name: string; p95: number; ratio: number }[] = []
    for (const { name, path, raw } of contenders) {
      const p95 = await p95Of(async () => {
        const answer = await fetch(`http://127.0.0.1:${served.port}${path}`, { headers: bearer })
        if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}.`)
        await answer.arrayBuffer()
      })
      findings.push({ name, p95, ratio: p95 / (await p95Of(() => client.query(raw))) })
    }
    return [
      {
        id: 'P17',
        what: "Administrators' lists of members, 100,000 members",
        goal: 'at most 100 ms at p95',
        measured: findings.map(({ name, p95, ratio }) => `${name} ${ms(p95)} (${times(ratio)} raw SQL)`).join('; '),
        isMet: findings.every(({ p95 }) => p95 <= 100),
      },
    ]
  } finally {
    await client.end()
    await served.stop()
    await drop()
  }
}

/** Of one after the other, without the first ones. */
async function p95Of(work: () => Promise<unknown>): Promise<number> {
  const taken: number[] = []
  for (let round = 0; round < 70; round += 1) {
    const start = performance.now()
    await work()
    if (round >= 10) taken.push(performance.now() - start)
  }
  return taken.sort((a, b) => a - b)[Math.floor(taken.length * 0.95)] ?? 0
}

/** Members, grants and an administrator who has signed in. @returns their token */
async function fill(client: pg.Client): Promise<string> {
  const token = randomBytes(32).toString('base64url')
  const adminId = uuidv7()
  await client.query(`
    insert into users (id, name, email, email_folded, password_hash, password_changed_at, created_at, last_seen_at, vip_disabled)
    select gen_random_uuid(), (array['Clara', 'Ida', 'Lewis', 'Jacob', 'Søren'])[1 + n % 5] || ' ' ||
           (array['Barton', 'Wells', 'Hine', 'Riis', 'Aabye', 'Dupin', 'Sá'])[1 + n % 7] || ' ' || n,
           'reader' || n || '@readers.example', 'reader' || n || '@readers.example', '$argon2id$none', now(),
           now() - n * interval '1 minute', case when n % 3 > 0 then now() - n * interval '30 seconds' end, n % 20 = 0
      from generate_series(1, ${members}) n`)
  await client.query(`
    insert into access_grants (id, user_id, source, basis, renews, starts_at, ends_at, effective_until, granted_by, created_at)
    select gen_random_uuid(), id, 'manual', 'manual', false, now() - interval '3 years', ends, ends, 'the bench', now()
      from (select id, now() + (row_number() over ()::int % 1000 - 700) * interval '1 day' as ends from users
             where email like 'reader%' limit ${members * 0.8}) given`)
  await client.query(
    `insert into users (id, name, email, email_folded, password_hash, password_changed_at, created_at, is_admin)
     values ($1, 'Ada Keeper', 'keeper@readers.example', 'keeper@readers.example', '$argon2id$none', now(), now(), true)`,
    [adminId],
  )
  await client.query(
    `insert into sessions (id, user_id, token_hash, is_remembered, user_agent, created_at, last_seen_at, expires_at)
     values ($1, $2, $3, true, 'bench', now(), now(), now() + interval '30 days')`,
    [uuidv7(), adminId, digestOf(token)],
  )
  await client.query('vacuum analyze')
  return token
}
