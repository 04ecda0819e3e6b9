import type { KyselyPlugin, QueryId } from 'kysely'
import { openApp } from '../src/app/open-app.ts'
import { openDatabase } from '../src/db/open.ts'
import { anonymous } from '../src/features/office/viewer/viewer.ts'
import { readSearchQuery } from '../src/features/catalogue/search/read-search-query.ts'
import { searchItems } from '../src/features/catalogue/search/search-items.server.ts'
import { readConfig } from '../src/app/config.ts'
import { openLog } from '../src/platform/log.ts'
import { type Finding, middle, ms, times } from './findings.ts'
import { clientKey, inTurn, load, median, quantile, request, timesOf } from './load.ts'
import { dataDirOf, makeImages, startDaybook } from './processes.ts'
import { categories, pathOf, type Query } from './questions.ts'
import { Random } from './random.ts'
import { makeVocabulary } from './words.ts'

/** Each kind of question that P6 names, `each` different ones of it. */
function kindsOfQuery(each: number, items: number, seed = 6): Record<string, Query[]> {
  const random = new Random(seed)
  const vocabulary = makeVocabulary(new Random(20_031))
  const month = (): string => String(1 + random.integer(12)).padStart(2, '0')
  const contentType = (): string => random.pick(['asian', 'western'])
  const page = (share: number): string => String(1 + random.integer(Math.max(1, Math.floor((items * share) / 300))))
  const words = (from: number, to: number, script: keyof typeof vocabulary = 'latin'): string =>
    vocabulary[script][from + random.integer(to - from)] as string
  const misspelt = (): string => {
    const letters = [...words(200, 3_000)]
    const at = 1 + random.integer(letters.length - 2)
    ;[letters[at], letters[at + 1]] = [letters[at + 1] as string, letters[at] as string]
    return `${letters.join('')} ${words(20, 150)}x`
  }
  const cjk = (script: 'chinese' | 'japanese', from: number, to: number): string =>
    [...words(from, to, script)].slice(0, 2).join('')
  const makers: Record<string, () => Query> = {
    'first pages': () => ({ page: String(1 + random.integer(5)) }),
    'any page': () => ({ page: page(0.8) }),
    'last pages, oldest first': () => ({ sortOrder: 'ASC', page: page(0.8) }),
    type: () => ({ contentType: contentType(), page: page(0.3) }),
    region: () => ({ region: contentType(), page: page(0.35) }),
    month: () => ({ month: month(), page: page(0.06) }),
    category: () => ({ category: random.pick(categories), page: page(0.01) }),
    'date filter': () => ({ dateFilter: random.pick(['today', 'yesterday', '7days']), region: contentType() }),
    'type and month': () => ({ contentType: contentType(), month: month(), page: page(0.02) }),
    'type, category and month': () => ({
      contentType: contentType(),
      category: random.pick(categories),
      month: month(),
    }),
    'all filters': () => ({
      contentType: contentType(),
      category: random.pick(categories),
      month: month(),
      dateFilter: '7days',
      region: contentType(),
    }),
    'very common word': () => ({ search: words(0, 12), page: String(1 + random.integer(3)) }),
    'common word and filters': () => ({ search: words(0, 30), month: month(), contentType: contentType() }),
    'two common words': () => ({ search: `${words(0, 30)} ${words(0, 30)}` }),
    'middling word': () => ({ search: words(200, 2_000) }),
    'rare word': () => ({ search: words(20_000, 60_000) }),
    'word of one item': () => ({ search: `№${10 * random.integer(items / 10)}` }),
    'Chinese, two characters, common': () => ({ search: cjk('chinese', 0, 60) }),
    'Japanese, two characters, rare': () => ({ search: cjk('japanese', 2_000, 10_000) }),
    'Chinese, one character': () => ({ search: [...words(0, 2_000, 'chinese')][0] as string }),
    'Korean or Russian word': () => ({ search: words(10, 3_000, random.pick(['korean', 'cyrillic'] as never[])) }),
    'two letters': () => ({ search: words(300, 3_000).slice(0, 2) }),
    'two letters of no name': () => ({
      search: random.pick(['qz', 'xj', 'zx', 'jq', 'vq', 'wx', 'qk', 'zq']),
      contentType: contentType(),
      month: month(),
    }),
    misspelt: () => ({ search: misspelt() }),
  }
  return Object.fromEntries(Object.entries(makers).map(([kind, make]) => [kind, Array.from({ length: each }, make)]))
}

/** Counts the queries of the app, and notes how long the slowest took, from the call to the rows. */
class QueryTimes implements KyselyPlugin {
  readonly #startedAt = new WeakMap<QueryId, number>()
  count = 0
  longestMs = 0

  reset(): void {
    this.count = 0
    this.longestMs = 0
  }

  transformQuery({ node, queryId }: Parameters<KyselyPlugin['transformQuery']>[0]) {
    this.#startedAt.set(queryId, performance.now())
    return node
  }

