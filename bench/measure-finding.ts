import { FactSource } from './facts.ts'
import { type Finding, ms } from './findings.ts'
import { clientKey, median, quantile, request, timesOf } from './load.ts'
import { makeImages, startDaybook } from './processes.ts'
import { categories, pathOf, type Query } from './questions.ts'
import { Random } from './random.ts'
import { makeVocabulary } from './words.ts'

const facetsPath = (query: Query): string => `/universal-search/facets?${new URLSearchParams(query).toString()}`
const fitPath = (query: Query): string => pathOf({ sortBy: 'fit', marks: 'true', ...query })

/** The three parts of P24 with their goals in milliseconds, and the kinds of question of each. */
function kindsOfQuestion(
  seed = 24,
): { what: string; p50: number; p99?: number; makers: Record<string, () => string> }[] {
  const random = new Random(seed)
  const vocabulary = makeVocabulary(new Random(20_031))
  const facts = new FactSource(vocabulary)
  const word = (from: number, to: number): string => vocabulary.latin[from + random.integer(to - from)] as string
  const contentType = (): string => random.pick(['asian', 'western'])
  const fact = <T>(of: (source: FactSource) => T | null | undefined): T => {
    for (;;) {
      const found = of(facts)
      if (found !== null && found !== undefined) return found
    }
  }
  const creator = (): string => fact((source) => source.next('latin').creators[0])
  const language = (): string => fact((source) => source.next(random.pick(['latin', 'accented'])).language[0])
  const format = (): string => fact((source) => source.next('latin').linkFormat)
  const decade = (): string => `${fact((source) => source.next('latin').year).slice(0, 3)}0`
  const month = (): string => String(1 + random.integer(12)).padStart(2, '0')
  return [
    {
      what: 'Search by fit',
      p50: 3,
      p99: 12,
      makers: {
        'very common word': () => fitPath({ search: word(0, 12) }),
        'common word': () => fitPath({ search: word(20, 200) }),
        'two common words': () => fitPath({ search: `${word(0, 30)} ${word(20, 200)}` }),
        'middling word': () => fitPath({ search: word(200, 2_000) }),
        'rare word': () => fitPath({ search: word(20_000, 60_000) }),
        'beginning of a word': () => fitPath({ search: word(300, 3_000).slice(0, 3) }),
        creator: () => fitPath({ search: creator() }),
        'creator and word': () => fitPath({ search: `${creator()} ${word(20, 200)}` }),
        'Latin spelling': () => fitPath({ search: random.pick(['gorod', 'more', 'zima', 'pesni', 'yoru', 'gorok']) }),
      },
    },
    {
      what: 'Facets',
      p50: 2,
      makers: {
        'of the whole catalogue': () => facetsPath({}),
        'of a list': () => facetsPath({ contentType: contentType() }),
        'of a category': () => facetsPath({ contentType: contentType(), category: random.pick(categories) }),
        'of a language': () => facetsPath({ contentType: contentType(), language: language() }),
        'of a decade and a format': () => facetsPath({ decade: decade(), format: format() }),
        'of a month of the year': () => facetsPath({ contentType: contentType(), month: month() }),
        'of the last days': () => facetsPath({ contentType: contentType(), dateFilter: '7days' }),
        'of a creator': () => facetsPath({ creator: creator() }),
        'of a rare word': () => facetsPath({ search: word(20_000, 60_000) }),
        'of a common word': () => facetsPath({ search: word(20, 200) }),
        'of a very common word': () => facetsPath({ search: word(0, 12) }),
      },
    },
    {
      what: 'Counts of the rail, of a list without a text',
      p50: 1,
      makers: {
        'of a region': () => facetsPath({ contentType: contentType(), tier: 'free' }),
        'of banned and unknown': () => facetsPath({ category: random.pick(['Banned', 'Unknown']), tier: 'free' }),
      },
    },
  ]
}

const ask = (make: () => string, count: number): Buffer[] =>
  Array.from({ length: count }, () => request(make(), clientKey))

/** P24: search by fit, facets and the rail on a large catalogue, over one connection, each question asked for the first time. */
export async function measureFinding(
  address: string,
  items: number,
  each: number,
): Promise<{ findings: Finding[]; table: string }> {
  await makeImages({ DATABASE_URL: address }, 1)
  const server = await startDaybook({ DATABASE_URL: address, ANSWER_CACHE_MB: '0' })
  const lines: string[] = []
  const findings: Finding[] = []
  try {
    // As a server that has run for a while: what answers them is compiled.
    for (const { makers } of kindsOfQuestion(25))
      for (const make of Object.values(makers)) await timesOf(server.port, ask(make, each / 2))
    for (const { what, p50: goal, p99: goalOfTail = Infinity, makers } of kindsOfQuestion()) {
      let [worstMedian, worstTail] = [0, 0]
      for (const [kind, make] of Object.entries(makers)) {
        const answers = await timesOf(server.port, ask(make, each))
        const [p50, p99] = [median(answers), quantile(answers, 0.99)]
        worstMedian = Math.max(worstMedian, p50)
        worstTail = Math.max(worstTail, p99)
        lines.push(`| ${what} | ${kind} | ${ms(p50)} | ${ms(p99)} |`)
      }
      findings.push({
        id: 'P24',
        what: `${what}, ${items.toLocaleString('en-US')} items, one connection, first asking, answer computed`,
        goal: `p50 at most ${goal} ms${goalOfTail === Infinity ? '' : `, p99 at most ${goalOfTail} ms`}`,
        measured: `worst kind: p50 ${ms(worstMedian)}, p99 ${ms(worstTail)}`,
        isMet: worstMedian <= goal && worstTail <= goalOfTail,
      })
    }
  } finally {
    await server.stop()
  }
  return { findings, table: ['| what | kind | p50 | p99 |', '|---|---|---|---|', ...lines].join('\n') }
}
