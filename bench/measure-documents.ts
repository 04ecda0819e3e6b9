import { againstBare } from './against-bare.ts'
import { type Effort, type Finding, ms } from './findings.ts'
import { clientKey, compressed, load, median, quantile, request, timesOf } from './load.ts'
import { ask, makeImages, residentMegabytes, type Served, startDaybook } from './processes.ts'
import { mixOfQueries, pathOf } from './questions.ts'

const maxColdMs = 100
const maxSitemapMegabytes = 50

/** Every kind of document that programs ask for; the entries of a catalogue are many times as many. */
const documents = [
  '/feeds/all.rss',
  '/feeds/western.json',
  '/feeds/asian.rss?category=Film',
  '/feeds/all.json?search=sea',
  '/feeds/banned.rss?dateFilter=7days',
  '/opds',
  '/opds/entries',
  '/opds/entries?page=300',
  '/opds/entries?query=sea',
  '/opds/entries?category=Film',
  '/opds/creators',
  '/opds/creators?page=20',
  '/opds/series',
  '/opds/languages',
  '/opds/months',
  '/opds/v2',
  '/opds/v2/entries',
  '/opds/v2/creators',
  '/sitemap.xml',
  '/sitemap.xml?part=pages',
  '/sitemap.xml?part=1',
  '/sitemap.xml?part=5',
  '/robots.txt',
  '/opensearch.xml',
  '/site.webmanifest',
]

/** P28: feeds, OPDS and sitemap, computed and kept, over a catalogue of 100,000; and the whole sitemap of a large one. */
export async function measureDocuments(
  address: string,
  large: { address: string; items: number },
  effort: Effort,
): Promise<{ findings: Finding[]; table: string }> {
  const { cold, lines } = await measureCold(address, effort.rounds * 8)
  return {
    findings: [cold, await measureKept(address, effort), await measureSitemap(large)],
    table: ['| document | p50 | p95 |', '|---|---|---|', ...lines].join('\n'),
  }
}

async function measureCold(address: string, each: number): Promise<{ cold: Finding; lines: string[] }> {
  return withDaybook({ DATABASE_URL: address, ANSWER_CACHE_MB: '0' }, async ({ port }) => {
    const lines: string[] = []
    let [worst, worstPath] = [0, '']
    for (const path of documents) {
      const answers = await timesOf(
        port,
        Array.from({ length: each }, () => request(path, compressed)),
      )
      const p95 = quantile(answers, 0.95)
      if (p95 > worst) [worst, worstPath] = [p95, path]
      lines.push(`| \`${path}\` | ${ms(median(answers))} | ${ms(p95)} |`)
    }
    const cold: Finding = {
      id: 'P28',
      what: 'Feeds, OPDS, sitemap, 100,000 items, one connection, computed and compressed each time',
      goal: `p95 at most ${maxColdMs} ms`,
      measured: `worst document: p95 ${ms(worst)} (${worstPath})`,
      isMet: worst <= maxColdMs,
    }
    return { cold, lines }
  })
}

async function measureKept(address: string, effort: Effort): Promise<Finding> {
  return withDaybook({ DATABASE_URL: address }, async (server) => {
    const kept = ['/feeds/all.rss', '/feeds/western.json', '/opds/entries', '/opds/v2/entries', '/sitemap.xml?part=1']
    const { share, reported } = await againstBare(server, kept, compressed, effort)
    return {
      id: 'P28',
      what: 'Feeds, OPDS, sitemap, kept, compressed',
      goal: 'at least 97 % of bare node:http',
      measured: reported,
      isMet: share >= 0.97,
    }
  })
}

/** Reads the whole sitemap, part after part, as a search engine does; nothing of it is kept. */
async function measureSitemap({ address, items }: { address: string; items: number }): Promise<Finding> {
  return withDaybook({ DATABASE_URL: address, ANSWER_CACHE_MB: '0' }, async ({ port, pid }) => {
    // Compiled, and its heap as large as any work makes it: at rest is a server that has answered for a while.
    const lists = mixOfQueries().map((query) => request(pathOf(query), clientKey))
    await load(port, lists, { count: 3_000 })
    const atRest = residentMegabytes(pid)
    const read = async (path: string): Promise<string> => {
      const { status, body } = await ask(port, path)
      if (status !== 200) throw new Error(`${path} answers ${status}: ${body.toString()}`)
      return body.toString()
    }
    const parts = [...(await read('/sitemap.xml')).matchAll(/<loc>[^<]*(\/sitemap[^<]*)</g)]
    let most = atRest
    const watch = setInterval(() => (most = Math.max(most, residentMegabytes(pid))), 20)
    let entries = 0
    try {
      for (const [, path = ''] of parts) entries += (await read(path)).split('<loc>').length - 1
    } finally {
      clearInterval(watch)
    }
    // About a fifth is VIP or lies ahead.
    if (entries < items * 0.7 || entries > items * 0.9) throw new Error(`The sitemap has ${entries} addresses.`)
    return {
      id: 'P28',
      what: `The whole sitemap of ${items.toLocaleString('en-US')} items, part after part`,
      goal: `at most ${maxSitemapMegabytes} MB above the memory at rest`,
      measured: `${(most - atRest).toFixed(0)} MB above ${atRest.toFixed(0)} MB, ${entries.toLocaleString('en-US')} addresses in ${parts.length} parts`,
      isMet: most - atRest <= maxSitemapMegabytes,
    }
  })
}

async function withDaybook<T>(env: Record<string, string>, measure: (server: Served) => Promise<T>): Promise<T> {
  await makeImages({ DATABASE_URL: env['DATABASE_URL'] ?? '' }, 1)
  const server = await startDaybook(env)
  try {
    return await measure(server)
  } finally {
    await server.stop()
  }
}