  transformResult({ result, queryId }: Parameters<KyselyPlugin['transformResult']>[0]) {
    this.count += 1
    this.longestMs = Math.max(this.longestMs, performance.now() - (this.#startedAt.get(queryId) ?? 0))
    return Promise.resolve(result)
  }
}

const ask = (queries: readonly Query[]): Buffer[] =>
  queries.map((query) => request(pathOf({ ...query, tier: 'free' }), clientKey))

/** How many queries the questions of each kind cause, and how long the slowest took; those of the change feed come in between. */
async function countQueries(address: string, kinds: Query[][]): Promise<{ count: number; longestMs: number }[]> {
  const queryTimes = new QueryTimes()
  const config = readConfig({ DATABASE_URL: address, DATA_DIR: dataDirOf({ DATABASE_URL: address }), DEMO: '0' })
  const { app, close } = await openApp(config, openLog('warn'), {
    open: async (at) => {
      const database = await openDatabase(at)
      return { ...database, db: database.db.withPlugin(queryTimes) }
    },
  })
  await app.listing.whenFilled()
  const counted = []
  for (const queries of kinds) {
    queryTimes.reset()
    for (const query of queries) {
      const { itemNumbers } = searchItems(
        app,
        anonymous,
        readSearchQuery(new URLSearchParams({ limit: '300', ...query })),
      )
      await app.listing.readItems(itemNumbers, anonymous)
    }
    counted.push({ count: queryTimes.count, longestMs: queryTimes.longestMs })
  }
  await close()
  return counted
}

/** P6: each kind of question on a large catalogue, over one connection, each asked for the first time. */
export async function measureKinds(
  address: string,
  items: number,
  each: number,
): Promise<{ findings: Finding[]; table: string }> {
  await makeImages({ DATABASE_URL: address }, 1)
  const asked = Object.entries(kindsOfQuery(each, items))
  const answerTimes: number[][] = []
  const server = await startDaybook({ DATABASE_URL: address, ANSWER_CACHE_MB: '0' })
  try {
    // As a server that has run for a while: what answers them is compiled.
    for (const queries of Object.values(kindsOfQuery(each / 2, items, 7))) await timesOf(server.port, ask(queries))
    for (const [, queries] of asked) answerTimes.push(await timesOf(server.port, ask(queries)))
  } finally {
    await server.stop()
  }
  // The same without the server, to see its queries. Not before: a second catalogue takes processor time from the first.
  const counted = await countQueries(
    address,
    asked.map(([, queries]) => queries),
  )
  const lines: string[] = []
  let [worstMedian, worstTail, withQueries] = [0, 0, 0]
  for (const [place, [kind, queries]] of asked.entries()) {
    const [answers, { count, longestMs }] = [answerTimes[place] ?? [], counted[place] ?? { count: 0, longestMs: 0 }]
    const [p50, p99] = [median(answers), quantile(answers, 0.99)]
    worstMedian = Math.max(worstMedian, p50)
    worstTail = Math.max(worstTail, p99)
    if (count > 0) withQueries += 1
    lines.push(`| ${kind} | ${ms(p50)} | ${ms(p99)} | ${(count / queries.length).toFixed(1)} | ${ms(longestMs)} |`)
  }
  const table = [
    '| question | p50 | p99 | queries an answer | slowest query |',
    '|---|---|---|---|---|',
    ...lines,
  ].join('\n')
  return {
    table,
    findings: [
      {
        id: 'P6',
        what: `Each kind of question on ${items.toLocaleString('en-US')} items, one connection, first asking, answer computed`,
        goal: 'p50 at most 2 ms, p99 at most 8 ms; no SQL in the path',
        measured: `worst kind: p50 ${ms(worstMedian)}, p99 ${ms(worstTail)}; ${withQueries} of ${lines.length} kinds ask the database`,
        isMet: worstMedian <= 2 && worstTail <= 8 && withQueries === 0,
      },
    ],
  }
}

/** P10, for a million items. */
const maxStartMs = 1_500

/** P7: does the first page care how large the catalogue is, and the last how far it is from the first? */
export async function measureDepth(
  small: string,
  large: string,
  largeItems: number,
  { seconds, rounds }: { seconds: number; rounds: number },
): Promise<Finding[]> {
  for (const address of [small, large]) await makeImages({ DATABASE_URL: address }, 2)
  const few = await startDaybook({ DATABASE_URL: small, ANSWER_CACHE_MB: '0' })
  const many = await startDaybook({ DATABASE_URL: large, ANSWER_CACHE_MB: '0' })
  const one = { connections: 1, seconds }
  const first = [request(pathOf({ tier: 'free' }), clientKey)]
  // About a fifth is VIP or lies ahead.
  const last = [request(pathOf({ tier: 'free', page: String(Math.floor((largeItems * 0.77) / 300)) }), clientKey)]
  try {
    const results = await inTurn(
      {
        few: () => load(few.port, first, one),
        many: () => load(many.port, first, one),
        last: () => load(many.port, last, one),
      },
      rounds,
    )
    const p50 = (name: keyof typeof results): number => middle(results[name]).p50
    return [
      {
        id: 'P7',
        what: `First page at ${largeItems.toLocaleString('en-US')} items against 10 thousand; last page against first`,
        goal: 'at most 1.1 times; at most 1.2 times',
        measured: `${times(p50('many') / p50('few'))}; ${times(p50('last') / p50('many'))}`,
        isMet: p50('many') / p50('few') <= 1.1 && p50('last') / p50('many') <= 1.2,
      },
      {
        id: 'P10',
        what: `${largeItems.toLocaleString('en-US')} items: start to first listing`,
        goal: `at most ${maxStartMs / 1000} s`,
        measured: `${(many.startMs / 1000).toFixed(2)} s`,
        isMet: many.startMs <= maxStartMs,
      },
    ]
  } finally {
    await few.stop()
    await many.stop()
  }
}
