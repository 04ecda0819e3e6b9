import { setTimeout as sleep } from 'node:timers/promises'
import { type Effort, middle, percent, perSecond } from './findings.ts'
import { inTurn, load, type LoadResult, median, request } from './load.ts'
import { type BareAnswers } from './bare-server.ts'
import { copyAnswers, cpuMs, type Served, startBare } from './processes.ts'

/** How a server does against the bare contender that sends the same bytes. */
export interface Comparison {
  /** Bare's processor time for an answer as a share of daybook: how near we come when nothing else takes the processor. */
  share: number
  daybook: LoadResult
  bare: LoadResult
  /** Our processor time for an answer, in milliseconds. */
  cost: number
  /** Both shares in words. */
  reported: string
}

/**
 * Measures both in turn. The rate of answers depends on what else the machine does in that second; the processor time
 * that an answer takes hardly does, so the share is computed from that.
 */
export async function againstBare(
  served: Served,
  paths: string[],
  headers: Record<string, string>,
  { seconds, rounds }: Effort,
): Promise<Comparison> {
  const requests = paths.map((path) => request(path, headers))
  const warm = 2 * paths.length + 1_500
  await load(served.port, requests, { count: warm })
  const bare = await startBare(await settledAnswers(served.port, paths, headers))
  const costs = { daybook: [] as number[], bare: [] as number[] }
  const run = async ({ pid, port }: Served, cost: number[]): Promise<LoadResult> => {
    const before = cpuMs(pid)
    const result = await load(port, requests, { seconds })
    cost.push((cpuMs(pid) - before) / result.answers)
    return result
  }
  try {
    await load(bare.port, requests, { count: warm })
    const results = await inTurn(
      { daybook: () => run(served, costs.daybook), bare: () => run(bare, costs.bare) },
      rounds,
    )
    const [daybook, ofBare] = [middle(results.daybook), middle(results.bare)]
    const cost = median(costs.daybook)
    const share = median(costs.bare) / cost
    const reported = `${percent(share)} by processor time (${percent(daybook.perSecond / ofBare.perSecond)} by rate, ${perSecond(daybook.perSecond)})`
    return { share, daybook, bare: ofBare, cost, reported }
  } finally {
    await bare.stop()
  }
}

/** The server's answers, once they are compressed as well as they will be. */
async function settledAnswers(port: number, paths: string[], headers: Record<string, string>): Promise<BareAnswers> {
  const bytesOf = (answers: BareAnswers): number =>
    [...answers.values()].reduce((sum, { body }) => sum + body.length, 0)
  // Five seconds after it was made, an answer is worth it.
  await sleep(5_100)
  let answers = await copyAnswers(port, paths, headers)
  for (let calm = 0; calm < 3;) {
    await sleep(100)
    const next = await copyAnswers(port, paths, headers)
    calm = bytesOf(next) === bytesOf(answers) ? calm + 1 : 0
    answers = next
  }
  return answers
}
