import pg from 'pg'
import { signInKeeper } from './administration-data.ts'
import { type Call, findingOf, measureCalls, tableOf } from './calls.ts'
import { type Finding, ms, times } from './findings.ts'
import { copyPostgres, type Size } from './generate-catalogue.ts'
import { clientKey } from './load.ts'
import { ask, startDaybook } from './processes.ts'

const caseOf = (reference: string): string => `
  select to_json(n) as notice, (select json_agg(i) from notice_items i where i.notice_id = n.id) as items,
         (select json_agg(e order by e.no) from notice_events e where e.notice_id = n.id) as events,
         (select json_agg(c) from notice_clocks c where c.notice_id = n.id) as clocks,
         (select json_agg(d order by d.no) from notice_decisions d where d.notice_id = n.id) as decisions
    from notices n where n.reference = '${reference}'`

const line = `
  select n.id, n.reference, n.kind, n.status, n.version, n.name, n.missing, n.received_at, n.due_at,
         (select json_agg(i.url) from notice_items i where i.notice_id = n.id) as addresses from notices n`
const byTimeLeft = `rank, coalesce(due_at, timestamptz 'infinity'), gravity, id`

/** The calls of the desk, and beside each the rows of the same part as an engineer would write them in SQL. */
const calls: Call[] = [
  {
    name: 'notices, open ones by the time left',
    path: '/api/notices',
    raw: `${line} where queue = 'open' order by ${byTimeLeft} limit 50`,
  },
  {
    name: 'notices, 200 open ones',
    path: '/api/notices?limit=200',
    raw: `${line} where queue = 'open' order by ${byTimeLeft} limit 200`,
  },
  {
    name: 'notices, open ones of a kind',
    path: '/api/notices?kind=privacy',
    raw: `${line} where queue = 'open' and kind = 'privacy' order by ${byTimeLeft} limit 50`,
  },
  {
    name: 'notices, a sender of many',
    path: '/api/notices?search=flood%40readers.example',
    raw: `${line} where queue = 'open' and strpos(search_text, 'flood@readers.example') > 0 order by ${byTimeLeft} limit 50`,
  },
  {
    name: 'notices, a sender of none',
    path: '/api/notices?search=nobody%40readers.example',
    raw: `${line} where queue = 'open' and strpos(search_text, 'nobody@readers.example') > 0 order by ${byTimeLeft} limit 50`,
  },
  {
    name: 'notices, decided ones',
    path: '/api/notices?state=decided',
    raw: `${line} where queue = 'decided' order by id desc limit 50`,
  },
  {
    name: 'notices, closed ones',
    path: '/api/notices?state=closed',
    raw: `${line} where queue = 'closed' order by id desc limit 50`,
  },
  { name: 'the case of an open notice', path: '/api/notices/N-0000-4240', raw: caseOf('N-0000-4240') },
  { name: 'the case of a decided notice', path: '/api/notices/N-0000-4242', raw: caseOf('N-0000-4242') },
  {
    name: 'what waits',
    path: '/api/admin/waiting',
    raw: `select count(*) from notices where queue = 'open'`,
  },
  { name: 'the home', path: '/api/admin/home', raw: `select count(*) from notices where queue = 'open'` },
]

/** The public figures, counted anew for each caller: as a site keeps them, it does so once a minute. */
const figures: Call[] = [
  {
    name: 'public figures, counted anew',
    path: '/transparency.json',
    raw: `
      select n.kind, extract(year from n.received_at) as year, count(*),
             count(*) filter (where n.status in ('decided', 'closed')) as decided,
             count(*) filter (where c.outcome = 'met' and c.ended_at <= c.due_at) as in_time,
             count(*) filter (where d.outcome = 'remove') as removed,
             percentile_cont(array[0.5, 0.9]) within group (order by extract(epoch from d.decided_at - n.received_at))
        from notices n
        left join notice_decisions d on d.notice_id = n.id and d.reverses is null
        left join notice_clocks c on c.notice_id = n.id and c.name = 'decide'
       group by grouping sets ((1), (1, 2))`,
  },
]

/** P22: the desk of so many notices and the public figures, beside the same rows by raw SQL, on PostgreSQL. */
export async function measureNotices(
  { size, notices }: { size: Size; notices: number },
  rounds: number,
): Promise<{ findings: Finding[]; table: string }> {
  const { address, drop } = await copyPostgres(size)
  const client = new pg.Client({ connectionString: address })
  await client.connect()
  try {
    // The first start takes the catalogue to the newest migration.
    await (await startDaybook({ DATABASE_URL: address })).stop()
    const token = await fill(client, notices)
    const runSql = async (text: string): Promise<unknown[]> => (await client.query(text)).rows as unknown[]
    const desk = await startDaybook({ DATABASE_URL: address })
    let measured
    try {
      const after = await placeInTheMiddle(desk.port, token)
      const middle: Call = {
        name: 'notices, open ones from the middle',
        path: `/api/notices?after=${encodeURIComponent(after)}`,
        raw: `${line} where queue = 'open' order by ${byTimeLeft} offset 1000 limit 50`,
      }
      measured = await measureCalls([...calls, middle], { port: desk.port, token, runSql }, rounds)
    } finally {
      await desk.stop()
    }
    const open = await startDaybook({ DATABASE_URL: address, ANSWER_CACHE_MB: '0' })
    try {
      const [counted] = await measureCalls(figures, { port: open.port, token, runSql }, Math.min(rounds, 20))
      if (counted?.rawMedian === undefined) throw new Error('The public figures were not measured.')
      const told = notices.toLocaleString('en-US')
      const ratio = counted.median / counted.rawMedian
      return {
        findings: [
          findingOf('P22', `The desk of notices, ${told} notices`, measured, 100),
          {
            id: 'P22',
            what: `Public figures of ${told} notices, counted anew`,
            goal: 'at most 3 times a look through the same rows in SQL',
            measured: `${times(ratio)} (${ms(counted.median)}, raw SQL ${ms(counted.rawMedian)})`,
            isMet: ratio <= 3,
          },
        ],
        table: tableOf([...measured, counted]),
      }
    } finally {
      await open.stop()
    }
  } finally {
    await client.end()
    await drop()
  }
}

