/** A figure of /metrics; its name begins with `daybook_`. */
export interface Metric {
  help: string
  type: 'gauge' | 'counter' | 'histogram'
  /** Each worker has a share of this gauge, and they are summed. Without it the greatest counts. */
  isShared?: true
}

/** One value of a metric. A label never holds an address, an id or anything else that callers choose. */
export interface Sample {
  value: number
  labels?: Readonly<Record<string, string | number>>
  /** The name of the line where it is not that of the metric: `…_bucket`, `…_sum`, `…_count`. */
  metricName?: string
}

/** Metrics that are read together. */
export interface MetricsPart<App> {
  metrics: Readonly<Record<string, Metric>>
  /** Whether it asks the database, with one query; others answer from memory, at once. */
  asksDatabase?: true
  /** @returns the values by metric; a metric without any is left out */
  read(app: App): Readings | Promise<Readings>
}

export type Readings = Readonly<Record<string, number | readonly Sample[] | undefined>>

/** Metrics of each cache, under its name. */
export const cacheMetrics = {
  daybook_cache_bytes: { help: 'Bytes that a cache holds.', type: 'gauge', isShared: true },
  daybook_cache_entries: { help: 'How much a cache holds.', type: 'gauge', isShared: true },
  daybook_cache_hits_total: { help: 'How often something was found in a cache.', type: 'counter' },
  daybook_cache_misses_total: { help: 'How often it had to be made or read.', type: 'counter' },
} satisfies MetricsPart<unknown>['metrics']

export function readingsOfCache(
  cache: string,
  { bytes, entries, hits, misses }: { bytes?: number; entries?: number; hits?: number; misses?: number },
): Readings {
  const one = (value: number | undefined): Sample[] => (value === undefined ? [] : [{ labels: { cache }, value }])
  return {
    daybook_cache_bytes: one(bytes),
    daybook_cache_entries: one(entries),
    daybook_cache_hits_total: one(hits),
    daybook_cache_misses_total: one(misses),
  }
}

/** Metrics of each queue that sheds load, under its name. */
export const queueMetrics = {
  daybook_queue_running: { help: 'Work of a queue that is under way.', type: 'gauge', isShared: true },
  daybook_queue_waiting: { help: 'Work that waits in a queue.', type: 'gauge', isShared: true },
} satisfies MetricsPart<unknown>['metrics']

export function readingsOfQueue(queue: string, { running, waiting }: { running: number; waiting: number }): Readings {
  return {
    daybook_queue_running: [{ labels: { queue }, value: running }],
    daybook_queue_waiting: [{ labels: { queue }, value: waiting }],
  }
}

/** The text format of Prometheus. */
export const metricsType = 'text/plain; version=0.0.4; charset=utf-8'
