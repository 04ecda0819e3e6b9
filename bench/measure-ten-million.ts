import { type Finding, ms } from './findings.ts'
import { preparePostgres, type Size, sizes } from './generate-catalogue.ts'
import { clientKey, load, median, quantile, request, timesOf } from './load.ts'
import { makeImages, residentMegabytes, startDaybook } from './processes.ts'
import { pathOf, type Query, wordsNotSearchedBefore } from './questions.ts'

const [maxStartMs, maxMegabytes] = [15_000, 3_000]
/** Those of P6. */
const [maxMedianMs, maxTailMs] = [2, 8]
const questions = 40

/** P15: does a very large catalogue start from its image, and answer as a smaller one does? */
export async function measureTenMillion(size: Size): Promise<Finding[]> {
  const address = await preparePostgres(size)
  await makeImages({ DATABASE_URL: address }, 1)
  const server = await startDaybook({ DATABASE_URL: address, ANSWER_CACHE_MB: '0' })
  try {
    const first: Query = { tier: 'free' }
    // Compiled once, as in a server that has run for a while.
    await load(server.port, [request(pathOf(first), clientKey)], { count: 50, connections: 1 })
    let slowest = 0
    const measure = async (queries: readonly Query[]): Promise<string> => {
      const times = await timesOf(
        server.port,
        queries.map((query) => request(pathOf(query), clientKey)),
      )
      slowest = Math.max(slowest, median(times) / maxMedianMs, quantile(times, 0.99) / maxTailMs)
      return `p50 ${ms(median(times))}, p99 ${ms(quantile(times, 0.99))}`
    }
    const firstPage = await measure(Array.from({ length: questions }, () => first))
    const rareWord = await measure(wordsNotSearchedBefore('rare', 1, questions).flat())
    const megabytes = residentMegabytes(server.pid)
    return [
      {
        id: 'P15',
        what: `${sizes[size].toLocaleString('en-US')} items: start from the image to the first listing; first page; rare word; memory`,
        goal: 'within 15 s; as P6; as P6; at most 3 GB',
        measured: `${(server.startMs / 1000).toFixed(1)} s; ${firstPage}; ${rareWord}; ${megabytes.toFixed(0)} MB`,
        isMet: server.startMs <= maxStartMs && slowest <= 1 && megabytes <= maxMegabytes,
      },
    ]
  } finally {
    await server.stop()
  }
}
