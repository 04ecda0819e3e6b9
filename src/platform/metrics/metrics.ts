import type { Registry } from 'prom-client'
import type { Log } from '../log.ts'
import type { Metric, MetricsPart, Readings, Sample } from './metric.ts'

/** Shorter than the ten seconds that Prometheus waits, and than the time of a visitor's call on the database. */
const longestMs = 4_000

const ownMetrics = {
  daybook_scrape_unread_parts: { help: 'Parts of this answer that could not be read in time.', type: 'gauge' },
  daybook_scrape_duration_seconds: { help: 'How long the last answer took to read.', type: 'gauge' },
} satisfies Record<string, Metric>

/** The part of the library's registry that is used: what is registered is asked for its values with each answer. */
type Registered = Pick<Registry, 'registerMetric' | 'metrics' | 'getMetricsAsJSON'>

/** The metrics of a process, as another one adds its own to them. */
export type MetricsAsJson = Awaited<ReturnType<Registry['getMetricsAsJSON']>>

/**
 * The answer of /metrics (docs/spec/operations.md#metrics). Its library is loaded with the first one. One is made at a
 * time, and what the database does not answer in time is left out.
 */
export class Metrics<App> {
  readonly #app: App
  readonly #parts: readonly MetricsPart<App>[]
  readonly #log: Log
  readonly #longestMs: number
  readonly #readOthers: () => Promise<readonly MetricsAsJson[]>
  #registry: Promise<Registered> | undefined
  #underway: Promise<string> | undefined
  #values: Readings = {}
  /** Parts of earlier answers that the database still owes: they are not asked for again. */
  readonly #owed = new Set<MetricsPart<App>>()

  /** @param link is given how to read this process's own metrics, and gives how to read those of the other workers */
  constructor(
    app: App,
    parts: readonly MetricsPart<App>[],
    {
      log,
      longest = longestMs,
      link = () => () => Promise.resolve([]),
    }: {
      log: Log
      longest?: number
      link?: (own: () => Promise<MetricsAsJson>) => () => Promise<readonly MetricsAsJson[]>
    },
  ) {
    this.#app = app
    // Those of memory first: they are there however long the others take.
    this.#parts = [...parts].sort((a, b) => Number(a.asksDatabase ?? false) - Number(b.asksDatabase ?? false))
    this.#log = log
    this.#longestMs = longest
    // The database says the same to all: who is asked reads it.
    this.#readOthers = link(async () => {
      const registry = await this.#fill(this.#parts.filter(({ asksDatabase }) => asksDatabase !== true))
      return registry.getMetricsAsJSON()
    })
  }

  /** Every metric that an answer may have, beside those of the process. */
  get all(): Readonly<Record<string, Metric>> {
    return Object.assign({}, ownMetrics, ...this.#parts.map(({ metrics }) => metrics)) as Record<string, Metric>
  }

  /** The answer of all workers, in the text format 0.0.4. Callers that come meanwhile get the same. */
  write(): Promise<string> {
    this.#underway ??= this.#write().finally(() => (this.#underway = undefined))
    return this.#underway
  }

  async #write(): Promise<string> {
    const others = this.#readOthers()
    const registry = await this.#fill(this.#parts)
    const own = await registry.getMetricsAsJSON()
    const all = [own, ...(await others)]
    if (all.length === 1) return registry.metrics()
    const { AggregatorRegistry } = await import('prom-client')
    return AggregatorRegistry.aggregate(all).metrics()
  }

  /** @returns the registry, whose next answer has the values that these parts have now */
  async #fill(parts: readonly MetricsPart<App>[]): Promise<Registered> {
    this.#registry ??= this.#open()
    const registry = await this.#registry
    const begunAt = performance.now()
    const values: Record<string, Readings[string]> = {}
    let unread = 0
    for (const part of parts) {
      const readings = await this.#read(part, begunAt + this.#longestMs)
      if (readings === undefined) unread += 1
      else addTo(values, readings)
    }
    values['daybook_scrape_unread_parts'] = unread
    values['daybook_scrape_duration_seconds'] = (performance.now() - begunAt) / 1_000
    this.#values = values
    return registry
  }

  /** @returns undefined for what fails or comes too late */
  async #read(part: MetricsPart<App>, until: number): Promise<Readings | undefined> {
    const left = until - performance.now()
    // A timer is cut to whole milliseconds, and may be early by a part of one.
    if (part.asksDatabase === true && (left < 2 || this.#owed.has(part))) return undefined
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<undefined>((resolve) => {
      timer = setTimeout(resolve, left, undefined)
    })
    this.#owed.add(part)
    const reading = (async () => part.read(this.#app))()
      .catch((error: unknown) => {
        this.#log.debug({ err: error, metrics: Object.keys(part.metrics) }, 'A part of /metrics could not be read.')
        return undefined
      })
      .finally(() => this.#owed.delete(part))
    return Promise.race([reading, late]).finally(() => clearTimeout(timer))
  }

  async #open(): Promise<Registered> {
    const { collectDefaultMetrics, Registry } = await import('prom-client')
    const registry = new Registry()
    collectDefaultMetrics({ register: registry })
    // The library averages: a worker whose thread is held up would not show beside idle ones.
    for (const metric of registry.getMetricsAsArray()) if (metric.aggregator !== 'sum') metric.aggregator = 'max'
    for (const [name, { help, type, isShared }] of Object.entries(this.all)) {
      const aggregator = type === 'gauge' && isShared !== true ? 'max' : 'sum'
      const values = () => valuesOf(this.#values[name]).map((sample) => ({ labels: {}, ...sample }))
      const get = () => Promise.resolve({ name, help, type, values: values(), aggregator })
      // The library takes whatever has a name and gives its values; its types know its own classes alone.
      registry.registerMetric({ name, get } as never)
    }
    return registry
  }
}

/** Several parts may have values of one metric, under labels of their own. */
function addTo(values: Record<string, Readings[string]>, readings: Readings): void {
  for (const [name, reading] of Object.entries(readings))
    values[name] = [...valuesOf(values[name]), ...valuesOf(reading)]
}

function valuesOf(reading: Readings[string]): readonly Sample[] {
  if (reading === undefined) return []
  return typeof reading === 'number' ? [{ value: reading }] : reading
}
