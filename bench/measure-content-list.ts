import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { uuidv7 } from 'uuidv7'
import { digestOf } from '../src/features/accounts/sessions/tokens.server.ts'
import { type Finding, ms, times } from './findings.ts'
import { copyPostgres } from './generate-catalogue.ts'
import { clientKey, compressed, median, quantile } from './load.ts'
import { ask, startDaybook } from './processes.ts'

const rowsOfPage = 900

/** What an administrator does with the list: first and far pages of each tab, filters, common and rare words. */
const questions = [
  '/asiancontent',
  '/asiancontent?page=20',
  '/asiancontent?page=40',
  '/westerncontent?sortOrder=ASC&page=30',
  '/vipcontent?page=9',
  '/westerncontent?category=film',
  '/bannedcontent?status=published',
  '/asiancontent?status=draft',
  '/asiancontent?search=the',
  '/asiancontent?search=winter',
  '/westerncontent?search=harbour%20of',
]

/** The same rows and columns as the first question, as plain SQL. */
const rawSql = `
  select i.id, i.no, i.status, i.restriction, i.version, i.created_at, i.updated_at, i.rights_revoked_at, i.name, i.slug,
         c.name as category, i.content_type, i.region, i.post_date, i.link, i.link2, i.link_g, i.link_p, i.link_mv1, i.link_mv2,
         i.link_mv3, i.link_mv4, i.rating, i.rights_basis, i.rights_holder, i.rights_licence, i.rights_evidence,
         i.permits_download, i.permits_paid_access, i.rights_valid_from, i.rights_valid_until, i.people, i.external_id, i.lapses_at
    from items i join categories c on c.id = i.category_id
   where section_of(i.content_type) = 'asian'
   order by i.post_date desc, i.no desc limit ${rowsOfPage}`

/**
 * P16, the administrators' list of 900: the time of a whole answer, one at a time, beside that of its raw SQL; and the
 * slowest of what an administrator asks of 100,000 items.
 */
export async function measureContentList(rounds: number): Promise<Finding[]> {
  const { address, drop } = await copyPostgres('100k')
  const served = await startDaybook({ DATABASE_URL: address })
  const client = new pg.Client({ connectionString: address })
  await client.connect()
  try {
    const headers = { ...clientKey, ...compressed, authorization: `Bearer ${await makeAdministrator(client)}` }
    const answer = async (path: string): Promise<number> => {
      const startedAt = performance.now()
      const { status } = await ask(served.port, path, headers)
      if (status !== 200) throw new Error(`${path} answered ${status}.`)
      return performance.now() - startedAt
    }
    const raw = async (): Promise<number> => {
      const startedAt = performance.now()
      JSON.stringify((await client.query(rawSql)).rows)
      return performance.now() - startedAt
    }
    const [first = ''] = questions
    const answers: number[] = []
    const raws: number[] = []
    const all: number[] = []
    for (let round = -3; round < rounds; round += 1) {
      const pair = [await answer(first), await raw()] as const
      const others: number[] = []
      for (const question of questions) others.push(await answer(question))
      // The first rounds fill caches and compile.
      if (round < 0) continue
      answers.push(pair[0])
      raws.push(pair[1])
      all.push(...others)
    }
    const ratio = median(answers) / median(raws)
    const tail = quantile(all, 0.95)
    return [
      {
        id: 'P16',
        what: `Administrators' list of ${rowsOfPage}, 100,000 items`,
        goal: 'at most 2 times its raw SQL',
        measured: `${times(ratio)} (${ms(median(answers))}, raw SQL as JSON ${ms(median(raws))})`,
        isMet: ratio <= 2,
      },
      {
        id: 'P16',
        what: `The same: ${questions.length} pages, filters and searches`,
        goal: 'p95 within 100 ms',
        measured: `p95 ${ms(tail)}, median ${ms(median(all))}`,
        isMet: tail <= 100,
      },
    ]
  } finally {
    await client.end()
    await served.stop()
    await drop()
  }
}

/** An administrator who has signed in. @returns their token */
async function makeAdministrator(client: pg.Client): Promise<string> {
  const token = randomBytes(32).toString('base64url')
  const [userId, email] = [uuidv7(), 'admin@readers.example']
  await client.query(
    `insert into users (id, name, email, email_folded, password_hash, password_changed_at, is_admin, created_at)
     values ($1, 'Ada Admin', $2, $2, '$argon2id$none', now(), true, now())`,
    [userId, email],
  )
  await client.query(
    `insert into sessions (id, user_id, token_hash, is_remembered, user_agent, created_at, last_seen_at, expires_at)
     values ($1, $2, $3, true, 'bench', now(), now(), now() + interval '30 days')`,
    [uuidv7(), userId, digestOf(token)],
  )
  return token
}
