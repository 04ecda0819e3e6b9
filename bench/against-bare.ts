import { type Effort, middle, percent, perSecond } from './findings.ts'
import { inTurn, load, type LoadResult, median, request } from './load.ts'
import { copyAnswers, cpuMs, type Served, startBare } from './processes.ts'

/** How a server does against the bare contender that sends the same bytes. */
export interface Comparison {
  /** Bare's processor time for an answer as a share of ours: how near we come when nothing else takes the processor. */
  share: number
  ours: LoadResult
  bare: LoadResult
  /** Both shares in words. */
  told: string
}

/**
 * Measures both in turn. The rate of answers depends on what else the machine does in that second; the processor time
 * that an answer takes hardly does, so the share is reckoned from that.
 */
export async function againstBare(
  served: Served,
  paths: string[],
  headers: Record<string, string>,
  { seconds, rounds }: Effort,
): Promise<Comparison> {
  const bare = await startBare(await copyAnswers(served.port, paths, headers))
  const requests = paths.map((path) => request(path, headers))
  const costs = { ours: [] as number[], bare: [] as number[] }
  const run = async ({ pid, port }: Served, cost: number[]): Promise<LoadResult> => {
    const [cpuBefore, startedAt] = [cpuMs(pid), performance.now()]
    const result = await load(port, requests, { seconds })
    cost.push((cpuMs(pid) - cpuBefore) / ((result.perSecond * (performance.now() - startedAt)) / 1000))
    return result
  }
  try {
    for (const { port } of [served, bare]) await load(port, requests, { count: 2 * paths.length + 500 })
    const results = await inTurn({ ours: () => run(served, costs.ours), bare: () => run(bare, costs.bare) }, rounds)
    const [ours, ofBare] = [middle(results.ours), middle(results.bare)]
    const share = median(costs.bare) / median(costs.ours)
    const told = `${percent(share)} by processor time (${percent(ours.perSecond / ofBare.perSecond)} by rate, ${perSecond(ours.perSecond)})`
    return { share, ours, bare: ofBare, told }
  } finally {
    await bare.stop()
  }
}
