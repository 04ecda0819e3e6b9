import { expect, test, vi } from 'vitest'
import { openLog } from '../log.ts'
import type { MetricsPart } from './metric.ts'
import { Metrics, type MetricsAsJson } from './metrics.ts'

const log = openLog('silent')
const part = (name: string, read: MetricsPart<object>['read'], asksDatabase?: true): MetricsPart<object> => ({
  metrics: { [`daybook_${name}`]: { help: `The ${name}.`, type: 'gauge' } },
  ...(asksDatabase === undefined ? {} : { asksDatabase }),
  read,
})

test('an answer has each metric with its help and type, and the process beside', async () => {
  const two = [{ labels: { name: 'a "b"\\c' }, value: 2 }]
  const metrics = new Metrics(
    {},
    [part('one', () => ({ daybook_one: 1 })), part('two', () => ({ daybook_two: two }))],
    { log },
  )
  const text = await metrics.write()
  expect(text).toContain('# HELP daybook_one The one.\n# TYPE daybook_one gauge\ndaybook_one 1\n')
  expect(text).toContain('daybook_two{name="a \\"b\\"\\\\c"} 2\n')
  expect(text).toMatch(/^process_cpu_seconds_total \d/m)
  expect(text).toMatch(/^nodejs_eventloop_lag_seconds \d/m)
  expect(text).toMatch(/^daybook_scrape_unread_parts 0$/m)
  expect(Object.keys(metrics.all)).toContain('daybook_two')
})

test('a database that does not answer keeps nobody waiting, is not asked twice, and the process answers all the same', async () => {
  const never = vi.fn<() => Promise<never>>(() => new Promise(() => undefined))
  const behind = vi.fn<() => object>(() => ({}))
  const fails = () => Promise.reject(new Error('away'))
  const parts = [
    part('failing', fails, true),
    part('hanging', never, true),
    part('behind', behind as never, true),
    part('own', () => ({ daybook_own: 7 })),
  ]
  const metrics = new Metrics({}, parts, { log, longest: 50 })
  for (const asked of [1, 2]) {
    const text = await metrics.write()
    expect(text).toContain('daybook_own 7')
    expect(text).toContain(`daybook_scrape_unread_parts ${asked === 1 ? 3 : 2}\n`)
    expect(text).not.toMatch(/^daybook_hanging/m)
  }
  expect(never).toHaveBeenCalledTimes(1)
  expect(behind).toHaveBeenCalledTimes(1)
})

test('callers that come at once get one answer', async () => {
  const read = vi.fn<() => object>(() => ({ daybook_one: 1 }))
  const metrics = new Metrics({}, [part('one', read as never)], { log })
  const [one, other] = await Promise.all([metrics.write(), metrics.write()])
  expect(one).toBe(other)
  expect(read).toHaveBeenCalledTimes(1)
})

test('workers answer together: what each has a share of is summed, of other figures the greatest counts', async () => {
  const lag = 'nodejs_eventloop_lag_p99_seconds'
  const shared: MetricsPart<object> = {
    metrics: { daybook_shared: { help: 'A share.', type: 'gauge', isShared: true } },
    read: () => ({ daybook_shared: 2 }),
  }
  const parts = (age: number) => [shared, part('age', () => ({ daybook_age: age }))]
  let ofOther: (() => Promise<MetricsAsJson>) | undefined
  const link = (own: () => Promise<MetricsAsJson>) => {
    ofOther = own
    return () => Promise.resolve([])
  }
  const other = new Metrics({}, [...parts(7), part('rows', () => ({ daybook_rows: 3 }), true)], { log, link })
  expect(Object.keys(other.all)).toContain('daybook_rows')
  const heldUp = async (): Promise<MetricsAsJson[]> => {
    const sent = JSON.parse(JSON.stringify(await ofOther?.())) as MetricsAsJson
    return [sent.map((each) => (each.name === lag ? { ...each, values: [{ labels: {}, value: 9 }] } : each))]
  }
  const text = await new Metrics({}, parts(5), { log, link: () => heldUp }).write()
  expect(text).toMatch(/^daybook_shared 4$/m)
  expect(text).toMatch(/^daybook_age 7$/m)
  expect(text).toMatch(new RegExp(`^${lag} 9$`, 'm'))
  expect(text).toMatch(/^process_start_time_seconds \d/m)
  // Its figures of the database are not asked for.
  expect(text).not.toMatch(/^daybook_rows/m)
})
