import { type MetricsPart, queueMetrics, readingsOfQueue } from '../../../platform/metrics/metric.ts'
import type { AccountsApp } from '../app.ts'

export const passwordMetrics: MetricsPart<Pick<AccountsApp, 'passwords'>> = {
  metrics: queueMetrics,
  read: ({ passwords }) => readingsOfQueue('hashing', passwords.queue),
}
