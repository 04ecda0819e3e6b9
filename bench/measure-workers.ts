import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Effort, type Finding, middle, percent, perSecond, times } from './findings.ts'
import { clientKey, compressed, inTurn, load, type LoadResult, median, request } from './load.ts'
import { cpuMs, makeImages, type Served, startDaybook } from './processes.ts'
import { mixOfQueries, pathOf } from './questions.ts'

const redis = process.env['BENCH_REDIS_URL'] ?? 'redis://127.0.0.1:6379/9'
const workers = 2

/**
 * P14: two workers beside one, asked for the mix of lists. Client and database take their part of the two processors, so the rate of
 * two is reckoned from the processor time that an answer costs: twice that of one, if an answer costs as much.
 */
export async function measureWorkers(address: string, { seconds, rounds }: Effort): Promise<Finding[]> {
  const env = { DATABASE_URL: address, REDIS_URL: redis, PAYMENTS: 'off' }
  await makeImages(env, workers + 1)
  const one = await startDaybook(env)
  const two = await startDaybook({ ...env, WORKERS: String(workers) })
  try {
    while (childrenOf(two.pid).length < workers || !(await areBothAsked(two))) await sleep(100)
    const requests = mixOfQueries().map((query) => request(pathOf(query), { ...clientKey, ...compressed }))
    const costs: Record<'one' | 'two', number[]> = { one: [], two: [] }
    const shares: number[] = []
    const run = async (name: 'one' | 'two', { pid, port }: Served): Promise<LoadResult> => {
      const answering = name === 'one' ? [pid] : childrenOf(pid)
      const before = answering.map(cpuMs)
      const result = await load(port, requests, { seconds })
      const used = answering.map((each, i) => cpuMs(each) - (before[i] ?? 0))
      const all = used.reduce((sum, each) => sum + each, 0)
      costs[name].push(all / result.answers)
      if (name === 'two') shares.push(Math.min(...used) / all)
      return result
    }
    for (const { port } of [one, two]) await load(port, requests, { count: 4 * requests.length })
    // Five seconds after it was made, an answer is compressed better.
    await sleep(10_000)
    const results = await inTurn({ one: () => run('one', one), two: () => run('two', two) }, rounds)
    const ratio = (workers * median(costs.one)) / median(costs.two)
    const [rateOfOne, rateOfTwo] = [middle(results.one).perSecond, middle(results.two).perSecond]
    const [memoryOfOne, memoryOfTwo] = [[one.pid], [two.pid, ...childrenOf(two.pid)]].map(proportionalMegabytes) as [
      number,
      number,
    ]
    return [
      {
        id: 'P14',
        what: 'Two workers on two processors, mix of 338 questions, kept',
        goal: 'at least 1.8 times one worker; memory at most 1.3 times',
        measured:
          `${times(ratio)} by processor time (${times(rateOfTwo / rateOfOne)} by rate with the client beside, ${perSecond(rateOfTwo)}; ` +
          `the less busy one did ${percent(median(shares))}); memory ${times(memoryOfTwo / memoryOfOne)} (${memoryOfTwo.toFixed(0)} MB, one ${memoryOfOne.toFixed(0)} MB)`,
        isMet: ratio >= 1.8 && memoryOfTwo <= 1.3 * memoryOfOne,
      },
    ]
  } finally {
    await one.stop()
    await two.stop()
  }
}

/** Whether connections made one after the other reach every worker: the second one starts after the first. */
async function areBothAsked({ pid, port }: Served): Promise<boolean> {
  const answering = childrenOf(pid)
  const before = answering.map(cpuMs)
  await load(port, [request(pathOf({ contentType: 'asian' }), clientKey)], { count: 4_000, connections: 4 })
  return answering.every((each, i) => cpuMs(each) - (before[i] ?? 0) >= 100)
}

function childrenOf(pid: number): number[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number)
}

/** Memory of processes, in megabytes; pages that several hold count once. */
function proportionalMegabytes(pids: number[]): number {
  const sizes = pids.map((pid) => Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1]))
  return sizes.reduce((sum, size) => sum + size, 0) / 1024
}
