import { loadavg } from 'node:os'
import { type Finding, ms, times } from './findings.ts'
import { clientKey, compressed, quantile } from './load.ts'
import { ask } from './processes.ts'

/** One call of the HTTP interface, and the same rows as an engineer would write them in SQL. */
export interface Call {
  name: string
  path: string
  raw?: string
}

export interface MeasuredCall extends Call {
  median: number
  p95: number
  /** The median of the raw SQL with its rows as JSON; undefined without one. */
  rawMedian: number | undefined
  /** How busy the machine was. */
  load: number
}

const warmUps = 5

/**
 * Asks one after the other, each call beside its raw SQL, as a browser does: compressed, with the bearer of an
 * administrator. The first answers of each fill caches and are not counted.
 */
export async function measureCalls(
  calls: Call[],
  { port, token, runSql }: { port: number; token: string; runSql?: (text: string) => Promise<unknown[]> },
  rounds: number,
): Promise<MeasuredCall[]> {
  const headers = { ...clientKey, ...compressed, authorization: `Bearer ${token}` }
  const measured: MeasuredCall[] = []
  for (const call of calls) {
    const own: number[] = []
    const bare: number[] = []
    for (let round = -warmUps; round < rounds; round += 1) {
      const took = await timeOf(async () => {
        const { status, body } = await ask(port, call.path, headers)
        if (status !== 200) throw new Error(`${call.path} answered ${status}: ${body.toString().slice(0, 500)}`)
      })
      if (round >= 0) own.push(took)
      if (call.raw === undefined || runSql === undefined) continue
      const { raw } = call
      const beside = await timeOf(async () => void JSON.stringify(await runSql(raw)))
      if (round >= 0) bare.push(beside)
    }
    measured.push({
      ...call,
      median: quantile(own, 0.5),
      p95: quantile(own, 0.95),
      rawMedian: bare.length === 0 ? undefined : quantile(bare, 0.5),
      load: loadavg()[0] ?? 0,
    })
  }
  return measured
}

export async function timeOf(work: () => Promise<void>): Promise<number> {
  const startedAt = performance.now()
  await work()
  return performance.now() - startedAt
}

/** Whether each call is quick enough, and which are the slowest. */
export function findingOf(id: string, what: string, calls: MeasuredCall[], goalMs: number | undefined): Finding {
  const slowest = calls.toSorted((a, b) => b.p95 - a.p95).slice(0, 3)
  const told = slowest.map((call) => `${call.name} ${ms(call.p95)}${besideRaw(call)}`).join('; ')
  return {
    id,
    what: `${what}, ${calls.length} calls`,
    goal: goalMs === undefined ? '' : `each at most ${goalMs} ms at p95`,
    measured: `p95 of the slowest: ${told}`,
    isMet: goalMs === undefined ? undefined : calls.every(({ p95 }) => p95 <= goalMs),
  }
}

function besideRaw({ median, rawMedian }: MeasuredCall): string {
  return rawMedian === undefined ? '' : ` (${times(median / rawMedian)} raw SQL)`
}

/** Every call in a line of Markdown. */
export function tableOf(calls: MeasuredCall[]): string {
  const lines = calls.map(({ name, path, median, p95, rawMedian, load }) => {
    const ratio = rawMedian === undefined ? ' | ' : `${ms(rawMedian)} | ${times(median / rawMedian)}`
    return `| ${name} | \`${path}\` | ${ms(median)} | ${ms(p95)} | ${ratio} | ${load.toFixed(1)} |`
  })
  return ['| screen | call | median | p95 | raw SQL | ratio | load |', '|---|---|---|---|---|---|---|', ...lines].join(
    '\n',
  )
}
