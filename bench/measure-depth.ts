import pg from 'pg'
import type { KyselyPlugin, QueryId } from 'kysely'
import { openApp, type OpenApp } from '../src/app.ts'
import { openDatabase } from '../src/db/open.ts'
import { anonymous } from '../src/features/accounts/viewer.ts'
import { facetMask } from '../src/features/catalogue/facets.ts'
import { gramsOfName, gramsOfWord, foldText, likeAnywhere, wordsOf } from '../src/features/catalogue/name-text.ts'
import { readSearchQuestion } from '../src/features/catalogue/read-search-question.ts'
import { searchItems } from '../src/features/catalogue/search-items.server.ts'
import { readConfig } from '../src/platform/config.ts'
import { openLog } from '../src/platform/log.ts'
import { addDays, dayOf, startOfDay } from '../src/platform/site-time.ts'
import { type Finding, ms, times } from './findings.ts'
import { clientKey, inTurn, load, median, quantile, request } from './load.ts'
import { startDaybook } from './processes.ts'
import { categories, pathOf, type Question } from './questions.ts'
import { Random } from './random.ts'
import { nearestByGrams, rawStatements, type Statement } from './raw-sql.ts'
import { makeVocabulary } from './words.ts'

/** Each kind of question that P6 names, `each` different ones of it. */
function kindsOfQuestion(each: number, items: number): Record<string, Question[]> {
  const random = new Random(6)
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
  const makers: Record<string, () => Question> = {
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

/** Notes how long each query of the app took, from the call to the rows. */
class QueryTimes implements KyselyPlugin {
  readonly #startedAt = new WeakMap<QueryId, number>()
  longestMs = 0

  transformQuery({ node, queryId }: Parameters<KyselyPlugin['transformQuery']>[0]) {
    this.#startedAt.set(queryId, performance.now())
    return node
  }

  transformResult({ result, queryId }: Parameters<KyselyPlugin['transformResult']>[0]) {
    this.longestMs = Math.max(this.longestMs, performance.now() - (this.#startedAt.get(queryId) ?? 0))
    return Promise.resolve(result)
  }
}

/** P6: each kind of question on a large catalogue, over one connection, against raw SQL for the same page. */
export async function measureKinds(
  address: string,
  items: number,
  each: number,
): Promise<{ findings: Finding[]; table: string }> {
  const queryTimes = new QueryTimes()
  const config = readConfig({ DATABASE_URL: address, DEMO: '0' })
  const { app, close } = await openApp(config, openLog('warn'), {
    open: async (at) => {
      const database = await openDatabase(at)
      return { ...database, db: database.db.withPlugin(queryTimes) }
    },
  })
  const server = await startDaybook({ DATABASE_URL: address, ANSWER_CACHE_MB: '0' })
  const client = new pg.Client({ connectionString: address })
  await client.connect()
  await client.query(`set jit = off`)
  await client.query(`set statement_timeout = '3s'`)
  const lines: string[] = []
  let worstMedian = -Infinity
  let worstTail = -Infinity
  let longest = { kind: '', ms: 0 }
  try {
    await load(server.port, [request(pathOf({}), clientKey)], { count: 50, connections: 1 })
    for (const [kind, questions] of Object.entries(kindsOfQuestion(each, items))) {
      const ours: number[] = []
      const raw: number[] = []
      let slowest = 0
      for (const [i, question] of questions.entries()) {
        const askUs = async (): Promise<void> => {
          const { p50 } = await load(server.port, [request(pathOf({ ...question, tier: 'free' }), clientKey)], {
            count: 1,
            connections: 1,
          })
          ours.push(p50)
        }
        const askRaw = async (): Promise<void> => {
          raw.push(await quickest(client, statementsFor(app, question)))
        }
        // Whoever comes second finds the pages of the database warm.
        for (const ask of i % 2 === 0 ? [askUs, askRaw] : [askRaw, askUs]) await ask()
        queryTimes.longestMs = 0
        const { nos } = await searchItems(
          app,
          anonymous,
          readSearchQuestion(new URLSearchParams({ limit: '300', ...question })),
        )
        await app.listing.fragments.read(nos, anonymous, app.clock.now())
        slowest = Math.max(slowest, queryTimes.longestMs)
      }
      const medianMore = median(ours) - median(raw)
      const tailMore = quantile(ours, 0.99) - quantile(raw, 0.99)
      worstMedian = Math.max(worstMedian, medianMore)
      worstTail = Math.max(worstTail, tailMore)
      if (slowest > longest.ms) longest = { kind, ms: slowest }
      lines.push(
        `| ${kind} | ${ms(median(ours))} | ${ms(median(raw))} | ${ms(quantile(ours, 0.99))} | ${ms(quantile(raw, 0.99))} | ${ms(slowest)} |`,
      )
    }
  } finally {
    await client.end()
    await server.stop()
    await close()
  }
  const table = [
    '| question | p50 | raw SQL p50 | p99 | raw SQL p99 | slowest query |',
    '|---|---|---|---|---|---|',
    ...lines,
  ].join('\n')
  return {
    table,
    findings: [
      {
        id: 'P6',
        what: `Each kind of question on ${items.toLocaleString('en-US')} items, one connection, answer computed each time`,
        goal: 'p50 at most raw SQL + 1.5 ms, p99 at most + 10 ms; no query over 50 ms',
        measured: `worst kind: p50 ${signed(worstMedian)}, p99 ${signed(worstTail)}; slowest query ${ms(longest.ms)} (${longest.kind})`,
        isMet: worstMedian <= 1.5 && worstTail <= 10 && longest.ms <= 50,
      },
    ],
  }
}

function signed(value: number): string {
  return `${value < 0 ? '−' : '+'}${ms(Math.abs(value))}`
}

/** The same question as raw SQL; where the page before ends is looked up beforehand, and costs the contender nothing. */
function statementsFor(app: OpenApp['app'], asked: Question): Statement[] {
  const question = readSearchQuestion(new URLSearchParams({ limit: '300', ...asked }))
  const { page, limit, ascending, text, category, dateFilter, ...facets } = question
  const now = app.clock.now()
  const today = dayOf(now, app.config.timeZone)
  const day = (days: number): number => startOfDay(addDays(today, days), app.config.timeZone)
  const [from, to] =
    dateFilter === undefined
      ? [0, now + 1]
      : dateFilter === 'today'
        ? [day(0), now + 1]
        : dateFilter === 'yesterday'
          ? [day(-1), day(0)]
          : [day(-6), now + 1]
  const categoryId = category === undefined ? undefined : (app.listing.categoryId(category) ?? 0)
  const mask = facetMask({ ...facets, isVip: false, ...(categoryId === undefined ? {} : { categoryId }) })
  const skip = (page - 1) * limit
  const words = wordsOf(text)
  const stretch = app.listing.stretch(from, to)
  const before = words.length === 0 && skip > 0 ? app.listing.page(stretch, mask, ascending, skip - 1, 1)[0] : undefined
  const statements = rawStatements({
    ...mask,
    ascending,
    from: from / 1000,
    to: to / 1000,
    after: before,
    skip: words.length === 0 ? 0 : skip,
    grams: words.flatMap(gramsOfWord),
    patterns: words.map(likeAnywhere),
  })
  return statements
}

async function quickest(client: pg.Client, statements: Statement[]): Promise<number> {
  let best = Infinity
  let found = 0
  for (const { text, values } of statements) {
    const startedAt = performance.now()
    try {
      found = (await client.query(text, values)).rows.length
    } catch (error) {
      // A plan that takes longer than anybody would wait is no contender.
      if ((error as { code?: string }).code !== '57014') throw error
      continue
    }
    best = Math.min(best, performance.now() - startedAt)
  }
  // Nothing matched: the nearest names are part of the answer.
  const patterns = statements[0]?.values[4]
  if (found === 0 && Array.isArray(patterns)) {
    const asked = (patterns as string[]).map((pattern) => pattern.slice(1, -1)).join(' ')
    const startedAt = performance.now()
    await client.query(nearestByGrams, [gramsOfName(foldText(asked))]).catch(() => undefined)
    best += performance.now() - startedAt
  }
  return best
}

/** P7: does the first page care how large the catalogue is, and the last how far it is from the first? */
export async function measureDepth(
  small: string,
  large: string,
  largeItems: number,
  { seconds, rounds }: { seconds: number; rounds: number },
): Promise<Finding[]> {
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
    const p50 = (name: keyof typeof results): number => median(results[name].map((result) => result.p50))
    return [
      {
        id: 'P7',
        what: `First page at ${largeItems.toLocaleString('en-US')} items against 10 thousand; last page against first`,
        goal: 'at most 1.25 times; at most 2 times',
        measured: `${times(p50('many') / p50('few'))}; ${times(p50('last') / p50('many'))}`,
        isMet: p50('many') / p50('few') <= 1.25 && p50('last') / p50('many') <= 2,
      },
    ]
  } finally {
    await few.stop()
    await many.stop()
  }
}
