import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { uuidv7 } from 'uuidv7'
import { digestOf } from '../src/features/accounts/sessions/tokens.server.ts'
import { type Effort, type Finding, middle, ms, perSecond, times } from './findings.ts'
import { copyPostgres } from './generate-catalogue.ts'
import { clientKey, compressed, inTurn, load, type LoadResult, median, request } from './load.ts'
import { cpuMs, makeImages, startDaybook } from './processes.ts'
import { pathOf, type Query } from './questions.ts'

/** The lists of the VIP area, and beside each the same of the free lists, page by page. */
const lists: Record<'free' | 'vip', Query[]> = { free: [], vip: [] }
for (let page = 1; page <= 12; page += 1) {
  const more = { page: String(page), limit: '100' }
  lists.free.push(
    { contentType: 'asian', ...more },
    { contentType: 'western', ...more },
    { category: 'Banned', tier: 'free', ...more },
    { category: 'Unknown', tier: 'free', ...more },
  )
  lists.vip.push(
    { contentType: 'vip-asian', ...more },
    { contentType: 'vip-western', ...more },
    { shelf: 'vip-banned', ...more },
    { shelf: 'vip-unknown', ...more },
  )
}

/**
 * P16, the lists of VIPs: computed for each caller, with a bearer, beside free lists of as many rows that are computed too
 * (the answer cache is off), and beside the call that does nothing but recognise the session. By the processor time of
 * an answer.
 */
export async function measureVipLists({ seconds, rounds }: Effort): Promise<Finding[]> {
  const { address, drop } = await copyPostgres('100k')
  await makeImages({ DATABASE_URL: address }, 1)
  const served = await startDaybook({ DATABASE_URL: address, ANSWER_CACHE_MB: '0' })
  try {
    const ofVip = { authorization: `Bearer ${await makeVip(address)}` }
    const headers = { ...clientKey, ...compressed }
    const contenders = {
      free: lists.free.map((query) => request(pathOf(query), headers)),
      vip: lists.vip.map((query) => request(pathOf(query), { ...headers, ...ofVip })),
      session: [request('/auth/status', ofVip)],
    }
    const costs: Record<keyof typeof contenders, number[]> = { free: [], vip: [], session: [] }
    const run = async (name: keyof typeof contenders): Promise<LoadResult> => {
      const before = cpuMs(served.pid)
      const result = await load(served.port, contenders[name], { seconds })
      costs[name].push((cpuMs(served.pid) - before) / result.answers)
      return result
    }
    for (const requests of Object.values(contenders)) await load(served.port, requests, { count: 1_500 })
    const results = await inTurn(
      { free: () => run('free'), vip: () => run('vip'), session: () => run('session') },
      rounds,
    )
    const [free, vip, session] = [median(costs.free), median(costs.vip), median(costs.session)]
    const ratio = vip / free
    return [
      {
        id: 'P16',
        what: "VIPs' lists of 100 rows with a bearer, 100,000 items",
        goal: 'at most 1.5 times a free list of as many, computed as well: one query for the session more',
        measured:
          `${times(ratio)}: ${ms(vip)} of processor time each, a free list ${ms(free)}, the call that only recognises the session ${ms(session)}; ` +
          `${perSecond(middle(results.vip).perSecond)}, p99 ${ms(middle(results.vip).p99)} (free ${ms(middle(results.free).p99)})`,
        isMet: ratio <= 1.5,
      },
    ]
  } finally {
    await served.stop()
    await drop()
  }
}

/** A member with a membership in force, who has signed in. @returns their token */
async function makeVip(address: string): Promise<string> {
  const token = randomBytes(32).toString('base64url')
  const [userId, email] = [uuidv7(), 'vip@readers.example']
  const client = new pg.Client({ connectionString: address })
  await client.connect()
  try {
    await client.query(
      `insert into users (id, name, email, email_folded, password_hash, password_changed_at, created_at)
       values ($1, 'Vera Vip', $2, $2, '$argon2id$none', now(), now())`,
      [userId, email],
    )
    await client.query(
      `insert into access_grants (id, user_id, source, basis, renews, starts_at, ends_at, effective_until, granted_by, created_at)
       values ($1, $2, 'manual', 'manual', false, now() - interval '1 day', now() + interval '30 days',
               now() + interval '30 days', 'the bench', now())`,
      [uuidv7(), userId],
    )
    await client.query(
      `insert into sessions (id, user_id, token_hash, is_remembered, user_agent, created_at, last_seen_at, expires_at, proved_at)
       values ($1, $2, $3, true, 'bench', now(), now(), now() + interval '30 days', now())`,
      [uuidv7(), userId, digestOf(token)],
    )
  } finally {
    await client.end()
  }
  return token
}
