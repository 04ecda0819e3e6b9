import pg from 'pg'
import { againstBare } from './against-bare.ts'
import { type Effort, type Finding, middle, ms, perSecond, times } from './findings.ts'
import { clientKey, compressed, load, median, request } from './load.ts'
import { makeImages, residentMegabytes, startDaybook } from './processes.ts'
import { mixOfQueries, pathOf, wordsNotSearchedBefore } from './questions.ts'

/**
 * How many of the peers' lists were answered in a second on the machine of the goals (docs/spec/performance.md#p2,
 * docs/spec/performance.md#p5).
 */
const ghostPerSecond = 52
const directusPerSecond = 175
/** Without an index that fits. */
const directusSearchesPerSecond = 5.6

const items = 100_000
const maxMegabytes = 220 + (250 * items) / 1e6

/** P1 to P5 and most of P10: answers of the HTTP interface, over PostgreSQL with 100,000 items. */
export async function measureAnswers(address: string, effort: Effort): Promise<Finding[]> {
  const findings: Finding[] = []
  await makeImages({ DATABASE_URL: address }, 2)
  const kept = await startDaybook({ DATABASE_URL: address })
  const computed = await startDaybook({ DATABASE_URL: address, ANSWER_CACHE_MB: '0' })
  const inBrotli = { ...clientKey, ...compressed }
  try {
    // P1 and P3
    const p1 = await againstBare(kept, [pathOf({ contentType: 'asian' })], inBrotli, effort)
    findings.push({
      id: 'P1',
      what: 'Search page of 300, answer kept, compressed',
      goal: 'at least 97 % of bare node:http',
      measured: p1.reported,
      isMet: p1.share >= 0.97,
    })
    const p3 = await againstBare(kept, mixOfQueries().map(pathOf), inBrotli, effort)
    const tail = p3.daybook.p99 / p3.bare.p99
    findings.push({
      id: 'P3',
      what: 'Mix of 338 different questions, kept',
      goal: 'at least 95 % of bare; p99 at most 1.5 times its',
      measured: `${p3.reported}; p99 ${times(tail)} (${ms(p3.daybook.p99)}, bare ${ms(p3.bare.p99)})`,
      isMet: p3.share >= 0.95 && tail <= 1.5,
    })
    const keptMegabytes = residentMegabytes(kept.pid)

    // P4
    const paths = await itemPaths(address)
    const requestsOfItems = paths.map((path) => request(path, clientKey))
    const unread = await load(computed.port, requestsOfItems, { count: requestsOfItems.length })
    const p4 = await againstBare(computed, paths.slice(0, 300), clientKey, effort)
    const p4kept = await againstBare(kept, paths.slice(0, 1), clientKey, effort)
    findings.push({
      id: 'P4',
      what: 'One item: computed; kept',
      goal: 'at least 60 % of bare; at least 97 %',
      measured: `${p4.reported}, ${perSecond(unread.perSecond)} while each is read for the first time; ${p4kept.reported}`,
      isMet: p4.share >= 0.6 && p4kept.share >= 0.97,
    })

    // P2
    const lists = Array.from({ length: 200 }, (_, i) =>
      pathOf({ contentType: i % 2 === 0 ? 'asian' : 'western', page: String((i >> 1) + 1) }),
    )
    for (const { how, headers, ghost, directus } of [
      { how: 'compressed as a browser asks', headers: inBrotli, ghost: 60, directus: 18 },
      { how: 'plain', headers: clientKey, ghost: 100, directus: 30 },
    ]) {
      const { daybook, cost, reported } = await againstBare(computed, lists, headers, effort)
      const [overGhost, overDirectus] = [daybook.perSecond / ghostPerSecond, daybook.perSecond / directusPerSecond]
      findings.push({
        id: 'P2',
        what: `Search page of 300, computed each time, ${how}`,
        goal: `${ghost} times Ghost's list of 100 (${ghostPerSecond}/s there), ${directus} times Directus' of 300 (${directusPerSecond}/s there)`,
        measured: `${times(overGhost)} and ${times(overDirectus)} of those figures; ${ms(cost)} of processor time each; ${reported} of bare`,
        isMet: overGhost >= ghost && overDirectus >= directus,
      })
    }
    const computedMegabytes = residentMegabytes(computed.pid)

    // P5: a word is new once, so that no round may ask for those of another.
    const reported: string[] = []
    for (const kind of ['common', 'rare'] as const) {
      const rounds = wordsNotSearchedBefore(kind, effort.rounds, effort.rounds > 3 ? 200 : 60).map((queries) =>
        queries.map((query) => request(pathOf(query), clientKey)),
      )
      const results = []
      for (const requests of rounds)
        results.push(await load(computed.port, requests, { count: requests.length, connections: 1 }))
      const { perSecond: rate, p50, p99 } = middle(results)
      reported.push(
        `${kind} words ${perSecond(rate)} (p50 ${ms(p50)}, p99 ${ms(p99)}), ${times(rate / directusSearchesPerSecond)} that figure`,
      )
    }
    findings.push({
      id: 'P5',
      what: 'Name search, 100,000 items, one connection, computed, words not asked before',
      goal: `60 times Directus with an index on lower(name): to be measured beside it (without that index it did ${directusSearchesPerSecond}/s on the machine of the goals)`,
      measured: reported.join('; '),
      isMet: undefined,
    })

    // P10
    const startMs = median([kept.startMs, computed.startMs])
    findings.push({
      id: 'P10',
      what: '100,000 items: start to first listing; memory after the load, kept; after all was computed and compressed anew',
      goal: `at most 1 s; at most ${maxMegabytes} MB, both`,
      measured: `${(startMs / 1000).toFixed(2)} s; ${keptMegabytes.toFixed(0)} MB; ${computedMegabytes.toFixed(0)} MB`,
      isMet: startMs <= 1_000 && Math.max(keptMegabytes, computedMegabytes) <= maxMegabytes,
    })
  } finally {
    await kept.stop()
    await computed.stop()
  }
  return findings
}

async function itemPaths(address: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: address })
  await client.connect()
  try {
    const { rows } = await client.query<{ path: string }>(
      `select '/' || region || 'content/' || slug as path from items
        where content_type not like 'vip%' and post_date < now() order by md5(slug) limit 3000`,
    )
    return rows.map(({ path }) => path)
  } finally {
    await client.end()
  }
}
