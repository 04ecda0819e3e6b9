import type { OpenDatabase } from '../db/open-database.ts'
import { features } from '../features/site/features.server.ts'
import { alarmMetrics } from '../features/site/metrics/site-metrics.server.ts'
import { httpMetrics } from '../http/http-metrics.ts'
import type { MetricsPart, Sample } from '../platform/metrics/metric.ts'
import { Metrics } from '../platform/metrics/metrics.ts'
import { platformMetrics } from '../platform/platform-metrics.ts'
import type { App } from './app.ts'
import { linkMetrics } from './worker-link.ts'

export function openMetrics(app: App, database: Pick<OpenDatabase, 'pools' | 'replicaReads'>): Metrics<App> {
  const homes = features.flatMap(({ adminHome }) => adminHome ?? [])
  const ofFeatures = features.flatMap(({ metrics = [] }) => metrics)
  return new Metrics<App>(
    app,
    [...httpMetrics, ...platformMetrics, poolMetrics(database), ...ofFeatures, ...alarmMetrics(homes)],
    { log: app.log, link: linkMetrics },
  )
}

function poolMetrics({ pools, replicaReads }: Pick<OpenDatabase, 'pools' | 'replicaReads'>): MetricsPart<App> {
  return {
    metrics: {
      daybook_pool_connections: {
        help: 'Connections to PostgreSQL by pool, and callers that wait for one (state: busy, idle, waiting).',
        type: 'gauge',
        isShared: true,
      },
      daybook_replica_reads_total: {
        help: 'Reads that may come from the replica since the start: answered by it, or by the primary because it was behind, away, or failed.',
        type: 'counter',
      },
    },
    read: () => ({
      daybook_replica_reads_total: Object.entries(replicaReads ?? {}).map(([outcome, value]) => ({
        labels: { outcome },
        value,
      })),
      daybook_pool_connections: Object.entries(pools?.() ?? {}).flatMap(([pool, { open, idle, waiting }]): Sample[] =>
        Object.entries({ busy: open - idle, idle, waiting }).map(([state, value]) => ({
          labels: { pool, state },
          value,
        })),
      ),
    }),
  }
}
