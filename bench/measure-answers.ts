import pg from 'pg'
import { againstBare } from './against-bare.ts'
import { type Effort, type Finding, middle, ms, percent, perSecond, times } from './findings.ts'
import { clientKey, compressed, inTurn, load, request } from './load.ts'
import { copyAnswers, cpuMs, residentMegabytes, startBare, startDaybook } from './processes.ts'
import { mixOfQuestions, nameQuestions, pathOf } from './questions.ts'
import { itemsByNo } from './raw-sql.ts'

/** The lists that Ghost and Directus were measured with gave this many answers a second (PERFORMANCE.md, P2 and P5). */
const ghostPerSecond = 52
const directusPerSecond = 175
const directusSearchesPerSecond = 5.6

/** P1 to P5 and P10: answers of the HTTP interface, over PostgreSQL with 100,000 items. */
export async function measureAnswers(address: string, effort: Effort): Promise<Finding[]> {
  const { seconds, rounds } = effort
  const findings: Finding[] = []
  const environment = { DATABASE_URL: address }
  const kept = await startDaybook(environment)
  const computed = await startDaybook({ ...environment, ANSWER_CACHE_MB: '0' })
  const inBrotli = { ...clientKey, ...compressed }
  const pool = new pg.Pool({ connectionString: address, max: 16 })
  try {
    // P1 and P3
    const p1 = await againstBare(kept, [pathOf({ contentType: 'asian' })], inBrotli, effort)
    findings.push({
      id: 'P1',
      what: 'Search page of 300, answer kept, compressed',
      goal: 'at least 90 % of bare node:http',
      measured: p1.told,
      isMet: p1.share >= 0.9,
    })
    const p3 = await againstBare(kept, mixOfQuestions().map(pathOf), inBrotli, effort)
    findings.push({
      id: 'P3',
      what: 'Mix of 338 different questions, kept',
      goal: 'p99 at most 10 ms; over 30,000/s',
      measured: `p99 ${ms(p3.ours.p99)} (bare ${ms(p3.bare.p99)}); ${p3.told} of bare, which does ${perSecond(p3.bare.perSecond)}`,
      isMet: p3.ours.p99 <= 10 && p3.ours.perSecond > 30_000,
    })
    findings.push({
      id: 'P10',
      what: 'Start to first listing; memory after this load (100,000 items)',
      goal: 'at most 1.2 s; at most 200 MB',
      measured: `${(kept.startMs / 1000).toFixed(2)} s; ${residentMegabytes(kept.pid).toFixed(0)} MB`,
      isMet: kept.startMs <= 1_200 && residentMegabytes(kept.pid) <= 200,
    })

    // P2
    const lists = Array.from({ length: 200 }, (_, i) =>
      pathOf({ contentType: i % 2 === 0 ? 'asian' : 'western', page: String((i >> 1) + 1) }),
    )
    const bareLists = await startBare(await copyAnswers(computed.port, lists, clientKey))
    const requestsOfLists = lists.map((path) => request(path, clientKey))
    const { rows } = await pool.query<{ no: number }>(
      `select no from items where content_type = 'asian' and post_date < now() order by post_date desc`,
    )
    const nos = rows.map((row) => row.no)
    await load(computed.port, requestsOfLists, { count: 2 * lists.length })
    let cpu = 0
    let answered = 0
    const uncached = await inTurn(
      {
        daybook: async () => {
          const before = cpuMs(computed.pid)
          const result = await load(computed.port, requestsOfLists, { seconds })
          cpu += cpuMs(computed.pid) - before
          answered += result.perSecond * seconds
          return result
        },
        bare: () => load(bareLists.port, requestsOfLists, { seconds }),
        sql: () => rawLoad(pool, nos, seconds),
      },
      rounds,
    )
    await bareLists.stop()
    const p2 = middle(uncached.daybook)
    findings.push({
      id: 'P2',
      what: 'Search page of 300, computed each time, PostgreSQL',
      goal: `25 times Ghost's list of 100 (${ghostPerSecond}/s there), 8 times Directus' (${directusPerSecond}/s there)`,
      measured:
        `${times(p2.perSecond / ghostPerSecond)} and ${times(p2.perSecond / directusPerSecond)} of those figures (${perSecond(p2.perSecond)}); ` +
        `${percent(p2.perSecond / middle(uncached.bare).perSecond)} of bare, ${times(p2.perSecond / middle(uncached.sql).perSecond)} raw SQL of the same ids; ${ms(cpu / answered)} of processor time each`,
      isMet: p2.perSecond >= 25 * ghostPerSecond && p2.perSecond >= 8 * directusPerSecond,
    })

    // P4
    const { rows: items } = await pool.query<{ path: string }>(
      `select '/' || region || 'content/' || slug as path from items
        where content_type not like 'vip%' and post_date < now() order by md5(slug) limit 3000`,
    )
    const requestsOfItems = items.map(({ path }) => request(path, clientKey))
    const unread = await load(computed.port, requestsOfItems, { count: requestsOfItems.length })
    const p4 = middle(
      (await inTurn({ computed: () => load(computed.port, requestsOfItems, { seconds }) }, rounds)).computed,
    ).perSecond
    const p4kept = await againstBare(kept, [(items[0] as { path: string }).path], clientKey, effort)
    findings.push({
      id: 'P4',
      what: 'One item: answer computed each time; answer kept',
      goal: 'at least 20,000/s; 90 % of bare',
      measured: `${perSecond(p4)} (${percent(p4 / p4kept.bare.perSecond)} of bare; ${perSecond(unread.perSecond)} while each item is read for the first time); ${p4kept.told}`,
      isMet: p4 >= 20_000 && p4kept.share >= 0.9,
    })

    // P5
    const requestsOfNames = nameQuestions(4_000).map((question) => request(pathOf(question), clientKey))
    const names = middle(
      (await inTurn({ daybook: () => load(computed.port, requestsOfNames, { seconds, connections: 1 }) }, rounds))
        .daybook,
    )
    findings.push({
      id: 'P5',
      what: 'Name search, 100,000 items, one connection, answer computed each time',
      goal: `at least 500 times Directus (${directusSearchesPerSecond}/s there)`,
      measured: `${times(names.perSecond / directusSearchesPerSecond)} (${perSecond(names.perSecond)}; p50 ${ms(names.p50)}, p99 ${ms(names.p99)})`,
      isMet: names.perSecond >= 500 * directusSearchesPerSecond,
    })
  } finally {
    await pool.end()
    await kept.stop()
    await computed.stop()
  }
  return findings
}

/** The least that has to be read for the same pages: 300 rows by their numbers, 16 at a time. */
async function rawLoad(pool: pg.Pool, nos: number[], seconds: number) {
  const startedAt = performance.now()
  const endsAt = startedAt + seconds * 1000
  let done = 0
  await Promise.all(
    Array.from({ length: 16 }, async (_, i) => {
      for (let page = i; performance.now() < endsAt; page += 16) {
        const from = (page * 300) % Math.max(1, nos.length - 300)
        await pool.query(itemsByNo, [nos.slice(from, from + 300)])
        done += 1
      }
    }),
  )
  return { perSecond: done / ((performance.now() - startedAt) / 1000), p50: 0, p99: 0, failures: 0 }
}