/** The place of the thousandth open notice in the queue. */
async function placeInTheMiddle(port: number, token: string): Promise<string> {
  let after: string | undefined
  for (let part = 0; part < 5; part += 1) {
    const path = `/api/notices?limit=200${after === undefined ? '' : `&after=${encodeURIComponent(after)}`}`
    const { status, body } = await ask(port, path, { ...clientKey, authorization: `Bearer ${token}` })
    if (status !== 200) throw new Error(`${path} answered ${status}: ${body.toString().slice(0, 500)}`)
    const { next } = JSON.parse(body.toString()) as { next: string | null }
    if (next === null) break
    after = next
  }
  if (after === undefined) throw new Error('The queue has one part alone.')
  return after
}

/**
 * Notices of several years, as their events would have left them: a fifth is open, of each kind, a tenth of one sender, each with an
 * entry, its clock, what happened to it and what was decided. @returns a token of an administrator
 */
async function fill(client: pg.Client, rows: number): Promise<string> {
  const token = await signInKeeper((text, values) => client.query(text, values))
  const id = (kind: string, n = 'n') => `('018e4000-0000-7${kind}-8000-' || lpad((${n})::text, 12, '0'))::uuid`
  await client.query(`
    create temp table made as
      select n, ${id('000')} as id, 'N-' || lpad((n / 10000)::text, 4, '0') || '-' || lpad((n % 10000)::text, 4, '0') as reference,
             (array['other', 'privacy', 'copyright', 'consent', 'intimate-image', 'child-safety'])[1 + n % 6] as kind,
             case when n % 5 = 0 then 'in-review' when n % 5 < 4 then 'decided' else 'closed' end as status,
             case when n % 10 = 0 then 'flood@readers.example' else 'reader' || n || '@readers.example' end as email,
             now() - n * interval '20 minutes' as received_at
        from generate_series(1, ${rows}) n`)
  await client.query(`
    insert into notices (id, reference, kind, status, outcome, holds, due_at, notified_at, search_text, name, email, explanation, law_cited,
                         good_faith, token_digest, received_at, completed_at, decided_at)
    select id, reference, kind, status, case when status <> 'in-review' then 'remove' end,
           case when status = 'in-review' then 'holds' else 'none' end,
           case when status = 'in-review' then received_at + interval '700 days' end, received_at,
           lower(reference || ' Reader ' || n || ' ' || email), 'Reader ' || n, email,
           repeat('It is not theirs to give away. ', 1 + n % 40), 'The law', true, sha256(n::text::bytea), received_at, received_at,
           case when status <> 'in-review' then received_at + interval '1 hour' * (n % 200) end
      from made`)
  await client.query(`
    insert into notice_items (id, notice_id, position, url, item_id, snapshot)
    select ${id('001')}, made.id, 1, 'https://library.example/western/' || i.slug, i.id,
           json_build_object('id', i.id, 'name', i.name, 'slug', i.slug, 'path', '/western/' || i.slug, 'category', 'Film',
             'contentType', i.content_type, 'status', i.status, 'version', i.version, 'postDate', '2024-01-01T00:00:00.000Z',
             'links', json_build_array(), 'rights', json_build_object('basis', i.rights_basis, 'holder', null, 'licence', null,
             'evidence', null, 'attestedBy', null), 'people', i.people)
      from made join (select *, row_number() over (order by no) as place from items order by no limit 1000) i on i.place = 1 + made.n % 1000`)
  await client.query(`
    insert into notice_clocks (id, notice_id, name, gravity, started_at, due_at, ended_at, outcome)
    select ${id('002')}, id, case kind when 'copyright' then 'hide' when 'child-safety' then 'person' else 'decide' end, 1,
           received_at, received_at + interval '700 days', case when status <> 'in-review' then received_at + interval '1 day' end,
           case when status <> 'in-review' then 'met' end
      from made`)
  await client.query(`
    insert into notice_events (notice_id, at, type, by_kind, from_status, to_status, version, details)
    select id, received_at, 'received', 'sender', null, 'received', 1, json_build_object('kind', kind, 'missing', json_build_array())
      from made`)
  await client.query(`
    insert into notice_decisions (id, notice_id, outcome, ground, legal_ground, facts, explanation, decided_by, decided_at,
                                  category, source_type, automated_decision)
    select ${id('003')}, id, 'remove', 'illegal', 'The law', repeat('Seen on the page. ', 10), repeat('It is protected. ', 10),
           (select u.id from users u where is_admin limit 1), received_at + interval '1 hour' * (n % 200),
           'STATEMENT_CATEGORY_NOT_SPECIFIED_NOTICE', 'ARTICLE_16', 'NOT_AUTOMATED'
      from made where status <> 'in-review'`)
  await client.query('vacuum analyze')
  return token
}
